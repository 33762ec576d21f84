//! The model: an asset with its mutable state, its settings and the memory of a frame.

use std::sync::Arc;

use pliant_compression::CompressionError;
use pliant_core::inspect::ParameterInfo;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, WorkBudget};

use crate::asset::{FinishedColumns, GreensAsset};
use crate::capacitance::nodal::NodalForces;
use crate::capacitance::{CapacitanceSolver, ContactRow};
use crate::contact::coarse::CoarseContact;
use crate::contact::conditions::Conditions;
use crate::contact::friction::{FrictionMemory, FrictionSolver};
use crate::greens::NodeSums;
use crate::greens::hat_weights::HatWeights;
use crate::model::column_threshold::StoredColumns;
use crate::model::rest_load::RestLoad;
use crate::model::state::{Settings, State};
use crate::params::{QuasistaticParams, parameters_of};

/// Penetration that counts as none, as a share of the skin's diagonal.
const GAP_TOLERANCE: f64 = 1e-8;

/// A body that is in static equilibrium with its contacts at every frame.
///
/// Linear: small strains and small rotations. Supports do not move, so the body frame is the world frame. A frame depends on the last one
/// through the set of pushing contacts, which is the warm start of the next, and through friction, which measures slip from the positions of the last
/// one.
///
/// Work unit: one 3×3 block times a force, `free boundary nodes × nodes that carry force` a frame, some 2 ns each from memory on a desktop core.
#[derive(Debug)]
pub struct QuasistaticModel {
    pub(crate) asset: Arc<GreensAsset>,
    /// the stored columns, where they are wavelets
    pub(crate) stored: Option<StoredColumns>,
    pub(crate) parameters: Vec<ParameterInfo>,
    pub(crate) settings: Settings,
    /// budget of frames that have none of their own
    pub(crate) budget: WorkBudget,
    pub(crate) state: State,
    pub(crate) frame: FrameFigures,
    pub(crate) skin_areas: Vec<f64>,
    /// most nodes that a skin vertex is interpolated from
    pub(crate) max_nodes_per_row: usize,
    pub(crate) gap_tolerance: f64,
    pub(crate) solver: CapacitanceSolver,
    pub(crate) friction: FrictionSolver,
    pub(crate) conditions: Conditions,
    /// hats of the levels, where columns are wavelets
    pub(crate) hats: Option<HatWeights>,
    pub(crate) coarse: CoarseContact,
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
    pub levels_coarser: usize,
    pub coarse_constraints: usize,
    pub abandoned: usize,
    pub held: u32,
}

/// Memory of one frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Work {
    /// Displacements of the pass, three numbers a node, m. Before the last pass of a frame only those of touched nodes are current.
    pub field: Vec<f64>,
    /// Displacements of the nodes of solved rows, and of all vertices that coarse constraints may replace.
    pub touched: NodeSums,
    pub listed: NodeSums,
    pub rows: Vec<ContactRow>,
    pub gaps: Vec<f64>,
    pub active: Vec<bool>,
    pub force: Vec<f64>,
    pub inverse: Vec<f64>,
    /// Deviation of each skin vertex from its displacement by the symmetric part of the columns, m; empty where columns are reciprocal.
    pub deviations: Vec<Vec3>,
    /// The same along each solved row, in frames with coarse constraints, m.
    pub row_deviations: Vec<f64>,
    /// Friction memory of the last frame, ascending by vertex: those of the skin, then those of coarse constraints.
    pub memory: Vec<FrictionMemory>,
    /// Friction of each vertex of coarse contacts: force (N), sum of the hat weights that stick, sum of all.
    pub tangential: Vec<(Vec3, f64, f64)>,
    /// Whether each vertex of coarse constraints ends up open.
    pub open: Vec<bool>,
    /// Number of constraints of each level, coarse first.
    pub counts: Vec<usize>,
    /// Forces reported in the last frame: of constrained vertices, and of supports, N.
    pub last_reactions: Vec<(u32, Vec3)>,
    pub last_support_reactions: Vec<Vec3>,
    /// Rows and forces of the last solution, in frames whose solution may be abandoned.
    pub last_rows: Vec<ContactRow>,
    pub last_force: Vec<f64>,
}

impl QuasistaticModel {
    /// A body at rest.
    pub fn new(asset: Arc<GreensAsset>, params: &QuasistaticParams) -> Self {
        let settings = Settings {
            young: asset.material.elastic.young,
            density: asset.material.density,
            max_contacts: params.max_contacts,
            constraint_level: params.constraint_level,
            column_threshold: 0.0,
        };
        let skin_areas = asset.skin.nodal_areas();
        let mut model = Self {
            stored: None,
            parameters: Vec::new(),
            settings,
            budget: params.budget.map_or(WorkBudget::UNLIMITED, WorkBudget),
            state: State::default(),
            frame: FrameFigures::default(),
            hats: HatWeights::new(&asset.matrix, &asset.rows, &skin_areas),
            coarse: CoarseContact::default(),
            skin_areas,
            max_nodes_per_row: asset.rows.max_nodes_per_vertex(),
            gap_tolerance: GAP_TOLERANCE * asset.skin.bounds().diagonal(),
            solver: CapacitanceSolver::default(),
            friction: FrictionSolver::default(),
            conditions: Conditions::default(),
            rest_load: RestLoad::default(),
            nodal: NodalForces::default(),
            work: Work::default(),
            asset,
        };
        model.update_column_settings();
        model.reset();
        model
    }

    /// Sets the stored columns, their threshold and the ranges of parameters from a new asset.
    fn update_column_settings(&mut self) {
        self.stored = StoredColumns::from_asset(&self.asset);
        let threshold = self.stored.as_ref().map(StoredColumns::epsilon);
        self.settings.column_threshold = threshold.unwrap_or(0.0);
        self.parameters = parameters_of(self.constraint_levels(), threshold);
    }

    /// The shared asset, with the columns in use.
    pub fn asset(&self) -> &Arc<GreensAsset> {
        &self.asset
    }

    /// Stores columns that a bake published; `false`, and no change, where they do not fit. Copies the whole asset once if others hold it too.
    pub fn insert(&mut self, columns: &FinishedColumns) -> bool {
        if !columns.inside.is_empty() {
            // it includes the responses to loads on the points
            self.rest_load = RestLoad::default();
        }
        Arc::make_mut(&mut self.asset).insert(columns)
    }

    /// Replaces the asset by the complete one of the same bake. State and settings stay, except the threshold of the columns, which is that of the new asset. `false`,
    /// and no change, for an asset of another body.
    pub fn complete(&mut self, asset: Arc<GreensAsset>) -> bool {
        let same = asset.nodes() == self.asset.nodes()
            && asset.rows == self.asset.rows
            && asset.supports.len() == self.asset.supports.len()
            && asset.inside.len() == self.asset.inside.len();
        if same {
            self.asset = asset;
            // both were computed from entries that may differ in their last bits
            self.solver = CapacitanceSolver::default();
            self.coarse.clear();
            self.hats = HatWeights::new(&self.asset.matrix, &self.asset.rows, &self.skin_areas);
            self.update_column_settings();
            self.rest_load = RestLoad::default();
        }
        same
    }

    /// The body with the columns of a threshold, and their error. Returns the columns in use where they have this threshold or none. A threshold below the stored one is
    /// raised to it.
    pub(super) fn columns_at(
        &mut self,
        epsilon: f64,
    ) -> Result<(Arc<GreensAsset>, f64), CompressionError> {
        match &mut self.stored {
            Some(stored) if epsilon != self.settings.column_threshold => {
                stored.with_threshold(epsilon)
            }
            Some(stored) => Ok((Arc::clone(&self.asset), stored.error)),
            None => Ok((Arc::clone(&self.asset), 0.0)),
        }
    }

    /// Sets the result of [`Self::columns_at`]. The caller replaces the solver, whose state belongs to the old columns.
    pub(super) fn set_columns(&mut self, asset: Arc<GreensAsset>, error: f64) {
        if let Some(stored) = &mut self.stored {
            stored.error = error;
        }
        self.asset = asset;
    }

    /// Uses another threshold of the columns from the next frame on.
    pub(super) fn set_column_threshold(&mut self, epsilon: f64) -> Result<(), CompressionError> {
        if epsilon == self.settings.column_threshold {
            return Ok(());
        }
        let (asset, error) = self.columns_at(epsilon)?;
        self.set_columns(asset, error);
        self.settings.column_threshold = epsilon;
        self.solver = CapacitanceSolver::default();
        self.coarse.clear();
        Ok(())
    }

    /// Displacement of a skin vertex (m), in double precision.
    pub fn displacement(&self, vertex: usize) -> Vec3 {
        self.state.displayed(&self.asset.rows, vertex)
    }
}
