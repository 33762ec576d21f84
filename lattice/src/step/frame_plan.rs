//! The steps of a frame that make the wanted material.

use crate::step::damping::plan::DampingPlan;

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
