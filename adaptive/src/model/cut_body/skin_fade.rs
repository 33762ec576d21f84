//! The skin does not jump when the cut changes: what it would jump by is shown and fades.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;

use crate::step::multirate::CutDynamics;

/// Time in which a jump fades, s.
const FADE: f64 = 0.1;

/// Offsets of skin vertices that are left from changes of the cut. They are only shown: no force knows of them. Touched vertices have none, so that they
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
            age: FADE,
            largest: 0.0,
        }
    }

    /// Notes where the skin is before the cut changes.
    pub(crate) fn begin(&mut self, dynamics: &CutDynamics) {
        let share = self.share();
        for (v, offset) in self.offsets.iter_mut().enumerate() {
            let here = dynamics
                .blend
                .interpolate(&dynamics.cut, v, &dynamics.positions);
            *offset = here + *offset * share;
        }
    }

    /// What is left of that after the change.
    pub(crate) fn changed(&mut self, dynamics: &CutDynamics) {
        self.largest = 0.0;
        for (v, offset) in self.offsets.iter_mut().enumerate() {
            *offset -= dynamics
                .blend
                .interpolate(&dynamics.cut, v, &dynamics.positions);
            self.largest = self.largest.max(offset.norm());
        }
        self.age = 0.0;
    }

    /// A frame of `duration` seconds has passed.
    pub(crate) fn pass(&mut self, duration: f64, touched: &[DisplacementConstraint]) {
        self.age = (self.age + duration).min(FADE);
        for c in touched {
            if let Some(offset) = self.offsets.get_mut(c.vertex as usize) {
                *offset = Vec3::zeros();
            }
        }
    }

    /// Offset of a skin vertex now, m.
    pub(crate) fn at(&self, vertex: usize) -> Vec3 {
        self.offsets
            .get(vertex)
            .map_or_else(Vec3::zeros, |o| o * self.share())
    }

    /// Largest jump of the last change, m.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// 1 just after a change, 0 after the time of a fade, smooth at both ends.
    fn share(&self) -> f64 {
        let t = (self.age / FADE).clamp(0.0, 1.0);
        1.0 - t * t * (3.0 - 2.0 * t)
    }

    pub(crate) fn reset(&mut self) {
        *self = Self::new(self.offsets.len());
    }

    pub(crate) fn saved_len(&self) -> usize {
        3 * self.offsets.len() + 2
    }

    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        to.extend(self.offsets.iter().flat_map(|o| [o.x, o.y, o.z]));
        to.extend([self.age, self.largest]);
    }

    pub(crate) fn restore(&mut self, from: &[f64]) {
        for (offset, v) in self.offsets.iter_mut().zip(from.chunks_exact(3)) {
            *offset = Vec3::new(v[0], v[1], v[2]);
        }
        if let [.., age, largest] = from {
            (self.age, self.largest) = (*age, *largest);
        }
    }
}
