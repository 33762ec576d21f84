//! The model as a [`DeformableModel`]: constraints become conditions, conditions become forces, and forces become the displacement field.

use std::any::Any;
use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, Degradation, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot,
    StepError, WorkBudget,
};

use crate::capacitance::CapacitanceSolver;
use crate::capacitance::work_meter::{cholesky_units, factor_units, square_units};
use crate::contact::conditions::Condition;
use crate::contact::held_frames::HeldFrames;
use crate::model::frame::FrameStop;
use crate::model::quasistatic_model::{FrameFigures, QuasistaticModel};
use crate::model::state::State;

/// Most rounds in which rows that were left out can be exchanged for solved ones.
const MAX_ROUNDS: usize = 3;
/// Operations of assembling the compliance of known blocks and of a solution, divided by the square of the rows.
const ROW_OPERATIONS: u64 = 26;

impl QuasistaticModel {
    /// Most unilateral rows whose sums of columns are within the work budget, and so are a fresh compliance of known blocks, its factor and a solution.
    fn row_limit(&self, budget: WorkBudget) -> usize {
        let unit = (self.asset.nodes() * self.max_nodes_per_row).max(1) as u64;
        let affordable = usize::try_from(budget.0 / unit).unwrap_or(usize::MAX);
        let limit = self.settings.max_contacts.min(affordable).max(1);
        if budget == WorkBudget::UNLIMITED {
            return limit;
        }
        let cost = |rows: &usize| {
            square_units(*rows, ROW_OPERATIONS) + cholesky_units(*rows) + factor_units(*rows)
        };
        let fits = |rows: &usize| cost(rows) <= budget.0;
        (1..=limit).rev().find(fits).unwrap_or(1)
    }

    /// Gathers the conditions of a frame.
    fn gather_conditions(&mut self, boundary: &BoundaryConditions) -> Result<(), StepError> {
        let asset = self.asset.clone();
        let rest = &self.rest_load.field;
        self.conditions.gather(&asset, boundary, |s| {
            asset.skin.positions[s] + asset.rows.interpolate(s, rest)
        });
        self.conditions.drop_without_columns(&asset)
    }

    /// Number of touched vertices whose blocks were read in earlier frames: those that were constrained one by one in the last frame.
    fn known_vertices(&self) -> usize {
        let (state, levels) = (&self.state, self.constraint_levels());
        if state.held.frames > 0 {
            return state.held.known_vertices as usize;
        }
        if state.level.level().is_some_and(|level| level < levels) {
            return 0;
        }
        let rows = &self.conditions.rows;
        let vertices = rows.chunk_by(|a, b| a.row.vertex == b.row.vertex);
        let is_known = |vertex: u32| state.vertices.binary_search(&vertex).is_ok();
        vertices.filter(|of| is_known(of[0].row.vertex)).count()
    }

    /// Solves the frame at the level of its state, within the limit of the solver. Returns the work units of sums of columns, and whether rows were left out.
    fn attempt(
        &mut self,
        request: &FrameRequest<'_>,
        figures: &mut FrameFigures,
    ) -> Result<(u64, bool), FrameStop> {
        self.constrain_at_level(request.boundary);
        let asset = self.asset.clone();
        let is_coarse = self.coarse.supports().is_some();
        self.solver.begin_frame(is_coarse, self.coarse.is_new());
        let limit = self.row_limit(request.budget);
        let mut conditions = std::mem::take(&mut self.conditions);
        let rest_position = |v: u32| self.coarse.rest_position(v, &asset.skin.positions);
        let thinned = conditions.choose(rest_position, limit, |v| self.pushed(v));
        self.conditions = conditions;
        let mut work_used = 0;
        for round in 1..=MAX_ROUNDS {
            let loaded = self.solve_chosen(request, figures)?;
            work_used += (asset.nodes() * loaded) as u64;
            figures.columns = 3 * loaded;
            if !thinned || round == MAX_ROUNDS || !self.exchange_rows(limit) {
                break;
            }
        }
        Ok((work_used, thinned))
    }

    /// Exchanges solved rows for ones that were left out, by their gaps in the field of the last pass; false if nothing changed.
    fn exchange_rows(&mut self, limit: usize) -> bool {
        let (asset, rest, field) = (&self.asset, &self.rest_load.field, &self.work.field);
        let supports = self.coarse.row_supports(&asset.rows);
        let gap = |c: &Condition| {
            if supports.coarse.is_some() {
                let moved = supports.displacement(&c.row, field);
                return c.gap + moved - supports.displacement(&c.row, rest);
            }
            let s = c.row.vertex as usize;
            let moved = asset.rows.interpolate(s, field) - asset.rows.interpolate(s, rest);
            c.gap + moved.dot(&c.row.direction)
        };
        let gaps: Vec<f64> = self.conditions.rows.iter().map(gap).collect();
        let active = &self.work.active;
        self.conditions
            .exchange(limit, self.gap_tolerance, |i| active[i], |k| gaps[k])
    }

    /// Deepest penetration or largest distance from a held target in the current state, m.
    fn violation(&self, boundary: &BoundaryConditions) -> f64 {
        let mut largest = 0.0_f64;
        for constraint in boundary.displacements() {
            let vertex = constraint.vertex as usize;
            let Some(rest) = self.asset.skin.positions.get(vertex) else {
                continue;
            };
            let position = rest + self.displacement(vertex);
            largest = largest.max(constraint.violation(&position));
        }
        largest
    }
}

impl DeformableModel for QuasistaticModel {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        &self.asset.skin
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let budget = WorkBudget(request.budget.units_or(self.budget.0));
        let request = request.within(budget);
        let boundary = request.boundary;
        for load in boundary.loads() {
            let vertex = load.vertex;
            let exists = (vertex as usize) < self.asset.rows.len();
            if exists && !self.asset.has_columns(vertex as usize) {
                return Err(StepError::MissingColumn { vertex });
            }
        }
        self.rest_load
            .update(&self.asset, &self.settings, boundary, &self.state.loads);
        self.gather_conditions(boundary)?;
        let last_level = self.state.level.level();
        let known_vertices = self.known_vertices();
        self.choose_level(boundary, request.budget);
        let mut figures = FrameFigures {
            contacts: boundary.displacements().len(),
            ..FrameFigures::default()
        };
        if request.budget != WorkBudget::UNLIMITED {
            std::mem::swap(&mut self.work.rows, &mut self.work.last_rows);
            std::mem::swap(&mut self.work.force, &mut self.work.last_force);
        }
        let mut abandoned_work = 0;
        let (solved_work, thinned) = loop {
            let limit = self.work_limit(request.budget);
            self.solver.begin_attempt(limit, known_vertices);
            match self.attempt(&request, &mut figures) {
                Ok(solved) => break solved,
                Err(FrameStop::Failed(error)) => return Err(error),
                Err(FrameStop::Abandoned) => {}
            }
            figures.abandoned += 1;
            abandoned_work += self.solver.work_used();
            self.solver.abandon();
            if !self.coarsen() {
                self.hold(boundary, known_vertices);
                figures.held = self.state.held.frames;
                figures.pushing = self.state.pushing.len();
                self.frame = figures;
                return Ok(FrameReport {
                    substeps: 1,
                    work_used: abandoned_work,
                    degraded: Some(Degradation::CoarserConstraints),
                    max_violation: self.violation(boundary),
                    energy: None,
                });
            }
            self.gather_conditions(boundary)?;
            self.gather_touched(boundary);
        };
        let contact_work = match budget {
            WorkBudget::UNLIMITED => 0,
            _ => abandoned_work + self.solver.work_used(),
        };
        let work_used = solved_work + contact_work;
        if let Some(entry) = self.work.field.iter().position(|x| !x.is_finite()) {
            return Err(StepError::Diverged {
                method: "quasistatic",
                time: 0.0,
                cause: format!(
                    "the displacement of boundary node {} is not finite",
                    entry / 3
                ),
            });
        }
        let was_held = self.state.held.frames > 0 && !self.conditions.rows.is_empty();
        let changed = was_held || self.needs_blend(&request, last_level);
        self.state.held = HeldFrames::default();
        self.commit(boundary, changed);
        figures.coarse_constraints = self.coarse.len();
        let level = self.state.level.level();
        let coarser = level.map(|level| self.constraint_levels().saturating_sub(level));
        figures.levels_coarser = coarser.unwrap_or(0);
        figures.pushing = self.state.pushing.len();
        figures.left_out = self.conditions.rows.len() - self.conditions.chosen.len();
        self.frame = figures;
        let max_violation = self.violation(boundary);
        let too_few = thinned && max_violation > 10.0 * self.gap_tolerance;
        self.frame.too_few = too_few;
        let incomplete = too_few || !figures.converged || !self.coarse.is_empty();
        Ok(FrameReport {
            substeps: 1,
            work_used,
            degraded: incomplete.then_some(Degradation::CoarserConstraints),
            max_violation,
            energy: None,
        })
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        let skin = &self.asset.skin;
        out.set(skin, |v| skin.positions[v] + self.displacement(v));
    }

    fn reactions(&self) -> &[Vec3] {
        &self.state.reactions
    }

    fn support_reactions(&self) -> &[Vec3] {
        &self.state.support_reactions
    }

    fn reset(&mut self) {
        // loads are settings: they stay
        let loads = std::mem::take(&mut self.state.loads);
        self.state = State::at_rest(&self.asset);
        if loads.len() == self.state.loads.len() {
            self.state.loads = loads;
        }
        self.solver = CapacitanceSolver::default();
        self.coarse.clear();
        self.frame = FrameFigures::default();
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }

    fn snapshot(&self) -> StateSnapshot {
        self.state.snapshot(&self.settings, &self.solver.cached())
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        let (mut settings, state, cached) = State::restored(snapshot, &self.asset)?;
        if let Some(stored) = &self.stored {
            // the snapshot may be of a body whose columns were stored with a smaller threshold
            settings.column_threshold = settings.column_threshold.max(stored.epsilon());
        }
        let columns = self.columns_at(settings.column_threshold);
        // fails only on an invalid threshold
        let (asset, error) = columns.map_err(|_| SnapshotMismatch)?;
        let mut solver = CapacitanceSolver::default();
        if !solver.restore(&asset.matrix, &asset.rows, &cached) {
            return Err(SnapshotMismatch);
        }
        self.set_columns(asset, error);
        (self.settings, self.state, self.solver) = (settings, state, solver);
        self.coarse.clear();
        Ok(())
    }
}
