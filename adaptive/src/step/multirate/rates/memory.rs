//! What step levels remember of past frames.

use crate::step::multirate::rates::element_steps::ElementSteps;
use crate::step::multirate::rates::step_level::UNSET;

impl ElementSteps {
    /// Forgets all levels.
    pub fn reset(&mut self) {
        self.own.fill(UNSET);
        self.levels.fill(UNSET);
        self.quiet.fill(0);
        self.quick.clear();
        self.selective_scaling.corners.fill(0.0);
        (self.held_level, self.partner_level) = (0, 0);
        (self.parts, self.duration, self.near_inverted) = (1, 0.0, 0);
    }

    /// Memory of past frames as numbers, two an element and two more.
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        let all = self.own.iter().zip(&self.quiet).zip(&self.levels);
        to.extend(all.map(|((own, quiet), level)| {
            f64::from(u32::from(*own) | u32::from(*quiet) << 8 | u32::from(*level) << 16)
        }));
        to.extend_from_slice(&self.selective_scaling.corners);
        to.resize(
            to.len() + self.own.len() - self.selective_scaling.corners.len(),
            0.0,
        );
        to.extend([self.duration, f64::from(self.parts)]);
    }

    /// Takes back what [`ElementSteps::save`] wrote.
    pub(crate) fn restore(&mut self, memory: &[f64]) {
        let [values @ .., duration, parts] = memory else {
            return;
        };
        self.parts = (*parts as u32).max(1);
        (self.held_level, self.partner_level) = (0, 0);
        let (values, added) = values.split_at(self.own.len().min(values.len()));
        for (corner, &value) in self.selective_scaling.corners.iter_mut().zip(added) {
            *corner = value;
        }
        for (k, &value) in values.iter().enumerate() {
            let value = value as u32;
            self.own[k] = (value & 255) as u8;
            self.quiet[k] = (value >> 8 & 255) as u8;
            self.levels[k] = (value >> 16 & 255) as u8;
        }
        self.duration = *duration;
    }
}
