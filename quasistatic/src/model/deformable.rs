//! The model as a [`DeformableModel`]: constraints become conditions, conditions become forces, and forces become the displacement field.

use std::any::Any;
use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, Degradation, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot,
    StepError,
};

use crate::capacitance::CapacitanceSolver;
use crate::contact::conditions::Condition;
use crate::model::quasistatic_model::{FrameFigures, QuasistaticModel};
use crate::model::state::State;

/// Most rounds in which rows that were left out can be exchanged for solved ones.
const MAX_ROUNDS: usize = 3;

impl QuasistaticModel {
    /// Most unilateral rows within the work budget.
    fn row_limit(&self, budget: u64) -> usize {
        let unit = (self.asset.nodes() * self.max_nodes_per_row).max(1) as u64;
        let affordable = usize::try_from(budget / unit).unwrap_or(usize::MAX);
        self.settings.max_contacts.min(affordable).max(1)
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
        let asset = self.asset.clone();
        let rest = &self.rest_load.field;
        self.conditions.gather(&asset, boundary, |s| {
            asset.skin.positions[s] + asset.rows.interpolate(s, rest)
        });
        self.conditions.drop_without_columns(&asset)?;
        let last_level = self.state.level.level();
        self.choose_level(boundary, request.budget);
        let is_coarse = self.coarse.supports().is_some();
        self.solver.begin_frame(is_coarse, self.coarse.is_new());
        let limit = self.row_limit(request.budget.0);
        let mut conditions = std::mem::take(&mut self.conditions);
        let rest_position = |v: u32| self.coarse.rest_position(v, &asset.skin.positions);
        let thinned = conditions.choose(rest_position, limit, |v| self.pushed(v));
        self.conditions = conditions;
        let mut figures = FrameFigures {
            contacts: boundary.displacements().len(),
            ..FrameFigures::default()
        };
        let mut work_used = 0;
        for round in 1..=MAX_ROUNDS {
            let loaded = self.solve_chosen(&request, &mut figures)?;
            work_used += (asset.nodes() * loaded) as u64;
            figures.columns = 3 * loaded;
            if !thinned || round == MAX_ROUNDS || !self.exchange_rows(limit) {
                break;
            }
        }
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
        let changed = self.needs_blend(&request, last_level);
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
