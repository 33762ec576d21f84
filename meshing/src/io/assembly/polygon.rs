//! Polygons into triangles.

use pliant_core::math::Vec3;

/// Most corners of a polygon that is cut by ear clipping, whose cost grows with their square.
pub(crate) const MAX_CLIPPED_CORNERS: usize = 2_000;

/// How a polygon becomes triangles, its number of corners less two, in its own orientation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cut {
    /// A fan around corner 0: the polygon is strictly convex.
    Fan,
    /// These positions in its list of corners.
    Ears(Vec<[usize; 3]>),
    /// Not convex, and more than [`MAX_CLIPPED_CORNERS`] corners.
    TooLong,
}

/// Cuts a polygon of `count` corners, three at least. Strictly convex ones become a fan, others are cut by ear clipping in their best-fit plane
/// (Newell's normal).
pub(crate) fn triangulate(count: usize, corner: impl Fn(usize) -> Vec3) -> Cut {
    let plane = Plane::of(count, &corner);
    let flat = |i: usize| plane.project(&corner(i % count));
    let turn = |a: usize, b: usize, c: usize| area(flat(a), flat(b), flat(c));
    let convex = (0..count).all(|i| turn(i, i + 1, i + 2) > 0.0);
    // in a star polygon every corner turns left too, but the fan then turns right somewhere
    if count <= 3 || (convex && (1..count - 1).all(|i| turn(0, i, i + 1) > 0.0)) {
        return Cut::Fan;
    }
    if count > MAX_CLIPPED_CORNERS {
        return Cut::TooLong;
    }
    let flat: Vec<[f64; 2]> = (0..count).map(flat).collect();
    Cut::Ears(clip_ears(&flat))
}

/// The coordinate plane that a polygon fills most of, seen from the side where it turns left.
struct Plane {
    origin: Vec3,
    axes: [usize; 2],
    mirror: f64,
}

impl Plane {
    fn of(count: usize, corner: &impl Fn(usize) -> Vec3) -> Self {
        let origin = if count > 0 { corner(0) } else { Vec3::zeros() };
        let mut normal = Vec3::zeros();
        for i in 0..count {
            let (a, b) = (corner(i), corner((i + 1) % count));
            normal += (a - origin).cross(&(b - origin));
        }
        let longest = normal.iamax();
        Self {
            origin,
            axes: [(longest + 1) % 3, (longest + 2) % 3],
            mirror: if normal[longest] < 0.0 { -1.0 } else { 1.0 },
        }
    }

    fn project(&self, x: &Vec3) -> [f64; 2] {
        let [u, v] = self.axes;
        [(x[u] - self.origin[u]) * self.mirror, x[v] - self.origin[v]]
    }
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
        // a self-crossing outline may have no ear: then the corner with the largest turning angle is cut off
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

    fn cut(corners: &[Vec3]) -> Vec<[usize; 3]> {
        match triangulate(corners.len(), |k| corners[k]) {
            Cut::Fan => (1..corners.len() - 1).map(|i| [0, i, i + 1]).collect(),
            Cut::Ears(ears) => ears,
            Cut::TooLong => Vec::new(),
        }
    }

    /// Area over y = 0, where no triangle may look down.
    fn covered(corners: &[Vec3]) -> f64 {
        let triangles = cut(corners);
        assert_eq!(triangles.len(), corners.len() - 2);
        let areas = triangles.iter().map(|t| {
            let [a, b, c] = t.map(|i| corners[i]);
            // signed, so that overlaps would not cancel
            let up = (b - a).cross(&(c - a)).y * 0.5;
            assert!(up > -1e-12, "every triangle has the polygon's orientation");
            up
        });
        areas.sum()
    }

    fn outline(points: &[(f64, f64)]) -> Vec<Vec3> {
        points.iter().map(|&(x, z)| Vec3::new(x, 7.0, z)).collect()
    }

    const L: [(f64, f64); 6] = [
        (0.0, 0.0),
        (0.0, 2.0),
        (1.0, 2.0),
        (1.0, 1.0),
        (2.0, 1.0),
        (2.0, 0.0),
    ];

    #[test]
    fn a_non_convex_polygon_is_covered_exactly_once() {
        // an L of area 3, counter-clockwise seen from +y
        for shift in 0..6 {
            let mut turned = outline(&L);
            turned.rotate_left(shift);
            assert!((covered(&turned) - 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_polygon_that_is_not_quite_flat_is_covered_once_seen_from_its_side() {
        for shift in 0..6 {
            let mut bent = outline(&L);
            for (k, p) in bent.iter_mut().enumerate() {
                p.y += 0.05 * (k as f64 * 2.3).sin();
            }
            bent.rotate_left(shift);
            assert!((covered(&bent) - 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn corners_on_a_straight_side_make_no_empty_triangle() {
        let corners = outline(&[(0.0, 0.0), (0.0, 1.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0)]);
        assert!((covered(&corners) - 4.0).abs() < 1e-12);
        for t in cut(&corners) {
            let [a, b, c] = t.map(|i| corners[i]);
            assert!((b - a).cross(&(c - a)).norm() > 0.5);
        }
    }

    #[test]
    fn a_hole_that_is_joined_by_a_slit_stays_open_and_doubled_corners_do_no_harm() {
        // a square of side 4 with a square hole of side 2, reached and left along one slit
        let keyhole = outline(&[
            (0.0, 0.0),
            (0.0, 4.0),
            (4.0, 4.0),
            (4.0, 0.0),
            (0.0, 0.0),
            (1.0, 1.0),
            (3.0, 1.0),
            (3.0, 3.0),
            (1.0, 3.0),
            (1.0, 1.0),
        ]);
        let mut doubled = outline(&L);
        doubled.insert(2, doubled[2]);
        doubled.push(doubled[0]);
        for (corners, expected) in [(keyhole, 12.0), (doubled, 3.0)] {
            for shift in 0..corners.len() {
                let mut turned = corners.clone();
                turned.rotate_left(shift);
                let area = covered(&turned);
                assert!((area - expected).abs() < 1e-12, "{area} at {shift}");
            }
        }
    }

    #[test]
    fn crossing_and_flat_outlines_still_give_count_minus_two() {
        let bowtie = [Vec3::zeros(), Vec3::x() + Vec3::z(), Vec3::x(), Vec3::z()];
        assert_eq!(cut(&bowtie).len(), 2);
        assert_eq!(cut(&[Vec3::zeros(); 5]).len(), 3);
        let flat = triangulate(5_000, |_| Vec3::zeros());
        assert_eq!(flat, Cut::TooLong);
    }
}
