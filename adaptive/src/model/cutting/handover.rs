//! From the cut through all levels to the level that blades cut.
//!
//! Blades cut the tetrahedra of one level: a cut through several levels would have to come apart on all of them alike. So a body with blades in its scene has two models, each the counterpart of the
//! other. It moves on its cut until what a blade sweeps reaches it. At the beginning of that frame its state is handed over to the level that the budget chooses, where it is cut, and it stays there until it is reset or
//! an earlier state is restored.
//!
//! The hand-over is a change of the cut (`step/multirate/nodes/cut_change.rs`) to all nodes of that level, which then move without added inertia: momentum is kept, energy does not rise by motion, and what
//! strain and gravity take or give is counted. The skin fades into its new place as after any such change (`cut_body/skin_fade.rs`).

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::model::{DeformableModel, SnapshotMismatch, StateSnapshot, WorkBudget};

use crate::asset::LodHierarchy;
use crate::cut::{Cut, Momentum, Transition, total_momentum};
use crate::error::AdaptiveModelError;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::skin_fade::SkinFade;
use crate::model::cut_body::state::CutBody;
use crate::model::cut_body::work_units::ChangeUnits;
use crate::model::cutting::state::Cutting;
use crate::params::{AdaptiveParams, Resolution, units_of_level};
use crate::step::multirate::CutDynamics;

/// The number that a snapshot has in place of that of a level, while a body moves on a cut that a blade may end.
const ON_CUT: f64 = -1.0;

impl AdaptiveModel {
    /// A body at rest on its coarsest cut, and its counterpart: the level on which blades cut it.
    ///
    /// # Errors
    /// As [`AdaptiveModel::new`].
    pub(crate) fn on_cut_until_blade(
        asset: Arc<LodHierarchy>,
        params: AdaptiveParams,
    ) -> Result<Self, AdaptiveModelError> {
        // on the cut nothing parts: the body moves as one without blades
        let of_cut = AdaptiveParams {
            blades: false,
            ..params
        };
        let of_level = AdaptiveParams {
            resolution: Resolution::Level,
            budget_units: units_of_level(params.budget_units),
            ..params
        };
        let mut body = Self::new(Arc::clone(&asset), of_cut)?;
        let mut level = Self::new(asset, of_level)?;
        let vertices = level.asset.skin.vertex_count();
        level.handover_fade = Some(Box::new(SkinFade::new(vertices)));
        body.counterpart = Some(Box::new(level));
        Ok(body)
    }

    /// Whether a blade has reached a body that moved on a cut before.
    pub(crate) fn was_handed_over(&self) -> bool {
        self.cut.is_none() && self.counterpart.is_some()
    }

    /// What may be cut: that of the level, also while the cut moves. `None` for a body without blades or fracture.
    pub(crate) fn separable(&mut self) -> Option<&mut Cutting> {
        match &mut self.counterpart {
            Some(level) if self.cut.is_some() => level.cutting.as_deref_mut(),
            _ => self.cutting.as_deref_mut(),
        }
    }

    /// Hands the body over to its level if a blade reaches it in a frame of `duration` seconds that begins now. Returns the work of that, in tetrahedron evaluations: mostly none.
    pub(crate) fn hand_over_if_reached(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
    ) -> u64 {
        let is_reached = match (&self.cut, &self.counterpart) {
            (Some(body), Some(level)) => level.is_reached(&body.dynamics, duration, boundary),
            _ => false,
        };
        if !is_reached {
            return 0;
        }
        let work = self.hand_over();
        self.begin_on_level(duration, boundary);
        work
    }

    /// Whether a sweep may reach the skin in a frame: meets its box, enlarged by the motion of the body, by itself or by its constraints, and by an edge of this level.
    fn is_reached(
        &self,
        dynamics: &CutDynamics,
        duration: f64,
        boundary: &BoundaryConditions,
    ) -> bool {
        let sweeps = match &self.cutting {
            Some(cutting) if !cutting.sweeps.is_empty() => &cutting.sweeps,
            _ => return false,
        };
        let spacing = |level: usize| self.asset.levels[level].spacing;
        let active = dynamics.operators.active().iter().map(|&n| n as usize);
        let speeds = active.clone().map(|n| dynamics.velocities[n].norm());
        // tools and grabs move it in this frame already
        let moved = boundary.displacements().iter().map(|c| {
            let (cut, positions) = (&dynamics.cut, &dynamics.positions);
            let vertex = c.vertex as usize;
            c.violation(&dynamics.blend.interpolate(cut, vertex, positions))
        });
        let by_itself = speeds.fold(0.0, f64::max) * duration;
        let margin = moved.fold(by_itself, f64::max) + spacing(self.level);
        let meets = |bounds: Aabb| sweeps.iter().any(|sweep| sweep.may_meet(&bounds));
        // blades are mostly far away: the nodes are fewer than the vertices of the skin
        let nodes = Aabb::of_points(active.map(|n| &dynamics.positions[n]));
        meets(nodes.inflated(margin + spacing(0))) && meets(skin_bounds(dynamics).inflated(margin))
    }

    /// Exchanges the models of cut and level.
    fn exchange(&mut self) {
        if let Some(mut other) = self.counterpart.take() {
            std::mem::swap(self, &mut *other);
            self.counterpart = Some(other);
        }
    }

    /// Hands the state of the cut over to the level, with velocities at the time of the positions. Returns the work of that.
    fn hand_over(&mut self) -> u64 {
        let Some(mut level) = self.counterpart.take() else {
            return 0;
        };
        let work = self.with_cut(|model, body| {
            let momentum = model.momentum_of_cut(&body.dynamics);
            model.gather_on_level(body, level.level);
            level.take_state(model, body, momentum);
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
        if let Some(fade) = &mut self.handover_fade {
            fade.copy_from(&body.fade);
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
    fn begin_on_level(&mut self, duration: f64, boundary: &BoundaryConditions) {
        self.apply_gravity_and_loads(boundary);
        self.choose_substeps(boundary, duration, WorkBudget::UNLIMITED);
        self.refresh();
        self.last_step = duration / f64::from(self.substeps);
        let (step, gravity) = (self.last_step, self.gravity);
        self.dynamics.add_half_kick(step, &gravity, -1.0);
        self.invalidate();
    }

    /// The model that moves after a reset is that of the cut, and the level is whole.
    pub(crate) fn reset_counterpart(&mut self) {
        if self.was_handed_over() {
            self.exchange();
        }
        if let Some(level) = &mut self.counterpart {
            level.reset();
        }
    }

    /// The number of the level that moves in a snapshot.
    pub(crate) fn level_number(&self) -> f64 {
        match self.cut.is_some() && self.counterpart.is_some() {
            true => ON_CUT,
            false => self.level as f64,
        }
    }

    /// See [`DeformableModel::restore`]: the model of the snapshot moves afterwards.
    pub(crate) fn restore_state(
        &mut self,
        snapshot: &StateSnapshot,
    ) -> Result<(), SnapshotMismatch> {
        let is_on_cut = snapshot.values.first() == Some(&ON_CUT);
        let is_of_other = self.counterpart.is_some() && is_on_cut != self.cut.is_some();
        if is_of_other {
            self.exchange();
        }
        let restored = self.set_state_from(snapshot);
        if restored.is_err() && is_of_other {
            self.exchange();
        } else if let Some(level) = &mut self.counterpart
            && restored.is_ok()
            && is_on_cut
        {
            level.remove_cuts();
        }
        restored
    }
}

/// A box around the skin of a cut, m.
fn skin_bounds(dynamics: &CutDynamics) -> Aabb {
    let mut bounds = Aabb::empty();
    for vertex in 0..dynamics.blend.len() {
        let (cut, positions) = (&dynamics.cut, &dynamics.positions);
        bounds.grow(&dynamics.blend.interpolate(cut, vertex, positions));
    }
    bounds
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::{BodyGeometry, Progress};
    use pliant_core::material::{Material, MaterialLaw};
    use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
    use pliant_core::model::FrameRequest;
    use pliant_core::scene::Selection;

    use super::*;
    use crate::params::LevelChoice;

    const FRAME: f64 = 1.0 / 60.0;

    /// An undamped block of two levels on its coarsest cut, which is handed over to `level`.
    fn block(level: usize, is_held: bool) -> AdaptiveModel {
        let (size, cells) = (Vec3::new(0.4, 0.2, 0.2), [[4, 2, 2], [8, 4, 4]]);
        let skin = Arc::new(box_surface(size, cells[1], CellStyle::Alternating));
        let tets = |c: &[usize; 3]| Arc::new(box_tets(size, *c, CellStyle::Alternating));
        let material = Material::isotropic(1e5, 0.3)
            .with_density(1000.0)
            .with_damping_ratio(0.0)
            .with_law(MaterialLaw::StableNeoHookean);
        let geometry = BodyGeometry {
            levels: cells.iter().map(tets).collect(),
            ..BodyGeometry::new(skin, material)
        };
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
            body.hand_over();
            assert!(body.was_handed_over() && body.level == level);
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
            body.hand_over();
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
            body.hand_over();
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
