//! A body of explicit tetrahedra: what it keeps, and what can be asked of it.

use std::sync::Arc;

use pliant_core::contact::VelocityProjection;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;

use crate::asset::LodHierarchy;
use crate::contact::ContactWork;
use crate::hierarchy::Level;
use crate::model::co_stepping::state::CoStepping;
use crate::model::cut_body::state::CutBody;
use crate::model::cutting::state::Cutting;
use crate::params::{AdaptiveParams, ElementModel};
use crate::step::level_dynamics::Dynamics;
use crate::step::multirate::CutDynamics;
use crate::step::subcycling::Rates;
use crate::step::time_step::{StateScan, StepControl};

/// Name of this method.
pub const KIND: &str = "adaptive";

/// A body of explicit tetrahedra (or edge springs).
#[derive(Debug, Clone)]
pub struct AdaptiveModel {
    pub(crate) asset: Arc<LodHierarchy>,
    pub(crate) params: AdaptiveParams,
    pub(crate) model: ElementModel,
    pub(crate) level: usize,
    /// whether the budget forbids a finer level
    pub(crate) withheld: bool,
    /// what the body's damping is now; at first that of its material
    pub(crate) damping: Damping,
    pub(crate) dynamics: Dynamics,
    pub(crate) steps: StepControl,
    /// held nodes with their support
    pub(crate) held: Vec<(u32, u32)>,
    pub(crate) projection: VelocityProjection,
    pub(crate) contact: ContactWork,
    /// last good positions and velocities
    pub(crate) good: (Vec<Vec3>, Vec<Vec3>),
    pub(crate) fresh: bool,
    pub(crate) gravity: Vec3,
    /// sum of masses times the way from rest to where the body was placed, kg m: there the energy of gravity is zero
    pub(crate) placed: Vec3,
    pub(crate) dissipated: f64,
    pub(crate) work: f64,
    pub(crate) time: f64,
    pub(crate) last_step: f64,
    pub(crate) reactions: Vec<Vec3>,
    pub(crate) support_reactions: Vec<Vec3>,
    pub(crate) scan: StateScan,
    pub(crate) substeps: u32,
    pub(crate) blended: u32,
    /// mass added for a longer step over the true mass
    pub(crate) added_mass: f64,
    /// what moves instead of the level, which then is the coarsest and rests
    pub(crate) cut: Option<Box<CutBody>>,
    /// what blades and cracks do to the level; absent where nothing may part
    pub(crate) cutting: Option<Box<Cutting>>,
    /// which elements have shorter steps than the others; absent on a cut, and on a supported level that stays whole
    pub(crate) rates: Option<Box<Rates>>,
    /// skin vertex that the notes explain
    pub(crate) explained: Option<u32>,
    /// what frames of co-stepping need to know
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

    /// The level that moves: that of the hierarchy, or what blades and cracks have made of it. Its nodes are those of the level of the hierarchy first, then virtual ones.
    pub fn cut_level(&self) -> &Level {
        self.moving_level()
    }

    /// Present positions of the same nodes, world, m.
    pub fn node_positions(&self) -> &[Vec3] {
        &self.dynamics.positions
    }

    /// Present velocities of the same nodes, m/s.
    pub fn node_velocities(&self) -> &[Vec3] {
        &self.dynamics.velocities
    }

    /// Puts nodes somewhere with some velocity, for tests and studies; missing values keep theirs, held nodes stay.
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
        self.outdate();
    }

    /// The moving part itself, for studies that step by hand; call [`Dynamics::evaluate`] after every change.
    pub fn dynamics_mut(&mut self) -> &mut Dynamics {
        self.wake_all_pieces();
        self.outdate();
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
        // steps need those of the others alone
        self.fresh = self.dynamics.subcycled.is_none();
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

    /// The same to be changed, for studies; step levels and forces are found anew afterwards.
    pub fn cut_mut(&mut self) -> Option<&mut CutDynamics> {
        self.cut.as_mut().map(|body| {
            body.detach();
            &mut body.dynamics
        })
    }

    /// Does something with the cut, where one moves.
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
