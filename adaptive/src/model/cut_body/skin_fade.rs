//! The displayed skin does not jump when the cut changes: it starts at its old position, and moves to the new one within a tenth of a second.

use pliant_core::math::Vec3;

use crate::step::multirate::CutDynamics;

/// Time in which a jump fades, s.
const FADE_TIME: f64 = 0.1;

/// Remaining offsets of skin vertices after changes of the cut. They only affect the display, and no forces. Touched vertices have none, so that they
/// stay on their tool.
#[derive(Debug, Clone, Default)]
pub(crate) struct SkinFade {
    offsets: Vec<Vec3>,
    /// since the last change, s
    age: f64,
    /// largest jump of the last change, m
    largest: f64,
}

impl SkinFade {
    pub(crate) fn new(vertices: usize) -> Self {
        Self {
            offsets: vec![Vec3::zeros(); vertices],
            age: FADE_TIME,
            largest: 0.0,
        }
    }

    /// Saves the positions of the skin before the cut changes.
    pub(crate) fn start(&mut self, dynamics: &CutDynamics) {
        let share = self.share();
        for (v, offset) in self.offsets.iter_mut().enumerate() {
            let position = dynamics
                .blend
                .interpolate(&dynamics.cut, v, &dynamics.positions);
            *offset = position + *offset * share;
        }
    }

    /// Computes the offsets after the change.
    pub(crate) fn set_offsets(&mut self, dynamics: &CutDynamics) {
        self.largest = 0.0;
        for (v, offset) in self.offsets.iter_mut().enumerate() {
            *offset -= dynamics
                .blend
                .interpolate(&dynamics.cut, v, &dynamics.positions);
            self.largest = self.largest.max(offset.norm());
        }
        self.age = 0.0;
    }

    /// Advances by a frame of `duration` seconds in which these skin vertices were touched.
    pub(crate) fn advance(&mut self, duration: f64, touched: impl IntoIterator<Item = usize>) {
        self.age = (self.age + duration).min(FADE_TIME);
        for vertex in touched {
            if let Some(offset) = self.offsets.get_mut(vertex) {
                *offset = Vec3::zeros();
            }
        }
    }

    /// Offset of a skin vertex now, m.
    pub(crate) fn offset(&self, vertex: usize) -> Vec3 {
        self.offsets
            .get(vertex)
            .map_or_else(Vec3::zeros, |o| o * self.share())
    }

    /// Whether any offsets remain.
    pub(crate) fn is_active(&self) -> bool {
        self.age < FADE_TIME
    }

    /// Continues the fade of another body with the same skin.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.offsets.copy_from_slice(&other.offsets);
        (self.age, self.largest) = (other.age, other.largest);
    }

    /// Largest jump of the last change, m.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// 1 just after a change, 0 after the time of a fade, smooth at both ends.
    fn share(&self) -> f64 {
        let t = (self.age / FADE_TIME).clamp(0.0, 1.0);
        1.0 - t * t * (3.0 - 2.0 * t)
    }

    pub(crate) fn reset(&mut self) {
        self.offsets.fill(Vec3::zeros());
        (self.age, self.largest) = (FADE_TIME, 0.0);
    }

    /// Count of the numbers that [`Self::save`] writes.
    pub(crate) fn saved_count(&self) -> usize {
        3 * self.offsets.len() + 2
    }

    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        to.extend(self.offsets.iter().flatten());
        to.extend([self.age, self.largest]);
    }

    /// Restores what was saved from the first of these numbers, and removes them; `None` where there are too few.
    pub(crate) fn restore(&mut self, from: &mut &[f64]) -> Option<()> {
        let offsets = from.split_off(..3 * self.offsets.len())?;
        for (offset, v) in self.offsets.iter_mut().zip(offsets.chunks_exact(3)) {
            *offset = Vec3::from_column_slice(v);
        }
        (self.age, self.largest) = (*from.split_off_first()?, *from.split_off_first()?);
        Some(())
    }
}
