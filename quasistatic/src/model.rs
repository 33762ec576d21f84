//! The running model: one boundary value problem a frame.

use std::any::Any;
use std::sync::Arc;

use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, Degradation, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot,
    StepError,
};

use crate::asset::GreensAsset;
use crate::capacitance::nodal::NodalForces;
use crate::capacitance::{CapacitanceSolver, ContactRow};
use crate::conditions::{Conditions, is_unilateral};
use crate::friction::FrictionSolver;
use crate::greens::FinishedColumns;
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
/// through the set of pushing contacts, which starts the search for the next, and through friction, which is measured from where the last
/// one ended.
///
/// Work unit: one block product, `free boundary nodes × nodes that carry force` a frame, [`NOMINAL_NANOSECONDS`] each.
#[derive(Debug)]
pub struct QuasistaticModel {
    pub(crate) asset: Arc<GreensAsset>,
    pub(crate) settings: Settings,
    pub(crate) state: State,
    pub(crate) frame: FrameFigures,
    pub(crate) skin_areas: Vec<f64>,
    /// most nodes behind a skin vertex
    pub(crate) nodes_a_row: usize,
    pub(crate) gap_tolerance: f64,
    pub(crate) solver: CapacitanceSolver,
    pub(crate) friction: FrictionSolver,
    pub(crate) conditions: Conditions,
    pub(crate) rest_load: RestLoad,
    pub(crate) nodal: NodalForces,
    pub(crate) work: Work,
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
    pub sticking: usize,
    pub sliding: usize,
    pub converged: bool,
}

/// Memory of one frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Work {
    pub field: Vec<f64>,
    pub rows: Vec<ContactRow>,
    pub gaps: Vec<f64>,
    pub active: Vec<bool>,
    pub force: Vec<f64>,
    pub inverse: Vec<f64>,
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
            nodes_a_row: asset.rows.widest(),
            gap_tolerance: GAP_TOLERANCE * asset.skin.bounds().diagonal(),
            solver: CapacitanceSolver::default(),
            friction: FrictionSolver::default(),
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

    /// Puts in columns that a bake published; `false`, and no change, where they do not fit. Copies the whole asset once if others hold it too.
    pub fn insert(&mut self, columns: &FinishedColumns) -> bool {
        if !columns.inside.is_empty() {
            // what loads on points do is in their rows
            self.rest_load = RestLoad::default();
        }
        Arc::make_mut(&mut self.asset).insert(columns)
    }

    /// Takes the whole asset of the bake that published this one; state and settings stay. `false`, and no change, for one of another body.
    pub fn complete(&mut self, asset: Arc<GreensAsset>) -> bool {
        let same = asset.nodes() == self.asset.nodes()
            && asset.rows == self.asset.rows
            && asset.supports.len() == self.asset.supports.len()
            && asset.inside.len() == self.asset.inside.len();
        if same {
            self.asset = asset;
            // made from entries that may differ in their last bits
            self.solver = CapacitanceSolver::default();
            self.rest_load = RestLoad::default();
        }
        same
    }

    /// Displacement of a skin vertex (m), in double precision.
    pub fn displacement(&self, vertex: usize) -> Vec3 {
        self.asset.rows.interpolate(vertex, &self.state.field)
    }

    /// Most unilateral rows within the work budget.
    fn row_limit(&self, budget: u64) -> usize {
        let unit = (self.asset.nodes() * self.nodes_a_row).max(1) as u64;
        let affordable = usize::try_from(budget / unit).unwrap_or(usize::MAX);
        self.settings.max_contacts.min(affordable).max(1)
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
        self.conditions.keep_known(&asset)?;
        let limit = self.row_limit(request.budget.0);
        let thinned = self.conditions.choose(&asset, limit, &self.state.pushing);
        let mut figures = FrameFigures {
            contacts: boundary.displacements().len(),
            ..FrameFigures::default()
        };
        let mut work_used = 0;
        for round in 1..=ROUNDS {
            let loaded = self.solve_chosen(&request, &mut figures)?;
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
        // loads are settings: they stay
        let loads = std::mem::take(&mut self.state.loads);
        self.state = State::at_rest(&self.asset);
        if loads.len() == self.state.loads.len() {
            self.state.loads = loads;
        }
        self.solver = CapacitanceSolver::default();
        self.frame = FrameFigures::default();
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        Some(self)
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
