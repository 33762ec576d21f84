//! Cuts a triangle along those that cross it, into convex parts.

use pliant_core::math::Vec3;

/// A convex polygon in a triangle's plane.
pub(super) type Polygon = Vec<Vec3>;

/// No triangle is cut into more parts.
const MOST_PARTS: usize = 20_000;
/// A triangle whose corners are all within this share of its size of a plane lies in it.
const IN_PLANE: f64 = 1e-9;

/// The parts of `triangle` between the segments in which `cutters` cross it; `noise` (m) is no distance.
pub(super) fn parts_of(triangle: [Vec3; 3], cutters: &[[Vec3; 3]], noise: f64) -> Vec<Polygon> {
    let normal = unit_normal(&triangle);
    let mut parts = vec![triangle.to_vec()];
    for cutter in cutters {
        if parts.len() > MOST_PARTS {
            break;
        }
        let size = (cutter[1] - cutter[0]).amax() + (cutter[2] - cutter[0]).amax();
        let least = noise.max(IN_PLANE * size);
        let heights = cutter.map(|x| normal.dot(&(x - triangle[0])));
        let mut next = Vec::with_capacity(parts.len() + 2);
        if heights.iter().all(|h| h.abs() <= least) {
            for part in parts {
                cut_by_outline(part, cutter, &normal, noise, &mut next);
            }
        } else {
            let plane = unit_normal(cutter);
            let line = normal.cross(&plane);
            let segment = range_where_zero(cutter, &heights, &line);
            for part in parts {
                let heights = heights_of(&part, &cutter[0], &plane);
                let meets = segment.is_some_and(|(low, high)| {
                    range_where_zero(&part, &heights, &line)
                        .is_some_and(|(from, to)| from < high && low < to)
                });
                if meets {
                    let (above, below) = halves(&part, &heights, noise);
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

/// Whether `x` lies in a triangle, within `noise` (m) of its plane.
pub(super) fn covers(triangle: &[Vec3; 3], x: &Vec3, noise: f64) -> bool {
    let normal = unit_normal(triangle);
    normal.dot(&(x - triangle[0])).abs() <= noise
        && (0..3).all(|k| {
            let (p, q) = (triangle[k], triangle[(k + 1) % 3]);
            normal.cross(&(q - p)).dot(&(x - p)) >= 0.0
        })
}

fn unit_normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    let normal = (b - a).cross(&(c - a));
    normal.try_normalize(0.0).unwrap_or_else(Vec3::zeros)
}

fn heights_of(part: &[Vec3], origin: &Vec3, normal: &Vec3) -> Vec<f64> {
    part.iter().map(|x| normal.dot(&(x - origin))).collect()
}

/// Cuts a part along the sides of a triangle in its plane; what is outside of one side is not cut along the next.
fn cut_by_outline(
    part: Polygon,
    triangle: &[Vec3; 3],
    normal: &Vec3,
    noise: f64,
    out: &mut Vec<Polygon>,
) {
    let turn = unit_normal(triangle).dot(normal).signum();
    let outwards = |k: usize| {
        let along = triangle[(k + 1) % 3] - triangle[k];
        along.cross(normal).try_normalize(0.0).map(|n| n * turn)
    };
    // apart altogether: nothing to cut
    let is_apart = |k: usize| {
        let beyond = |n: Vec3| {
            heights_of(&part, &triangle[k], &n)
                .iter()
                .all(|h| *h >= -noise)
        };
        outwards(k).is_some_and(beyond)
    };
    if (0..3).any(is_apart) {
        out.push(part);
        return;
    }
    let mut left = Some(part);
    for (k, corner) in triangle.iter().enumerate() {
        let (Some(current), Some(outward)) = (left.take(), outwards(k)) else {
            break;
        };
        let heights = heights_of(&current, corner, &outward);
        let (outside, inside) = halves(&current, &heights, noise);
        out.extend(outside);
        left = inside;
    }
    out.extend(left);
}

/// Where a polygon of heights passes zero, as an interval along `line`.
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

/// The halves of a polygon above and below zero; a half without a corner beyond `noise` is none.
fn halves(polygon: &[Vec3], heights: &[f64], noise: f64) -> (Option<Polygon>, Option<Polygon>) {
    if heights.iter().all(|h| *h >= -noise) {
        return (Some(polygon.to_vec()), None);
    }
    if heights.iter().all(|h| *h <= noise) {
        return (None, Some(polygon.to_vec()));
    }
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for i in 0..polygon.len() {
        let j = (i + 1) % polygon.len();
        let (h, k) = (heights[i], heights[j]);
        if h >= -noise {
            above.push(polygon[i]);
        }
        if h <= noise {
            below.push(polygon[i]);
        }
        if (h > noise && k < -noise) || (h < -noise && k > noise) {
            let x = polygon[i] + (polygon[j] - polygon[i]) * (h / (h - k));
            above.push(x);
            below.push(x);
        }
    }
    let polygon = |part: Polygon| (part.len() > 2).then_some(part);
    (polygon(above), polygon(below))
}
