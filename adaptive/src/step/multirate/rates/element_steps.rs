//! How often each element fires.

use pliant_core::math::Vec3;

use crate::cut::{Cut, Forest};
use crate::force::NEAR_INVERTED;
use crate::governor::Rung;
use crate::params::{AdaptiveParams, ElementModel, Scheme, StepRule};
use crate::step::multirate::nodes::inverted_element_recovery::is_torn;
use crate::step::multirate::rates::prepare::{FRAME_UNITS, ScaledLevels};
use crate::step::multirate::rates::rate_coupling::{Pushes, Workspace};
use crate::step::multirate::rates::selective_mass_scaling::Yielding;
use crate::step::time_step::{
    MOST_STIFFENING, QUIET_FRAMES, Stiffening, courant_rates, rate_for, squared_frequencies,
};

/// Deepest step level: 4096 firings a frame.
pub const DEEPEST: u8 = 12;
/// No level yet.
pub(crate) const UNSET: u8 = u8::MAX;
/// Parts into which a frame may be cut before it is halved: steps of `1, 3, 5, 7` times a power of two waste at most a third, powers of two alone half.
const PARTS: [u32; 4] = [1, 3, 5, 7];
/// Share of the cost below which other parts are worth a change of all steps.
const WORTHWHILE: f64 = 0.9;
/// Step levels of the evaluated elements of a cut: an element of level `i` fires `2^i` times in each of some equal parts of a frame.
///
/// An element's own need comes from its bound `ω_e`, its stretch and the damping, as for a single level. It is raised at once and falls by one level only
/// after 30 quiet frames: changing rates every frame pumps energy. Elements at an interface are raised further where they would be too slow for the
/// light nodes that they push through ghosts.
#[derive(Debug, Clone)]
pub struct ElementSteps {
    law: Stiffening,
    pub(crate) damping_time: f64,
    pub(crate) safety: f64,
    /// squares of the element bounds at rest, (rad/s)²
    rest: Vec<f64>,
    /// steps a second of each element by the Courant rule; empty for the bound
    pub(crate) courant: Vec<f64>,
    /// quarter of the mass of each element, kg
    pub(crate) corner_mass: Vec<f64>,
    /// what slivers are heavier at each corner, kg
    pub(crate) heavier: Vec<f64>,
    /// what each element needs by itself, with memory
    pub(crate) own: Vec<u8>,
    quiet: Vec<u8>,
    /// steps a second that each element needs now
    pub(crate) rates: Vec<f64>,
    /// squares of its elastic and its viscous bound at the last look, (rad/s)²
    pub(crate) squares: Vec<[f64; 2]>,
    /// what is used
    pub(crate) levels: Vec<u8>,
    /// the same before it was settled last
    pub(crate) settled: Vec<u8>,
    /// levels by which every element is faster than it needs
    pub(crate) lift: u8,
    /// nodes that a tool held at the last look
    quick: Vec<u32>,
    pub(crate) duration: f64,
    pub(crate) parts: u32,
    near_inverted: u32,
    /// whether an element needs more steps than there are
    is_beyond: bool,
    /// whether the last look found a torn element
    is_torn: bool,
    pub(crate) yielding: Yielding,
    /// whether viscous forces act
    is_damped: bool,
    /// whether elements whose inertia changes take the level that they need then, whatever they had
    is_anew: bool,
    pub(crate) pushes: Pushes,
    pub(crate) workspace: Workspace,
    /// whether frames are halved only, and never cut into parts: bodies that are stepped together meet at the same times then
    is_halved: bool,
}

impl ElementSteps {
    /// Steps of the elements of all levels.
    pub(crate) fn new(
        forest: &Forest,
        scaled: &ScaledLevels,
        model: ElementModel,
        damping_time: f64,
        params: &AdaptiveParams,
    ) -> Self {
        let material = &forest.asset().material;
        let lame = material.lame();
        let (mut rest, mut corner_mass, mut courant) = (Vec::new(), Vec::new(), Vec::new());
        for level in &scaled.levels {
            if params.step_rule == StepRule::Courant {
                courant.extend(courant_rates(level, material));
            }
            rest.extend(squared_frequencies(level, model, &lame));
            let volume: f64 = level.shapes.iter().map(|s| s.volume).sum();
            let density = level.masses.iter().sum::<f64>() / volume;
            corner_mass.extend(level.shapes.iter().map(|s| density * s.volume / 4.0));
        }
        let count = rest.len();
        let rate = |&square: &f64| rate_for(damping_time, params.safety, square, square);
        let yields =
            forest.is_supported() && courant.is_empty() && params.scheme == Scheme::ElementImpulses;
        Self {
            yielding: Yielding::new(rest.iter().map(rate), yields),
            law: Stiffening::new(model, lame, params.recover),
            damping_time,
            safety: params.safety,
            rest,
            courant,
            corner_mass,
            heavier: scaled.heavier.clone(),
            own: vec![UNSET; count],
            quiet: vec![0; count],
            rates: vec![0.0; count],
            squares: vec![[0.0; 2]; count],
            is_damped: true,
            is_anew: false,
            levels: vec![UNSET; count],
            settled: Vec::new(),
            lift: 0,
            quick: Vec::new(),
            duration: 0.0,
            parts: 1,
            near_inverted: 0,
            is_beyond: false,
            is_torn: false,
            pushes: Pushes::default(),
            workspace: Workspace {
                load: vec![0.0; forest.node_count()],
                total: vec![0.0; forest.node_count()],
                fastest: vec![0.0; forest.node_count()],
                finest: vec![0; forest.node_count()],
                row_of: Vec::new(),
            },
            is_halved: false,
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
        if let Some(rate) = self.courant.get(tet as usize) {
            return *rate;
        }
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

    /// Follows elements at `share` of the full rate from the next look on, with inertia for what needs more.
    pub(crate) fn follow(&mut self, share: f64) {
        self.is_anew |= self.yielding.follow(share);
    }

    /// Whether viscous forces count from the next look on. Returns whether that is new.
    pub(crate) fn set_damped(&mut self, is_damped: bool) -> bool {
        let is_new = is_damped != self.is_damped;
        if is_new {
            self.is_damped = is_damped;
            self.own.fill(UNSET);
        }
        is_new
    }

    /// As after a look on `rung`.
    pub(crate) fn resume(&mut self, rung: &Rung) {
        self.yielding.follow(rung.rate);
        (self.is_damped, self.is_anew) = (rung.is_damped, false);
    }

    /// Whether viscous forces act.
    pub(crate) fn is_damped(&self) -> bool {
        self.is_damped
    }

    /// Whether the last look found elements with inertia instead of steps.
    pub(crate) fn yields(&self) -> bool {
        self.yielding.count > 0
    }

    /// Elements that the last look found pressed below a fifth of their volume.
    pub fn near_inverted(&self) -> u32 {
        self.near_inverted
    }

    /// Whether the last look found an element that needs more steps than there are.
    pub(crate) fn is_beyond(&self) -> bool {
        self.is_beyond
    }

    /// Whether the last look found an element that is torn to several times its length.
    pub(crate) fn is_torn(&self) -> bool {
        self.is_torn
    }

    /// Lets frames be halved only from the next look on.
    pub(crate) fn only_halve(&mut self, is_halved: bool) {
        self.is_halved = is_halved;
        if is_halved && self.parts > 1 {
            (self.parts, self.duration) = (1, 0.0);
        }
    }

    /// Whether frames are halved only.
    pub(crate) fn is_halved(&self) -> bool {
        self.is_halved
    }

    /// Forgets all levels.
    pub fn reset(&mut self) {
        self.own.fill(UNSET);
        self.levels.fill(UNSET);
        self.quiet.fill(0);
        self.quick.clear();
        self.yielding.corners.fill(0.0);
        (self.parts, self.duration, self.near_inverted) = (1, 0.0, 0);
    }

    /// Memory of past frames as numbers, two an element and two more.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        let all = self.own.iter().zip(&self.quiet).zip(&self.levels);
        to.extend(all.map(|((own, quiet), level)| {
            f64::from(u32::from(*own) | u32::from(*quiet) << 8 | u32::from(*level) << 16)
        }));
        to.extend_from_slice(&self.yielding.corners);
        to.resize(to.len() + self.own.len() - self.yielding.corners.len(), 0.0);
        to.extend([self.duration, f64::from(self.parts)]);
    }

    /// Takes back what [`ElementSteps::save`] wrote.
    pub(crate) fn restore(&mut self, memory: &[f64]) {
        let [values @ .., duration, parts] = memory else {
            return;
        };
        self.parts = (*parts as u32).max(1);
        let (values, yielded) = values.split_at(self.own.len().min(values.len()));
        for (corner, &value) in self.yielding.corners.iter_mut().zip(yielded) {
            *corner = value;
        }
        for (k, &value) in values.iter().enumerate() {
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
        (self.near_inverted, self.yielding.count) = (0, 0);
        (self.is_beyond, self.is_torn) = (false, false);
        let is_anew = std::mem::take(&mut self.is_anew);
        for t in evaluated.iter().map(|&t| t as usize) {
            let tet = forest.tets()[t];
            let f = forest
                .shape(t as u32)
                .gradient_of(tet.map(|n| positions[n as usize]));
            let determinant = f.determinant();
            self.is_torn |= is_torn(&f);
            self.near_inverted += u32::from(determinant < NEAR_INVERTED);
            let (elastic, viscous) = self.law.growth(&f, determinant);
            let bound = |growth: f64| self.rest[t] * growth.min(MOST_STIFFENING);
            let squares = [bound(elastic), bound(viscous)];
            let inertia = self.corner_mass[t] + self.heavier[t];
            let (mut time, safety) = (self.damping_time, self.safety);
            if !self.is_damped {
                time = 0.0;
            }
            self.squares[t] = squares;
            let had = self.yielding.corners.get(t).copied();
            let left = self.yielding.share(t, inertia, squares, time, safety);
            if is_anew && had != self.yielding.corners.get(t).copied() {
                self.own[t] = UNSET;
            }
            let mut rate = rate_for(time, safety, left * squares[0], left * squares[1]);
            if let Some(courant) = self.courant.get(t) {
                rate = *courant;
            }
            if rate * longest < 1.0 && tet.iter().any(|n| quick.binary_search(n).is_ok()) {
                rate = 1.0 / longest;
            }
            self.rates[t] = rate;
            self.is_beyond |= rate * part > f64::from(1_u32 << DEEPEST);
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
        if self.is_halved {
            return;
        }
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

    /// Square of the bound of an element at rest, (rad/s)².
    pub(crate) fn rest_square(&self, tet: u32) -> f64 {
        self.rest[tet as usize]
    }

    /// `(ω_e Δt_e / 2c)²` with damping counted in: at most 1 for an element by itself, and as much more as it yields: its corners are heavier by that.
    pub(crate) fn share(&self, tet: u32) -> f64 {
        let t = tet as usize;
        let steps = f64::from(self.parts << self.levels[t].min(DEEPEST));
        let inertia = self.corner_mass[t] + self.heavier[t];
        let yielded = self.yielding.corners.get(t).copied().unwrap_or(0.0);
        (self.rates[t] * self.duration / steps).powi(2) * (1.0 + yielded / inertia)
    }
}

/// Exponent of 1 in the bits of a number.
const EXPONENT_BIAS: u16 = 1023;

/// Smallest `i` with `2^i ≥ rate · duration`.
pub(crate) fn level_of_rate(rate: f64, duration: f64) -> u8 {
    // a hair more than a power of two is that power
    let steps = (rate * duration * (1.0 - 1e-9)).max(1.0);
    let steps = f64::from(1_u32 << DEEPEST).min(steps);
    // exponent and fraction of the number itself: logarithms took a third of a forecast
    let bits = steps.to_bits();
    let exponent = (bits >> 52) as u16 - EXPONENT_BIAS;
    exponent as u8 + u8::from(bits << 12 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_the_next_power_of_two() {
        for (steps, level) in [(0.3, 0), (1.0, 0), (1.1, 1), (2.0, 1), (33.0, 6), (64.0, 6)] {
            assert_eq!(level_of_rate(steps, 1.0), level);
            assert_eq!(level_of_rate(steps * (1.0 + 1e-12), 1.0), level);
        }
        for k in 1..40_000 {
            let steps = 1.0 + 0.1 * f64::from(k);
            let level = (steps.log2() - 1e-8).ceil().min(f64::from(DEEPEST));
            assert_eq!(f64::from(level_of_rate(steps, 1.0)), level, "{steps}");
        }
        assert_eq!(level_of_rate(f64::NAN, 1.0), 0);
        assert_eq!(level_of_rate(1e30, 1.0), DEEPEST);
    }
}
