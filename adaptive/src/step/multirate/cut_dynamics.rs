//! Positions and velocities of a body on a cut, and the groups of elements that act on it.

use std::sync::Arc;

use pliant_core::math::Vec3;

use crate::asset::LodHierarchy;
use crate::cut::{Cut, CutForces, Forest, Operators, SkinBlend};
use crate::force::ElementConstants;
use crate::force::lanes::LaneWorkspace;
use crate::params::{AdaptiveParams, ElementModel};
use crate::step::multirate::groups::group::Group;
use crate::step::multirate::groups::group_state::GroupState;
use crate::step::multirate::prepared_cut::PreparedCut;
use crate::step::multirate::rates::element_coupling::ElementCoupling;
use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::preparation::prepare;
use crate::step::multirate::rates::prices::{FRAME_UNITS, prices};
use pliant_core::material::Damping;

/// The dynamics of a body that is simulated on a cut.
///
/// Positions and velocities exist for the nodes of all levels; between frames those of ghosts are up to date, so that the cut can change to any other.
#[derive(Debug, Clone)]
pub struct CutDynamics {
    /// number of changes of masses or of the nodes of the skin
    pub(crate) revision: u64,
    pub(crate) forest: Arc<Forest>,
    pub(crate) cut: Cut,
    pub(crate) operators: Operators,
    pub(crate) blend: SkinBlend,
    pub(crate) params: AdaptiveParams,
    pub(crate) constants: ElementConstants,
    /// positions of the nodes of all levels, m
    pub(crate) positions: Vec<Vec3>,
    /// velocities of the same, m/s
    pub(crate) velocities: Vec<Vec3>,
    /// velocities before the half kick at the end of the last frame, m/s
    pub(crate) half_step_velocities: Vec<Vec3>,
    /// mean velocities over the last step of the fastest elements around each node, m/s: damping between frames belongs to them
    pub(crate) mean_velocities: Vec<Vec3>,
    /// inertia of active nodes, kg
    pub(crate) masses: Vec<f64>,
    /// true over inertial mass of the same: gravity acts on the true one
    pub(crate) weights: Vec<f64>,
    /// 1/kg, zero for nodes that are held or not active
    pub(crate) inverse_masses: Vec<f64>,
    /// forces of loads on active nodes, N
    pub(crate) loads: Vec<Vec3>,
    pub(crate) steps: ElementSteps,
    pub(crate) groups: Vec<Group>,
    /// step level of the fastest elements that act on each node
    pub(crate) node_levels: Vec<u8>,
    /// tick to which each node has drifted
    pub(crate) node_ticks: Vec<u32>,
    pub(crate) drag: f64,
    pub(crate) is_supported: bool,
    pub(crate) group_state: GroupState,
    pub(crate) forces_are_current: bool,
    /// whether rates have to be coupled again
    pub(crate) needs_coupling: bool,
    /// successive frames in which torn nodes were put back, and whether they were in this one
    pub(crate) torn_frames: u32,
    pub(crate) has_recovered: bool,
    /// whether the cut changed since the last update of the steps
    pub(crate) has_new_cut: bool,
    /// coupling of the new cut, if it is known already
    pub(crate) new_coupling: Option<ElementCoupling>,
    /// the cut of the next frame
    pub(crate) pending: Option<Box<PreparedCut>>,
    /// buffer, `u32::MAX` for each node between uses
    pub(crate) local_index: Vec<u32>,
    /// workspaces of dropped groups, for new ones
    pub(crate) spare_workspaces: Vec<LaneWorkspace>,
    /// elements that act on constrained nodes, at the last forecast
    pub(crate) constrained_tets: Vec<u32>,
    /// buffer, `false` for each node between uses
    pub(crate) marks: Vec<bool>,
}

impl CutDynamics {
    /// A body at rest on its coarsest cut.
    pub fn new(
        asset: Arc<LodHierarchy>,
        model: ElementModel,
        damping: Damping,
        params: &AdaptiveParams,
    ) -> Self {
        let forest = Arc::new(Forest::new(asset));
        let mut cut = Cut::coarsest(forest.clone());
        let nodes = forest.node_count();
        let (constants, steps, drag) = prepare(&forest, model, damping, params);
        cut.set_prices(prices(&forest, &steps, params.frame_duration));
        let mut dynamics = Self {
            revision: 0,
            operators: Operators::default(),
            blend: SkinBlend::default(),
            params: with_model(model, params),
            constants,
            positions: forest.rest().to_vec(),
            velocities: vec![Vec3::zeros(); nodes],
            half_step_velocities: vec![Vec3::zeros(); nodes],
            mean_velocities: vec![Vec3::zeros(); nodes],
            masses: steps.inertia.node.clone(),
            weights: vec![1.0; nodes],
            inverse_masses: vec![0.0; nodes],
            loads: vec![Vec3::zeros(); nodes],
            steps,
            groups: Vec::new(),
            node_levels: vec![0; nodes],
            node_ticks: vec![0; nodes],
            drag,
            is_supported: forest.is_supported(),
            group_state: GroupState::Changed,
            forces_are_current: false,
            torn_frames: 0,
            has_recovered: false,
            needs_coupling: true,
            has_new_cut: true,
            new_coupling: None,
            pending: None,
            local_index: vec![u32::MAX; nodes],
            spare_workspaces: Vec::new(),
            constrained_tets: Vec::new(),
            marks: vec![false; nodes],
            cut,
            forest,
        };
        dynamics.update_operators();
        dynamics
    }

    /// Sets element model, damping and parameters; state and cut do not change.
    pub fn set_material(&mut self, model: ElementModel, damping: Damping, params: &AdaptiveParams) {
        let (constants, steps, drag) = prepare(&self.forest, model, damping, params);
        self.cut
            .set_prices(prices(&self.forest, &steps, params.frame_duration));
        let halves_only = self.steps.halves_only;
        (self.constants, self.steps, self.drag) = (constants, steps, drag);
        self.steps.set_halves_only(halves_only);
        self.params = with_model(model, params);
        self.update_masses();
        self.has_new_cut = true;
        (self.new_coupling, self.pending) = (None, None);
        self.group_state = GroupState::Changed;
        self.forces_are_current = false;
    }

    /// The cut.
    pub fn cut(&self) -> &Cut {
        &self.cut
    }

    /// Ghosts of the cut.
    pub fn operators(&self) -> &Operators {
        &self.operators
    }

    /// Positions of the nodes of all levels, m; ghosts that tetrahedra or the skin depend on are up to date.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Velocities of the same, m/s.
    pub fn velocities(&self) -> &[Vec3] {
        &self.velocities
    }

    /// Mean number of firings a frame of the elements of the finest level at rest.
    pub(crate) fn finest_firings(&self) -> u64 {
        let finest = self.forest.level_count() - 1;
        let level = self.forest.level(finest).0;
        let count = level.mesh.tets.len() as u64;
        let all = self.forest.tet_count() as u64;
        let price = |t: u64| self.cut.price(t as u32) - u64::from(FRAME_UNITS);
        (all - count..all).map(price).sum::<u64>() / count.max(1)
    }

    /// Inertial masses of the active nodes, kg. Their sum is the mass of the body, whatever the cut, plus what mass scaling added.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// True mass of an active node, kg. Over all active nodes the sum is the mass of the body, whatever the cut.
    pub fn true_mass(&self, node: u32) -> f64 {
        self.masses[node as usize] * self.weights[node as usize]
    }

    /// Groups of the last frame, slowest first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Step levels of the elements.
    pub fn steps(&self) -> &ElementSteps {
        &self.steps
    }

    /// Sets position and velocity of active nodes by `state`, a function of the node. Held nodes do not move.
    pub fn set_state(&mut self, mut state: impl FnMut(u32) -> (Vec3, Vec3)) {
        for &n in self.operators.active() {
            if self.inverse_masses[n as usize] > 0.0 {
                (self.positions[n as usize], self.velocities[n as usize]) = state(n);
            }
        }
        self.update_ghosts();
        self.half_step_velocities.copy_from_slice(&self.velocities);
        self.mean_velocities.copy_from_slice(&self.velocities);
        self.forces_are_current = false;
    }

    /// Interpolates positions and velocities of all ghosts.
    pub(crate) fn update_ghosts(&mut self) {
        self.operators.forward(&mut self.positions);
        self.operators.forward(&mut self.velocities);
    }

    /// Active and held nodes with their weights for a skin vertex. `scratch` is zero for every node before and after the call.
    pub(crate) fn active_row(&self, vertex: usize, scratch: &mut [f64]) -> Vec<(u32, f64)> {
        let row = self.blend.row(&self.cut, vertex);
        self.operators.expand(row, scratch)
    }

    pub(crate) fn reference_forces(&self) -> CutForces<'_> {
        CutForces {
            cut: &self.cut,
            operators: &self.operators,
            constants: &self.constants,
            interface: self.params.interface,
        }
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let active = self.operators.active().iter().map(|&n| n as usize);
        active
            .flat_map(|n| [&self.positions[n], &self.velocities[n]])
            .all(|x| x.iter().all(|c| c.is_finite()))
    }

    /// Updates skin, ghosts, masses and weights to the present cut.
    pub(crate) fn update_operators(&mut self) {
        (self.blend, self.operators) = PreparedCut::operators_of(&mut self.cut);
        (self.new_coupling, self.pending) = (None, None);
        self.update_masses();
    }
}

/// These parameters with the element model that a body has: they may leave it to the material.
fn with_model(model: ElementModel, params: &AdaptiveParams) -> AdaptiveParams {
    AdaptiveParams {
        model: Some(model),
        ..*params
    }
}
