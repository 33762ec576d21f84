//! Cuts a triangle along those that cross it, into convex parts.

use pliant_core::math::Vec3;

use crate::geometry::triangle_crossing::unit_normal;

/// A convex polygon in a triangle's plane.
pub(super) type Polygon = Vec<Vec3>;

/// No triangle is cut into more parts.
const MAX_PARTS: usize = 20_000;
/// A triangle whose corners are all within this share of its size of a plane lies in it.
const COPLANARITY_TOLERANCE: f64 = 1e-9;

/// The parts of `triangle` between the segments in which `cutters` cross it; distances below `tolerance` (m) count as zero.
pub(super) fn parts_of(triangle: [Vec3; 3], cutters: &[[Vec3; 3]], tolerance: f64) -> Vec<Polygon> {
    let normal = unit_normal(triangle);
    let mut parts = vec![triangle.to_vec()];
    for cutter in cutters {
        if parts.len() > MAX_PARTS {
            break;
        }
        let size = (cutter[1] - cutter[0]).amax() + (cutter[2] - cutter[0]).amax();
        let plane_tolerance = tolerance.max(COPLANARITY_TOLERANCE * size);
        let heights = cutter.map(|x| normal.dot(&(x - triangle[0])));
        let mut next = Vec::with_capacity(parts.len() + 2);
        if heights.iter().all(|h| h.abs() <= plane_tolerance) {
            for part in parts {
                cut_by_outline(part, cutter, &normal, tolerance, &mut next);
            }
        } else {
            let plane = unit_normal(*cutter);
            let line = normal.cross(&plane);
            let segment = range_where_zero(cutter, &heights, &line);
            for part in parts {
                let heights = heights_of(&part, &cutter[0], &plane);
                let meets = segment.is_some_and(|(low, high)| {
                    range_where_zero(&part, &heights, &line)
                        .is_some_and(|(from, to)| from < high && low < to)
                });
                if meets {
                    let (above, below) = halves(&part, &heights, tolerance);
                    next.extend(above.into_iter().chain(below));
                } else {
                    next.push(part);
                }
            }
        }
        parts = next;
    }
    parts
}

/// Whether `x` lies in a triangle, within `tolerance` (m) of its plane.
pub(super) fn covers(triangle: &[Vec3; 3], x: &Vec3, tolerance: f64) -> bool {
    let normal = unit_normal(*triangle);
    normal.dot(&(x - triangle[0])).abs() <= tolerance
        && (0..3).all(|k| {
            let (p, q) = (triangle[k], triangle[(k + 1) % 3]);
            normal.cross(&(q - p)).dot(&(x - p)) >= 0.0
        })
}

fn heights_of(part: &[Vec3], origin: &Vec3, normal: &Vec3) -> Vec<f64> {
    part.iter().map(|x| normal.dot(&(x - origin))).collect()
}

/// Cuts a part along the sides of a coplanar triangle. What is outside of one side is not cut along the next.
fn cut_by_outline(
    part: Polygon,
    triangle: &[Vec3; 3],
    normal: &Vec3,
    tolerance: f64,
    out: &mut Vec<Polygon>,
) {
    let orientation = unit_normal(*triangle).dot(normal).signum();
    let outwards = |k: usize| {
        let along = triangle[(k + 1) % 3] - triangle[k];
        along
            .cross(normal)
            .try_normalize(0.0)
            .map(|n| n * orientation)
    };
    // the triangle does not overlap the part
    let is_apart = |k: usize| {
        let beyond = |n: Vec3| {
            heights_of(&part, &triangle[k], &n)
                .iter()
                .all(|h| *h >= -tolerance)
        };
        outwards(k).is_some_and(beyond)
    };
    if (0..3).any(is_apart) {
        out.push(part);
        return;
    }
    let mut remaining = Some(part);
    for (k, corner) in triangle.iter().enumerate() {
        let (Some(current), Some(outward)) = (remaining.take(), outwards(k)) else {
            break;
        };
        let heights = heights_of(&current, corner, &outward);
        let (outside, inside) = halves(&current, &heights, tolerance);
        out.extend(outside);
        remaining = inside;
    }
    out.extend(remaining);
}

/// Where the heights at the corners of a polygon pass zero, as an interval along `line`.
fn range_where_zero(polygon: &[Vec3], heights: &[f64], line: &Vec3) -> Option<(f64, f64)> {
    let mut range: Option<(f64, f64)> = None;
    for i in 0..polygon.len() {
        let j = (i + 1) % polygon.len();
        let (h, k) = (heights[i], heights[j]);
        let at = if h == 0.0 {
            polygon[i]
        } else if h * k < 0.0 {
            polygon[i] + (polygon[j] - polygon[i]) * (h / (h - k))
        } else {
            continue;
        };
        let x = line.dot(&at);
        range = Some(range.map_or((x, x), |(low, high)| (low.min(x), high.max(x))));
    }
    range
}

/// The halves of a polygon with heights above and below zero. `None` for a half without a corner beyond `tolerance`.
fn halves(polygon: &[Vec3], heights: &[f64], tolerance: f64) -> (Option<Polygon>, Option<Polygon>) {
    if heights.iter().all(|h| *h >= -tolerance) {
        return (Some(polygon.to_vec()), None);
    }
    if heights.iter().all(|h| *h <= tolerance) {
        return (None, Some(polygon.to_vec()));
    }
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for i in 0..polygon.len() {
        let j = (i + 1) % polygon.len();
        let (h, k) = (heights[i], heights[j]);
        if h >= -tolerance {
            above.push(polygon[i]);
        }
        if h <= tolerance {
            below.push(polygon[i]);
        }
        if (h > tolerance && k < -tolerance) || (h < -tolerance && k > tolerance) {
            let x = polygon[i] + (polygon[j] - polygon[i]) * (h / (h - k));
            above.push(x);
            below.push(x);
        }
    }
    let polygon = |part: Polygon| (part.len() > 2).then_some(part);
    (polygon(above), polygon(below))
}
