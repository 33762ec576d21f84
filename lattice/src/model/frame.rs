//! The steps of a frame, and its beginning and end.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::Damping;
use pliant_core::math::Vec3;
use pliant_core::model::StepError;

use crate::model::lattice_model::LatticeModel;
use crate::step::damping::plan::DampingPlan;
use crate::step::frame_plan::FramePlan;

impl LatticeModel {
    /// Damping of a body that is matched as a whole, from the damping ratio of its slowest motion.
    fn global_damping(&self, alpha: f64, gain: f64) -> DampingPlan {
        let gain = match self.material.damping {
            Damping::Ratio(zeta) => 2.0 * zeta * alpha.sqrt(),
            Damping::Parameters(_) => gain,
        };
        DampingPlan {
            stages: usize::from(gain > 0.0),
            gain: gain.min(1.0),
            missing: 0.0,
        }
    }

    /// Steps, goal share and damping of a frame of `duration` seconds. The modulus is that of the calibration for any duration.
    pub(crate) fn frame_plan(&self, duration: f64) -> FramePlan {
        self.frame_plan_of(duration, 1)
    }

    /// The same with at least `min_steps` steps, which does not change the modulus.
    pub(crate) fn frame_plan_of(&self, duration: f64, min_steps: u32) -> FramePlan {
        let c = &self.calibration;
        let exact = f64::from(c.steps) * duration / self.params.frame_duration;
        let steps = (exact * (1.0 - 1e-9))
            .ceil()
            .max(f64::from(min_steps.max(1)));
        let alpha = (c.alpha * (exact / steps).powi(2)).min(1.0);
        let step = duration / steps;
        let gain = match self.material.damping {
            Damping::Ratio(zeta) if self.asset.lowest_eigenvalue > 0.0 => {
                2.0 * zeta * (alpha / self.asset.lowest_eigenvalue).sqrt()
            }
            Damping::Ratio(_) => 0.0,
            Damping::Parameters(d) => {
                let lame = self.material.lame();
                (d.phi + 2.0 * d.psi) / (lame.lambda + 2.0 * lame.mu) * alpha / step
            }
        };
        let damp_globally = self.params.damp_globally && self.global.is_none();
        let damping = if self.global.is_some() {
            // towards the rigid motion of the whole body: every other motion has the eigenvalue 1
            self.global_damping(alpha, gain)
        } else if damp_globally {
            // region damping acts on the slowest motion with its eigenvalue, damping towards a rigid motion with 1
            DampingPlan {
                missing: 0.0,
                ..DampingPlan::once(gain * self.asset.lowest_eigenvalue, 1.0)
            }
        } else if self.params.damp_every > 1 {
            DampingPlan::once(gain, 1.0)
        } else {
            DampingPlan::new(gain)
        };
        // α_M h with α_M = 2 ζ ω₁ for the missing part of ζ
        let drag = damping.missing * self.asset.lowest_eigenvalue;
        FramePlan {
            steps: steps as u32,
            step,
            alpha,
            damping,
            drag: drag / (1.0 + drag),
            damp_every: self.params.damp_every,
            damp_globally,
        }
    }

    /// Converts loads to accelerations of particles.
    pub(crate) fn set_loads(&mut self, boundary: &BoundaryConditions) {
        let mut loaded = std::mem::take(&mut self.loaded);
        loaded.clear();
        for load in boundary.loads() {
            if (load.vertex as usize) < self.asset.embedding.len() {
                for (p, weight) in self.particles_of_vertex(load.vertex) {
                    let acceleration = load.force * (weight / self.asset.mass[p as usize]);
                    loaded.push((p, acceleration));
                }
            }
        }
        self.loaded = loaded;
    }

    /// Starts a frame: checks the request, saves the state, sets constraints and loads.
    pub(crate) fn start_frame(
        &mut self,
        duration: f64,
        boundary: &BoundaryConditions,
    ) -> Result<(), StepError> {
        if !(duration > 0.0 && duration <= 1e4 * self.params.frame_duration) {
            return Err(self.diverged(format!("a frame of {duration} s was asked for")));
        }
        let constraints = boundary.displacements();
        let vertices = self.contact_vertex_count();
        if let Some(c) = constraints.iter().find(|c| c.vertex as usize >= vertices) {
            return Err(self.diverged(format!(
                "skin vertex {} of {vertices} was constrained",
                c.vertex
            )));
        }
        self.save_last_good();
        self.wake_pieces(boundary, duration);
        self.map_constraints(constraints);
        let mapped = self.fracture.as_ref().map(|f| &f.mapped_constraints);
        let (constraints, rows) = mapped.map_or((constraints, &self.asset.embedding), |mapped| {
            (&mapped.constraints[..], &mapped.rows)
        });
        self.projection
            .begin_frame(constraints, rows, &self.inverse_mass, &self.x, duration);
        self.set_loads(boundary);
        self.support_impulses.fill(Vec3::zeros());
        Ok(())
    }

    /// Time and reactions at the end of a good frame.
    pub(crate) fn finish_frame(&mut self, duration: f64) {
        self.time += duration;
        let awake = self.projection.end_frame();
        if let Some(f) = &mut self.fracture {
            f.sleep.store_reactions(awake);
        }
        for support in 0..self.support_impulses.len() {
            let contact = self
                .projection
                .force_on(|p| self.holder[p as usize] == support as u32);
            self.support_reactions[support] = self.support_impulses[support] / duration - contact;
        }
    }

    /// Restarts time and accounts after positions and rotations were set.
    pub(crate) fn restart(&mut self) {
        self.offsets.fill(Vec3::zeros());
        self.support_reactions.fill(Vec3::zeros());
        (self.time, self.account.dissipated, self.account.work) = (0.0, 0.0, 0.0);
        self.account.gravity = Vec3::zeros();
        self.co_step = None;
        self.spurious_energy_share = 0.0;
        self.bones.fit_to(&mut self.x);
        self.center = self.mean_position();
        self.match_shapes(false);
    }
}
