//! How the cut changes before a frame: contact first, then the places that are resolved worst.
//!
//! The price of a cut is known before the frame: every evaluated tetrahedron fires a known number of times ([`crate::step::multirate`]). Each frame, in this order:
//!
//! 1. A cut beyond the budget is merged until it fits with some reserve (the budget fell, or strain made steps shorter). Nodes with the lowest indicator for the work
//!    saved go first, places near contact last.
//! 2. Nodes near contact are split, nearest first ([`crate::governor::contact_focus`]). What contact left and the criterion does not want is merged.
//!    Where contact is refused a split, what the criterion had split elsewhere gives way, lowest indicator first, and nothing else is split.
//! 3. Nodes whose indicator exceeds the threshold are split, worst first, while the budget lasts.
//! 4. The body as a whole is as fine as a share of the budget allows ([`Governor::with_floor`]), so that no budget is left unused. Where contact is refused a split, the
//!    whole body becomes one level coarser.
//!
//! Where all that is not enough, [`pliant_core::model::degradation_levels`] says what else is given up. Every split that was wanted and refused is logged with its reason
//! ([`Refusal`]). Decisions depend on the state alone, in work units: the same input gives the same cuts on every machine and after every restart from a snapshot.

use pliant_core::material::{LameParameters, MaterialLaw};
use pliant_core::math::Vec3;

use crate::cut::{Cut, Forest, NodeState, Operators};
use crate::error::AdaptiveModelError;
use crate::governor::contact_focus::ContactFocus;
use crate::governor::criterion::{
    DEFAULT_SHARE, FREE_SHARE, Indicator, Thresholds, Workspace, indicators, shortest_edges,
};
use crate::governor::floor::Floor;
use crate::governor::refusal::{Refusal, Wish};

/// Splits that are tried after one was refused: a cheaper one may still fit.
const TRIES: usize = 16;
/// Share of the budget that a changed cut may fill: tools and interfaces between levels shorten some steps of new elements, and by how much is known a frame later.
const FILL: f64 = 0.85;

/// Share of what a changed cut may cost to which places that are not touched give way, where contact needs room.
const ROOM: f64 = 0.9;

/// What a cut may cost, in prices of its tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutBudget {
    /// What a frame may cost in all.
    pub budget: u64,
    /// Most for a cut that is there.
    pub most: u64,
    /// Most for a cut that changes: the change itself has its price.
    pub most_changed: u64,
    /// Whether a cut may cost more than it does: soon after it cost too much it may not.
    pub may_grow: bool,
}

/// Indicators of the nodes of a cut, thresholds, and the log of what was refused.
#[derive(Debug, Clone)]
pub struct Governor {
    /// those that count now
    thresholds: Thresholds,
    /// while something touches the body, and while nothing does
    touched: Thresholds,
    free: Thresholds,
    shortest: Vec<f64>,
    work: Workspace,
    found: Vec<Indicator>,
    /// m, one a node
    gamma: Vec<f64>,
    /// nodes whose indicators these are
    looked: Vec<u32>,
    /// memory for nodes beyond the threshold
    wanted: Vec<(f64, u32)>,
    refusals: Vec<Refusal>,
    floor: Floor,
}

impl Governor {
    /// For the levels of `forest`; thresholds in m, without `gamma_max` [`DEFAULT_SHARE`] of the diagonal, or [`FREE_SHARE`] while nothing touches the body.
    ///
    /// # Errors
    /// No positive `gamma_max`.
    pub fn new(
        forest: &Forest,
        gamma_max: Option<f64>,
        gamma_min: Option<f64>,
    ) -> Result<Self, AdaptiveModelError> {
        let levels = &forest.asset().levels;
        let ratio = levels
            .windows(2)
            .map(|pair| pair[0].spacing / pair[1].spacing)
            .fold(1.0, f64::max);
        let diagonal = forest.asset().skin.bounds().diagonal();
        let split = |share: f64| gamma_max.unwrap_or(share * diagonal);
        let free = Thresholds::new(split(FREE_SHARE), gamma_min, ratio)?;
        Ok(Self {
            thresholds: free,
            touched: Thresholds::new(split(DEFAULT_SHARE), gamma_min, ratio)?,
            free,
            shortest: shortest_edges(forest.rest(), forest.tets()),
            work: Workspace::default(),
            found: Vec::new(),
            gamma: vec![0.0; forest.node_count()],
            looked: Vec::new(),
            wanted: Vec::new(),
            refusals: Vec::new(),
            floor: Floor::new(forest),
        })
    }

    /// Keeps the whole body at the finest level whose price is at most `share` of the budget; 0 leaves it as coarse as the criterion allows.
    pub fn with_floor(mut self, share: f64) -> Self {
        self.floor.share = share;
        self
    }

    /// Forgets what it saw.
    pub(crate) fn reset(&mut self) {
        self.gamma.fill(0.0);
        self.looked.clear();
        self.refusals.clear();
        self.floor.reset();
    }

    /// Numbers that [`Governor::save`] writes.
    pub(crate) const SAVED: usize = Floor::SAVED;

    /// Memory of past frames as numbers.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        self.floor.save(to);
    }

    /// Takes back what was saved.
    pub(crate) fn restore(&mut self, from: [f64; Self::SAVED]) {
        self.floor.restore(from);
    }

    /// Thresholds, m.
    pub fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    /// Indicator of a node when it was last looked at, m; 0 for nodes that did not move.
    pub fn gamma(&self, node: u32) -> f64 {
        self.gamma[node as usize]
    }

    /// Splits of the last decision that were wanted and refused.
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }

    /// Looks at the active nodes of the cut of `operators`. `positions` (m) are those of the nodes of all levels, ghosts up to date.
    pub fn look(
        &mut self,
        forest: &Forest,
        operators: &Operators,
        positions: &[Vec3],
        lame: &LameParameters,
        law: MaterialLaw,
    ) {
        let tets = operators
            .evaluated()
            .iter()
            .map(|&t| (forest.tets()[t as usize], forest.shape(t)));
        indicators(
            tets,
            positions,
            &self.shortest,
            lame,
            law,
            &mut self.work,
            &mut self.found,
        );
        for n in self.looked.drain(..) {
            self.gamma[n as usize] = 0.0;
        }
        self.looked.extend_from_slice(operators.active());
        for &node in &self.looked {
            let found = &self.found[node as usize];
            self.gamma[node as usize] = match forest.support(node).is_some() {
                true => found.held(),
                false => found.gamma(),
            };
        }
    }

    /// Changes `cut` as the module says, so that it stays within `limits`. With `looked` the indicators belong to the present state; without, nothing is merged or split
    /// by them. Returns whether a split was refused or the coarsest cut costs too much.
    pub fn decide(
        &mut self,
        cut: &mut Cut,
        focus: &mut ContactFocus,
        limits: CutBudget,
        looked: bool,
    ) -> bool {
        self.refusals.clear();
        let CutBudget {
            budget,
            most,
            most_changed,
            may_grow,
        } = limits;
        let mut limit = (most_changed as f64 * FILL) as u64;
        let is_small = cut.cost() <= most;
        let fits = is_small || self.shrink(cut, focus, limit, |_| true) || cut.cost() <= most;
        if looked {
            self.floor.choose(cut, budget, !focus.is_empty());
        }
        let floor = self.floor.level();
        if !may_grow {
            limit = limit.min(cut.cost());
        }
        self.thresholds = match focus.is_empty() {
            true => self.free,
            false => self.touched,
        };
        let (gamma, merge) = (&self.gamma, self.thresholds.merge);
        let keep = |forest: &Forest, node: u32| {
            let children = forest.children(node);
            !looked
                || forest.level_of(node) < floor
                || children.iter().any(|&c| gamma[c as usize] >= merge)
        };
        let forest = cut.forest().clone();
        let refused = |refusals: &mut Vec<Refusal>, cut: &Cut, node, distance, cost| {
            let wish = Wish::Contact { distance };
            refusals.push(Refusal::new(cut, node, wish, cost, limit));
        };
        let mut refusals = std::mem::take(&mut self.refusals);
        focus.apply(
            cut,
            limit,
            |node| keep(&forest, node),
            |cut, node, distance, cost| refused(&mut refusals, cut, node, distance, cost),
        );
        // what is touched comes before what is not
        let is_short = !refusals.is_empty();
        if is_short {
            self.floor.note_refused_contact();
            let gives_way =
                |node: u32| forest.level_of(node) >= floor && !focus.is_near(&forest, node);
            let before = cut.cost();
            self.shrink(cut, focus, (limit as f64 * ROOM) as u64, gives_way);
            if cut.cost() < before {
                refusals.clear();
                focus.apply(
                    cut,
                    limit,
                    |_| true,
                    |cut, node, distance, cost| refused(&mut refusals, cut, node, distance, cost),
                );
            }
        }
        self.refusals = refusals;
        if looked && !is_short {
            self.refine(cut, limit);
        }
        if looked && is_small {
            self.floor.raise(cut, limit);
        }
        !fits || !self.refusals.is_empty()
    }

    /// Merges a cut that changes until the price of the change fits too: many small changes of a full cut would each exceed the budget.
    pub(crate) fn fit_change(&self, cut: &mut Cut, focus: &ContactFocus, limits: CutBudget) {
        if cut.cost() > limits.most_changed.min(limits.most) {
            let most = (limits.most_changed as f64 * FILL) as u64;
            self.shrink(cut, focus, most, |_| true);
        }
    }

    /// Splits the worst resolved nodes while the cost stays within `most`.
    fn refine(&mut self, cut: &mut Cut, most: u64) {
        let forest = cut.forest().clone();
        let split = self.thresholds.split;
        let gamma = &self.gamma;
        let beyond = |n: &u32| gamma[*n as usize] > split && !forest.children(*n).is_empty();
        let wanted = &mut self.wanted;
        wanted.clear();
        wanted.extend(
            cut.active_nodes()
                .filter(beyond)
                .map(|n| (gamma[n as usize], n)),
        );
        wanted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut tries = TRIES;
        for &(gamma, node) in &*wanted {
            if !cut.is_active(node) {
                continue;
            }
            let Err(cost) = cut.split_within(node, most) else {
                continue;
            };
            let wish = Wish::Criterion {
                gamma,
                threshold: split,
            };
            self.refusals
                .push(Refusal::new(cut, node, wish, cost, most));
            tries -= 1;
            // where nothing is left none is cheap enough
            if tries == 0 || cut.cost() >= most {
                break;
            }
        }
    }

    /// Merges until the cut costs at most `most`, children of nodes that `may` have them merged; `false` where even the coarsest costs more.
    fn shrink(
        &self,
        cut: &mut Cut,
        focus: &ContactFocus,
        most: u64,
        may: impl Fn(u32) -> bool,
    ) -> bool {
        while cut.cost() > most {
            let forest = cut.forest().clone();
            // fine levels first: what lies above can only merge then
            let level = (0..forest.level_count()).rev().find(|&l| {
                forest
                    .nodes_of_level(l)
                    .any(|n| cut.state(n) == NodeState::Refined && cut.can_merge(n) && may(n))
            });
            let Some(level) = level else {
                return false;
            };
            let mut order: Vec<(bool, f64, u32)> = forest
                .nodes_of_level(level)
                .filter(|&n| cut.state(n) == NodeState::Refined && cut.can_merge(n) && may(n))
                .map(|n| {
                    let children = forest.children(n);
                    let worst = children
                        .iter()
                        .map(|&c| self.gamma[c as usize])
                        .fold(0.0, f64::max);
                    (focus.is_near(&forest, n), worst / children.len() as f64, n)
                })
                .collect();
            order.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
            for (_, _, node) in order {
                if cut.cost() <= most {
                    break;
                }
                cut.merge(node);
            }
        }
        true
    }
}
