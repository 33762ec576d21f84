//! How far apart two deformations of one skin are.

/// Distance between two frames of the same skin, vertex by vertex.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SurfaceDistance {
    /// Area-weighted root mean square, m.
    pub rms: f64,
    /// Largest, m.
    pub max: f64,
}

/// Area-weighted distance between two lists of positions, m; `areas` are the nodal areas at rest, m².
pub fn surface_distance(a: &[[f32; 3]], b: &[[f32; 3]], areas: &[f64]) -> SurfaceDistance {
    let (mut sum, mut area, mut max) = (0.0, 0.0, 0.0_f64);
    for ((p, q), w) in a.iter().zip(b).zip(areas) {
        let d2: f64 = (0..3).map(|k| f64::from(p[k] - q[k]).powi(2)).sum();
        sum += w * d2;
        area += w;
        max = max.max(d2);
    }
    SurfaceDistance {
        rms: if area > 0.0 { (sum / area).sqrt() } else { 0.0 },
        max: max.sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_its_own_distance() {
        let skin = |dx: f32| [[0.0, 0.0, 0.0], [dx, 1.0, 0.0]];
        let d = surface_distance(&skin(0.0), &skin(0.5), &[3.0, 1.0]);
        assert_eq!(d.max, 0.5);
        assert!((d.rms - 0.25).abs() < 1e-12);
    }
}
