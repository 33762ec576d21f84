//! The intersection of a segment with the ruled surface of a moving line.

use crate::math::Vec3;

/// Where the line through two points that move straight from `begin` to `end` meets the segment from `p` to `q`, as a share of the segment's length. `None` where they do not meet, or where the result is not finite.
///
/// Line and segment are coplanar where the volume of the tetrahedron between them is zero. This volume is taken as quadratic in time. An even number of roots in the frame counts as no meeting.
pub(super) fn share_at_line([begin, end]: [[Vec3; 2]; 2], [p, q]: [Vec3; 2]) -> Option<f64> {
    let along = q - p;
    let at = |t: f64| [0, 1].map(|k| begin[k] + (end[k] - begin[k]) * t);
    let volume = |[u, v]: [Vec3; 2]| along.dot(&(u - p).cross(&(v - p)));
    let (first, last) = (volume(begin), volume(end));
    if (first > 0.0) == (last > 0.0) {
        return None;
    }
    let middle = volume(at(0.5));
    // a t² + b t + first
    let a = 2.0 * (first + last) - 4.0 * middle;
    let b = last - first - a;
    let roots = quadratic_roots(a, b, first);
    let distance_to_middle = |t: f64| (t - 0.5).abs();
    let time = match distance_to_middle(roots[0]) < distance_to_middle(roots[1]) {
        true => roots[0],
        false => roots[1],
    };
    let [u, v] = at(time);
    let across = along.cross(&(v - u));
    let share = (u - p).cross(&(v - u)).dot(&across) / across.norm_squared();
    share.is_finite().then_some(share)
}

/// The roots of `a t² + b t + c`, without cancellation. A pair that round-off has made complex counts as a double root; a root that does not exist is not finite.
pub(super) fn quadratic_roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    let q = -0.5 * (b + b.signum() * root);
    [q / a, c / q]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turning_line_meets_a_segment_where_it_is_at_that_time() {
        // the line goes down by 1 and turns about y; the segment lies across it at height -0.3
        let ends = |y: f64, tilt: f64| [Vec3::new(-1.0, y, -tilt), Vec3::new(1.0, y, tilt)];
        let [begin, end] = [ends(0.0, 0.4), ends(-1.0, -0.2)];
        for x in [-0.5, 0.0, 0.3] {
            let segment = [Vec3::new(x, -0.3, -2.0), Vec3::new(x, -0.3, 2.0)];
            let z = (0.4 - 0.6 * 0.3) * x;
            let share = share_at_line([begin, end], segment).expect("met");
            assert!((share - (z + 2.0) / 4.0).abs() < 1e-14, "{share}");
        }
        let beside = [Vec3::new(0.0, 0.1, -1.0), Vec3::new(0.0, 0.1, 1.0)];
        assert_eq!(share_at_line([begin, end], beside), None);
    }
}
