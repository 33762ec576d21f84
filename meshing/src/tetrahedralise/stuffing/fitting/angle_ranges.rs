//! Ranges of dihedral angles that hold while nodes move, and how close a tetrahedron is to their ends.

use pliant_core::math::Vec3;

/// Dihedral angles kept at matched nodes, degrees.
pub const MATCHED_RANGE: (f64, f64) = (5.0, 170.0);

/// Dihedral angles that fitting must keep, degrees (the second bound of Labelle and Shewchuk 2007 below, the first above).
pub const ANGLE_RANGE: (f64, f64) = (8.9, 164.8);

/// The narrower range kept where walls were not thickened, degrees. It gives better tetrahedra and costs little distance.
pub const FIT_RANGE: (f64, f64) = (12.0, 156.0);

/// Matching may leave the boundary half as far from the surface as the feature was, clamped to the range of these two
/// shares of the mean edge.
pub const ACCEPTABLE_DISTANCE: (f64, f64) = (0.15, 0.3);

/// Upper bound of the badness of a tetrahedron with positive volume.
const MAX_BADNESS: f64 = 1e6;

/// A range of dihedral angles.
#[derive(Debug, Clone, Copy)]
pub struct AngleRange {
    /// sines of the smallest and of the largest angle
    sines: [f64; 2],
}

impl AngleRange {
    /// The range between the `smallest` angle (below 90) and the `largest` one (above 90), degrees.
    pub fn of((smallest, largest): (f64, f64)) -> Self {
        Self {
            sines: [smallest, largest].map(|angle| angle.to_radians().sin()),
        }
    }

    /// How close a tetrahedron is to the ends of the range: the sine of the range's end over that of the angle, for the worst
    /// angle. It is below 1 inside the range and above 1 outside. Without a positive volume it is at least a million, and
    /// grows with the share of negative volume.
    ///
    /// The angle between the faces opposite corners i and j has the cosine `-g_i · g_j / (|g_i| |g_j|)` with the gradients g
    /// of the barycentric coordinates.
    pub fn badness(&self, [a, b, c, d]: [Vec3; 4]) -> f64 {
        let (u, v, w) = (b - a, c - a, d - a);
        let (g1, g2, g3) = (v.cross(&w), w.cross(&u), u.cross(&v));
        let volume = u.dot(&g1);
        // a NaN counts as inverted
        if volume.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            let size = u.norm_squared() + v.norm_squared() + w.norm_squared();
            let share = -volume / (size * size.sqrt());
            return if share.is_finite() {
                MAX_BADNESS * (1.0 + share)
            } else {
                2.0 * MAX_BADNESS
            };
        }
        let g = [-(g1 + g2 + g3), g1, g2, g3];
        let inverse = g.map(|x| 1.0 / x.norm());
        let (mut lowest, mut highest) = (0.0_f64, 0.0_f64);
        for i in 0..3 {
            for j in i + 1..4 {
                let cosine = -g[i].dot(&g[j]) * inverse[i] * inverse[j];
                lowest = lowest.min(cosine);
                highest = highest.max(cosine);
            }
        }
        let over = |sine: f64, cosine: f64| sine / (1.0 - cosine * cosine).max(0.0).sqrt();
        let worst = over(self.sines[0], highest).max(over(self.sines[1], lowest));
        worst.min(MAX_BADNESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::quality::dihedral_range;

    #[test]
    fn badness_agrees_with_the_angles() {
        let limits = AngleRange::of((30.0, 120.0));
        for k in 0..300 {
            let t = k as f64;
            let point = |s: f64| {
                Vec3::new(
                    (t * 0.7 + s).sin(),
                    (t * 1.3 + 2.0 * s).cos(),
                    (t + 5.0 * s).sin(),
                )
            };
            let mut corners = [point(0.0), point(1.0), point(2.0), point(3.1)];
            let [a, b, c, d] = corners;
            if (b - a).dot(&(c - a).cross(&(d - a))) < 0.0 {
                assert!(limits.badness(corners) >= MAX_BADNESS);
                corners.swap(0, 1);
            }
            let (low, high) = dihedral_range(corners);
            assert_eq!(limits.badness(corners) < 1.0, low > 30.0 && high < 120.0);
        }
    }
}
