//! The steps of a frame, with the parameters that give the material.

use crate::step::damping::plan::DampingPlan;

/// Steps of a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FramePlan {
    pub steps: u32,
    /// s
    pub step: f64,
    pub alpha: f64,
    pub damping: DampingPlan,
    /// share of the velocity that drag removes from supported bodies
    pub drag: f64,
    /// steps from one damping to the next
    pub damp_every: u32,
    /// whether whole pieces are damped instead of regions
    pub damp_globally: bool,
}

impl FramePlan {
    /// The damping of step `k`: `None` unless it is the last of `damp_every` steps or of the frame. It damps as much as all steps since the last damping.
    pub fn damping_at_step(&self, k: u32) -> Option<DampingPlan> {
        if self.damping.stages == 0 {
            return None;
        }
        if self.damp_every <= 1 {
            return Some(self.damping);
        }
        let undamped_steps = k % self.damp_every + 1;
        let acts = undamped_steps == self.damp_every || k + 1 == self.steps;
        let remaining = (1.0 - self.damping.gain)
            .max(0.0)
            .powi(undamped_steps as i32);
        acts.then_some(DampingPlan {
            gain: 1.0 - remaining,
            ..self.damping
        })
    }
}
