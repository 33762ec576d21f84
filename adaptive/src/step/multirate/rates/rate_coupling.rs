//! Rate coupling: which elements have to fire at the same ticks, and how fast those at an interface between levels have to be.

use crate::cut::{Cut, Interface, Operators};
use crate::hierarchy::Stencils;
use crate::step::multirate::rates::element_coupling::ElementCoupling;
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::{DEEPEST, UNSET};

/// Factor by which a node may exceed its bound: the bound is conservative for ghosts, and with half the stable step there is a margin of four.
const NODE_SLACK: f64 = 2.0;
/// Weights below this share of the largest weight of an element are ignored.
const NEGLIGIBLE_WEIGHT: f64 = 0.1;
/// No row.
const NONE: u32 = u32::MAX;
/// Step levels by which an element at an interface may be slower than the fastest whole element around the nodes on which it acts. With 0 every coarser element there
/// fires as often as the finer ones: a poked pad took an eighth more evaluations, and 0.05 % of its energy came and went instead of 0.5 %. With 2 levels 3 % of it came and went.
const MAX_LEVEL_LAG: u8 = 1;
/// Rounds of the node bound; each raises a few elements by one level.
const ROUNDS: usize = 24;

impl ElementSteps {
    /// Changes to another cut with its `coupling`: resets the levels of elements that are no longer evaluated.
    pub(crate) fn take_cut(&mut self, cut: &Cut, coupling: ElementCoupling) {
        self.coupling = coupling;
        for (t, own) in self.own_levels.iter_mut().enumerate() {
            if cut.active_corners(t as u32) == 0 {
                *own = UNSET;
                if let Some(added) = self.selective_scaling.corners.get_mut(t) {
                    *added = 0.0;
                }
            }
        }
    }

    /// Finds which elements of a cut act on which nodes.
    pub(crate) fn element_coupling(
        &mut self,
        cut: &Cut,
        operators: &Operators,
        interface: Interface,
    ) -> ElementCoupling {
        let forest = cut.forest();
        let mut scratch = std::mem::take(&mut self.workspace.load);
        scratch.fill(0.0);
        // a ghost is a corner of some dozens of elements
        let mut masters = Stencils::default();
        let mut row_of = std::mem::take(&mut self.workspace.row_of);
        row_of.clear();
        row_of.resize(forest.node_count(), NONE);
        let mut row = Vec::new();
        let mut coupling = ElementCoupling::default();
        for &t in operators.evaluated() {
            let corners = forest.tets()[t as usize];
            let inertia = self.inertia.corner[t as usize] + self.inertia.heavier[t as usize];
            let w = cut.weight(t, interface) * inertia;
            let moves_or_rests = |&n: &u32| cut.is_active(n) || forest.support(n).is_some();
            if corners.iter().all(moves_or_rests) {
                coupling.whole.push((t, w));
                continue;
            }
            row.clear();
            for n in corners {
                if cut.is_active(n) {
                    row.push((n, w));
                } else if interface != Interface::Paper {
                    let at = &mut row_of[n as usize];
                    if *at == NONE {
                        *at = masters.len() as u32;
                        masters.push(operators.expand([(n, 1.0)], &mut scratch));
                    }
                    let (nodes, weights) = masters.row(*at as usize);
                    let sum: f64 = weights.iter().map(|w| w.abs()).sum();
                    let pushed = nodes.iter().zip(weights);
                    row.extend(pushed.map(|(&m, a)| (m, w * a.abs() * sum)));
                }
            }
            coupling.tets.push(t);
            coupling.rows.push(row.iter().copied());
        }
        let is_listed = &mut self.workspace.finest;
        is_listed.fill(0);
        for k in 0..coupling.rows.len() {
            for &n in coupling.rows.row(k).0 {
                if std::mem::replace(&mut is_listed[n as usize], 1) == 0 {
                    coupling.nodes.push(n);
                }
            }
        }
        self.workspace.load = scratch;
        self.workspace.row_of = row_of;
        coupling
    }

    /// Computes the step levels: those that elements need by themselves, raised at interfaces until no node exceeds its bound
    /// `Σ_e w_e (ω_e Δt_e)² ρV_e/4 a_e / m ≤ 2 (2c)²`, with `a = |w| Σ|w|` for the weights through ghosts (1 for corners). Elements around a node in `held` have
    /// the same rate, and none that acts on such a node is more than `MAX_LEVEL_LAG` levels slower than the others. Needs the coupling of the cut and a scan before. Returns whether a level
    /// changed.
    pub fn couple_rates(
        &mut self,
        cut: &Cut,
        evaluated: &[u32],
        held: &[u32],
        masses: &[f64],
    ) -> bool {
        std::mem::swap(&mut self.previous_levels, &mut self.levels);
        self.levels.clone_from(&self.own_levels);
        let extra_levels = self.extra_levels;
        if extra_levels > 0 {
            for &t in evaluated {
                let level = &mut self.levels[t as usize];
                *level = level
                    .saturating_add(extra_levels)
                    .min(DEEPEST - 1)
                    .max(*level);
            }
        }
        for _ in 0..2 {
            self.raise_around_held(cut, held);
            self.limit_lag_at_interface(cut, evaluated);
        }
        let forest = cut.forest();
        let (coupling, mut space) = (
            std::mem::take(&mut self.coupling),
            std::mem::take(&mut self.workspace),
        );
        space.load.fill(0.0);
        for &(t, w) in &coupling.whole {
            let q = self.stability_ratio(t);
            for n in forest.tets()[t as usize] {
                space.load[n as usize] += w * q;
            }
        }
        for _ in 0..ROUNDS {
            for &n in &coupling.nodes {
                space.total[n as usize] = space.load[n as usize];
                space.fastest[n as usize] = 0.0;
            }
            for (k, &t) in coupling.tets.iter().enumerate() {
                let q = self.stability_ratio(t);
                for (n, w) in coupling.rows.entries(k) {
                    let n = n as usize;
                    space.total[n] += w * q;
                    space.fastest[n] = space.fastest[n].max(q);
                }
            }
            let mut raised = false;
            for (k, &t) in coupling.tets.iter().enumerate() {
                let q = self.stability_ratio(t);
                let exceeds_bound = coupling.rows.row(k).0.iter().any(|&n| {
                    let over = space.total[n as usize] > masses[n as usize] * NODE_SLACK;
                    over && 2.0 * q >= space.fastest[n as usize] && forest.support(n).is_none()
                });
                let level = &mut self.levels[t as usize];
                if exceeds_bound && *level < DEEPEST {
                    *level += 1;
                    raised = true;
                }
            }
            if !raised {
                break;
            }
        }
        (self.coupling, self.workspace) = (coupling, space);
        self.raise_around_held(cut, held);
        self.limit_lag_at_held(cut, held);
        self.levels != self.previous_levels
    }

    /// Makes all elements around a node that a tool holds fire as often as the fastest of them: the tool undoes each kick at once, so that rare kicks would do no work there.
    fn raise_around_held(&mut self, cut: &Cut, held: &[u32]) {
        let forest = cut.forest();
        for &n in held {
            let around = || forest.tets_of(n).iter().map(|&t| t as usize);
            let evaluated = |t: &usize| cut.active_corners(*t as u32) > 0;
            let fastest = around().filter(evaluated).map(|t| self.levels[t]).max();
            for t in around().filter(evaluated) {
                self.levels[t] = self.levels[t].max(fastest.unwrap_or(0));
            }
        }
    }

    /// Makes elements that act on a node that a tool holds, as corners or through ghosts, fire at least half as often ([`MAX_LEVEL_LAG`]) as the fastest of them all, and so as constraints act, and
    /// as contact with faster bodies.
    ///
    /// The work of a kick is its impulse times the mean of the velocities before and after it. At half the rate that is force times displacement over the step of the element, whatever
    /// constraints do between two kicks. At a quarter of the rate it is not: faster elements pull a node off the tool until the rare kick throws it back, and contact
    /// stops it. The node is where it was, but the kicks have done work.
    fn limit_lag_at_held(&mut self, cut: &Cut, held: &[u32]) {
        self.held_level = 0;
        if held.is_empty() {
            return;
        }
        let Self {
            coupling,
            workspace,
            levels,
            held_level,
            partner_level,
            ..
        } = self;
        workspace.finest.fill(0);
        for &n in held {
            workspace.finest[n as usize] = 1;
        }
        let marks = &workspace.finest;
        let is_held = |n: &u32| marks[*n as usize] > 0;
        let forest = cut.forest();
        let around = held.iter().flat_map(|&n| forest.tets_of(n)).copied();
        let around = around.filter(|&t| cut.active_corners(t) > 0);
        let tets = coupling.tets.iter().copied().enumerate();
        let through_ghosts = tets.filter(|(k, _)| coupling.rows.row(*k).0.iter().any(is_held));
        let pushing = around.chain(through_ghosts.map(|(_, t)| t));
        let fastest = pushing.clone().map(|t| levels[t as usize]).max();
        *held_level = fastest.unwrap_or(0);
        let least = (*held_level)
            .max(*partner_level)
            .saturating_sub(MAX_LEVEL_LAG);
        for t in pushing {
            let level = &mut levels[t as usize];
            *level = least.max(*level);
        }
    }

    /// Whether an element would fire less often without a faster body in contact.
    pub(crate) fn follows_partner(&self, tet: usize) -> bool {
        let used = self.levels[tet];
        self.own_levels[tet] < used && used.saturating_add(MAX_LEVEL_LAG) == self.partner_level
    }

    /// Makes elements that act on nodes through ghosts fire at least half as often ([`MAX_LEVEL_LAG`]) as the whole elements around these nodes: rare kicks of a heavy element
    /// would shake light nodes, and damping would dissipate that motion.
    fn limit_lag_at_interface(&mut self, cut: &Cut, evaluated: &[u32]) {
        let forest = cut.forest();
        let finest = &mut self.workspace.finest;
        finest.fill(0);
        for &t in evaluated {
            for n in forest.tets()[t as usize] {
                if cut.is_active(n) {
                    finest[n as usize] = self.levels[t as usize].max(finest[n as usize]);
                }
            }
        }
        for (k, &t) in self.coupling.tets.iter().enumerate() {
            let (nodes, weights) = self.coupling.rows.row(k);
            let largest = weights.iter().copied().fold(0.0, f64::max);
            let level = &mut self.levels[t as usize];
            for (&n, &w) in nodes.iter().zip(weights) {
                if w > NEGLIGIBLE_WEIGHT * largest && forest.support(n).is_none() {
                    *level = finest[n as usize].saturating_sub(MAX_LEVEL_LAG).max(*level);
                }
            }
        }
    }
}
