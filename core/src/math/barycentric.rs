//! Barycentric coordinates of triangles and tetrahedra, and closest points of segments and triangles.

use super::Vec3;

/// Barycentric coordinates of `point` in the tetrahedron `corners`.
///
/// They sum to one and reproduce the point exactly, also outside the tetrahedron. `None` for a tetrahedron without volume.
pub fn tetrahedron_weights(point: &Vec3, corners: [Vec3; 4]) -> Option<[f64; 4]> {
    let [a, b, c, d] = corners;
    let (e1, e2, e3) = (b - a, c - a, d - a);
    let volume = e1.dot(&e2.cross(&e3));
    if volume == 0.0 || !volume.is_finite() {
        return None;
    }
    let r = point - a;
    let w1 = r.dot(&e2.cross(&e3)) / volume;
    let w2 = e1.dot(&r.cross(&e3)) / volume;
    let w3 = e1.dot(&e2.cross(&r)) / volume;
    Some([1.0 - w1 - w2 - w3, w1, w2, w3])
}

/// Where the segment from `a` to `b` is closest to `point`, as a share of its length from `a`; 0 for one without a length.
pub fn closest_share_on_segment(point: &Vec3, [a, b]: [Vec3; 2]) -> f64 {
    let along = b - a;
    match along.norm_squared() {
        squared if squared > 0.0 => ((point - a).dot(&along) / squared).clamp(0.0, 1.0),
        _ => 0.0,
    }
}

/// Closest point of the triangle `corners` to `point`: the point and its barycentric coordinates.
///
/// Works for degenerate triangles too (it then returns a point of the longest edge).
/// The case analysis is the one of Ericson, *Real-Time Collision Detection*, section 5.1.5.
pub fn closest_point_on_triangle(point: &Vec3, corners: [Vec3; 3]) -> (Vec3, [f64; 3]) {
    let [a, b, c] = corners;
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, [1.0, 0.0, 0.0]);
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, [0.0, 1.0, 0.0]);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3);
        return (a + ab * v, [1.0 - v, v, 0.0]);
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, [0.0, 0.0, 1.0]);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6);
        return (a + ac * w, [1.0 - w, 0.0, w]);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (b + (c - b) * w, [0.0, 1.0 - w, w]);
    }
    let denominator = 1.0 / (va + vb + vc);
    let (v, w) = (vb * denominator, vc * denominator);
    (a + ab * v + ac * w, [1.0 - v - w, v, w])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tetrahedron_weights_reproduce_any_point() {
        let corners = [
            Vec3::new(0.1, 0.0, 0.0),
            Vec3::new(1.0, 0.2, 0.0),
            Vec3::new(0.0, 1.0, 0.3),
            Vec3::new(0.2, 0.1, 1.1),
        ];
        for point in [Vec3::new(0.3, 0.2, 0.1), Vec3::new(-2.0, 5.0, 1.0)] {
            let weights = tetrahedron_weights(&point, corners).expect("volume");
            let back: Vec3 = corners.iter().zip(weights).map(|(x, w)| x * w).sum();
            assert!((back - point).norm() < 1e-12);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        assert!(tetrahedron_weights(&Vec3::zeros(), [Vec3::zeros(); 4]).is_none());
    }

    #[test]
    fn no_point_of_a_dense_sampling_is_nearer_than_the_closest_point() {
        let corners = [
            Vec3::zeros(),
            Vec3::new(1.0, 0.0, 0.2),
            Vec3::new(0.3, 0.9, 0.0),
        ];
        for k in 0..200 {
            let t = k as f64;
            let point = Vec3::new((t * 0.71).sin(), (t * 1.3).cos(), (t * 0.37).sin()) * 1.5;
            let (closest, weights) = closest_point_on_triangle(&point, corners);
            let rebuilt: Vec3 = corners.iter().zip(weights).map(|(x, w)| x * w).sum();
            assert!((rebuilt - closest).norm() < 1e-12);
            let mut best = f64::INFINITY;
            for i in 0..=40 {
                for j in 0..=(40 - i) {
                    let (v, w) = (i as f64 / 40.0, j as f64 / 40.0);
                    let q = corners[0] * (1.0 - v - w) + corners[1] * v + corners[2] * w;
                    best = best.min((q - point).norm());
                }
            }
            assert!((closest - point).norm() <= best + 1e-12);
        }
    }
}
