//! The running model: one boundary value problem a frame.

use std::sync::Arc;

use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections, Friction};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, Degradation, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot,
    StepError,
};

use crate::asset::GreensAsset;
use crate::capacitance::nodal::NodalForces;
use crate::capacitance::{CapacitanceSolver, ContactRow, RowProblem};
use crate::conditions::{Conditions, is_unilateral};
use crate::greens::from_fem::support_reaction;
use crate::params::QuasistaticParams;
use crate::rest_load::RestLoad;
use crate::state::{Settings, State};

/// Nanoseconds of one work unit on a current desktop core: one 3×3 block times a force, from memory.
pub const NOMINAL_NANOSECONDS: f64 = 2.0;

/// Penetration that counts as none, as a share of the skin's diagonal.
const GAP_TOLERANCE: f64 = 1e-8;
/// Rounds in which rows that were left out may come back.
const ROUNDS: usize = 3;

/// A body in equilibrium with whatever touches it, at every frame.
///
/// Linear: small strains and small rotations. Supports do not move, so the body frame is the world frame. A frame depends on the last one
/// only through the set of pushing contacts, which starts the search for the next.
///
/// Work unit: one block product, `free boundary nodes × nodes that carry force` a frame, [`NOMINAL_NANOSECONDS`] each.
#[derive(Debug)]
pub struct QuasistaticModel {
    pub(crate) asset: Arc<GreensAsset>,
    pub(crate) settings: Settings,
    pub(crate) state: State,
    pub(crate) frame: FrameFigures,
    pub(crate) skin_areas: Vec<f64>,
    gap_tolerance: f64,
    solver: CapacitanceSolver,
    conditions: Conditions,
    rest_load: RestLoad,
    nodal: NodalForces,
    work: Work,
}

/// Counters of the last frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct FrameFigures {
    pub contacts: usize,
    pub pushing: usize,
    pub solves: u32,
    pub factorisations: u32,
    pub updates: u32,
    pub columns: usize,
    pub dependent: usize,
    pub left_out: usize,
    pub too_few: bool,
    pub friction_ignored: bool,
    pub converged: bool,
}

/// Memory of one frame.
#[derive(Debug, Clone, Default)]
struct Work {
    field: Vec<f64>,
    rows: Vec<ContactRow>,
    gaps: Vec<f64>,
    active: Vec<bool>,
    force: Vec<f64>,
}

impl QuasistaticModel {
    /// A body at rest.
    pub fn new(asset: Arc<GreensAsset>, params: &QuasistaticParams) -> Self {
        let settings = Settings {
            young: asset.material.elastic.young,
            density: asset.material.density,
            max_contacts: params.max_contacts,
        };
        let mut model = Self {
            settings,
            state: State::default(),
            frame: FrameFigures::default(),
            skin_areas: asset.skin.nodal_areas(),
            gap_tolerance: GAP_TOLERANCE * asset.skin.bounds().diagonal(),
            solver: CapacitanceSolver::default(),
            conditions: Conditions::default(),
            rest_load: RestLoad::default(),
            nodal: NodalForces::default(),
            work: Work::default(),
            asset,
        };
        model.reset();
        model
    }

    /// The shared asset.
    pub fn asset(&self) -> &Arc<GreensAsset> {
        &self.asset
    }

    /// Displacement of a skin vertex (m), in double precision.
    pub fn displacement(&self, vertex: usize) -> Vec3 {
        self.asset.rows.interpolate(vertex, &self.state.field)
    }

    /// Most unilateral rows within the work budget.
    fn row_limit(&self, budget: u64) -> usize {
        let nodes_a_row = if self.asset.rows.identity { 1 } else { 3 };
        let unit = (self.asset.nodes() * nodes_a_row).max(1) as u64;
        let affordable = usize::try_from(budget / unit).unwrap_or(usize::MAX);
        self.settings.max_contacts.min(affordable).max(1)
    }

    /// Solves the chosen rows and computes the whole field from their forces.
    fn solve_chosen(&mut self, figures: &mut FrameFigures) -> Result<usize, StepError> {
        let asset = &self.asset;
        let work = &mut self.work;
        let chosen = self.conditions.chosen.iter();
        let conditions = chosen.map(|&k| &self.conditions.rows[k as usize]);
        work.rows.clear();
        work.gaps.clear();
        work.active.clear();
        for condition in conditions {
            let row = condition.row;
            work.rows.push(row);
            work.gaps.push(condition.gap);
            let pushed = self.state.pushing.binary_search(&row.vertex).is_ok();
            work.active.push(pushed || !row.unilateral);
        }
        work.force.clear();
        work.force.resize(work.rows.len(), 0.0);
        let outcome = self
            .solver
            .solve(
                &asset.matrix,
                &asset.rows,
                RowProblem {
                    rows: &work.rows,
                    gaps: &work.gaps,
                    gap_tolerance: self.gap_tolerance,
                },
                &mut work.active,
                &mut work.force,
            )
            .map_err(|singular| StepError::SingularCapacitance {
                vertex: work.rows.get(singular.row).map_or(0, |row| row.vertex),
            })?;
        figures.solves += outcome.contact.solves;
        figures.factorisations += outcome.contact.factorisations;
        figures.updates += outcome.contact.updates;
        figures.dependent = outcome.dependent + self.conditions.immovable;
        figures.converged = outcome.contact.converged;

        self.nodal.clear(asset.nodes());
        for (row, &force) in work.rows.iter().zip(&work.force) {
            if force != 0.0 {
                self.nodal
                    .add(&asset.rows, row.vertex, row.direction * force);
            }
        }
        work.field.clone_from(&self.rest_load.field);
        let forces = self.nodal.list();
        asset.matrix.add_columns(forces, &mut work.field);
        Ok(forces.len())
    }

    /// Commits the frame: forces in newtons, field and pushing set.
    fn commit(&mut self, boundary: &BoundaryConditions) {
        let stiffness = 1.0 / self.settings.softness(&self.asset);
        let state = &mut self.state;
        std::mem::swap(&mut state.field, &mut self.work.field);
        let constraints = boundary.displacements();
        state.vertices.clear();
        state.vertices.extend(constraints.iter().map(|c| c.vertex));
        state.reactions.clear();
        state.reactions.resize(constraints.len(), Vec3::zeros());
        state.pushing.clear();
        for (i, &k) in self.conditions.chosen.iter().enumerate() {
            let condition = &self.conditions.rows[k as usize];
            let force = condition.row.direction * (self.work.force[i] * stiffness);
            state.reactions[condition.constraint as usize] += force;
            if condition.row.unilateral && self.work.active[i] {
                state.pushing.push(condition.row.vertex);
            }
        }
        let gravity = boundary.gravity * {
            let baked = self.asset.material.density;
            if baked > 0.0 {
                self.settings.density / baked
            } else {
                0.0
            }
        };
        state.support_reactions.clear();
        for support in &self.asset.supports {
            let contact = support_reaction(support, self.nodal.list(), &Vec3::zeros());
            let load = support_reaction(support, self.rest_load.forces(), &Vec3::zeros());
            let weight = support_reaction(support, &[], &gravity);
            state
                .support_reactions
                .push((contact + load) * stiffness + weight);
        }
        // what acts on held nodes goes straight into their support
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

    /// Deepest penetration or largest distance from a held target in the present state, m.
    fn violation(&self, boundary: &BoundaryConditions) -> f64 {
        let mut largest = 0.0_f64;
        for constraint in boundary.displacements() {
            let vertex = constraint.vertex as usize;
            let Some(rest) = self.asset.skin.positions.get(vertex) else {
                continue;
            };
            let offset = rest + self.displacement(vertex) - constraint.target;
            let violation = match constraint.directions {
                ConstrainedDirections::All => offset.norm(),
                ConstrainedDirections::Along(n) => {
                    let gap = offset.dot(&n);
                    if is_unilateral(constraint) {
                        -gap
                    } else {
                        gap.abs()
                    }
                }
            };
            largest = largest.max(violation);
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
        self.rest_load.update(&self.asset, &self.settings, boundary);
        let asset = self.asset.clone();
        let rest = &self.rest_load.field;
        self.conditions.gather(&asset, boundary, |s| {
            asset.skin.positions[s] + asset.rows.interpolate(s, rest)
        });
        let limit = self.row_limit(request.budget.0);
        let thinned = self.conditions.choose(&asset, limit, &self.state.pushing);
        let mut figures = FrameFigures {
            contacts: boundary.displacements().len(),
            ..FrameFigures::default()
        };
        let mut work_used = 0;
        for round in 1..=ROUNDS {
            let loaded = self.solve_chosen(&mut figures)?;
            work_used += (asset.nodes() * loaded) as u64;
            figures.columns = 3 * loaded;
            if !thinned || round == ROUNDS {
                break;
            }
            let (rows, field) = (&self.conditions.rows, &self.work.field);
            let gaps: Vec<f64> = rows
                .iter()
                .zip(rows.iter().map(|c| c.row.vertex as usize))
                .map(|(c, s)| {
                    let moved = asset.rows.interpolate(s, field)
                        - asset.rows.interpolate(s, &self.rest_load.field);
                    c.gap + moved.dot(&c.row.direction)
                })
                .collect();
            let active = &self.work.active;
            if !self
                .conditions
                .exchange(limit, self.gap_tolerance, |i| active[i], |k| gaps[k])
            {
                break;
            }
        }
        if let Some(bad) = self.work.field.iter().position(|x| !x.is_finite()) {
            return Err(StepError::Diverged {
                method: "quasistatic",
                time: 0.0,
                cause: format!(
                    "the displacement of boundary node {} is not finite",
                    bad / 3
                ),
            });
        }
        self.commit(boundary);
        figures.pushing = self.state.pushing.len();
        figures.left_out = self.conditions.rows.len() - self.conditions.chosen.len();
        figures.friction_ignored = boundary
            .displacements()
            .iter()
            .any(|c| c.friction != Friction::None);
        self.frame = figures;
        if let Some(tap) = request.force_tap {
            tap.sample(request.duration, &self.state.reactions);
        }
        let max_violation = self.violation(boundary);
        let too_few = thinned && max_violation > 10.0 * self.gap_tolerance;
        self.frame.too_few = too_few;
        let incomplete = too_few || !figures.converged;
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
        self.state = State::at_rest(&self.asset);
        self.solver = CapacitanceSolver::default();
        self.frame = FrameFigures::default();
    }

    fn snapshot(&self) -> StateSnapshot {
        self.state.snapshot(&self.settings, &self.solver.held())
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        let (settings, state, held) = State::restored(snapshot, &self.asset)?;
        let mut solver = CapacitanceSolver::default();
        if !solver.take_back(&self.asset.matrix, &self.asset.rows, &held) {
            return Err(SnapshotMismatch);
        }
        (self.settings, self.state, self.solver) = (settings, state, solver);
        Ok(())
    }
}
