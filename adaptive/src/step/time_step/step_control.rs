//! The number of steps a frame of one level.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::force::NEAR_INVERTED;
use crate::hierarchy::Level;
use crate::params::{AdaptiveParams, ElementModel, FilterRule, StepRule};
use crate::step::selective_mass_scaling::SelectiveMassScaling;
use crate::step::time_step::courant::courant_rate;
use crate::step::time_step::element_bounds::{spring_bound, squared_frequencies};
use crate::step::time_step::rate::{rate_for, substeps_for};
use crate::step::time_step::stiffening::{MAX_STIFFENING, Stiffening};

/// Ratio of the stable steps with and without a filter of velocities (Debunne et al. 2001, section 3.3).
const FILTERED_STEP_RATIO: f64 = 2.0;

/// Successive frames that need fewer steps before fewer are taken: changing the step in every frame pumps energy into the body.
pub(crate) const FRAMES_BEFORE_DECREASE: u32 = 30;
/// The same where they need less than half of the steps, as after an impact.
const FRAMES_AFTER_IMPACT: u32 = 5;

/// Whether the number of steps may decrease after `frames` successive frames that needed at most a `share` of them.
pub(crate) fn may_decrease_steps(frames: u32, share: f64) -> bool {
    frames > FRAMES_BEFORE_DECREASE || frames > FRAMES_AFTER_IMPACT && share < 0.5
}
/// Below this many tetrahedra one thread is faster than several.
const PARALLEL_FROM: usize = 4_000;
/// Tetrahedra that a thread scans at a time.
const CHUNK: usize = 1024;

/// Result of a scan of all tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StateScan {
    /// Largest square of an element's frequency bound in its present shape, (rad/s)².
    pub frequency_squared: f64,
    /// Largest square of an element's frequency bound at rest times the square of its stretch, (rad/s)²: viscous forces grow with it.
    pub viscous_squared: f64,
    /// Number of tetrahedra below a fifth of their volume.
    pub near_inverted: u32,
}

impl StateScan {
    /// The result for the tetrahedra of both scans.
    fn with(self, other: Self) -> Self {
        Self {
            frequency_squared: self.frequency_squared.max(other.frequency_squared),
            viscous_squared: self.viscous_squared.max(other.viscous_squared),
            near_inverted: self.near_inverted + other.near_inverted,
        }
    }
}

/// Chooses the number of steps a frame: raises it at once, lowers it only after 30 frames that need fewer, or 5 that need less than half.
#[derive(Debug, Clone)]
pub struct StepControl {
    law: Stiffening,
    shapes: std::sync::Arc<Vec<ShapeGradients>>,
    mesh: std::sync::Arc<pliant_core::mesh::TetMesh>,
    /// squares of the element bounds at rest, (rad/s)²
    rest: Vec<f64>,
    damping_time: f64,
    safety: f64,
    /// factor on the rate with a filter of velocities
    filter_factor: f64,
    /// steps a second of a rule that does not depend on the state
    fixed_rate: Option<f64>,
    rate: f64,
    frames_below: u32,
    rate_below: f64,
}

impl StepControl {
    /// The rule of `params` for one level under `model`.
    pub fn new(
        level: &Level,
        material: &Material,
        model: ElementModel,
        damping_time: f64,
        params: &AdaptiveParams,
    ) -> Self {
        let lame = material.lame();
        let rest = squared_frequencies(level, model, &lame);
        let law = Stiffening::new(model, lame, params.recover);
        let mut control = Self {
            law,
            shapes: level.shapes.clone(),
            mesh: level.mesh.clone(),
            rest,
            damping_time,
            safety: params.safety,
            filter_factor: match params.filter {
                FilterRule::Off => 1.0,
                FilterRule::Paper => 1.0 / FILTERED_STEP_RATIO,
            },
            fixed_rate: None,
            rate: 0.0,
            frames_below: 0,
            rate_below: 0.0,
        };
        control.fixed_rate = if model == ElementModel::Spring {
            let bound = spring_bound(level, material.elastic.young);
            Some(control.rate_for(bound, bound))
        } else if params.step_rule == StepRule::Courant {
            Some(courant_rate(level, material))
        } else {
            None
        };
        control.rate = control.rest_rate();
        control
    }

    /// Steps a second that the undeformed body needs.
    pub fn rest_rate(&self) -> f64 {
        let rate = self.fixed_rate.unwrap_or_else(|| {
            let largest = self.rest.iter().copied().fold(0.0, f64::max);
            self.rate_for(largest, largest)
        });
        rate * self.filter_factor
    }

    /// `1/Δt` with `Δt = c (√(β'² + 4/ω²) − β')`, the limit of lagged-velocity damping times the safety c, for an elastic bound `ω²` and
    /// a viscous one `ω_v²` with `β' = β ω_v²/ω²`.
    pub fn rate_for(&self, frequency_squared: f64, viscous_squared: f64) -> f64 {
        rate_for(
            self.damping_time,
            self.safety,
            frequency_squared,
            viscous_squared,
        )
    }

    /// Scans all tetrahedra in their present shape.
    pub fn scan(&self, positions: &[Vec3]) -> StateScan {
        let all = |first: usize, tets: &[[u32; 4]]| {
            let scans = tets.iter().zip(first..);
            scans.fold(StateScan::default(), |found, (tet, t)| {
                found.with(self.scan_element(t, tet, positions))
            })
        };
        let tets = &self.mesh.tets;
        if tets.len() < PARALLEL_FROM {
            return all(0, tets);
        }
        // maxima and counts do not depend on the order
        tets.par_chunks(CHUNK)
            .enumerate()
            .map(|(c, tets)| all(c * CHUNK, tets))
            .reduce(StateScan::default, StateScan::with)
    }

    /// Result for one tetrahedron.
    fn scan_element(&self, t: usize, tet: &[u32; 4], positions: &[Vec3]) -> StateScan {
        let f = self.shapes[t].gradient_of(tet.map(|n| positions[n as usize]));
        let determinant = f.determinant();
        let (elastic, viscous) = self.law.growth(&f, determinant);
        let bound = |growth: f64| self.rest[t] * growth.min(MAX_STIFFENING);
        StateScan {
            frequency_squared: bound(elastic),
            viscous_squared: bound(viscous),
            near_inverted: u32::from(determinant < NEAR_INVERTED),
        }
    }

    /// Writes the steps a second that each tetrahedron needs in its present shape to `rates`, 0 for those that are `asleep`, and returns the result of [`StepControl::scan`]. `None` for rules that do not
    /// depend on the state. Cost: some tens of nanoseconds a tetrahedron.
    pub(crate) fn element_rates(
        &self,
        positions: &[Vec3],
        rates: &mut Vec<f64>,
        asleep: impl Fn(usize) -> bool,
    ) -> Option<StateScan> {
        if self.fixed_rate.is_some() || self.filter_factor != 1.0 {
            return None;
        }
        let mut scan = StateScan::default();
        rates.clear();
        for (t, tet) in self.mesh.tets.iter().enumerate() {
            if asleep(t) {
                rates.push(0.0);
                continue;
            }
            let found = self.scan_element(t, tet, positions);
            scan = scan.with(found);
            rates.push(self.rate_for(found.frequency_squared, found.viscous_squared));
        }
        Some(scan)
    }

    /// Adds inertia to a tetrahedron of this `inertia` (kg a corner) so that it does not need more than the limit of `scaling`. Returns the steps a second that it then needs.
    pub(crate) fn scaled_rate(
        &self,
        tet: usize,
        positions: &[Vec3],
        inertia: f64,
        scaling: &mut SelectiveMassScaling,
    ) -> f64 {
        let found = self.scan_element(tet, &self.mesh.tets[tet], positions);
        let squares = [found.frequency_squared, found.viscous_squared];
        let (damping_time, safety) = (self.damping_time, self.safety);
        let factor = scaling.scale(tet, inertia, squares, damping_time, safety);
        self.rate_for(factor * squares[0], factor * squares[1])
    }

    /// Number of equal steps for a frame of `duration` seconds that begins in the scanned state.
    pub fn substeps(&mut self, scan: &StateScan, duration: f64) -> u32 {
        let needed = self.needed(scan);
        if needed >= self.rate {
            self.set_memory([needed, 0.0, 0.0]);
        } else {
            self.frames_below += 1;
            self.rate_below = self.rate_below.max(needed);
            if may_decrease_steps(self.frames_below, self.rate_below / self.rate) {
                self.set_memory([self.rate_below, 0.0, 0.0]);
            }
        }
        substeps_for(self.rate, duration)
    }

    /// Steps that a frame of `duration` seconds needs at the present rate.
    pub fn present_substeps(&self, duration: f64) -> u32 {
        substeps_for(self.rate, duration)
    }

    /// The same for a scan that [`StepControl::substeps`] or [`StepControl::raise`] has not got yet.
    pub fn substeps_in(&self, scan: &StateScan, duration: f64) -> u32 {
        substeps_for(self.rate.max(self.needed(scan)), duration)
    }

    /// Raises the rate to what the scanned state needs; no frame has passed.
    pub fn raise(&mut self, scan: &StateScan) {
        let needed = self.needed(scan);
        if needed > self.rate {
            self.set_memory([needed, 0.0, 0.0]);
        }
    }

    /// Steps a second that the scanned state needs.
    fn needed(&self, scan: &StateScan) -> f64 {
        let now = self
            .fixed_rate
            .unwrap_or_else(|| self.rate_for(scan.frequency_squared, scan.viscous_squared));
        (now * self.filter_factor).max(self.rest_rate())
    }

    /// Resets to the initial state.
    pub fn reset(&mut self) {
        self.set_memory([self.rest_rate(), 0.0, 0.0]);
    }

    /// The state that depends on past frames, as numbers.
    pub fn memory(&self) -> [f64; 3] {
        [self.rate, f64::from(self.frames_below), self.rate_below]
    }

    /// Restores [`StepControl::memory`].
    pub fn set_memory(&mut self, memory: [f64; 3]) {
        [self.rate, _, self.rate_below] = memory;
        self.frames_below = memory[1] as u32;
    }
}
