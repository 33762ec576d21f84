//! A body of explicit tetrahedra: its state and its queries.

use std::sync::Arc;

use pliant_core::contact::VelocityProjection;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;

use crate::asset::LodHierarchy;
use crate::contact::ContactWork;
use crate::model::co_stepping::state::CoStepping;
use crate::model::cut_body::state::CutBody;
use crate::model::cutting::handover::state::HandoverState;
use crate::model::cutting::state::Cutting;
use crate::params::{AdaptiveParams, ElementModel};
use crate::step::level_dynamics::Dynamics;
use crate::step::multirate::CutDynamics;
use crate::step::subcycling::{AddedInertia, Rates};
use crate::step::time_step::{StateScan, StepControl};

/// Name of this method.
pub const KIND: &str = "adaptive";

/// A body of tetrahedra (or edge springs) that moves by explicit time integration: a shared [`LodHierarchy`] and the state of its nodes.
///
/// Positions are in world coordinates. A frame takes as many steps as the highest frequency of its elements needs. Its work unit is one evaluation of a tetrahedron, see
/// [`crate::NANOSECONDS_PER_TET`].
#[derive(Debug, Clone)]
pub struct AdaptiveModel {
    pub(crate) asset: Arc<LodHierarchy>,
    pub(crate) params: AdaptiveParams,
    pub(crate) model: ElementModel,
    pub(crate) level: usize,
    /// whether the budget forbids a finer level
    pub(crate) withheld: bool,
    /// present damping; at first that of the material
    pub(crate) damping: Damping,
    pub(crate) dynamics: Dynamics,
    pub(crate) steps: StepControl,
    /// held nodes with their support
    pub(crate) held: Vec<(u32, u32)>,
    pub(crate) projection: VelocityProjection,
    pub(crate) contact: ContactWork,
    /// last good positions and velocities
    pub(crate) last_good: (Vec<Vec3>, Vec<Vec3>),
    /// whether the forces belong to the present state
    pub(crate) forces_are_current: bool,
    pub(crate) gravity: Vec3,
    /// sum of masses times displacements from rest to the placed position, kg m: the energy of gravity is zero at the placed position
    pub(crate) placed: Vec3,
    pub(crate) dissipated: f64,
    /// what the impulses of constraints and contact did to the kinetic energy counts here, J
    pub(crate) work: f64,
    /// work of tools and grabs without what the body gained from it, J: it was dissipated. Reports add it to both sums. Checks of a frame leave it out.
    pub(crate) lost_in_contact: f64,
    pub(crate) time: f64,
    pub(crate) last_step: f64,
    pub(crate) reactions: Vec<Vec3>,
    pub(crate) support_reactions: Vec<Vec3>,
    pub(crate) scan: StateScan,
    pub(crate) substeps: u32,
    pub(crate) blended: u32,
    /// mass added for a longer step over the true mass
    pub(crate) added_mass: f64,
    /// the body on a cut; the level is then the coarsest and does not move
    pub(crate) cut: Option<Box<CutBody>>,
    /// state of cutting and fracture; absent for a body that cannot be cut or break
    pub(crate) cutting: Option<Box<Cutting>>,
    /// only of a body that moves on a cut until it is handed over: the model of the level until then, and that of the cut afterwards
    pub(crate) counterpart: Option<Box<AdaptiveModel>>,
    /// cause of the hand-over, and what it has left; present on a level that has such a counterpart
    pub(crate) handover: Option<Box<HandoverState>>,
    /// which elements have shorter steps than the others; absent on a cut, and on a supported level that stays whole
    pub(crate) rates: Option<Box<Rates>>,
    /// inertia that crushed elements get where the budget does not suffice; present on a free level that stays whole and that the budget has chosen
    pub(crate) added_inertia: Option<Box<AddedInertia>>,
    /// skin vertex that the notes explain
    pub(crate) explained: Option<u32>,
    /// state of co-stepping
    pub(crate) co_stepping: CoStepping,
}

impl AdaptiveModel {
    /// The hierarchy.
    pub fn asset(&self) -> &Arc<LodHierarchy> {
        &self.asset
    }

    /// Index of the level that moves, 0 is the coarsest.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Rest positions of the nodes of the level that moves, m.
    pub fn level_nodes(&self) -> &[Vec3] {
        &self.moving_level().mesh.nodes
    }

    /// Present positions of the same nodes, world, m.
    pub fn level_positions(&self) -> &[Vec3] {
        &self.dynamics.positions
    }

    /// Present velocities of the same nodes, m/s.
    pub fn level_velocities(&self) -> &[Vec3] {
        &self.dynamics.velocities
    }

    /// Sets positions and velocities of nodes, for tests and studies. Nodes without values and held nodes do not change.
    pub fn set_state(&mut self, positions: &[Vec3], velocities: &[Vec3]) {
        self.wake_all_pieces();
        for (i, w) in self.dynamics.inverse_masses.iter().enumerate() {
            if *w > 0.0 {
                if let Some(x) = positions.get(i) {
                    self.dynamics.positions[i] = *x;
                }
                if let Some(v) = velocities.get(i) {
                    self.dynamics.velocities[i] = *v;
                }
            }
        }
        self.invalidate();
    }

    /// The dynamics of the level, for studies that control the steps; call [`Dynamics::evaluate`] after every change.
    pub fn dynamics_mut(&mut self) -> &mut Dynamics {
        self.wake_all_pieces();
        self.invalidate();
        &mut self.dynamics
    }

    /// Kinetic energy at the time of the positions, J; the velocities alone belong to half a step earlier.
    pub fn kinetic_energy_mid_step(&self) -> f64 {
        if let Some(body) = &self.cut {
            return body
                .dynamics
                .kinetic_energy_between(|n| self.contact.kick(n));
        }
        self.dynamics
            .kinetic_energy_mid_step(self.last_step, &self.gravity, |i| self.contact.kick(i))
    }

    /// Elastic and viscous forces on the nodes at the present state, N.
    pub fn node_forces(&mut self) -> &[Vec3] {
        self.refresh();
        self.dynamics.add_stiff_forces();
        // steps need the forces without those of stiff elements
        self.forces_are_current = self.dynamics.subcycled.is_none();
        &self.dynamics.forces
    }

    /// Strain energy, J.
    pub fn elastic_energy(&self) -> f64 {
        if let Some(body) = &self.cut {
            return body.dynamics.elastic_energy();
        }
        self.dynamics.elastic_energy()
    }

    /// The cut, where one moves.
    pub fn cut(&self) -> Option<&CutDynamics> {
        self.cut.as_ref().map(|body| &body.dynamics)
    }

    /// The cut for changes by studies; step levels and forces are computed again afterwards.
    pub fn cut_mut(&mut self) -> Option<&mut CutDynamics> {
        self.cut.as_mut().map(|body| {
            body.is_attached = false;
            &mut body.dynamics
        })
    }

    /// Calls `act` with the cut, where one moves.
    pub(crate) fn with_cut<R>(
        &mut self,
        act: impl FnOnce(&mut Self, &mut CutBody) -> R,
    ) -> Option<R> {
        let mut body = self.cut.take()?;
        let result = act(self, &mut body);
        self.cut = Some(body);
        Some(result)
    }
}
