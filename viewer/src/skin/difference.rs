//! How far a bent skin is from the one that it should be.

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
    /// Vertices against those of a frame: vertex `k` against vertex `source[k]`; `diagonal` is that of a body, m. A vertex that is not there or not
    /// finite is infinitely far away; where both skins say that a normal does not exist, they agree.
    pub fn between(
        bent: &[SkinnedVertex],
        source: &[u32],
        frame: &SurfaceFrame,
        diagonal: f64,
    ) -> Self {
        let mut all = Self::default();
        for (k, b) in bent.iter().enumerate() {
            let v = source.get(k).map_or(usize::MAX, |&v| v as usize);
            let wanted = frame.positions.get(v).zip(frame.normals.get(v));
            match wanted {
                Some((&place, &normal)) => all.add(b, &SkinnedVertex { place, normal }, diagonal),
                None => all.place = f64::INFINITY,
            }
        }
        all
    }

    /// Takes one vertex into account.
    pub fn add(&mut self, bent: &SkinnedVertex, wanted: &SkinnedVertex, diagonal: f64) {
        let wide = |v: [f32; 3]| Vector3::from(v.map(f64::from));
        let far = (wide(bent.place) - wide(wanted.place)).norm() / diagonal;
        let turned = angle(&wide(bent.normal), &wide(wanted.normal));
        let worst = |old: f64, new: f64| old.max(if new.is_nan() { f64::INFINITY } else { new });
        self.place = worst(self.place, far);
        self.normal_deg = worst(self.normal_deg, turned);
        self.vertices += 1;
    }

    /// Whether both are within tolerance, and something was compared.
    pub fn passes(&self) -> bool {
        self.vertices > 0 && self.place <= PLACE_TOLERANCE && self.normal_deg <= NORMAL_TOLERANCE
    }
}

/// Angle between two normals, degrees; exact also where it is tiny. Without one of them it is 180, without both 0.
fn angle(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    match (a.norm_squared() == 0.0, b.norm_squared() == 0.0) {
        (true, true) => 0.0,
        (false, false) => a.cross(b).norm().atan2(a.dot(b)).to_degrees(),
        _ => 180.0,
    }
}
