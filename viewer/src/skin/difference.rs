//! Difference between a skinned surface and the expected one.

use nalgebra::Vector3;
use pliant_core::mesh::SurfaceFrame;
use serde::Serialize;

use super::emulate::SkinnedVertex;

/// Largest distance from the processor's skin over the diagonal of a body.
pub const PLACE_TOLERANCE: f64 = 1e-5;
/// Largest angle between normals, degrees.
pub const NORMAL_TOLERANCE: f64 = 0.1;

/// Largest differences between two skins.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Difference {
    /// Largest distance over the diagonal of a body.
    pub place: f64,
    /// Largest angle between normals, degrees.
    pub normal_deg: f64,
    /// Vertices compared.
    pub vertices: usize,
}

impl Difference {
    /// Vertices against those of a frame: vertex `k` against vertex `source[k]`; `diagonal` is that of a body, m. A missing or non-finite vertex
    /// is infinitely far away. Two normals that do not exist agree.
    pub fn between(
        skinned: &[SkinnedVertex],
        source: &[u32],
        frame: &SurfaceFrame,
        diagonal: f64,
    ) -> Self {
        let mut all = Self::default();
        for (k, b) in skinned.iter().enumerate() {
            let v = source.get(k).map_or(usize::MAX, |&v| v as usize);
            let expected = frame.positions.get(v).zip(frame.normals.get(v));
            match expected {
                Some((&place, &normal)) => all.add(b, &SkinnedVertex { place, normal }, diagonal),
                None => all.place = f64::INFINITY,
            }
        }
        all
    }

    /// Adds one vertex.
    pub fn add(&mut self, skinned: &SkinnedVertex, expected: &SkinnedVertex, diagonal: f64) {
        let to_f64 = |v: [f32; 3]| Vector3::from(v.map(f64::from));
        let distance = (to_f64(skinned.place) - to_f64(expected.place)).norm() / diagonal;
        let turned = angle(&to_f64(skinned.normal), &to_f64(expected.normal));
        let worst = |old: f64, new: f64| old.max(if new.is_nan() { f64::INFINITY } else { new });
        self.place = worst(self.place, distance);
        self.normal_deg = worst(self.normal_deg, turned);
        self.vertices += 1;
    }

    /// Whether both are within tolerance, and something was compared.
    pub fn passes(&self) -> bool {
        self.vertices > 0 && self.place <= PLACE_TOLERANCE && self.normal_deg <= NORMAL_TOLERANCE
    }
}

/// Angle between two normals, degrees, accurate for small angles. It is 180 if one of them is zero, 0 if both are.
fn angle(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    match (a.norm_squared() == 0.0, b.norm_squared() == 0.0) {
        (true, true) => 0.0,
        (false, false) => a.cross(b).norm().atan2(a.dot(b)).to_degrees(),
        _ => 180.0,
    }
}
