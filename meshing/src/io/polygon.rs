//! Polygons into triangles.

use pliant_core::math::Vec3;

/// More corners than this are not clipped (the cost grows with their square).
pub(super) const LONGEST_CLIPPED: usize = 2_000;

/// Triangles of a polygon as positions in its corner list, `corners.len() - 2` of them in the polygon's own orientation.
///
/// Strictly convex polygons become a fan around corner 0, others are cut by ear clipping in their best-fit plane
/// (Newell's normal). `None` for a polygon that is not convex and has more than [`LONGEST_CLIPPED`] corners.
pub(super) fn triangulate(corners: &[Vec3]) -> Option<Vec<[usize; 3]>> {
    let count = corners.len();
    let flat = project(corners);
    let turn = |a: usize, b: usize, c: usize| area(flat[a], flat[b], flat[c]);
    let convex = (0..count).all(|i| turn(i, (i + 1) % count, (i + 2) % count) > 0.0);
    let fan = || {
        (1..count.saturating_sub(1))
            .map(|i| [0, i, i + 1])
            .collect()
    };
    // in a star polygon every corner turns left too, but the fan then turns right somewhere
    if count <= 3 || (convex && (1..count - 1).all(|i| turn(0, i, i + 1) > 0.0)) {
        return Some(fan());
    }
    (count <= LONGEST_CLIPPED).then(|| clip_ears(&flat))
}

/// Corners in the plane of Newell's normal, counter-clockwise.
fn project(corners: &[Vec3]) -> Vec<[f64; 2]> {
    let Some(&origin) = corners.first() else {
        return Vec::new();
    };
    let mut normal = Vec3::zeros();
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        normal += (a - origin).cross(&(b - origin));
    }
    let (u, v) = match normal.iamax() {
        0 => (1, 2),
        1 => (2, 0),
        _ => (0, 1),
    };
    let mirror = if normal[normal.iamax()] < 0.0 {
        -1.0
    } else {
        1.0
    };
    corners
        .iter()
        .map(|x| [(x[u] - origin[u]) * mirror, x[v] - origin[v]])
        .collect()
}

/// Twice the signed area.
fn area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn clip_ears(flat: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let mut ring: Vec<usize> = (0..flat.len()).collect();
    let mut triangles = Vec::with_capacity(flat.len() - 2);
    let mut start = 0;
    while ring.len() > 3 {
        let n = ring.len();
        let corner = |i: usize| [ring[(i + n - 1) % n], ring[i % n], ring[(i + 1) % n]];
        let signed = |i: usize| {
            let [a, b, c] = corner(i);
            area(flat[a], flat[b], flat[c])
        };
        // a self-crossing outline may have no ear: then the corner with the largest turn goes
        let ear = (start..start + n)
            .find(|&i| signed(i) > 0.0 && is_empty(flat, &ring, corner(i)))
            .unwrap_or_else(|| {
                (0..n)
                    .max_by(|&i, &j| signed(i).total_cmp(&signed(j)).then(j.cmp(&i)))
                    .unwrap_or(0)
            })
            % n;
        triangles.push(corner(ear));
        ring.remove(ear);
        start = ear;
    }
    triangles.push([ring[0], ring[1], ring[2]]);
    triangles
}

/// Whether no other corner of the ring lies in the triangle; corners at the place of one of its own do not count.
fn is_empty(flat: &[[f64; 2]], ring: &[usize], triangle: [usize; 3]) -> bool {
    let [a, b, c] = triangle.map(|i| flat[i]);
    ring.iter().all(|&i| {
        let p = flat[i];
        p == a
            || p == b
            || p == c
            || area(a, b, p) < 0.0
            || area(b, c, p) < 0.0
            || area(c, a, p) < 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(corners: &[Vec3]) -> f64 {
        triangulate(corners)
            .expect("short")
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| corners[i]);
                // signed in the plane y = 0, so that overlaps would not cancel
                let up = (b - a).cross(&(c - a)).y * 0.5;
                assert!(up > 0.0, "every triangle has the polygon's orientation");
                up
            })
            .sum()
    }

    #[test]
    fn a_non_convex_polygon_is_covered_exactly_once() {
        // an L of area 3, counter-clockwise seen from +y
        let outline = [(0, 0), (0, 2), (1, 2), (1, 1), (2, 1), (2, 0)];
        let corners: Vec<Vec3> = outline
            .iter()
            .map(|&(x, z)| Vec3::new(f64::from(x), 7.0, f64::from(z)))
            .collect();
        for shift in 0..6 {
            let mut turned = corners.clone();
            turned.rotate_left(shift);
            assert!((covered(&turned) - 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn corners_on_a_straight_side_make_no_empty_triangle() {
        let outline = [(0, 0), (0, 1), (0, 2), (2, 2), (2, 0)];
        let corners: Vec<Vec3> = outline
            .iter()
            .map(|&(x, z)| Vec3::new(f64::from(x), 0.0, f64::from(z)))
            .collect();
        assert!((covered(&corners) - 4.0).abs() < 1e-12);
    }

    #[test]
    fn crossing_and_flat_outlines_still_give_count_minus_two() {
        let bowtie = [Vec3::zeros(), Vec3::x() + Vec3::z(), Vec3::x(), Vec3::z()];
        assert_eq!(triangulate(&bowtie).map(|t| t.len()), Some(2));
        assert_eq!(triangulate(&[Vec3::zeros(); 5]).map(|t| t.len()), Some(3));
        assert_eq!(triangulate(&vec![Vec3::zeros(); 5_000]), None);
    }
}
