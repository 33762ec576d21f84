//! Velocities go from the bodies to the solver and back; displacements and forces come out of it.

use rayon::prelude::*;

use pliant_core::contact::ToolWrench;
use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;

use crate::detection::{Partner, parts_of_key};
use crate::group::body_group::BodyGroup;
use crate::solver::{NONE, StepRule, half_and_element};

impl<M: SteppedModel> BodyGroup<M> {
    /// Velocities of the bodies to the slots.
    pub(crate) fn take_velocities(&mut self) {
        if self
            .solver
            .projections
            .iter()
            .flatten()
            .any(|w| w.share > 0.0)
        {
            self.locate();
        }
        self.solver.begin_step();
        let (solver, models) = (&mut self.solver, &self.models);
        let halves = solver.slots.par_iter_mut().zip(&solver.owners);
        halves.for_each(|(slots, owners)| {
            for (slot, &(body, node)) in slots.iter_mut().zip(owners) {
                let v = &models[body as usize].node_velocities()[node as usize];
                slot[..3].copy_from_slice(v.as_slice());
            }
        });
    }

    /// Velocities of the slots, and rigid changes, to the bodies.
    pub(crate) fn give_velocities(&mut self) {
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
            if projection.moves() {
                let (x, v) = model.nodes_mut();
                projection.add_to(v, x);
            }
        });
    }

    /// Takes penetrations back by rigid displacements.
    pub(crate) fn part(&mut self, rule: &StepRule) {
        if !self.solver.is_deep(rule) {
            return;
        }
        self.locate();
        self.solver.part(rule);
        for (mover, model) in self.solver.movers.iter().zip(&mut self.models) {
            if mover.moves() {
                model.shift(&|x| mover.velocity_at(&(x - mover.center)));
            }
        }
    }

    /// Mean force and torque on each tool.
    pub(crate) fn collect_wrenches(&mut self) {
        self.wrenches.clear();
        self.wrenches
            .resize(self.tools.len(), ToolWrench::default());
        for known in &self.solver.known {
            if let (body, Partner::Tool(tool), point) = parts_of_key(known.key)
                && let Some(wrench) = self.wrenches.get_mut(tool as usize)
            {
                let here = &self.now[body as usize].positions[point as usize];
                let origin = &self.tools[tool as usize].end.position;
                wrench.add_reaction(&known.force, here, origin);
            }
        }
    }
}
