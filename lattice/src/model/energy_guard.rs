//! A bound on the energy that steps make.
//!
//! A step is symplectic Euler on an elastic energy that is the least over rotations. Where a region is turned inside out or
//! flat, two rotations fit equally well: the energy has a ridge there, and the force jumps across it. A step that crosses a ridge gains or loses some
//! energy at random, on the mean it gains. For bodies near their shape this never happens; a body that is scrambled by cells crosses ridges in
//! every step and, without any damping, gains energy for ever: at `α = 1` it doubles in about 3,000 steps, in exact arithmetic too.
//!
//! So energy is accounted for: in a frame without damping and contact the sum of kinetic, elastic and gravitational energy should not change. Where
//! more than a third of what a body holds was made in that way, the frame ends with a weak damping by regions, which keeps both momenta of the
//! body and of each of its pieces. With any damping or contact there is nothing to guard.

use pliant_core::math::Vec3;

use crate::model::lattice_model::LatticeModel;
use crate::step::damping::plan::DampingPlan;
use crate::step::frame_plan::FramePlan;

/// Share of a body's energy that steps may have made: then it holds 1.5 times what it was given.
const MOST: f64 = 1.0 / 3.0;
/// Gain of the damping that takes energy back, a frame.
const GAIN: f64 = 0.1;
/// Energy in which the guard sees round-off: all particles this share of a cell off their goals.
const NOISE: f64 = 1e-4;

/// Energy at the beginning of a frame that conserves it, J.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watched {
    all: f64,
    own: f64,
}

impl LatticeModel {
    /// Energy at the beginning of a frame; `None` where it is not to be watched.
    pub(crate) fn watch(&self, plan: &FramePlan, gravity: &Vec3) -> Option<Watched> {
        let conserved = plan.damping.stages == 0 && plan.drag == 0.0 && self.projection.is_empty();
        (conserved && self.matched && self.has_energy()).then(|| self.watched(gravity))
    }

    fn watched(&self, gravity: &Vec3) -> Watched {
        let energy = self.energy(gravity);
        let own = energy.kinetic + energy.elastic;
        Watched {
            all: own + energy.potential - self.load_moment(),
            own,
        }
    }

    /// Counts what a frame that began with `start` made, and takes some of it back where it is too much.
    pub(crate) fn guard(&mut self, start: Option<Watched>, gravity: &Vec3) {
        let Some(start) = start else {
            return;
        };
        let end = self.watched(gravity);
        let mut made = self.made * start.own + end.all - start.all;
        let mut own = end.own;
        let mass: f64 = self.asset.mass.iter().sum();
        let noise = self.stiffness * mass * (NOISE * self.asset.cell).powi(2);
        if made > MOST * own && own > noise {
            self.damp_regions(&DampingPlan::new(GAIN));
            self.hold();
            self.bones.stiffen(&self.x, &mut self.v);
            let taken = own - self.watched(gravity).own;
            made -= taken;
            own -= taken;
        }
        self.made = if own > noise { made / own } else { 0.0 };
    }
}
