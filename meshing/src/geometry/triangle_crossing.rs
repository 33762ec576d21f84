//! Do two triangles cross?

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

/// Whether two triangles have more than a point in common: they cross along a segment, or overlap in one plane.
///
/// Möller's interval test (1997): each triangle meets the other's plane in an interval of the common line, and the two intervals must overlap.
/// Signs are those of the floating-point determinants; values within round-off count as zero. Touching in a point or edge to edge is no crossing;
/// an edge that lies in the other triangle is one.
pub(crate) fn cross(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let Some(sides_of_a) = sides(a, b) else {
        return false;
    };
    let Some(sides_of_b) = sides(b, a) else {
        return false;
    };
    if all(sides_of_a, |s| s == 0.0) || all(sides_of_b, |s| s == 0.0) {
        return overlap_in_plane(a, b);
    }
    let apart = |s: [f64; 3]| all(s, |x| x > 0.0) || all(s, |x| x < 0.0);
    if apart(sides_of_a) || apart(sides_of_b) {
        return false;
    }
    // two edges on one line: a seam that is not joined, but no crossing
    let edge_in_plane = |s: [f64; 3]| s.iter().filter(|x| **x == 0.0).count() == 2;
    if edge_in_plane(sides_of_a) && edge_in_plane(sides_of_b) {
        return false;
    }
    let line = normal(a).cross(&normal(b));
    let (Some((p, q)), Some((r, s))) = (
        interval(a, sides_of_a, &line, &a[0]),
        interval(b, sides_of_b, &line, &a[0]),
    ) else {
        return false;
    };
    let size = extent(a).max(extent(b)) * line.amax();
    p.max(r) + 1e-12 * size < q.min(s)
}

fn all(s: [f64; 3], test: impl Fn(f64) -> bool) -> bool {
    s.into_iter().all(test)
}

fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a))
}

/// Unit normal of a triangle, zero without area.
pub(crate) fn unit_normal(triangle: [Vec3; 3]) -> Vec3 {
    normal(triangle).try_normalize(0.0).unwrap_or_default()
}

fn extent(t: [Vec3; 3]) -> f64 {
    Aabb::of_points(&t).size().amax()
}

/// Signed distances of `t`'s corners from the plane of `base`, scaled by the length of its normal. Those within round-off are set to zero. `None` if `base`
/// has no plane.
fn sides(t: [Vec3; 3], base: [Vec3; 3]) -> Option<[f64; 3]> {
    let n = normal(base);
    if n.norm_squared() == 0.0 {
        return None;
    }
    let scale = base.iter().chain(&t).map(|x| (x - base[0]).amax());
    let scale = scale.fold(0.0, f64::max);
    let noise = 1e-14 * scale * extent(base) * extent(base);
    Some(t.map(|x| {
        let height = n.dot(&(x - base[0]));
        if height.abs() <= noise { 0.0 } else { height }
    }))
}

/// Where the triangle meets the other's plane, as an interval along `line` measured from `origin`; `None` if in one point or nowhere.
fn interval(t: [Vec3; 3], sides: [f64; 3], line: &Vec3, origin: &Vec3) -> Option<(f64, f64)> {
    let mut range: Option<(f64, f64)> = None;
    let mut add = |x: f64| {
        range = Some(range.map_or((x, x), |(low, high)| (low.min(x), high.max(x))));
    };
    let along = t.map(|x| line.dot(&(x - origin)));
    for i in 0..3 {
        let j = (i + 1) % 3;
        if sides[i] == 0.0 {
            add(along[i]);
        }
        if sides[i] * sides[j] < 0.0 {
            let share = sides[i] / (sides[i] - sides[j]);
            add(along[i] + (along[j] - along[i]) * share);
        }
    }
    range.filter(|(low, high)| low < high)
}

/// Whether two triangles of one plane overlap in an area: no side of either separates them.
fn overlap_in_plane(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let n = normal(a);
    let (u, v) = match n.iamax() {
        0 => (1, 2),
        1 => (2, 0),
        _ => (0, 1),
    };
    let origin = a[0];
    let flat = |t: [Vec3; 3]| t.map(|x| [x[u] - origin[u], x[v] - origin[v]]);
    let (a, b) = (flat(a), flat(b));
    let turn = |p: [f64; 2], q: [f64; 2], x: [f64; 2]| {
        (q[0] - p[0]) * (x[1] - p[1]) - (q[1] - p[1]) * (x[0] - p[0])
    };
    let separates = |t: [[f64; 2]; 3], other: [[f64; 2]; 3]| {
        let area = turn(t[0], t[1], t[2]);
        let noise = 1e-12 * area.abs();
        (0..3).any(|i| {
            other
                .iter()
                .all(|x| turn(t[i], t[(i + 1) % 3], *x) * area.signum() <= noise)
        })
    };
    !separates(a, b) && !separates(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(points: [[f64; 3]; 3]) -> [Vec3; 3] {
        points.map(Vec3::from)
    }

    #[test]
    fn crossing_touching_and_apart() {
        let base = triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]]);
        for (other, expected) in [
            // through the middle
            ([[1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 2.0]], true),
            // an edge in the plane, inside
            ([[1.0, 0.0, 1.0], [1.0, 0.0, 2.0], [1.0, 1.0, 1.0]], true),
            // a corner in the plane, inside
            ([[1.0, 0.0, 1.0], [1.0, 1.0, 2.0], [1.0, 1.0, 1.0]], false),
            // edge on edge, in part
            ([[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, 1.0, 1.0]], false),
            // above
            ([[1.0, 1e-9, 1.0], [1.0, 1.0, 2.0], [1.0, 1.0, 1.0]], false),
            // through the plane, outside
            ([[3.0, -1.0, 3.0], [3.0, 1.0, 3.0], [3.0, 1.0, 4.0]], false),
            // coplanar: overlapping, inside, side by side, apart
            ([[1.0, 0.0, 1.0], [5.0, 0.0, 1.0], [1.0, 0.0, 5.0]], true),
            ([[1.0, 0.0, 1.0], [1.5, 0.0, 1.0], [1.0, 0.0, 1.5]], true),
            ([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, -4.0]], false),
            (
                [[0.0, 0.0, -1.0], [4.0, 0.0, -1.0], [0.0, 0.0, -4.0]],
                false,
            ),
        ] {
            for scale in [1.0, 1e-9, 1e9] {
                let a = base.map(|x| x * scale);
                let b = triangle(other).map(|x| x * scale);
                for k in 0..3 {
                    let turned = [b[k], b[(k + 1) % 3], b[(k + 2) % 3]];
                    assert_eq!(cross(a, turned), expected, "{other:?} at {scale}");
                    assert_eq!(cross(turned, a), expected, "{other:?} at {scale}");
                }
            }
        }
    }
}
