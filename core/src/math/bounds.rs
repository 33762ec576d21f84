//! Axis-aligned boxes and rays.

use super::Vec3;

/// Axis-aligned box, metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
}

impl Default for Aabb {
    /// [`Aabb::empty`].
    fn default() -> Self {
        Self::empty()
    }
}

impl Aabb {
    /// The box that contains nothing. Growing it by a point gives that point.
    #[inline]
    pub fn empty() -> Self {
        Self {
            min: Vec3::repeat(f64::INFINITY),
            max: Vec3::repeat(f64::NEG_INFINITY),
        }
    }

    /// The box with these smallest and largest coordinates.
    pub fn of_corners(min: [f64; 3], max: [f64; 3]) -> Self {
        Self {
            min: min.into(),
            max: max.into(),
        }
    }

    /// The smallest box around `points`; [`Aabb::empty`] when there are none.
    #[inline]
    pub fn of_points<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Self {
        let mut bounds = Self::empty();
        for point in points {
            bounds.grow(point);
        }
        bounds
    }

    /// Extends the box to contain `point`.
    #[inline]
    pub fn grow(&mut self, point: &Vec3) {
        self.min = self.min.inf(point);
        self.max = self.max.sup(point);
    }

    /// The smallest box around both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.inf(&other.min),
            max: self.max.sup(&other.max),
        }
    }

    /// The box moved outwards by `margin` on every side.
    #[inline]
    pub fn inflated(&self, margin: f64) -> Self {
        Self {
            min: self.min.add_scalar(-margin),
            max: self.max.add_scalar(margin),
        }
    }

    /// Whether nothing is inside.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| self.min[axis] > self.max[axis])
    }

    /// Whether `point` is inside or on the border.
    #[inline]
    pub fn contains(&self, point: &Vec3) -> bool {
        (0..3).all(|axis| point[axis] >= self.min[axis] && point[axis] <= self.max[axis])
    }

    /// Whether the two boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Whether the convex hull of four points shares a point with the box: no axis separates them, neither a normal of their faces nor one across an edge of each (Gottschalk, Lin, Manocha 1996). The points may
    /// lie in a plane or on a line. False where a number is not finite.
    pub fn overlaps_hull(&self, points: &[Vec3; 4]) -> bool {
        let (center, half) = (self.center(), self.size() * 0.5);
        let [a, b, c, d] = points.map(|x| x - center);
        let touches = |axis: Vec3| {
            let along = [a, b, c, d].map(|x| axis.dot(&x));
            let least = along.into_iter().fold(f64::INFINITY, f64::min);
            let most = along.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let reach = axis.abs().dot(&half);
            least <= reach && most >= -reach
        };
        let edges = [b - a, c - a, d - a, c - b, d - b, d - c];
        let faces = [(0, 1), (0, 2), (1, 2), (3, 4)];
        let units = [Vec3::x(), Vec3::y(), Vec3::z()];
        let across = |edge: &Vec3| units.iter().all(|unit| touches(edge.cross(unit)));
        let is_finite = points.iter().flatten().all(|x| x.is_finite());
        is_finite
            && units.into_iter().all(touches)
            && faces
                .iter()
                .all(|&(j, k)| touches(edges[j].cross(&edges[k])))
            && edges.iter().all(across)
    }

    /// Centre of the box.
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Edge lengths.
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Length of the space diagonal; 0 for an empty box.
    pub fn diagonal(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            self.size().norm()
        }
    }

    /// Squared distance from `point` to the box, 0 inside.
    pub fn distance_squared(&self, point: &Vec3) -> f64 {
        (0..3)
            .map(|axis| {
                let d = (self.min[axis] - point[axis])
                    .max(point[axis] - self.max[axis])
                    .max(0.0);
                d * d
            })
            .sum()
    }

    /// Parameters `(enter, leave)` at which `ray` crosses the box, or `None` when it misses.
    pub fn intersect_ray(&self, ray: &Ray) -> Option<(f64, f64)> {
        let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let inverse = 1.0 / ray.direction[axis];
            let a = (self.min[axis] - ray.origin[axis]) * inverse;
            let b = (self.max[axis] - ray.origin[axis]) * inverse;
            if a.is_nan() || b.is_nan() {
                // parallel to the slab and exactly on one of its planes
                continue;
            }
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        (enter <= leave).then_some((enter, leave))
    }
}

/// A half-line in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Start point, m.
    pub origin: Vec3,
    /// Direction; need not be of unit length, parameters are multiples of it.
    pub direction: Vec3,
}

impl Ray {
    /// Point at parameter `t`.
    pub fn at(&self, t: f64) -> Vec3 {
        self.origin + self.direction * t
    }

    /// Möller–Trumbore intersection with a triangle: `(t, [b0, b1, b2])` or `None`.
    pub fn intersect_triangle(&self, corners: [Vec3; 3]) -> Option<(f64, [f64; 3])> {
        let [a, b, c] = corners;
        let (e1, e2) = (b - a, c - a);
        let p = self.direction.cross(&e2);
        let determinant = e1.dot(&p);
        if determinant.abs() < f64::MIN_POSITIVE {
            return None;
        }
        let inverse = 1.0 / determinant;
        let s = self.origin - a;
        let u = s.dot(&p) * inverse;
        let q = s.cross(&e1);
        let v = self.direction.dot(&q) * inverse;
        let t = e2.dot(&q) * inverse;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some((t, [1.0 - u - v, u, v]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_down_the_y_axis_hits_the_unit_triangle_at_its_height() {
        let ray = Ray {
            origin: Vec3::new(0.25, 2.0, 0.25),
            direction: Vec3::new(0.0, -1.0, 0.0),
        };
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::z()];
        let (t, weights) = ray.intersect_triangle(corners).expect("hit");
        assert_eq!(t, 2.0);
        assert_eq!(weights, [0.5, 0.25, 0.25]);
        let bounds = Aabb::of_points(&corners).inflated(0.5);
        assert_eq!(bounds.intersect_ray(&ray), Some((1.5, 2.5)));
    }

    #[test]
    fn a_hull_overlaps_a_box_where_they_share_a_point_and_not_where_an_axis_separates_them() {
        let bounds = Aabb {
            min: Vec3::new(-0.3, -0.2, -0.1),
            max: Vec3::new(0.3, 0.2, 0.1),
        };
        let noise = |k: usize| (k as f64 * 12.9898 + 0.37).sin() * 43_758.547 % 1.0;
        let point = |k: usize| Vec3::new(noise(3 * k), noise(3 * k + 1), noise(3 * k + 2));
        let mut counts = [0; 3];
        for case in 0..300 {
            let hull = [0, 1, 2, 3].map(|k| point(4 * case + k));
            let weights = (0..200).map(|k| [0, 1, 2, 3].map(|i| noise(9 * k + i).abs()));
            let inside = |w: [f64; 4]| {
                let sum: Vec3 = hull.iter().zip(w).map(|(x, w)| x * w).sum();
                bounds.contains(&(sum / w.iter().sum::<f64>()))
            };
            let (shares, overlaps) = (weights.into_iter().any(inside), bounds.overlaps_hull(&hull));
            assert!(overlaps || !shares, "{hull:?}");
            let boxes = bounds.overlaps(&Aabb::of_points(&hull));
            assert!(boxes || !overlaps);
            for (count, is) in counts.iter_mut().zip([shares, overlaps, boxes]) {
                *count += usize::from(is);
            }
        }
        assert!(counts[0] > 10 && counts[0] <= counts[1] && counts[1] < counts[2]);
        // a line that passes an edge of the box, before and behind it
        for (sum, expected) in [(0.49, true), (0.51, false)] {
            let ends = [[sum + 1.0, -1.0, 0.0], [-1.0, sum + 1.0, 0.0]].map(Vec3::from);
            let line = [ends[0], ends[1], ends[0], ends[1]];
            assert_eq!(bounds.overlaps_hull(&line), expected, "{sum}");
        }
        assert!(!bounds.overlaps_hull(&[Vec3::repeat(f64::NAN); 4]));
        assert!(!Aabb::empty().overlaps_hull(&[Vec3::zeros(); 4]));
    }

    #[test]
    fn distance_to_a_box_is_zero_inside_and_euclidean_outside() {
        let bounds = Aabb {
            min: Vec3::zeros(),
            max: Vec3::repeat(1.0),
        };
        assert_eq!(bounds.distance_squared(&Vec3::repeat(0.5)), 0.0);
        assert_eq!(
            bounds.distance_squared(&Vec3::new(2.0, 3.0, 0.5)),
            1.0 + 4.0
        );
    }
}
