//! How a frame is cut into steps that make the wanted material.

use pliant_core::material::Damping;

use crate::model::lattice_model::LatticeModel;
use crate::step::damping::region_average::DampingPlan;

/// Steps of a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FramePlan {
    pub steps: u32,
    /// s
    pub step: f64,
    pub alpha: f64,
    pub damping: DampingPlan,
    /// share of the velocity that drag takes from supported bodies
    pub drag: f64,
    /// steps after which damping acts
    pub damp_every: u32,
    /// whether pieces are damped as wholes
    pub globally: bool,
}

impl FramePlan {
    /// The damping of step `k`: none between those that damp for all steps since the last one, the frame's last among them.
    pub fn damping_of(&self, k: u32) -> Option<DampingPlan> {
        if self.damping.stages == 0 {
            return None;
        }
        if self.damp_every <= 1 {
            return Some(self.damping);
        }
        let since = k % self.damp_every + 1;
        let acts = since == self.damp_every || k + 1 == self.steps;
        let left = (1.0 - self.damping.gain).max(0.0).powi(since as i32);
        acts.then_some(DampingPlan {
            gain: 1.0 - left,
            ..self.damping
        })
    }
}

impl LatticeModel {
    /// Damping of a body that is matched as a whole, by the ratio of the slowest motion.
    fn whole_damping(&self, alpha: f64, gain: f64) -> DampingPlan {
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

    /// Steps, goal share and damping of a frame of `duration` seconds: the modulus is that of the calibration for any duration.
    pub(crate) fn frame_plan(&self, duration: f64) -> FramePlan {
        self.frame_plan_of(duration, 1)
    }

    /// The same with `least` steps or more, which do not change the modulus.
    pub(crate) fn frame_plan_of(&self, duration: f64, least: u32) -> FramePlan {
        let c = &self.calibration;
        let wanted = f64::from(c.steps) * duration / self.params.frame_duration;
        let steps = (wanted * (1.0 - 1e-9)).ceil().max(f64::from(least.max(1)));
        let alpha = (c.alpha * (wanted / steps).powi(2)).min(1.0);
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
        let globally = self.params.damp_globally && self.whole.is_none();
        let damping = if self.whole.is_some() {
            // towards the rigid motion of the whole body at once: every other motion has the eigenvalue 1
            self.whole_damping(alpha, gain)
        } else if globally {
            // regions damp the slowest motion by this share of what a rigid target takes
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
            globally,
        }
    }
}
