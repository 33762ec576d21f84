//! The plane in which a blade cut a cell.

use pliant_core::math::{Mat3, Vec3};

use crate::fracture::cells::CornerParts;

/// Root mean square distance from the plane, cells, beyond which points do not lie in a plane.
const MAX_THICKNESS: f64 = 0.1;
/// Root mean square extent, cells, below which points lie on a line.
const MIN_EXTENT: f64 = 0.05;
/// Sine of the angle between the plane and the skin below which a point does not slide along the skin into the plane.
const MIN_SINE: f64 = 0.3;

/// A plane through the points at which a blade cut the links of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    point: Vec3,
    /// unit
    normal: Vec3,
}

impl Plane {
    /// The least-squares plane of `places` (m) in a cell of edge `cell` (m). `None` if they lie on a line or not in a plane.
    pub fn fit(places: &[Vec3], cell: f64) -> Option<Self> {
        if places.len() < 3 {
            return None;
        }
        let share = 1.0 / places.len() as f64;
        let point = places.iter().sum::<Vec3>() * share;
        let mut spread = Mat3::zeros();
        for place in places {
            let off = (place - point) / cell;
            spread += off * off.transpose() * share;
        }
        let eigen = spread.symmetric_eigen();
        let thin = eigen.eigenvalues.imin();
        let normal = eigen.eigenvectors.column(thin).into_owned();
        let [a, b] = [(thin + 1) % 3, (thin + 2) % 3].map(|k| eigen.eigenvalues[k]);
        let flat = eigen.eigenvalues[thin] < MAX_THICKNESS * MAX_THICKNESS;
        let wide = a.min(b) > MIN_EXTENT * MIN_EXTENT;
        (flat && wide).then_some(Self { point, normal })
    }

    /// Distance on the side of the normal, m.
    pub fn height(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.point))
    }

    /// The side of the part of each corner, true above. A part may lie in the plane: the lowest part always counts as below, and the highest as above.
    pub fn sides(&self, corners: &[Vec3; 8], part: &CornerParts) -> [bool; 8] {
        let mean = |label: u8| {
            let own = (0..8).filter(|&b| part[b] == label);
            own.clone().map(|b| self.height(&corners[b])).sum::<f64>() / own.count().max(1) as f64
        };
        let heights: [f64; 8] = std::array::from_fn(|b| mean(part[b]));
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        heights.map(|height| height == highest || height > 0.0 && height != lowest)
    }

    /// The nearest point of the plane.
    pub fn nearest(&self, x: &Vec3) -> Vec3 {
        x - self.normal * self.height(x)
    }

    /// The component of a direction along the normal.
    pub fn across(&self, direction: &Vec3) -> Vec3 {
        self.normal * self.normal.dot(direction)
    }

    /// The unit normal on the side of `direction`.
    pub fn facing(&self, direction: &Vec3) -> Vec3 {
        match self.normal.dot(direction) < 0.0 {
            true => -self.normal,
            false => self.normal,
        }
    }

    /// The point in the plane that a point of the skin with the unit normal `normal` reaches along the skin. `None` if that is farther than `max_distance` (m), or if
    /// plane and skin are nearly parallel.
    pub fn slide(&self, x: &Vec3, normal: &Vec3, max_distance: f64) -> Option<Vec3> {
        let along = self.normal - normal * normal.dot(&self.normal);
        let steepness = along.norm_squared();
        let offset = along * (-self.height(x) / steepness);
        (steepness > MIN_SINE * MIN_SINE && offset.norm() < max_distance).then(|| x + offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_in_places_and_refused_in_a_line_or_a_ball() {
        let normal = Vec3::new(0.6, 0.0, 0.8);
        let (u, v) = (Vec3::y(), Vec3::new(0.8, 0.0, -0.6));
        let at = |a: f64, b: f64| Vec3::new(1.0, 2.0, 3.0) + u * a + v * b;
        let places = [at(0.0, 0.0), at(0.1, 0.0), at(0.03, 0.1), at(0.1, 0.1)];
        let plane = Plane::fit(&places, 0.1).expect("a plane");
        assert!(plane.facing(&normal).dot(&normal) > 1.0 - 1e-12);
        assert!(plane.facing(&-normal).dot(&normal) < -1.0 + 1e-12);
        let off = at(0.05, 0.05) + normal * 0.02;
        assert!((plane.height(&off).abs() - 0.02).abs() < 1e-12);
        assert!((plane.nearest(&off) - at(0.05, 0.05)).norm() < 1e-12);
        // along a skin that is across z
        let slid = plane.slide(&off, &Vec3::z(), 0.1).expect("near");
        assert!(plane.height(&slid).abs() < 1e-12 && (slid.z - off.z).abs() < 1e-12);
        assert_eq!(plane.slide(&off, &Vec3::z(), 0.01), None, "too far");
        assert_eq!(plane.slide(&off, &normal, 0.1), None, "parallel");
        let corners: [Vec3; 8] = std::array::from_fn(|b| {
            let step = |k: usize| 0.1 * (b >> k & 1) as f64;
            plane.nearest(&at(0.0, 0.0)) + u * step(0) + v * step(1) + normal * step(2)
        });
        // four corners in the plane, to round-off
        let sides = plane.sides(&corners, &[0, 0, 0, 0, 4, 4, 4, 4]);
        let up = plane.facing(&normal) == plane.normal;
        assert_eq!(
            sides,
            [0, 0, 0, 0, 1, 1, 1, 1].map(|above| (above == 1) == up)
        );
        let line = [0.0, 0.1, 0.2, 0.3].map(|a| at(a, 0.0));
        assert_eq!(Plane::fit(&line, 0.1), None);
        let ball = [
            Vec3::x(),
            Vec3::y(),
            Vec3::z(),
            -Vec3::x(),
            -Vec3::y(),
            -Vec3::z(),
        ];
        assert_eq!(Plane::fit(&ball.map(|x| x * 0.1), 0.1), None);
        assert_eq!(Plane::fit(&places[..2], 0.1), None);
    }
}
