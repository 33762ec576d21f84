//! Signed distance functions and the ways to join them: negative inside, positive outside.
//!
//! Points and sizes share one unit of length. Joined functions are bounds of the distance rather than the distance, with a gradient
//! near one, which is all that [`super::skin`] needs.

use pliant_core::math::{Mat3, Vec3};

/// Distance to the ball of `radius` around `center`.
pub fn sphere(p: &Vec3, center: Vec3, radius: f64) -> f64 {
    (p - center).norm() - radius
}

/// First-order distance to an axis-aligned ellipsoid with half axes `radii` around `center`; to first order exact near the
/// surface, and nowhere less than minus the smallest half axis.
pub fn ellipsoid(p: &Vec3, center: Vec3, radii: Vec3) -> f64 {
    let q = (p - center).component_div(&radii);
    let (length, slope) = (q.norm(), q.component_div(&radii).norm());
    if slope < 1e-12 {
        return -radii.min();
    }
    (length * (length - 1.0) / slope).max(-radii.min())
}

/// Distance to the segment from `a` to `b` thickened by `radius`.
pub fn capsule(p: &Vec3, a: Vec3, b: Vec3, radius: f64) -> f64 {
    let (q, axis) = (p - a, b - a);
    let t = (q.dot(&axis) / axis.norm_squared().max(1e-24)).clamp(0.0, 1.0);
    (q - axis * t).norm() - radius
}

/// Distance to the convex hull of two balls: `radius_a` around `a` and `radius_b` around `b`.
pub fn round_cone(p: &Vec3, a: Vec3, b: Vec3, radius_a: f64, radius_b: f64) -> f64 {
    RoundCone::new((a, radius_a), (b, radius_b)).distance(p)
}

/// The convex hull of two balls, prepared for many evaluations.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RoundCone {
    a: Vec3,
    b: Vec3,
    radius_a: f64,
    radius_b: f64,
    /// unit vector from a to b
    axis: Vec3,
    length: f64,
    /// sine of the angle between the side and the axis
    slope: f64,
    cosine: f64,
}

impl RoundCone {
    fn new((a, radius_a): (Vec3, f64), (b, radius_b): (Vec3, f64)) -> Self {
        let length = (b - a).norm();
        let slope = (radius_a - radius_b) / length.max(1e-12);
        Self {
            a,
            b,
            radius_a,
            radius_b,
            axis: (b - a) / length.max(1e-12),
            length,
            slope,
            cosine: (1.0 - slope * slope).max(0.0).sqrt(),
        }
    }

    fn distance(&self, p: &Vec3) -> f64 {
        let q = p - self.a;
        if self.slope.abs() >= 1.0 {
            // one ball contains the other
            return (q.norm() - self.radius_a).min(sphere(p, self.b, self.radius_b));
        }
        // half-plane coordinates: along the axis and away from it; (slope, cosine) is the normal of the cone's side
        let along = q.dot(&self.axis);
        let away = (q.norm_squared() - along * along).max(0.0).sqrt();
        let projection = along * self.cosine - away * self.slope;
        if projection < 0.0 {
            q.norm() - self.radius_a
        } else if projection > self.length * self.cosine {
            (p - self.b).norm() - self.radius_b
        } else {
            away * self.cosine + along * self.slope - self.radius_a
        }
    }
}

/// Distance to a box with half sizes `half` around the origin whose edges are rounded with `radius` (included in `half`).
pub fn rounded_box(p: &Vec3, half: Vec3, radius: f64) -> f64 {
    let q = p.abs() - half.add_scalar(-radius);
    q.sup(&Vec3::zeros()).norm() + q.max().min(0.0) - radius
}

/// Distance to the ring around the y axis with radius `major` and thickness radius `minor`, centred at the origin.
pub fn torus(p: &Vec3, major: f64, minor: f64) -> f64 {
    let ring = p.x.hypot(p.z) - major;
    ring.hypot(p.y) - minor
}

/// Distance to the triangle `corners` thickened by `radius`.
pub fn triangle_slab(p: &Vec3, corners: [Vec3; 3], radius: f64) -> f64 {
    let (closest, _) = pliant_core::math::barycentric::closest_point_on_triangle(p, corners);
    (closest - p).norm() - radius
}

/// Signed height of `p` over the plane through `point` with unit `normal`: negative below.
pub fn half_space(p: &Vec3, point: Vec3, normal: Vec3) -> f64 {
    (p - point).dot(&normal)
}

/// Union whose seam is filled over a width of about `k` (quadratic polynomial smooth minimum).
pub fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0);
    a.min(b) - 0.25 * h * h / k
}

/// [`smooth_union`] of `d` with a part that lies in the ball of `radius` around `center`; where the part is too far away to
/// matter it is not evaluated.
pub fn join(
    d: f64,
    k: f64,
    p: &Vec3,
    (center, radius): (Vec3, f64),
    part: impl Fn() -> f64,
) -> f64 {
    if sphere(p, center, radius) >= d + k {
        d
    } else {
        smooth_union(d, part(), k)
    }
}

/// Intersection whose seam is rounded over a width of about `k`.
pub fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    -smooth_union(-a, -b, k)
}

/// `a` without `b`, with the seam rounded over a width of about `k`.
pub fn smooth_subtraction(a: f64, b: f64, k: f64) -> f64 {
    smooth_intersection(a, -b, k)
}

/// Folds space onto the half x >= 0, so that what is modelled there appears on both sides.
pub fn mirror_x(p: &Vec3) -> Vec3 {
    Vec3::new(p.x.abs(), p.y, p.z)
}

/// Point to evaluate so that a body along x is bent upwards into an arc of the given `curvature` (1 / length, may be negative)
/// that touches the x axis at the origin.
pub fn bend(p: &Vec3, curvature: f64) -> Vec3 {
    if curvature.abs() < 1e-9 {
        return *p;
    }
    let radius = 1.0 / curvature;
    let angle = p.x.atan2((radius - p.y) * curvature.signum());
    let away = p.x.hypot(radius - p.y) * curvature.signum();
    Vec3::new(angle * radius.abs(), radius - away, p.z)
}

/// A rotated and moved frame to model a part in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    origin: Vec3,
    /// rows are the frame's axes
    axes: Mat3,
}

impl Frame {
    /// Frame at `origin`, rotated about x, then y, then z by `degrees`.
    pub fn rotated(origin: Vec3, degrees: Vec3) -> Self {
        let r = degrees.map(f64::to_radians);
        let rotation = nalgebra::Rotation3::from_euler_angles(r.x, r.y, r.z);
        Self {
            origin,
            axes: rotation.matrix().transpose(),
        }
    }

    /// Coordinates of `p` in the frame.
    pub fn local(&self, p: &Vec3) -> Vec3 {
        self.axes * (p - self.origin)
    }
}

/// A smooth curve with a thickness, as a chain of round cones.
#[derive(Debug, Clone, PartialEq)]
pub struct Tube {
    pieces: Vec<RoundCone>,
    /// centre and radius of a bounding sphere of each piece
    bounding_spheres: Vec<(Vec3, f64)>,
}

impl Tube {
    /// A tube through `stations` (position, radius) along Catmull–Rom splines with `pieces` round cones between stations.
    pub fn through(stations: &[(Vec3, f64)], pieces: usize) -> Self {
        let at = |i: i64| stations[i.clamp(0, stations.len() as i64 - 1) as usize];
        let mut samples = Vec::new();
        let spans = stations.len().saturating_sub(1) as i64;
        for i in 0..spans {
            let (s0, s1, s2, s3) = (at(i - 1), at(i), at(i + 1), at(i + 2));
            for piece in 0..pieces {
                let t = piece as f64 / pieces as f64;
                let w = catmull_rom(t);
                samples.push((
                    s0.0 * w[0] + s1.0 * w[1] + s2.0 * w[2] + s3.0 * w[3],
                    s0.1 * w[0] + s1.1 * w[1] + s2.1 * w[2] + s3.1 * w[3],
                ));
            }
        }
        samples.extend(stations.last());
        let pieces: Vec<RoundCone> = samples
            .windows(2)
            .map(|pair| RoundCone::new(pair[0], pair[1]))
            .collect();
        let bounding_spheres = pieces
            .iter()
            .map(|c| {
                (
                    (c.a + c.b) * 0.5,
                    0.5 * c.length + c.radius_a.max(c.radius_b),
                )
            })
            .collect();
        Self {
            pieces,
            bounding_spheres,
        }
    }

    /// Signed distance to the tube; infinite for a tube without pieces.
    pub fn distance(&self, p: &Vec3) -> f64 {
        let squared = |middle: &Vec3| (middle - p).norm_squared();
        // the piece with the nearest centre gives a bound that excludes most others
        let mut nearest = (f64::INFINITY, 0);
        for (k, (middle, _)) in self.bounding_spheres.iter().enumerate() {
            let d = squared(middle);
            if d < nearest.0 {
                nearest = (d, k);
            }
        }
        let mut best = self
            .pieces
            .get(nearest.1)
            .map_or(f64::INFINITY, |piece| piece.distance(p));
        for (piece, (middle, radius)) in self.pieces.iter().zip(&self.bounding_spheres) {
            let reach = best + radius;
            if reach > 0.0 && squared(middle) < reach * reach {
                best = best.min(piece.distance(p));
            }
        }
        best
    }
}

fn catmull_rom(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        0.5 * (-t3 + 2.0 * t2 - t),
        0.5 * (3.0 * t3 - 5.0 * t2 + 2.0),
        0.5 * (-3.0 * t3 + 4.0 * t2 + t),
        0.5 * (t3 - t2),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_shapes_have_unit_gradient_and_the_right_zero() {
        type Shape<'a> = (&'a str, &'a dyn Fn(&Vec3) -> f64);
        let shapes: [Shape<'_>; 5] = [
            ("sphere", &|p| sphere(p, Vec3::x(), 0.5)),
            ("capsule", &|p| capsule(p, Vec3::x(), Vec3::y(), 0.3)),
            ("cone", &|p| {
                round_cone(p, Vec3::zeros(), Vec3::new(1.0, 0.5, 0.0), 0.5, 0.2)
            }),
            ("box", &|p| rounded_box(p, Vec3::new(0.5, 0.3, 0.4), 0.1)),
            ("torus", &|p| torus(p, 1.0, 0.2)),
        ];
        for (name, shape) in shapes {
            for k in 0..40 {
                let t = f64::from(k);
                let p = Vec3::new((t * 0.7).sin(), (t * 1.3).sin(), (t * 2.1).cos()) * 2.0;
                let h = 1e-6;
                let gradient = Vec3::from_fn(|axis, _| {
                    let mut step = Vec3::zeros();
                    step[axis] = h;
                    (shape(&(p + step)) - shape(&(p - step))) / (2.0 * h)
                });
                if shape(&p) > 0.0 {
                    assert!((gradient.norm() - 1.0).abs() < 1e-4, "{name} {gradient:?}");
                    let on_surface = p - gradient * shape(&p);
                    assert!(shape(&on_surface).abs() < 1e-4, "{name}");
                }
            }
        }
    }

    #[test]
    fn the_depth_inside_a_flat_ellipsoid_is_not_overestimated_by_much() {
        let radii = Vec3::new(0.1, 0.5, 0.2);
        for k in 0..60 {
            let t = f64::from(k);
            let inside = Vec3::new((t * 0.7).sin(), (t * 1.3).sin(), (t * 2.1).cos())
                .component_mul(&radii)
                * 0.57;
            let value = ellipsoid(&inside, Vec3::zeros(), radii);
            // nearest of many points on the surface
            let depth = (0..4000)
                .map(|i| {
                    let s = f64::from(i);
                    let y = 1.0 - (s + 0.5) / 2000.0;
                    let (away, angle) = ((1.0 - y * y).sqrt(), s * 2.399_963);
                    let unit = Vec3::new(away * angle.cos(), y, away * angle.sin());
                    (unit.component_mul(&radii) - inside).norm()
                })
                .fold(f64::INFINITY, f64::min);
            assert!(value < 0.0 && -value < 1.8 * depth, "{value} {depth}");
        }
    }

    #[test]
    fn the_round_cone_contains_both_balls_and_touches_them() {
        let (a, b) = (Vec3::zeros(), Vec3::new(0.0, 2.0, 0.0));
        let cone = |p: &Vec3| round_cone(p, a, b, 0.8, 0.3);
        assert!(cone(&Vec3::new(0.0, -0.8, 0.0)).abs() < 1e-12);
        assert!(cone(&Vec3::new(0.0, 2.3, 0.0)).abs() < 1e-12);
        for k in 0..50 {
            let t = f64::from(k);
            let p = Vec3::new(t.sin(), (t * 1.7).sin() * 2.0 + 0.5, (t * 2.3).cos());
            assert!(cone(&p) <= sphere(&p, a, 0.8).min(sphere(&p, b, 0.3)) + 1e-12);
        }
    }

    #[test]
    fn smooth_joints_are_symmetric_and_plain_far_from_the_seam() {
        assert_eq!(smooth_union(1.0, 0.2, 0.5), 0.2);
        assert!((smooth_union(0.3, 0.3, 0.4) - 0.2).abs() < 1e-15);
        assert_eq!(smooth_union(0.1, 0.3, 0.4), smooth_union(0.3, 0.1, 0.4));
        assert!((smooth_intersection(0.3, 0.3, 0.4) - 0.4).abs() < 1e-15);
        assert_eq!(smooth_subtraction(-1.0, 2.0, 0.2), -1.0);
    }

    #[test]
    fn bending_keeps_the_middle_and_lifts_the_ends() {
        let curvature = 0.5;
        // the end of an arc of length 1 with radius 2
        let end = Vec3::new(2.0 * 0.5_f64.sin(), 2.0 - 2.0 * 0.5_f64.cos(), 0.3);
        assert!((bend(&end, curvature) - Vec3::new(1.0, 0.0, 0.3)).norm() < 1e-12);
        let low = Vec3::new(end.x, -end.y, 0.3);
        assert!((bend(&low, -curvature) - Vec3::new(1.0, 0.0, 0.3)).norm() < 1e-12);
        assert!((bend(&Vec3::y(), curvature) - Vec3::y()).norm() < 1e-12);
    }

    #[test]
    fn a_tube_passes_through_its_stations() {
        let stations = [
            (Vec3::zeros(), 0.2),
            (Vec3::new(1.0, 0.5, 0.0), 0.3),
            (Vec3::new(2.0, 0.0, 0.5), 0.1),
        ];
        let tube = Tube::through(&stations, 8);
        for (center, radius) in stations {
            assert!((tube.distance(&center) + radius).abs() < 0.1);
        }
        assert!((tube.distance(&Vec3::new(2.0, -1.0, 0.5)) - 0.9).abs() < 0.02);
    }
}
