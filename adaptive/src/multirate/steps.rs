//! How often each element fires.

use pliant_core::material::Material;
use pliant_core::math::Vec3;

use crate::cut::{Cut, Forest, Interface, Operators};
use crate::force::NEAR_INVERTED;
use crate::hierarchy::Stencils;
use crate::multirate::dynamics::FRAME_UNITS;
use crate::params::{AdaptiveParams, ElementModel};
use crate::timestep::{MOST_STIFFENING, QUIET_FRAMES, Stiffening, rate_for, squared_frequencies};

/// Deepest step level: 4096 firings a frame.
pub const DEEPEST: u8 = 12;
/// No level yet.
const UNSET: u8 = u8::MAX;
/// Parts into which a frame may be cut before it is halved: steps of `1, 3, 5, 7` times a power of two waste at most a third, powers of two alone half.
const PARTS: [u32; 4] = [1, 3, 5, 7];
/// Share of the cost below which other parts are worth a change of all steps.
const WORTHWHILE: f64 = 0.9;
/// How far the bound of a node may go beyond that of an element by itself: it is pessimistic for ghosts, and half the stable step leaves a factor of four.
const NODE_SLACK: f64 = 2.0;
/// Share of the largest push of an element that is too slight to matter.
const SLIGHT: f64 = 0.1;
/// Rounds of the node bound; each raises a few elements by one level.
const ROUNDS: usize = 24;

/// Step levels of the evaluated elements of a cut: an element of level `i` fires `2^i` times in each of some equal parts of a frame.
///
/// An element's own need comes from its bound `ω_e`, its stretch and the damping, as for a single level. It is raised at once and falls by one level only
/// after 30 quiet frames: changing rates every frame pumps energy. Elements at an interface are raised further where they would be too slow for the
/// light nodes that they push through ghosts.
#[derive(Debug, Clone)]
pub struct ElementSteps {
    law: Stiffening,
    damping_time: f64,
    safety: f64,
    /// squares of the element bounds at rest, (rad/s)²
    rest: Vec<f64>,
    /// quarter of the mass of each element, kg
    corner_mass: Vec<f64>,
    /// what each element needs by itself, with memory
    own: Vec<u8>,
    quiet: Vec<u8>,
    /// steps a second that each element needs now
    rates: Vec<f64>,
    /// what is used
    levels: Vec<u8>,
    /// the same before it was settled last
    settled: Vec<u8>,
    /// levels by which every element is faster than it needs
    lift: u8,
    /// nodes that a tool held at the last look
    quick: Vec<u32>,
    duration: f64,
    parts: u32,
    near_inverted: u32,
    pushes: Pushes,
    workspace: Workspace,
}

/// Elements that push nodes through ghosts: for each of them the nodes that move, and by how much a kilogram of theirs.
#[derive(Debug, Clone, Default)]
struct Pushes {
    tets: Vec<u32>,
    rows: Stencils,
    /// whole elements, and what a corner of theirs weighs, kg
    whole: Vec<(u32, f64)>,
}

/// Numbers of all nodes while levels are settled.
#[derive(Debug, Clone, Default)]
struct Workspace {
    load: Vec<f64>,
    total: Vec<f64>,
    fastest: Vec<f64>,
    finest: Vec<u8>,
}

impl ElementSteps {
    /// Steps of the elements of all levels.
    pub fn new(
        forest: &Forest,
        material: &Material,
        model: ElementModel,
        damping_time: f64,
        params: &AdaptiveParams,
    ) -> Self {
        let lame = material.lame();
        let (mut rest, mut corner_mass) = (Vec::new(), Vec::new());
        for level in &forest.asset().levels {
            rest.extend(squared_frequencies(level, model, &lame));
            let volume: f64 = level.shapes.iter().map(|s| s.volume).sum();
            let density = level.masses.iter().sum::<f64>() / volume;
            corner_mass.extend(level.shapes.iter().map(|s| density * s.volume / 4.0));
        }
        let count = rest.len();
        Self {
            law: Stiffening::new(model, lame, params.recover),
            damping_time,
            safety: params.safety,
            rest,
            corner_mass,
            own: vec![UNSET; count],
            quiet: vec![0; count],
            rates: vec![0.0; count],
            levels: vec![UNSET; count],
            settled: Vec::new(),
            lift: 0,
            quick: Vec::new(),
            duration: 0.0,
            parts: 1,
            near_inverted: 0,
            pushes: Pushes::default(),
            workspace: Workspace {
                load: vec![0.0; forest.node_count()],
                total: vec![0.0; forest.node_count()],
                fastest: vec![0.0; forest.node_count()],
                finest: vec![0; forest.node_count()],
            },
        }
    }

    /// Step level of an evaluated element.
    pub fn level(&self, tet: u32) -> u8 {
        self.levels[tet as usize].min(DEEPEST)
    }

    /// Equal parts into which frames are cut.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// Steps a second that an element needs at rest, evaluated or not.
    pub fn rest_rate(&self, tet: u32) -> f64 {
        let square = self.rest[tet as usize];
        rate_for(self.damping_time, self.safety, square, square)
    }

    /// Firings a frame that the levels of the last look ask for, over the price of the cut, at least 1: strain and tools shorten steps beyond it.
    pub fn excess(&self, cut: &Cut, evaluated: &[u32]) -> f64 {
        if self.duration <= 0.0 || cut.cost() == 0 {
            return 1.0;
        }
        let mut now = 0;
        for &t in evaluated {
            now += match self.levels[t as usize] {
                UNSET => cut.price(t),
                level => u64::from(FRAME_UNITS) + (u64::from(self.parts) << level.min(DEEPEST)),
            };
        }
        (now as f64 / cut.cost() as f64).max(1.0)
    }

    /// Lets every element fire `2^lift` times as often as it needs from the next time on that levels are settled.
    pub(crate) fn set_lift(&mut self, lift: u8) {
        self.lift = lift;
    }

    /// Elements that the last look found pressed below a fifth of their volume.
    pub fn near_inverted(&self) -> u32 {
        self.near_inverted
    }

    /// Forgets all levels.
    pub fn reset(&mut self) {
        self.own.fill(UNSET);
        self.levels.fill(UNSET);
        self.quiet.fill(0);
        self.quick.clear();
        (self.parts, self.duration, self.near_inverted) = (1, 0.0, 0);
    }

    /// Memory of past frames as numbers, one an element and two more.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        let all = self.own.iter().zip(&self.quiet).zip(&self.levels);
        to.extend(all.map(|((own, quiet), level)| {
            f64::from(u32::from(*own) | u32::from(*quiet) << 8 | u32::from(*level) << 16)
        }));
        to.extend([self.duration, f64::from(self.parts)]);
    }

    /// Takes back what [`ElementSteps::save`] wrote.
    pub(crate) fn restore(&mut self, memory: &[f64]) {
        let [values @ .., duration, parts] = memory else {
            return;
        };
        self.parts = (*parts as u32).max(1);
        for (k, &value) in values.iter().enumerate().take(self.own.len()) {
            let value = value as u32;
            self.own[k] = (value & 255) as u8;
            self.quiet[k] = (value >> 8 & 255) as u8;
            self.levels[k] = (value >> 16 & 255) as u8;
        }
        self.duration = *duration;
    }

    /// Raises what is used by `by` levels for one frame that went wrong; the next look takes it back.
    pub fn raise_all(&mut self, by: u8) {
        for level in self.levels.iter_mut().filter(|l| **l != UNSET) {
            *level = (*level + by).min(DEEPEST);
        }
    }

    /// Takes over another cut: levels of elements that are evaluated no more are forgotten, and who pushes whom is listed anew.
    pub fn take_cut(&mut self, cut: &Cut, operators: &Operators, interface: Interface) {
        let forest = cut.forest();
        for (t, own) in self.own.iter_mut().enumerate() {
            if cut.active_corners(t as u32) == 0 {
                *own = UNSET;
            }
        }
        let mut scratch = std::mem::take(&mut self.workspace.load);
        scratch.fill(0.0);
        let pushes = &mut self.pushes;
        *pushes = Pushes::default();
        for &t in operators.evaluated() {
            let corners = forest.tets()[t as usize];
            let w = interface.weight(cut.active_corners(t)) * self.corner_mass[t as usize];
            let moves_or_rests = |&n: &u32| cut.is_active(n) || forest.support(n).is_some();
            if corners.iter().all(moves_or_rests) {
                pushes.whole.push((t, w));
                continue;
            }
            let mut row = Vec::new();
            for n in corners {
                if cut.is_active(n) {
                    row.push((n, w));
                } else if interface == Interface::Conservative {
                    let masters = operators.expand([(n, 1.0)], &mut scratch);
                    let sum: f64 = masters.iter().map(|(_, w)| w.abs()).sum();
                    row.extend(masters.iter().map(|&(m, a)| (m, w * a.abs() * sum)));
                }
            }
            pushes.tets.push(t);
            pushes.rows.push(row);
        }
        self.workspace.load = scratch;
    }

    /// Looks at the `evaluated` elements in their present shape before a frame of `duration` seconds. Elements with a corner in `quick` (ascending
    /// node numbers) step by at most `longest` seconds. Returns whether levels have to be settled anew.
    pub fn look(
        &mut self,
        forest: &Forest,
        evaluated: &[u32],
        positions: &[Vec3],
        duration: f64,
        quick: &[u32],
        longest: f64,
    ) -> bool {
        let mut changed = duration != self.duration;
        let others = self.quick != quick;
        if others {
            self.quick.clear();
            self.quick.extend_from_slice(quick);
        }
        if changed {
            self.own.fill(UNSET);
            self.duration = duration;
        }
        let part = duration / f64::from(self.parts);
        self.near_inverted = 0;
        for t in evaluated.iter().map(|&t| t as usize) {
            let tet = forest.tets()[t];
            let f = forest
                .shape(t as u32)
                .gradient_of(tet.map(|n| positions[n as usize]));
            let determinant = f.determinant();
            self.near_inverted += u32::from(determinant < NEAR_INVERTED);
            let (elastic, viscous) = self.law.growth(&f, determinant);
            let bound = |growth: f64| self.rest[t] * growth.min(MOST_STIFFENING);
            let mut rate = rate_for(
                self.damping_time,
                self.safety,
                bound(elastic),
                bound(viscous),
            );
            if rate * longest < 1.0 && tet.iter().any(|n| quick.binary_search(n).is_ok()) {
                rate = 1.0 / longest;
            }
            self.rates[t] = rate;
            let needed = level_of_rate(rate, part);
            let own = &mut self.own[t];
            if *own == UNSET || needed > *own {
                *own = needed;
                self.quiet[t] = 0;
                changed = true;
            } else if needed == *own {
                self.quiet[t] = 0;
            } else {
                self.quiet[t] += 1;
                if u32::from(self.quiet[t]) > QUIET_FRAMES {
                    *own -= 1;
                    self.quiet[t] = 0;
                    changed = true;
                }
            }
        }
        if changed {
            self.choose_parts(evaluated);
        }
        changed || others
    }

    /// Takes other parts where these save enough.
    fn choose_parts(&mut self, evaluated: &[u32]) {
        let cost = |parts: u32| -> u64 {
            let part = self.duration / f64::from(parts);
            let of = |&t: &u32| 1_u64 << level_of_rate(self.rates[t as usize], part);
            u64::from(parts) * evaluated.iter().map(of).sum::<u64>()
        };
        let all = PARTS.map(|parts| (cost(parts), parts));
        let now = cost(self.parts);
        let Some(best) = all.into_iter().min() else {
            return;
        };
        if best.1 == self.parts || best.0 as f64 > WORTHWHILE * now as f64 {
            return;
        }
        self.parts = best.1;
        let part = self.duration / f64::from(self.parts);
        for &t in evaluated {
            self.own[t as usize] = level_of_rate(self.rates[t as usize], part);
            self.quiet[t as usize] = 0;
        }
    }

    /// Settles the levels that are used: own needs, raised at interfaces until no node is pushed beyond its bound
    /// `Σ_e w_e (ω_e Δt_e)² ρV_e/4 a_e / m ≤ 2 (2c)²`, `a = |w| Σ|w|` of the way through ghosts (1 for corners). Elements around a node in `held` fire
    /// together. Needs [`ElementSteps::take_cut`] and a look before. Returns whether a level changed.
    pub fn settle(&mut self, cut: &Cut, evaluated: &[u32], held: &[u32]) -> bool {
        std::mem::swap(&mut self.settled, &mut self.levels);
        self.levels.clone_from(&self.own);
        let lift = self.lift;
        if lift > 0 {
            for &t in evaluated {
                let level = &mut self.levels[t as usize];
                *level = level.saturating_add(lift).min(DEEPEST - 1).max(*level);
            }
        }
        for _ in 0..2 {
            self.fire_together(cut, held);
            self.follow_finest(cut, evaluated);
        }
        let forest = cut.forest();
        let masses = forest.masses();
        let (pushes, mut space) = (
            std::mem::take(&mut self.pushes),
            std::mem::take(&mut self.workspace),
        );
        space.load.fill(0.0);
        for &(t, w) in &pushes.whole {
            let q = self.share(t);
            for n in forest.tets()[t as usize] {
                space.load[n as usize] += w * q;
            }
        }
        for _ in 0..ROUNDS {
            space.total.copy_from_slice(&space.load);
            space.fastest.fill(0.0);
            for (k, &t) in pushes.tets.iter().enumerate() {
                let q = self.share(t);
                let (nodes, weights) = pushes.rows.row(k);
                for (&n, w) in nodes.iter().zip(weights) {
                    let n = n as usize;
                    space.total[n] += w * q;
                    space.fastest[n] = space.fastest[n].max(q);
                }
            }
            let mut raised = false;
            for (k, &t) in pushes.tets.iter().enumerate() {
                let q = self.share(t);
                let is_over = pushes.rows.row(k).0.iter().any(|&n| {
                    let over = space.total[n as usize] > masses[n as usize] * NODE_SLACK;
                    over && 2.0 * q >= space.fastest[n as usize] && forest.support(n).is_none()
                });
                let level = &mut self.levels[t as usize];
                if is_over && *level < DEEPEST {
                    *level += 1;
                    raised = true;
                }
            }
            if !raised {
                break;
            }
        }
        (self.pushes, self.workspace) = (pushes, space);
        self.fire_together(cut, held);
        self.levels != self.settled
    }

    /// All elements around a node that a tool holds fire as often as the fastest of them: the tool undoes each kick at once, so that a kick that comes
    /// seldom is no motion there.
    fn fire_together(&mut self, cut: &Cut, held: &[u32]) {
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

    /// Elements that push nodes through ghosts fire as often as the whole elements around these nodes: kicks of a heavy element that come seldom would
    /// shake light nodes between them, and damping would turn that into heat.
    fn follow_finest(&mut self, cut: &Cut, evaluated: &[u32]) {
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
        for (k, &t) in self.pushes.tets.iter().enumerate() {
            let (nodes, weights) = self.pushes.rows.row(k);
            let largest = weights.iter().copied().fold(0.0, f64::max);
            let level = &mut self.levels[t as usize];
            for (&n, &w) in nodes.iter().zip(weights) {
                if w > SLIGHT * largest && forest.support(n).is_none() {
                    *level = finest[n as usize].max(*level);
                }
            }
        }
    }

    /// Square of the bound of an element at rest, (rad/s)².
    pub(crate) fn rest_square(&self, tet: u32) -> f64 {
        self.rest[tet as usize]
    }

    /// `(ω_e Δt_e / 2c)²` with damping counted in: at most 1 for an element by itself.
    fn share(&self, tet: u32) -> f64 {
        let t = tet as usize;
        let steps = f64::from(self.parts << self.levels[t].min(DEEPEST));
        (self.rates[t] * self.duration / steps).powi(2)
    }
}

/// Smallest `i` with `2^i ≥ rate · duration`.
fn level_of_rate(rate: f64, duration: f64) -> u8 {
    let steps = (rate * duration).max(1.0);
    // a hair less than a power of two is that power
    (steps.log2() - 1e-9).ceil().clamp(0.0, f64::from(DEEPEST)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_the_next_power_of_two() {
        for (steps, level) in [(0.3, 0), (1.0, 0), (1.1, 1), (2.0, 1), (33.0, 6), (64.0, 6)] {
            assert_eq!(level_of_rate(steps, 1.0), level);
        }
        assert_eq!(level_of_rate(1e30, 1.0), DEEPEST);
    }
}
