//! The stable time step, from the highest frequency of every element, its stretch and the damping.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::stress::{NeoHookeanConstants, cofactor};
use pliant_core::material::{LameParameters, Material};
use pliant_core::math::{Mat3, Vec3};
use rayon::prelude::*;

use crate::force::NEAR_INVERTED;
use crate::force::recovery::recovery_growth;
use crate::force::springs::edge_springs;
use crate::hierarchy::Level;
use crate::params::{AdaptiveParams, ElementModel, FilterRule, StepRule};

/// Factor on the printed Courant condition: with factor 1 it is up to twice too long.
const COURANT_FACTOR: f64 = 0.4;
/// Step with a filter of velocities over that without (Debunne et al. 2001, section 3.4).
const FILTERED_STEP: f64 = 2.0;
/// Largest stiffening that is followed; a body beyond it is about to be reported as diverged.
pub(crate) const MOST_STIFFENING: f64 = 100.0;

/// Volume ratio, over that from which on an element recovers, at which steps are ready for it: it may get there within a frame.
const RECOVERY_AHEAD: f64 = 1.5;
/// Frames that must need fewer steps before fewer are taken: changing the step every frame pumps energy.
pub(crate) const QUIET_FRAMES: u32 = 30;
/// Below this many tetrahedra one thread is faster than several.
const PARALLEL_FROM: usize = 4_000;
/// Tetrahedra a thread scans at a time.
const CHUNK: usize = 1024;

/// What a look at all tetrahedra found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StateScan {
    /// Largest square of an element's frequency bound in its present shape, (rad/s)².
    pub frequency_squared: f64,
    /// Largest square of an element's frequency bound at rest times the square of its stretch, (rad/s)²: viscous forces grow with it.
    pub viscous_squared: f64,
    /// Tetrahedra pressed below a fifth of their volume.
    pub near_inverted: u32,
}

/// Chooses the number of steps a frame: raises it at once, lowers it only after 30 quiet frames.
#[derive(Debug, Clone)]
pub struct StepControl {
    law: Stiffening,
    shapes: std::sync::Arc<Vec<ShapeGradients>>,
    mesh: std::sync::Arc<pliant_core::mesh::TetMesh>,
    /// squares of the element bounds at rest, (rad/s)²
    rest: Vec<f64>,
    damping_time: f64,
    safety: f64,
    /// share of the steps that a filter of velocities leaves
    relief: f64,
    /// steps a second of a rule that does not look at the state
    fixed_rate: Option<f64>,
    rate: f64,
    quiet: u32,
    quiet_rate: f64,
}

/// How an element's highest frequency grows with its deformation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stiffening {
    Green { lame: LameParameters, recover: bool },
    NeoHookean(NeoHookeanConstants),
    Linear,
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
            relief: match params.filter {
                FilterRule::Off => 1.0,
                _ => 1.0 / FILTERED_STEP,
            },
            fixed_rate: None,
            rate: 0.0,
            quiet: 0,
            quiet_rate: 0.0,
        };
        control.fixed_rate = if model == ElementModel::Spring {
            let bound = spring_bound(level, material.elastic.young);
            Some(control.rate_for(bound, bound))
        } else if params.step_rule == StepRule::Courant {
            Some(material.wave_speed() / (COURANT_FACTOR * shortest_edge(level)))
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
        rate * self.relief
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

    /// Looks at all tetrahedra in their present shape.
    pub fn scan(&self, positions: &[Vec3]) -> StateScan {
        let one = |first: usize, tets: &[[u32; 4]]| {
            let mut found = StateScan::default();
            for (k, tet) in tets.iter().enumerate() {
                let t = first + k;
                let f = self.shapes[t].gradient_of(tet.map(|n| positions[n as usize]));
                let determinant = f.determinant();
                found.near_inverted += u32::from(determinant < NEAR_INVERTED);
                let (elastic, viscous) = self.law.growth(&f, determinant);
                let bound = |growth: f64| self.rest[t] * growth.min(MOST_STIFFENING);
                found.frequency_squared = found.frequency_squared.max(bound(elastic));
                found.viscous_squared = found.viscous_squared.max(bound(viscous));
            }
            found
        };
        let tets = &self.mesh.tets;
        if tets.len() < PARALLEL_FROM {
            return one(0, tets);
        }
        // maxima and counts do not depend on the order
        tets.par_chunks(CHUNK)
            .enumerate()
            .map(|(c, tets)| one(c * CHUNK, tets))
            .reduce(StateScan::default, |a, b| StateScan {
                frequency_squared: a.frequency_squared.max(b.frequency_squared),
                viscous_squared: a.viscous_squared.max(b.viscous_squared),
                near_inverted: a.near_inverted + b.near_inverted,
            })
    }

    /// Number of equal steps for a frame of `duration` seconds that begins in the scanned state.
    pub fn substeps(&mut self, scan: &StateScan, duration: f64) -> u32 {
        let needed = self.needed(scan);
        if needed >= self.rate {
            self.rate = needed;
            self.quiet = 0;
            self.quiet_rate = 0.0;
        } else {
            self.quiet += 1;
            self.quiet_rate = self.quiet_rate.max(needed);
            if self.quiet > QUIET_FRAMES {
                self.rate = self.quiet_rate;
                self.quiet = 0;
                self.quiet_rate = 0.0;
            }
        }
        substeps_for(self.rate, duration)
    }

    /// Steps that a frame of `duration` seconds needs at the present rate.
    pub fn present_substeps(&self, duration: f64) -> u32 {
        substeps_for(self.rate, duration)
    }

    /// The same, if a look at the present state was not taken over yet.
    pub fn substeps_in(&self, scan: &StateScan, duration: f64) -> u32 {
        substeps_for(self.rate.max(self.needed(scan)), duration)
    }

    /// Raises the rate to what the scanned state needs; no frame has passed.
    pub fn raise(&mut self, scan: &StateScan) {
        let needed = self.needed(scan);
        if needed > self.rate {
            self.rate = needed;
            (self.quiet, self.quiet_rate) = (0, 0.0);
        }
    }

    /// Steps a second that the scanned state needs.
    fn needed(&self, scan: &StateScan) -> f64 {
        let now = self
            .fixed_rate
            .unwrap_or_else(|| self.rate_for(scan.frequency_squared, scan.viscous_squared));
        (now * self.relief).max(self.rest_rate())
    }

    /// Back to the state of a fresh control.
    pub fn reset(&mut self) {
        self.rate = self.rest_rate();
        self.quiet = 0;
        self.quiet_rate = 0.0;
    }

    /// The memory of past frames as numbers.
    pub fn memory(&self) -> [f64; 3] {
        [self.rate, f64::from(self.quiet), self.quiet_rate]
    }

    /// Takes back [`StepControl::memory`].
    pub fn set_memory(&mut self, memory: [f64; 3]) {
        [self.rate, _, self.quiet_rate] = memory;
        self.quiet = memory[1] as u32;
    }
}

/// See [`StepControl::rate_for`].
pub(crate) fn rate_for(
    damping_time: f64,
    safety: f64,
    frequency_squared: f64,
    viscous_squared: f64,
) -> f64 {
    // the same in a form without cancellation: (b + √(b² + 4ω²)) / 4c with b = β ω_v²
    let b = damping_time * viscous_squared;
    (b + (b * b + 4.0 * frequency_squared).sqrt()) / (4.0 * safety)
}

/// Squares of the element bounds at rest under `model`, (rad/s)².
pub(crate) fn squared_frequencies(
    level: &Level,
    model: ElementModel,
    lame: &LameParameters,
) -> Vec<f64> {
    match model {
        ElementModel::Simplified => level
            .shapes
            .iter()
            .zip(&level.frequencies)
            .map(|(shape, f)| f * f * simplified_ratio(shape, lame))
            .collect(),
        _ => level.frequencies.iter().map(|f| f * f).collect(),
    }
}

/// `⌈rate · duration⌉`, at least 1.
pub fn substeps_for(rate: f64, duration: f64) -> u32 {
    (rate * duration).ceil().clamp(1.0, f64::from(u32::MAX)) as u32
}

impl Stiffening {
    /// Of an element model.
    pub(crate) fn new(model: ElementModel, lame: LameParameters, recover: bool) -> Self {
        match model {
            ElementModel::Green => Self::Green { lame, recover },
            ElementModel::StableNeoHookean => Self::NeoHookean(lame.into()),
            _ => Self::Linear,
        }
    }

    /// Bounds of `λ_max(K(F)) / λ_max(K(I))` for the elastic and the viscous stiffness, at least 1.
    pub(crate) fn growth(&self, f: &Mat3, determinant: f64) -> (f64, f64) {
        let c = f.transpose() * f;
        let stretch_squared = largest_eigenvalue_bound(&c);
        let elastic = match self {
            Self::Green { lame, recover } => {
                // material part ≤ s² K(I), geometric part ≤ σ_max(S)/(λ + 2μ) K(I)
                let strain = 0.5 * (stretch_squared - 1.0);
                let tension = lame.lambda * 0.5 * (c.trace() - 3.0) + 2.0 * lame.mu * strain;
                let growth = stretch_squared + tension.max(0.0) / (lame.lambda + 2.0 * lame.mu);
                if *recover && determinant < RECOVERY_AHEAD * NEAR_INVERTED {
                    let areas = largest_eigenvalue_bound(&cofactor(&c));
                    growth + recovery_growth(determinant, areas, stretch_squared.sqrt())
                } else {
                    growth
                }
            }
            Self::NeoHookean(n) => {
                let bound = |ic: f64, stretch: f64, area_squared: f64, j: f64| {
                    n.mu * (1.0 - 1.0 / (ic + 1.0))
                        + 2.0 * n.mu * ic / (ic + 1.0).powi(2)
                        + n.lambda * area_squared
                        + n.lambda * (j - n.alpha).abs() * stretch
                };
                let areas = largest_eigenvalue_bound(&cofactor(&c));
                bound(c.trace(), stretch_squared.sqrt(), areas, determinant)
                    / bound(3.0, 1.0, 1.0, 1.0)
            }
            Self::Linear => 1.0,
        };
        (elastic.max(1.0), stretch_squared.max(1.0))
    }
}

/// Upper bound of the largest eigenvalue of a symmetric matrix from its trace and the norm of its deviator; exact for multiples of
/// the identity and for a double smaller eigenvalue.
fn largest_eigenvalue_bound(c: &Mat3) -> f64 {
    let mean = c.trace() / 3.0;
    let deviator = c - Mat3::identity() * mean;
    mean + (2.0 / 3.0_f64).sqrt() * deviator.norm()
}

/// Largest stiffness eigenvalue of the simplified model over that of the full one, from above: `V((λ+μ) Σ|g|² + μ Σ|g|²)` over the bound
/// `V(λ+2μ) Σ|g|²/3` from below.
fn simplified_ratio(shape: &ShapeGradients, lame: &LameParameters) -> f64 {
    use pliant_core::elasticity::stiffness::linear_stiffness;
    let sum: f64 = shape.gradients.iter().map(|g| g.norm_squared()).sum();
    let above = shape.volume * sum * (lame.lambda + 2.0 * lame.mu);
    let full = linear_stiffness(shape, lame).symmetric_eigenvalues().max();
    (above / full).max(1.0)
}

/// Square of the frequency bound of the spring network by Gershgorin's theorem: `2 Σ k / m` at a node, (rad/s)².
fn spring_bound(level: &Level, young: f64) -> f64 {
    let mut sums = vec![0.0; level.node_count()];
    for spring in edge_springs(level, young) {
        for n in spring.nodes {
            sums[n as usize] += spring.stiffness;
        }
    }
    sums.iter()
        .zip(&level.masses)
        .map(|(k, m)| 2.0 * k / m)
        .fold(0.0, f64::max)
}

/// Steps a second of each tetrahedron of a level by the Courant rule: wave speed over the shortest edge, with a factor.
pub(crate) fn courant_rates(level: &Level, material: &Material) -> Vec<f64> {
    let rate = |t| material.wave_speed() / (COURANT_FACTOR * shortest_edge_of(level, t));
    (0..level.mesh.tets.len()).map(rate).collect()
}

fn shortest_edge(level: &Level) -> f64 {
    (0..level.mesh.tets.len())
        .map(|t| shortest_edge_of(level, t))
        .fold(f64::INFINITY, f64::min)
}

fn shortest_edge_of(level: &Level, tet: usize) -> f64 {
    let x = level.mesh.corners(tet);
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        .map(|(i, j)| (x[i] - x[j]).norm())
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}
