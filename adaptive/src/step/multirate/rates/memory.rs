//! Saving and restoring step levels.

use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::UNSET;

impl ElementSteps {
    /// Resets all levels.
    pub fn reset(&mut self) {
        self.own_levels.fill(UNSET);
        self.levels.fill(UNSET);
        self.frames_below.fill(0);
        self.contact_nodes.clear();
        self.selective_scaling.corners.fill(0.0);
        (self.held_level, self.partner_level) = (0, 0);
        (self.parts, self.duration, self.near_inverted) = (1, 0.0, 0);
    }

    /// Writes the state that depends on past frames: two numbers for each element and three more.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        let all = self
            .own_levels
            .iter()
            .zip(&self.frames_below)
            .zip(&self.levels);
        to.extend(all.map(|((own, quiet), level)| {
            f64::from(u32::from(*own) | u32::from(*quiet) << 8 | u32::from(*level) << 16)
        }));
        to.extend_from_slice(&self.selective_scaling.corners);
        to.resize(
            to.len() + self.own_levels.len() - self.selective_scaling.corners.len(),
            0.0,
        );
        to.extend([
            self.duration,
            f64::from(self.parts),
            f64::from(self.partner_level),
        ]);
    }

    /// Restores what [`ElementSteps::save`] wrote.
    pub(crate) fn restore(&mut self, memory: &[f64]) {
        let [values @ .., duration, parts, partner_level] = memory else {
            return;
        };
        self.parts = (*parts as u32).max(1);
        (self.held_level, self.partner_level) = (0, *partner_level as u8);
        let (values, added) = values.split_at(self.own_levels.len().min(values.len()));
        for (corner, &value) in self.selective_scaling.corners.iter_mut().zip(added) {
            *corner = value;
        }
        for (k, &value) in values.iter().enumerate() {
            let value = value as u32;
            self.own_levels[k] = (value & 255) as u8;
            self.frames_below[k] = (value >> 8 & 255) as u8;
            self.levels[k] = (value >> 16 & 255) as u8;
        }
        self.duration = *duration;
    }
}
