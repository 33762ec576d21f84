//! Velocities go from the bodies to the solver and back. The solver also gives displacements and forces.

use rayon::prelude::*;

use pliant_core::contact::ToolWrench;
use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;

use crate::detection::{Partner, parts_of_key};
use crate::group::body_group::BodyGroup;
use crate::solver::{NONE, StepRule, half_and_element};

impl<M: SteppedModel> BodyGroup<M> {
    /// Copies the velocities of the bodies to the slots.
    pub(crate) fn gather_velocities(&mut self) {
        if self
            .solver
            .projections
            .iter()
            .flatten()
            .any(|projection| projection.share > 0.0)
        {
            self.update_lever_arms();
        }
        self.solver.clear_rigid_changes();
        let (solver, models) = (&mut self.solver, &self.models);
        let halves = solver.slots.par_iter_mut().zip(&solver.owners);
        halves.for_each(|(slots, owners)| {
            for (slot, &(body, node)) in slots.iter_mut().zip(owners) {
                let v = &models[body as usize].node_velocities()[node as usize];
                slot[..3].copy_from_slice(v.as_slice());
            }
        });
    }

    /// Copies the velocities of the slots to the bodies, and adds the rigid changes.
    pub(crate) fn scatter_velocities(&mut self) {
        let (solver, slot_of) = (&self.solver, &self.slot_of);
        let bodies = self.models.par_iter_mut();
        bodies.enumerate().for_each(|(b, model)| {
            let velocities = model.node_velocities_mut();
            for (v, &slot) in velocities.iter_mut().zip(&slot_of[b]) {
                if slot != NONE {
                    let (half, element) = half_and_element(slot);
                    *v = Vec3::from_column_slice(&solver.slots[half][element][..3]);
                }
            }
            let (half, element) = half_and_element(solver.projection_of[b]);
            let projection = &solver.projections[half][element];
            if projection.is_changed() {
                let (x, v) = model.nodes_mut();
                projection.add_to(v, x);
            }
        });
    }

    /// Corrects penetrations by rigid displacements.
    pub(crate) fn correct_positions(&mut self, rule: &StepRule) {
        if !self.solver.needs_position_correction(rule) {
            return;
        }
        self.update_lever_arms();
        self.solver.correct_positions(rule);
        for (rigid_body, model) in self.solver.rigid_bodies.iter().zip(&mut self.models) {
            if rigid_body.is_changed() {
                model.shift(&|x| rigid_body.velocity_at(&(x - rigid_body.center)));
            }
        }
    }

    /// Mean force and torque on each tool.
    pub(crate) fn collect_wrenches(&mut self) {
        self.wrenches.clear();
        self.wrenches
            .resize(self.tools.len(), ToolWrench::default());
        for cached in &self.solver.cached {
            if let (body, Partner::Tool(tool), point) = parts_of_key(cached.key)
                && let Some(wrench) = self.wrenches.get_mut(tool as usize)
            {
                let position = &self.deformed[body as usize].positions[point as usize];
                let origin = &self.tools[tool as usize].end.position;
                wrench.add_reaction(&cached.force, position, origin);
            }
        }
    }
}
