//! A bound on the spurious energy that steps create.
//!
//! A step is symplectic Euler on an elastic energy that is a minimum over rotations. Where a region is inverted or
//! flat, two rotations fit equally well. The energy has a ridge there, and the force jumps across it. A step that crosses a ridge gains or loses some
//! energy at random; on average it gains. Bodies near their rest shape never cross a ridge. A body that is deformed by whole cells crosses ridges in
//! every step and, without any damping, gains energy for ever: at `α = 1` it doubles in about 3,000 steps, in exact arithmetic too.
//!
//! Therefore energy is accounted for: in a frame without damping and contact the sum of kinetic, elastic and gravitational energy should not change. If
//! more than a third of the kinetic and elastic energy of a body is spurious, the frame ends with a weak region damping, which conserves both momenta of the
//! body and of each of its pieces. With any damping or contact there is nothing to guard.

use pliant_core::math::Vec3;

use crate::model::lattice_model::LatticeModel;
use crate::step::damping::plan::DampingPlan;
use crate::step::frame_plan::FramePlan;

/// Largest share of spurious energy in a body's energy: it then holds 1.5 times what it was given.
const MAX_SPURIOUS_SHARE: f64 = 1.0 / 3.0;
/// Gain of the damping that removes spurious energy, a frame.
const GAIN: f64 = 0.1;
/// Distance of all particles from their goals, cells, below whose energy everything counts as round-off.
const NOISE_OFFSET: f64 = 1e-4;

/// Energy at the beginning or end of a frame that should conserve it, J.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameEnergy {
    total: f64,
    /// kinetic and elastic
    internal: f64,
}

impl LatticeModel {
    /// Energy at the beginning of a frame; `None` if the frame does not conserve it or it is not accounted for.
    pub(crate) fn start_energy_guard(
        &self,
        plan: &FramePlan,
        gravity: &Vec3,
    ) -> Option<FrameEnergy> {
        let conserved = plan.damping.stages == 0 && plan.drag == 0.0 && self.projection.is_empty();
        (conserved && self.matched && self.has_energy()).then(|| self.frame_energy(gravity))
    }

    fn frame_energy(&self, gravity: &Vec3) -> FrameEnergy {
        let energy = self.energy(gravity);
        let internal = energy.kinetic + energy.elastic;
        FrameEnergy {
            total: internal + energy.potential - self.loads_dot_positions(),
            internal,
        }
    }

    /// Counts the spurious energy of a frame that began with `start`, and removes some of it if there is too much.
    pub(crate) fn guard(&mut self, start: Option<FrameEnergy>, gravity: &Vec3) {
        let Some(start) = start else {
            return;
        };
        let end = self.frame_energy(gravity);
        let mut spurious = self.spurious_energy_share * start.internal + end.total - start.total;
        let mut internal = end.internal;
        let mass: f64 = self.asset.mass.iter().sum();
        let noise = self.stiffness * mass * (NOISE_OFFSET * self.asset.cell).powi(2);
        if spurious > MAX_SPURIOUS_SHARE * internal && internal > noise {
            self.damp_regions(&DampingPlan::new(GAIN));
            self.stop_held_particles();
            self.bones.make_velocities_rigid(&self.x, &mut self.v);
            let removed = internal - self.frame_energy(gravity).internal;
            spurious -= removed;
            internal -= removed;
        }
        self.spurious_energy_share = if internal > noise {
            spurious / internal
        } else {
            0.0
        };
    }
}
