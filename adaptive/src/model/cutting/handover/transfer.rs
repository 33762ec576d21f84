//! How the state of a cut goes over to one level.
//!
//! It is a change of the cut (`step/multirate/nodes/cut_change.rs`) to all nodes of that level, which then move without added inertia: momentum is kept, energy does not rise by motion, and what
//! strain and gravity take or give is counted. The skin fades into its new place as after any such change (`cut_body/skin_fade.rs`).

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, WorkBudget};

use super::state::HandoverCause;
use crate::cut::{Cut, Momentum, Transition, total_momentum};
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::state::CutBody;
use crate::model::cut_body::work_units::ChangeUnits;
use crate::step::multirate::CutDynamics;

impl AdaptiveModel {
    /// Hands the state of the cut over to the level, with velocities at the time of the positions. Returns the work of that.
    pub(super) fn hand_over(&mut self, cause: HandoverCause) -> u64 {
        let Some(mut level) = self.counterpart.take() else {
            return 0;
        };
        let work = self.with_cut(|model, body| {
            let momentum = model.momentum_of_cut(&body.dynamics);
            model.gather_on_level(body, level.level);
            level.take_state(model, body, momentum);
            if let Some(handover) = &mut level.handover {
                handover.cause = cause;
                handover.fade.copy_from(&body.fade);
            }
            body.change_units
        });
        self.counterpart = Some(level);
        if work.is_some() {
            self.exchange();
        }
        work.unwrap_or(0)
    }

    /// Momentum of a cut at the time of its positions: with the second half of the last impulses of constraints.
    fn momentum_of_cut(&self, dynamics: &CutDynamics) -> Momentum {
        let all = dynamics.velocities.iter().enumerate();
        let velocities = all.map(|(n, v)| v + self.contact.kick(n) * 0.5);
        total_momentum(
            &dynamics.masses,
            dynamics.operators.active(),
            &dynamics.positions,
            &velocities.collect::<Vec<Vec3>>(),
        )
    }

    /// Changes the cut to all nodes of a level.
    fn gather_on_level(&mut self, body: &mut CutBody, level: usize) {
        let mut gathered = body.dynamics.cut.clone();
        let whole = Cut::at_level(Arc::clone(gathered.forest()), level);
        if gathered.set_states(whole.states()) {
            let prepared = body.dynamics.prepare(gathered);
            let elements = prepared.operators.evaluated().len();
            body.change_units = ChangeUnits::PREPARE.total(elements, prepared.blend.len());
            self.switch_cut(body, prepared);
        }
    }

    /// Takes the state of the model `from`, whose cut consists of the nodes of this level. One rigid velocity restores `momentum`. The energy that this takes counts as dissipated, and what it gives as
    /// work.
    fn take_state(&mut self, from: &Self, body: &CutBody, momentum: Momentum) {
        let dynamics = &body.dynamics;
        let sweeps = self.cutting.as_mut().map(|c| std::mem::take(&mut c.sweeps));
        // as a body that never moved: the same state gives the same bits
        self.reset();
        if let (Some(cutting), Some(sweeps)) = (&mut self.cutting, sweeps) {
            cutting.sweeps = sweeps;
        }
        let nodes = dynamics.forest.nodes_of_level(self.level);
        let nodes = nodes.start as usize..nodes.end as usize;
        let level = &mut self.dynamics;
        let (positions, velocities) = (&dynamics.positions, &dynamics.velocities);
        level.positions.copy_from_slice(&positions[nodes.clone()]);
        level.velocities.copy_from_slice(&velocities[nodes]);
        let inverse_masses = (0_u32..).zip(&level.inverse_masses);
        let moving = inverse_masses.filter(|(_, w)| **w > 0.0).map(|(n, _)| n);
        let moving: Vec<u32> = moving.collect();
        let energy = dynamics.elastic_energy() + dynamics.kinetic_energy();
        let transition = Transition {
            masses: &level.masses,
            nodes: &moving,
            positions: &level.positions,
            momentum: Some(momentum),
            energy,
            elastic: level.elastic_energy(),
        };
        let after = transition.carry_over(&vec![true; moving.len()], &mut level.velocities);
        (self.gravity, self.placed, self.time) = (from.gravity, from.placed, from.time);
        (self.dissipated, self.work) = (from.dissipated, from.work);
        self.lost_in_contact = from.lost_in_contact;
        self.reactions.clone_from(&from.reactions);
        self.support_reactions.clone_from(&from.support_reactions);
        let before = energy + from.potential_of_cut(dynamics, &self.gravity);
        let lost = before - after - self.potential_of_level(&self.gravity);
        if lost >= 0.0 {
            self.dissipated += lost;
        } else {
            self.work -= lost;
        }
    }

    /// Puts the velocities back by half a step of the frame that begins now, where those of a level belong.
    pub(super) fn begin_on_level(&mut self, duration: f64, boundary: &BoundaryConditions) {
        self.apply_gravity_and_loads(boundary);
        self.choose_substeps(boundary, duration, WorkBudget::UNLIMITED);
        self.refresh();
        self.last_step = duration / f64::from(self.substeps);
        let (step, gravity) = (self.last_step, self.gravity);
        self.dynamics.add_half_kick(step, &gravity, -1.0);
        self.invalidate();
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::{BodyGeometry, Progress};
    use pliant_core::material::{Material, MaterialLaw};
    use pliant_core::mesh::procedural::{CellStyle, box_tets};
    use pliant_core::model::FrameRequest;
    use pliant_core::scene::Selection;

    use super::*;
    use crate::asset::LodHierarchy;
    use crate::params::{AdaptiveParams, LevelChoice, Resolution};

    const FRAME: f64 = 1.0 / 60.0;

    /// An undamped block of two levels on its coarsest cut, which is handed over to `level`.
    fn block(level: usize, is_held: bool) -> AdaptiveModel {
        let size = Vec3::new(0.4, 0.2, 0.2);
        let levels = [[4, 2, 2], [8, 4, 4]].map(|c| box_tets(size, c, CellStyle::Alternating));
        let material = Material::isotropic(1e5, 0.3)
            .with_density(1000.0)
            .with_damping_ratio(0.0)
            .with_law(MaterialLaw::StableNeoHookean);
        let geometry = BodyGeometry::of_levels(levels, material);
        let geometry = match is_held {
            true => geometry.held_at("foot", Selection::Lowest(0.01)),
            false => geometry,
        };
        let asset = LodHierarchy::bake(&geometry, &Progress::new()).expect("sound");
        let params = AdaptiveParams {
            resolution: Resolution::Cut,
            blades: true,
            level: LevelChoice::Index(level),
            budget_units: 1 << 30,
            ..AdaptiveParams::default()
        };
        AdaptiveModel::new(Arc::new(asset), params).expect("fits")
    }

    /// Sets position and velocity of the nodes of the cut as functions of their places at rest.
    fn set(body: &mut AdaptiveModel, state: impl Fn(&Vec3) -> (Vec3, Vec3)) {
        let dynamics = body.cut_mut().expect("a cut");
        let rest = dynamics.cut().forest().rest().to_vec();
        dynamics.set_state(|n| state(&rest[n as usize]));
    }

    fn momentum_of_level(body: &AdaptiveModel) -> Momentum {
        let d = &body.dynamics;
        let nodes: Vec<u32> = (0..d.positions.len() as u32).collect();
        total_momentum(&d.masses, &nodes, &d.positions, &d.velocities)
    }

    #[test]
    fn a_rigid_motion_is_handed_over_as_it_is() {
        let turn = nalgebra::UnitQuaternion::from_euler_angles(0.3, -0.8, 0.5);
        let velocity = Vec3::new(0.3, -0.2, 0.1);
        // nodal masses of different levels have different moments of inertia
        for (level, spin) in [(0, Vec3::new(1.0, 2.0, -3.0)), (1, Vec3::zeros())] {
            let state = |rest: &Vec3| {
                let x = turn * rest + Vec3::new(0.1, 0.2, 0.3);
                (x, velocity + spin.cross(&x))
            };
            let mut body = block(level, false);
            set(&mut body, state);
            body.hand_over(HandoverCause::Blade);
            assert!(body.handed_over_by().is_some() && body.level == level);
            let nodes = body.level_nodes().iter();
            for (n, rest) in nodes.enumerate() {
                let (x, v) = state(rest);
                assert!((body.level_positions()[n] - x).norm() < 1e-9, "{n}");
                assert!((body.level_velocities()[n] - v).norm() < 1e-9, "{n}");
            }
        }
    }

    #[test]
    fn the_hand_over_keeps_linear_and_angular_momentum() {
        let state = |x: &Vec3| {
            let bent = Vec3::new(0.02 * (8.0 * x.y).sin(), 0.04 * x.x * x.x, -0.03 * x.z);
            let v = Vec3::new(x.y + 0.3, (5.0 * x.x).cos(), x.x * x.z - 0.2);
            (x + bent, v)
        };
        for (level, is_held) in [(0, false), (1, false), (0, true), (1, true)] {
            let mut body = block(level, is_held);
            set(&mut body, state);
            let before = body.momentum_of_cut(body.cut().expect("a cut"));
            body.hand_over(HandoverCause::Blade);
            let after = momentum_of_level(&body);
            let change = |a: Vec3, b: Vec3| (a - b).norm() / b.norm();
            let changes = [
                change(after.linear, before.linear),
                change(after.angular, before.angular),
            ];
            assert!(changes.iter().all(|c| *c < 1e-10), "{changes:?}");
        }
    }

    #[test]
    fn the_hand_over_and_the_first_half_step_keep_the_balance_of_energy() {
        for level in 0..2 {
            let mut body = block(level, true);
            let weight = BoundaryConditions::with_gravity(Vec3::new(3.0, -9.81, 1.0));
            for _ in 0..5 {
                let request = FrameRequest::new(FRAME, &weight);
                body.advance(request).expect("easy");
            }
            let before = body.with_cut(|model, body| model.cut_energy(body));
            let before = before.expect("a cut");
            body.hand_over(HandoverCause::Blade);
            let moving = body.dynamics.kinetic_energy();
            let after = body.account_of_level(moving);
            let error = (after.balance() - before.balance()).abs();
            assert!(error < 1e-10 * before.scale(), "{before:?} {after:?}");
            assert!((body.time - 5.0 * FRAME).abs() < 1e-12);
            body.begin_on_level(FRAME, &weight);
            body.refresh();
            let kinetic = body.energy().kinetic;
            assert!((kinetic - moving).abs() < 1e-9 * moving, "{kinetic} J");
            // forces of half a step are not nothing
            assert!((body.dynamics.kinetic_energy() - moving).abs() > 1e-6 * moving);
        }
    }
}
