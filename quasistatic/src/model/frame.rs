//! One frame of the model: forces from conditions, then the field and the next state from forces.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{FrameRequest, StepError};

use crate::asset::inside::AppliedLoads;
use crate::capacitance::RowProblem;
use crate::capacitance::problem::SolveStop;
use crate::contact::conditions::Condition;
use crate::contact::friction::{FrictionMemory, Motion};
use crate::greens::support_rows::support_reaction;
use crate::model::QuasistaticModel;
use crate::model::quasistatic_model::FrameFigures;

/// Most passes of a frame on columns that are not reciprocal. Each pass leaves about the threshold's share of the error of the last one.
const MAX_PASSES: u32 = 4;

/// The part of the field that a pass computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldPart {
    /// All nodes.
    Whole,
    /// The nodes of the solved rows, whose deviations the next pass needs. Nobody sees the rest.
    Touched,
}

/// Why an attempt to solve a frame has no solution.
pub(crate) enum FrameStop {
    /// The frame cannot be solved.
    Failed(StepError),
    /// The budget does not pay for the capacitance matrix.
    Abandoned,
}

impl From<StepError> for FrameStop {
    fn from(error: StepError) -> Self {
        Self::Failed(error)
    }
}

impl QuasistaticModel {
    /// Solves the chosen rows and computes the whole field from their forces.
    ///
    /// Columns compressed by wavelets are not reciprocal, but the contact solver uses their symmetric part. The deviation of touched vertices from it is added to their positions
    /// without contact, and the frame is solved again.
    pub(crate) fn solve_chosen(
        &mut self,
        request: &FrameRequest<'_>,
        figures: &mut FrameFigures,
    ) -> Result<usize, FrameStop> {
        self.work.deviations.clear();
        self.work.row_deviations.clear();
        self.friction.clear_deviations();
        self.load_friction_memory();
        if self.asset.matrix.is_reciprocal() {
            return self.solve_pass(request, figures, FieldPart::Whole);
        }
        let vertices = self.asset.rows.len();
        self.work.deviations.resize(vertices, Vec3::zeros());
        let mut forces = 0;
        for pass in 0..MAX_PASSES {
            let is_last = pass + 1 == MAX_PASSES || self.conditions.chosen.is_empty();
            let part = match is_last {
                true => FieldPart::Whole,
                false => FieldPart::Touched,
            };
            forces = self.solve_pass(request, figures, part)?;
            if is_last {
                break;
            }
            if self.coarse.supports().is_some() {
                self.measure_coarse_deviations();
            } else {
                self.measure_deviations();
            }
        }
        Ok(forces)
    }

    /// Measures how far the displacement of each touched vertex is from that of the symmetric compliance, m.
    fn measure_deviations(&mut self) {
        let asset = &self.asset;
        let forces = self.nodal.list();
        for &k in &self.conditions.chosen {
            let vertex = self.conditions.rows[k as usize].row.vertex;
            let moved = asset.rows.interpolate(vertex as usize, &self.work.field)
                - asset
                    .rows
                    .interpolate(vertex as usize, &self.rest_load.field);
            let symmetric = self
                .solver
                .assembly
                .displacement(&asset.rows, vertex, forces);
            self.work.deviations[vertex as usize] = moved - symmetric;
        }
    }

    /// Solves the chosen rows, with gaps from the positions without contact plus the deviations.
    fn solve_pass(
        &mut self,
        request: &FrameRequest<'_>,
        figures: &mut FrameFigures,
        part: FieldPart,
    ) -> Result<usize, FrameStop> {
        self.begin_pass();
        let asset = &self.asset;
        let coarse = &self.coarse;
        let supports = coarse.row_supports(&asset.rows);
        let work = &mut self.work;
        let chosen = self.conditions.chosen.iter();
        let conditions: Vec<&Condition> =
            chosen.map(|&k| &self.conditions.rows[k as usize]).collect();
        let deviations = &work.deviations;
        let deviation = |vertex: usize| deviations.get(vertex).copied().unwrap_or_default();
        let (solver, rows, active) = (&mut self.solver, &work.rows, &mut work.active);
        let gap_tolerance = self.gap_tolerance;
        let immovable = self.conditions.immovable;
        let mut normal = |gaps: &[f64], force: &mut [f64]| -> Result<(), FrameStop> {
            let problem = RowProblem {
                rows,
                gaps,
                gap_tolerance,
            };
            let outcome = solver
                .solve(&asset.matrix, supports, problem, active, force)
                .map_err(|stop| match stop {
                    SolveStop::Singular(singular) => {
                        let row = rows.get(singular.row);
                        let vertex = row.map_or(0, |row| coarse.vertex_of(row.vertex));
                        FrameStop::Failed(StepError::SingularCapacitance { vertex })
                    }
                    SolveStop::Abandoned => FrameStop::Abandoned,
                })?;
            figures.solves += outcome.contact.solves;
            figures.factorisations += outcome.contact.factorisations;
            figures.updates += outcome.contact.updates;
            figures.dependent = outcome.dependent + immovable;
            figures.converged = outcome.contact.converged;
            Ok(())
        };
        let position = |field: &[f64], s: usize| {
            let at_rest = coarse.rest_position(s as u32, &asset.skin.positions);
            at_rest + supports.interpolate(s as u32, field)
        };
        let constraints = request.boundary.displacements();
        let constraint = |condition: &Condition| match coarse.index(condition.row.vertex) {
            Some(k) => coarse.constraint(k).copied(),
            None => constraints.get(condition.constraint as usize).copied(),
        };
        let motion = Motion {
            constraint: &constraint,
            duration: request.duration,
            free: &|s| position(&self.rest_load.field, s) + deviation(s),
            last: &|s| position(&self.state.field, s),
        };
        let memory = &work.memory;
        if self.friction.gather(&motion, &conditions, memory) {
            let compliance_scale = self.settings.compliance_scale(asset);
            let force = &mut work.force;
            let gaps = &work.gaps;
            let report = self.friction.solve(
                (&asset.matrix, supports),
                rows,
                gaps,
                compliance_scale,
                force,
                normal,
            )?;
            (figures.sticking, figures.sliding) = (report.sticking, report.sliding);
            figures.converged &= report.converged;
        } else {
            normal(&work.gaps, &mut work.force)?;
        }
        Ok(self.end_pass(part))
    }

    /// Sets rows, gaps and warm start of the chosen conditions, and clears the forces.
    pub(super) fn begin_pass(&mut self) {
        let mut warm = std::mem::take(&mut self.work.active);
        warm.clear();
        let rows = &self.conditions.rows;
        let chosen = self.conditions.chosen.iter();
        warm.extend(chosen.map(|&k| {
            let row = &rows[k as usize].row;
            !row.unilateral || self.pushed(row.vertex)
        }));
        let work = &mut self.work;
        work.active = warm;
        work.rows.clear();
        work.gaps.clear();
        for (i, &k) in self.conditions.chosen.iter().enumerate() {
            let condition = &rows[k as usize];
            let row = condition.row;
            work.rows.push(row);
            let deviation = work.deviations.get(row.vertex as usize);
            let offset = row.direction.dot(&deviation.copied().unwrap_or_default());
            let offset = work.row_deviations.get(i).copied().unwrap_or(offset);
            work.gaps.push(condition.gap + offset);
        }
        work.force.clear();
        work.force.resize(work.rows.len(), 0.0);
    }

    /// Computes nodal forces and a part of the field under them. Returns the number of nodes with a force.
    fn end_pass(&mut self, part: FieldPart) -> usize {
        let (asset, coarse, work) = (&self.asset, &self.coarse, &mut self.work);
        let supports = coarse.row_supports(&asset.rows);
        self.nodal.clear(asset.nodes());
        for (row, &force) in work.rows.iter().zip(&work.force) {
            if force != 0.0 {
                match coarse.index(row.vertex) {
                    Some(_) => self.nodal.add_row(supports, row, force),
                    None => self.nodal.add(supports, row.vertex, row.direction * force),
                }
            }
        }
        for (_, vertex, force, _) in self.friction.forces() {
            self.nodal.add(supports, vertex, force);
        }
        let rest = &self.rest_load.field;
        let forces = self.nodal.list();
        match part {
            FieldPart::Whole => {
                work.field.clone_from(rest);
                asset.matrix.add_columns(forces, &mut work.field);
            }
            FieldPart::Touched => {
                work.field.resize(rest.len(), 0.0);
                let touched = work
                    .rows
                    .iter()
                    .flat_map(|row| supports.weights(row.vertex).0);
                work.touched.select(&asset.matrix, touched.copied());
                work.touched.copy(rest, &mut work.field);
                work.touched.add_to(&asset.matrix, forces, &mut work.field);
            }
        }
        forces.len()
    }

    /// Commits the frame: forces in newtons, field and pushing set.
    ///
    /// `changed` starts a blend from the last frame.
    pub(crate) fn commit(&mut self, boundary: &BoundaryConditions, changed: bool) {
        let stiffness = 1.0 / self.settings.compliance_scale(&self.asset);
        let state = &mut self.state;
        if self.conditions.rows.is_empty() {
            state.blend.stop();
        } else if changed {
            state.blend.start(&state.field, &self.work.field);
            self.work.last_reactions.clear();
            let last_reactions = state.vertices.iter().zip(&state.reactions);
            self.work
                .last_reactions
                .extend(last_reactions.map(|(v, force)| (*v, *force)));
            self.work
                .last_support_reactions
                .clone_from(&state.support_reactions);
        }
        std::mem::swap(&mut state.field, &mut self.work.field);
        let constraints = boundary.displacements();
        state.vertices.clear();
        state.vertices.extend(constraints.iter().map(|c| c.vertex));
        state.reactions.clear();
        state.reactions.resize(constraints.len(), Vec3::zeros());
        state.pushing.clear();
        for (i, &k) in self.conditions.chosen.iter().enumerate() {
            let condition = &self.conditions.rows[k as usize];
            if self.coarse.index(condition.row.vertex).is_some() {
                continue;
            }
            let force = condition.row.direction * (self.work.force[i] * stiffness);
            state.reactions[condition.constraint as usize] += force;
            if condition.row.unilateral && self.work.active[i] {
                state.pushing.push(condition.row.vertex);
            }
        }
        state.friction.clear();
        for (i, vertex, force, sticks) in self.friction.forces() {
            let Some(&k) = self.conditions.chosen.get(i) else {
                continue;
            };
            if self.work.force[i] > 0.0 && self.coarse.index(vertex).is_none() {
                let force = force * stiffness;
                state.reactions[self.conditions.rows[k as usize].constraint as usize] += force;
                state.friction.push(FrictionMemory {
                    vertex,
                    sticks,
                    force,
                });
            }
        }
        if self.coarse.supports().is_some() {
            self.distribute_forces(stiffness);
        }
        self.commit_supports(boundary, stiffness);
        self.blend_forces(changed);
    }

    /// Keeps the last solution for a frame: the surface and the supports stand, and each constraint keeps its force. `known_vertices` of the touched ones had their blocks read before.
    pub(crate) fn hold(&mut self, boundary: &BoundaryConditions, known_vertices: usize) {
        let (state, work) = (&mut self.state, &mut self.work);
        std::mem::swap(&mut work.rows, &mut work.last_rows);
        std::mem::swap(&mut work.force, &mut work.last_force);
        let last = &mut work.last_reactions;
        last.clear();
        let reactions = state.reactions.iter().copied();
        last.extend(state.vertices.iter().copied().zip(reactions));
        state.vertices.clear();
        state.reactions.clear();
        for constraint in boundary.displacements() {
            let found = last.binary_search_by_key(&constraint.vertex, |(vertex, _)| *vertex);
            let force = found.map_or_else(|_| Vec3::zeros(), |k| last[k].1);
            state.vertices.push(constraint.vertex);
            state.reactions.push(force);
        }
        state.held.hold(known_vertices);
    }

    /// Updates the reactions of supports and the states of points inside.
    fn commit_supports(&mut self, boundary: &BoundaryConditions, stiffness: f64) {
        let state = &mut self.state;
        let gravity = boundary.gravity * self.settings.weight_scale(&self.asset);
        state.support_reactions.clear();
        for (k, support) in self.asset.supports.iter().enumerate() {
            let contact = support_reaction(support, self.nodal.list(), &Vec3::zeros());
            let load = support_reaction(support, self.rest_load.forces(), &Vec3::zeros());
            let weight = support_reaction(support, &[], &gravity);
            let points = self.asset.inside.iter().zip(&state.loads);
            let inside: Vec3 = points
                .map(|(point, load)| point.support_reactions[k] * load)
                .sum();
            state
                .support_reactions
                .push((contact + load) * stiffness + weight + inside);
        }
        let applied = AppliedLoads {
            nodal: [self.nodal.list(), self.rest_load.forces()],
            gravity,
            loads: &state.loads,
            compliance_scale: self.settings.compliance_scale(&self.asset),
        };
        let points = self.asset.inside.iter();
        state.inside.clear();
        state
            .inside
            .extend(points.map(|point| point.response_to(&applied)));
        // forces on held nodes act on their support directly
        let reactions = state.vertices.iter().zip(&state.reactions);
        let loads = boundary
            .loads()
            .iter()
            .map(|load| (&load.vertex, &load.force));
        for (&vertex, force) in reactions.chain(loads) {
            for share in self.asset.rows.held(vertex) {
                if let Some(sum) = state.support_reactions.get_mut(share.support as usize) {
                    *sum -= force * share.weight;
                }
            }
        }
    }
}
