//! Rigid tools: shape, signed distance, motion in a frame.

use crate::boundary::Friction;
use crate::contact::adhesion::Adhesion;
use crate::contact::custom::CustomShape;
use crate::contact::mesh_shape::MeshShape;
use crate::contact::pose::Pose;
use crate::math::Vec3;

/// Shape of a tool in its own frame.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolShape {
    /// A ball around the origin.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// A cylinder with round ends along local y.
    Capsule {
        /// Radius, m.
        radius: f64,
        /// Half the distance between the centres of the ends, m.
        half_length: f64,
    },
    /// A cylinder with flat ends along local y, around the origin; its rims are sharp.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Half the distance between the ends, m.
        half_length: f64,
    },
    /// A box around the origin with rounded edges.
    Box {
        /// Half edge lengths including the rounding, m.
        half_size: Vec3,
        /// Radius of the rounding, m.
        rounding: f64,
    },
    /// Everything behind a plane.
    HalfSpace {
        /// A point of the plane, local, m.
        point: Vec3,
        /// Unit normal, pointing out of the solid.
        normal: Vec3,
    },
    /// A thin blade that cuts and does not push. Its edge lies along local x around the origin, its back is towards local y.
    Blade {
        /// Length of the edge, m.
        length: f64,
        /// From the edge to the back, m. What it sweeps besides the edge does not cut.
        height: f64,
        /// Thickness along local z, m; it is drawn, and has no other meaning.
        thickness: f64,
    },
    /// The inside of a closed mesh.
    Mesh(MeshShape),
    /// A shape of the program's own; scene files have none.
    Custom(CustomShape),
}

impl ToolShape {
    /// Whether it is a blade, which cuts and exerts no contact forces.
    pub fn is_blade(&self) -> bool {
        matches!(self, Self::Blade { .. })
    }

    /// Signed distance (m, negative inside) of a local point and its gradient (unit, pointing out of the tool).
    pub fn signed_distance(&self, local: &Vec3) -> (f64, Vec3) {
        match *self {
            Self::Sphere { radius } => ball_distance(local, radius),
            Self::Capsule {
                radius,
                half_length,
            } => {
                let on_axis = Vec3::new(0.0, local.y.clamp(-half_length, half_length), 0.0);
                ball_distance(&(local - on_axis), radius)
            }
            Self::Cylinder {
                radius,
                half_length,
            } => cylinder_distance(local, radius, half_length),
            Self::Box {
                half_size,
                rounding,
            } => box_distance(local, &half_size, rounding),
            Self::Blade {
                length,
                height,
                thickness,
            } => {
                let half_size = Vec3::new(length, height, thickness) * 0.5;
                box_distance(&(local - Vec3::y() * half_size.y), &half_size, 0.0)
            }
            Self::HalfSpace { point, normal } => (normal.dot(&(local - point)), normal),
            Self::Mesh(ref mesh) => mesh.signed_distance(local),
            Self::Custom(shape) => shape.signed_distance(local),
        }
    }

    /// Radius of the largest ball inside, m; infinite for a half-space.
    pub fn inner_radius(&self) -> f64 {
        match *self {
            Self::Sphere { radius } | Self::Capsule { radius, .. } => radius,
            Self::Cylinder {
                radius,
                half_length,
            } => radius.min(half_length),
            Self::Box { half_size, .. } => half_size.min(),
            Self::Blade {
                length,
                height,
                thickness,
            } => 0.5 * length.min(height).min(thickness),
            Self::HalfSpace { .. } => f64::INFINITY,
            Self::Mesh(ref mesh) => mesh.inner_radius(),
            Self::Custom(shape) => shape.inner_radius(),
        }
    }

    /// Radius of a ball around the local origin that holds the tool, m; infinite for a half-space.
    pub fn outer_radius(&self) -> f64 {
        match *self {
            Self::Sphere { radius } => radius,
            Self::Capsule {
                radius,
                half_length,
            } => radius + half_length,
            Self::Cylinder {
                radius,
                half_length,
            } => radius.hypot(half_length),
            Self::Box { half_size, .. } => half_size.norm(),
            Self::Blade {
                length,
                height,
                thickness,
            } => Vec3::new(0.5 * length, height, 0.5 * thickness).norm(),
            Self::HalfSpace { .. } => f64::INFINITY,
            Self::Mesh(ref mesh) => mesh.outer_radius(),
            Self::Custom(shape) => shape.outer_radius(),
        }
    }

    /// Distance (m) from the tool's origin to the point that touches first when the tool moves in a `direction` (unit, local): the extent of a mesh in that direction, and
    /// the radius of the largest ball inside for other shapes.
    pub fn reach(&self, direction: &Vec3) -> f64 {
        match self {
            Self::Mesh(mesh) => mesh.extent(direction),
            _ => self.inner_radius(),
        }
    }
}

/// Distance from a ball around the origin, and its gradient.
fn ball_distance(offset: &Vec3, radius: f64) -> (f64, Vec3) {
    let length = offset.norm();
    let normal = if length > 0.0 {
        offset / length
    } else {
        Vec3::y()
    };
    (length - radius, normal)
}

/// Distance from a box around the origin, and its gradient. Its edges have the radius `rounding`, which is part of `half_size`.
fn box_distance(local: &Vec3, half_size: &Vec3, rounding: f64) -> (f64, Vec3) {
    let inner = half_size.add_scalar(-rounding);
    let q = local.abs() - inner;
    let sign = local.map(|x| if x < 0.0 { -1.0 } else { 1.0 });
    if q.max() <= 0.0 {
        // inside the inner box: the nearest face decides
        let axis = q.imax();
        let mut n = Vec3::zeros();
        n[axis] = sign[axis];
        (q[axis] - rounding, n)
    } else {
        let outside = q.sup(&Vec3::zeros());
        let length = outside.norm();
        (length - rounding, outside.component_mul(&sign) / length)
    }
}

/// Distance from a cylinder around the origin, and its gradient. In the half-plane of axis and point it is a rectangle: the nearest point is on the side, on an end or on a rim.
fn cylinder_distance(local: &Vec3, radius: f64, half_length: f64) -> (f64, Vec3) {
    let from_axis = local.x.hypot(local.z);
    let outwards = if from_axis > 0.0 {
        Vec3::new(local.x / from_axis, 0.0, local.z / from_axis)
    } else {
        Vec3::x()
    };
    let along = Vec3::new(0.0, if local.y < 0.0 { -1.0 } else { 1.0 }, 0.0);
    let (side, end) = (from_axis - radius, local.y.abs() - half_length);
    if side > 0.0 && end > 0.0 {
        let length = side.hypot(end);
        (length, (outwards * side + along * end) / length)
    } else if side > end {
        (side, outwards)
    } else {
        (end, along)
    }
}

/// A tool during one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Name as the scene writes it.
    pub name: String,
    /// Its shape.
    pub shape: ToolShape,
    /// Friction with the body.
    pub friction: Friction,
    /// Whether the body sticks to it.
    pub adhesion: Option<Adhesion>,
    /// Pose when the frame begins.
    pub begin: Pose,
    /// Pose when the frame ends.
    pub end: Pose,
}

impl Tool {
    /// The half-space below the plane through the origin with this outward unit `normal`, at rest.
    pub fn floor(normal: Vec3, friction: Friction) -> Self {
        let point = Vec3::zeros();
        Self {
            name: "floor".into(),
            shape: ToolShape::HalfSpace { point, normal },
            friction,
            adhesion: None,
            begin: Pose::at(point),
            end: Pose::at(point),
        }
    }

    /// Signed distance (m) of a world point from the tool at the end of the frame, and the gradient in the world.
    pub fn signed_distance(&self, world: &Vec3) -> (f64, Vec3) {
        let (distance, gradient) = self.shape.signed_distance(&self.end.to_local(world));
        (distance, self.end.orientation * gradient)
    }

    /// Whether a point at this signed `distance` (m) lies deep in the tool: deeper than half the radius of the largest ball inside it. Never in a half-space.
    pub fn is_deep(&self, distance: f64) -> bool {
        distance < -0.5 * self.shape.inner_radius()
    }

    /// Mean velocity over a frame of `duration` seconds of the tool's material point that ends at `world`, m/s.
    pub fn velocity_at(&self, world: &Vec3, duration: f64) -> Vec3 {
        self.displacement_at(world) / duration
    }

    /// Displacement in the frame of the tool's material point that ends at `world`, m.
    pub fn displacement_at(&self, world: &Vec3) -> Vec3 {
        let local = self.end.to_local(world);
        world - self.begin.to_world(&local)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use nalgebra::UnitQuaternion;

    use super::*;

    /// A shape of each kind that a scene describes by numbers.
    pub(crate) fn shapes() -> [ToolShape; 6] {
        [
            ToolShape::Sphere { radius: 0.3 },
            ToolShape::Capsule {
                radius: 0.1,
                half_length: 0.4,
            },
            ToolShape::Cylinder {
                radius: 0.2,
                half_length: 0.4,
            },
            ToolShape::Box {
                half_size: Vec3::new(0.3, 0.2, 0.5),
                rounding: 0.05,
            },
            ToolShape::HalfSpace {
                point: Vec3::new(0.0, 0.1, 0.0),
                normal: Vec3::new(0.6, 0.8, 0.0),
            },
            ToolShape::Blade {
                length: 0.6,
                height: 0.3,
                thickness: 0.1,
            },
        ]
    }

    #[test]
    fn the_gradient_is_the_derivative_of_the_distance() {
        for shape in shapes() {
            for k in 0..50 {
                let t = k as f64;
                let p = Vec3::new((t * 0.9).sin(), (t * 1.7).cos(), (t * 0.41).sin()) * 0.7;
                let (_, gradient) = shape.signed_distance(&p);
                for axis in 0..3 {
                    let mut step = Vec3::zeros();
                    step[axis] = 1e-6;
                    let slope = (shape.signed_distance(&(p + step)).0
                        - shape.signed_distance(&(p - step)).0)
                        / 2e-6;
                    assert!((slope - gradient[axis]).abs() < 1e-5, "{shape:?} {p:?}");
                }
            }
        }
    }

    /// Points of the surface of a cylinder, at most `step` apart along each coordinate.
    fn sampled_cylinder(radius: f64, half_length: f64, step: f64) -> Vec<Vec3> {
        let around = (std::f64::consts::TAU * radius / step).ceil() as usize;
        let out = (radius / step).ceil() as usize;
        let along = (2.0 * half_length / step).ceil() as usize;
        let mut points = Vec::new();
        for k in 0..around {
            let (sin, cos) = (k as f64 / around as f64 * std::f64::consts::TAU).sin_cos();
            for i in 0..=along {
                let y = half_length * (2.0 * i as f64 / along as f64 - 1.0);
                points.push(Vec3::new(radius * cos, y, radius * sin));
            }
            for i in 0..=out {
                let r = radius * i as f64 / out as f64;
                points.push(Vec3::new(r * cos, half_length, r * sin));
                points.push(Vec3::new(r * cos, -half_length, r * sin));
            }
        }
        points
    }

    #[test]
    fn the_distance_of_a_cylinder_is_that_to_the_nearest_of_many_points_of_its_surface() {
        // a rod, a disc, and one whose ends are as near as its side
        for (radius, half_length) in [(0.1, 0.4), (0.4, 0.05), (0.3, 0.3)] {
            let shape = ToolShape::Cylinder {
                radius,
                half_length,
            };
            let step = 0.01;
            let surface = sampled_cylinder(radius, half_length, step);
            for k in 0..200 {
                let t = f64::from(k);
                let p = Vec3::new((t * 0.9).sin(), (t * 1.7).cos(), (t * 0.41).sin()) * 0.6;
                let (distance, normal) = shape.signed_distance(&p);
                let nearest = surface.iter().map(|q| (q - p).norm());
                let sampled = nearest.fold(f64::INFINITY, f64::min);
                let error = sampled - distance.abs();
                // the nearest sample is at most half a diagonal of the grid from the nearest point
                assert!((-1e-12..=0.71 * step).contains(&error), "{shape:?} {p:?}");
                let is_inside = p.x.hypot(p.z) < radius && p.y.abs() < half_length;
                assert_eq!(is_inside, distance < 0.0, "{shape:?} {p:?}");
                // the projection along the normal lies on the surface
                let (residual, _) = shape.signed_distance(&(p - normal * distance));
                assert!(residual.abs() < 1e-12 && (normal.norm() - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_cylinder_has_a_normal_on_its_axis_and_at_its_rim() {
        let shape = ToolShape::Cylinder {
            radius: 0.1,
            half_length: 0.4,
        };
        assert_eq!(shape.signed_distance(&Vec3::zeros()).0, -0.1);
        for p in [Vec3::zeros(), Vec3::new(0.1, 0.4, 0.0), Vec3::y() * 0.4] {
            let (_, normal) = shape.signed_distance(&p);
            assert!((normal.norm() - 1.0).abs() < 1e-15, "{p:?} {normal:?}");
        }
        assert_eq!(
            (shape.inner_radius(), shape.outer_radius()),
            (0.1, 0.17_f64.sqrt())
        );
    }

    #[test]
    fn a_turning_tool_moves_its_surface() {
        let mut tool = Tool::floor(Vec3::y(), Friction::None);
        tool.end.orientation = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), 0.01);
        let v = tool.velocity_at(&Vec3::x(), 0.1);
        assert!((v - Vec3::new(0.0, 0.0, -0.1)).norm() < 1e-3);
    }
}
