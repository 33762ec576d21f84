//! The contacts of one body in a frame, and the nodes that they act on.

use pliant_core::math::Vec3;

use crate::detection::candidate::{Candidate, Partner};
use crate::detection::detection_body::DetectionBody;
use crate::surface::{ContactShape, Nearest};

/// Contacts of one body in a frame. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoundContacts {
    pub candidates: Vec<Candidate>,
    /// node and signed weight
    pub entries: Vec<(u32, f64)>,
}

impl FoundContacts {
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.entries.clear();
    }

    pub(super) fn push_pair(
        &mut self,
        body: DetectionBody<'_>,
        other: DetectionBody<'_>,
        point: usize,
        place: &Nearest,
        relative: Vec3,
        friction: f64,
    ) {
        let is_same_body = body.index == other.index;
        let from = self.entries.len();
        self.push_row(body.shape, point, 1.0, from);
        let mut split = self.entries.len();
        let first = if is_same_body { from } else { split };
        for (&p, w) in place.triangle.iter().zip(place.weights) {
            if w > 0.0 {
                self.push_row(other.shape, p as usize, -w, first);
            }
        }
        if is_same_body {
            split = self.entries.len();
        }
        let compliance = [
            self.compliance(body.shape, from..split),
            self.compliance(other.shape, split..self.entries.len()),
        ];
        self.candidates.push(Candidate {
            body: body.index,
            point: point as u32,
            partner: Partner::Body(other.index),
            normal: place.normal,
            gap: place.gap,
            surface_velocity: Vec3::zeros(),
            relative,
            friction,
            kinetic_friction: friction,
            from: from as u32,
            split: split as u32,
            to: self.entries.len() as u32,
            compliance,
        });
    }

    /// Adds `factor` times the weights of a contact point to the entries from index `first` on.
    pub(super) fn push_row(
        &mut self,
        shape: &ContactShape,
        point: usize,
        factor: f64,
        first: usize,
    ) {
        for (n, w) in shape.entries(point) {
            match self.entries[first..].iter_mut().find(|e| e.0 == n) {
                Some(entry) => entry.1 += factor * w,
                None => self.entries.push((n, factor * w)),
            }
        }
    }

    pub(super) fn compliance(&self, shape: &ContactShape, range: std::ops::Range<usize>) -> f64 {
        let part = &self.entries[range];
        part.iter()
            .map(|(n, w)| w * w * shape.inverse_mass[*n as usize])
            .sum()
    }
}
