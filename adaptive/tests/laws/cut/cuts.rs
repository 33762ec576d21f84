//! Cuts for the tests: construction, motion and measurements.

use std::sync::Arc;

use nalgebra::DMatrix;
use pliant_adaptive::cut::{Cut, CutForces, Forest, Momentum, total_momentum};
use pliant_adaptive::force::ElementConstants;
use pliant_adaptive::params::ForceKernel;
use pliant_adaptive::step::multirate::{CutDynamics, FrameConstraints, FrameTotals};
use pliant_adaptive::{AdaptiveParams, ElementModel, LodHierarchy};
use pliant_core::material::{Damping, DampingParameters, LameParameters, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::scene::Selection;

use crate::bodies::{FRAME, SIDES, With, baked_block};

/// Cells of three levels of a block of [`SIDES`].
pub const LEVELS: [[usize; 3]; 3] = [[2, 2, 2], [4, 3, 5], [8, 6, 9]];

/// Pseudo-random numbers, the same in every run.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }

    /// A vector with components between −1 and 1.
    pub fn vector(&mut self) -> Vec3 {
        let mut c = || self.below(2_000_001) as f64 / 1e6 - 1.0;
        Vec3::new(c(), c(), c())
    }
}

pub fn forest(levels: &[[usize; 3]], support: Option<Selection>) -> Arc<Forest> {
    Arc::new(Forest::new(baked_block(SIDES, levels, 0.0, support)))
}

/// A cut with about `splits` random splits.
pub fn random_cut(forest: &Arc<Forest>, splits: usize, dice: &mut Dice) -> Cut {
    let mut cut = Cut::coarsest(forest.clone());
    for _ in 0..splits {
        let active: Vec<u32> = cut.active_nodes().collect();
        cut.split(active[dice.below(active.len())]);
    }
    cut
}

pub fn constants(nu: f64) -> ElementConstants {
    let young = 1e5;
    ElementConstants {
        lame: LameParameters {
            lambda: young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
            mu: young / (2.0 * (1.0 + nu)),
        },
        damping: DampingParameters { phi: 0.0, psi: 0.0 },
        law: MaterialLaw::Green,
        recover: false,
    }
}

/// Splits the active nodes of a level for whose rest position `is_one` is true.
pub fn split_where(cut: &mut Cut, level: usize, is_one: impl Fn(&Vec3) -> bool) {
    let forest = cut.forest().clone();
    for node in forest.nodes_of_level(level) {
        if cut.is_active(node) && is_one(&forest.rest()[node as usize]) {
            cut.split(node);
        }
    }
}

/// Active nodes without support.
pub fn free_nodes(cut: &Cut) -> Vec<usize> {
    let free = |n: &u32| cut.forest().support(*n).is_none();
    cut.active_nodes()
        .filter(free)
        .map(|n| n as usize)
        .collect()
}

/// Stiffness matrix of these nodes by finite differences, N/m.
pub fn stiffness(of: &CutForces<'_>, free: &[usize]) -> DMatrix<f64> {
    let rest = of.cut.forest().rest();
    let still = vec![Vec3::zeros(); rest.len()];
    let (mut f, way) = (still.clone(), 1e-3);
    let mut matrix = DMatrix::zeros(3 * free.len(), 3 * free.len());
    for (column, &n) in free.iter().enumerate() {
        for axis in 0..3 {
            let mut x = rest.to_vec();
            x[n][axis] += way;
            of.operators.forward(&mut x);
            of.evaluate(&x, &still, &mut f);
            for (row, &m) in free.iter().enumerate() {
                for k in 0..3 {
                    matrix[(3 * row + k, 3 * column + axis)] = -f[m][k] / way;
                }
            }
        }
    }
    matrix
}

pub fn dynamics(asset: &Arc<LodHierarchy>, kernel: ForceKernel) -> CutDynamics {
    // without the recovery of inverted elements: the tests concern the time-stepping scheme
    let params = AdaptiveParams::default()
        .with(|p| p.kernel = kernel)
        .with(|p| p.recover = false);
    green(asset, asset.material.damping, &params)
}

/// A body on its coarsest cut under the law of Green strain.
pub fn green(asset: &Arc<LodHierarchy>, damping: Damping, params: &AdaptiveParams) -> CutDynamics {
    CutDynamics::new(asset.clone(), ElementModel::Green, damping, params)
}

pub fn three_levels(support: Option<Selection>) -> Arc<LodHierarchy> {
    baked_block(SIDES, &LEVELS, 0.0, support)
}

/// Moves each node as `state` says of its position at rest: where it is (m), and its velocity (m/s).
pub fn set_by_rest(b: &mut CutDynamics, state: impl Fn(&Vec3) -> (Vec3, Vec3)) {
    let forest = b.cut().forest().clone();
    b.set_state(|n| state(&forest.rest()[n as usize]));
}

/// Moves each node as `state` says of its present position, m: where it is then (m), and its velocity (m/s).
pub fn set_by_position(b: &mut CutDynamics, state: impl Fn(&Vec3) -> (Vec3, Vec3)) {
    let x = b.positions().to_vec();
    b.set_state(|n| state(&x[n as usize]));
}

/// Computes a frame without contact.
pub fn step_frame(b: &mut CutDynamics, gravity: Vec3) -> FrameTotals {
    b.prepare_frame(FRAME, &[], f64::INFINITY);
    let mut totals = FrameTotals::default();
    let mut none = FrameConstraints::default();
    b.fire(FRAME, &gravity, &mut none, &mut totals);
    totals
}

/// Refines half of the body by one level, and a corner by two.
pub fn refine_a_half(b: &mut CutDynamics) {
    b.change_cut(|cut| {
        split_where(cut, 0, |x| x.x > -0.1);
        split_where(cut, 1, |x| x.x > 0.2 && x.y > 0.2);
    });
}

pub fn momentum(b: &CutDynamics) -> Momentum {
    let active = b.operators().active();
    total_momentum(b.masses(), active, b.positions(), b.velocities())
}

pub fn total_energy(b: &CutDynamics) -> f64 {
    b.elastic_energy() + b.kinetic_energy()
}
