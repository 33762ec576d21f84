//! Simple shapes as triangles: how tools look in pictures and in the window.

use nalgebra::UnitQuaternion;
use pliant_core::contact::{CustomShape, Pose, ToolShape};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

use super::surface_nets::zero_level;

/// Steps around a round shape.
const AROUND: usize = 64;
/// Steps from pole to pole of a sphere; even, so that the equator is a ring.
const ALONG: usize = 32;

/// The shape and place of a tool, world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ToolGlyph {
    /// A ball.
    Sphere {
        /// Centre, m.
        center: Vec3,
        /// Radius, m.
        radius: f64,
    },
    /// All points within `radius` of a segment.
    Capsule {
        /// One end of the segment, m.
        a: Vec3,
        /// The other end, m.
        b: Vec3,
        /// Radius, m.
        radius: f64,
    },
    /// All points within `radius` of a segment's line, between two planes through its ends.
    Cylinder {
        /// Centre of one end, m.
        a: Vec3,
        /// Centre of the other end, m.
        b: Vec3,
        /// Radius, m.
        radius: f64,
    },
    /// A turned box.
    Box {
        /// Centre, m.
        center: Vec3,
        /// Half edge lengths along its own axes, m.
        half: Vec3,
        /// Box axes to world.
        rotation: UnitQuaternion<f64>,
    },
    /// Everything below a plane; drawn as a disc of it.
    HalfSpace {
        /// A point of the plane, m; the disc is centred here.
        point: Vec3,
        /// Direction out of the solid side; need not be of unit length.
        normal: Vec3,
    },
    /// A shape that a program brings as a signed distance.
    Custom {
        /// The shape in its own frame.
        shape: CustomShape,
        /// Where that frame is.
        pose: Pose,
    },
}

/// Triangles of a glyph.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GlyphMesh {
    /// Positions, m, world coordinates.
    pub positions: Vec<[f32; 3]>,
    /// Unit outward normals, one a position.
    pub normals: Vec<[f32; 3]>,
    /// Vertex triples, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl ToolGlyph {
    /// A tool's shape at a pose.
    pub fn of_shape(shape: &ToolShape, pose: &Pose) -> Self {
        match *shape {
            ToolShape::Sphere { radius } => Self::Sphere {
                center: pose.position,
                radius,
            },
            ToolShape::Capsule {
                radius,
                half_length,
            } => Self::Capsule {
                a: pose.to_world(&Vec3::new(0.0, -half_length, 0.0)),
                b: pose.to_world(&Vec3::new(0.0, half_length, 0.0)),
                radius,
            },
            ToolShape::Cylinder {
                radius,
                half_length,
            } => Self::Cylinder {
                a: pose.to_world(&Vec3::new(0.0, -half_length, 0.0)),
                b: pose.to_world(&Vec3::new(0.0, half_length, 0.0)),
                radius,
            },
            ToolShape::Box { half_size, .. } => Self::Box {
                center: pose.position,
                half: half_size,
                rotation: pose.orientation,
            },
            ToolShape::HalfSpace { point, normal } => Self::HalfSpace {
                point: pose.to_world(&point),
                normal: pose.orientation * normal,
            },
            ToolShape::Custom(shape) => Self::Custom { shape, pose: *pose },
        }
    }

    /// The shape as triangles; `extent` is the radius of the disc that stands for a half space, m.
    pub fn mesh(&self, extent: f64) -> GlyphMesh {
        let mut mesh = GlyphMesh::default();
        match *self {
            Self::Sphere { center, radius } => mesh.add_capsule(center, center, radius),
            Self::Capsule { a, b, radius } => mesh.add_capsule(a, b, radius),
            Self::Cylinder { a, b, radius } => mesh.add_cylinder(a, b, radius),
            Self::Box {
                center,
                half,
                rotation,
            } => mesh.add_box(center, half, rotation),
            Self::HalfSpace { point, normal } => mesh.add_disc(point, normal, extent),
            Self::Custom { shape, pose } => mesh.add_custom(&shape, &pose),
        }
        mesh
    }

    /// Box around the shape, m; empty for a half space, which has no end.
    pub fn bounds(&self) -> Aabb {
        match *self {
            Self::Sphere { center, radius } => Aabb {
                min: center,
                max: center,
            }
            .inflated(radius),
            Self::Capsule { a, b, radius } => Aabb::of_points(&[a, b]).inflated(radius),
            Self::Cylinder { a, b, radius } => {
                let [_, axis, _] = frame_along(b - a);
                // a disc across the axis reaches the sine of its slope to each coordinate axis
                let reach = axis.map(|x| radius * (1.0 - x * x).max(0.0).sqrt());
                let ends = Aabb::of_points(&[a, b]);
                Aabb {
                    min: ends.min - reach,
                    max: ends.max + reach,
                }
            }
            Self::Box {
                center,
                half,
                rotation,
            } => {
                let reach = rotation.to_rotation_matrix().matrix().abs() * half.abs();
                Aabb {
                    min: center - reach,
                    max: center + reach,
                }
            }
            Self::HalfSpace { .. } => Aabb::empty(),
            Self::Custom { shape, pose } => Aabb {
                min: pose.position,
                max: pose.position,
            }
            .inflated(shape.outer_radius()),
        }
    }
}

/// A right-handed frame whose second axis is `direction`; y where that has no length.
fn frame_along(direction: Vec3) -> [Vec3; 3] {
    let up = direction.try_normalize(1e-12).unwrap_or_else(Vec3::y);
    let helper = if up.x.abs() < 0.8 {
        Vec3::x()
    } else {
        Vec3::z()
    };
    let side = up.cross(&helper).normalize();
    [side.cross(&up) * -1.0, up, side]
}

impl GlyphMesh {
    fn push(&mut self, position: Vec3, normal: Vec3) -> u32 {
        self.positions.push(position.cast::<f32>().into());
        self.normals.push(normal.cast::<f32>().into());
        (self.positions.len() - 1) as u32
    }

    /// Rings from pole `b` to pole `a`; the equator is there twice, at `b` and at `a`.
    fn add_capsule(&mut self, a: Vec3, b: Vec3, radius: f64) {
        let [x, y, z] = frame_along(b - a);
        let rings: Vec<(f64, Vec3)> = (0..=ALONG)
            .map(|k| (k, b))
            .take(ALONG / 2 + 1)
            .chain((ALONG / 2..=ALONG).map(|k| (k, a)))
            .map(|(k, center)| (k as f64 / ALONG as f64 * std::f64::consts::PI, center))
            .collect();
        for (polar, center) in &rings {
            for k in 0..AROUND {
                let angle = k as f64 / AROUND as f64 * std::f64::consts::TAU;
                let out = (x * angle.cos() + z * angle.sin()) * polar.sin() + y * polar.cos();
                self.push(center + out * radius, out);
            }
        }
        let vertex = |ring: usize, k: usize| (ring * AROUND + k % AROUND) as u32;
        for ring in 0..rings.len() - 1 {
            for k in 0..AROUND {
                let (p, q) = (vertex(ring, k), vertex(ring, k + 1));
                let (r, s) = (vertex(ring + 1, k), vertex(ring + 1, k + 1));
                self.triangles.extend([[p, q, s], [p, s, r]]);
            }
        }
    }

    /// A side and two discs: vertices of the rims are there twice, so that they stay sharp.
    fn add_cylinder(&mut self, a: Vec3, b: Vec3, radius: f64) {
        let [x, y, z] = frame_along(b - a);
        let first = self.positions.len();
        for center in [b, a] {
            for k in 0..AROUND {
                let angle = k as f64 / AROUND as f64 * std::f64::consts::TAU;
                let out = x * angle.cos() + z * angle.sin();
                self.push(center + out * radius, out);
            }
        }
        let vertex = |ring: usize, k: usize| (first + ring * AROUND + k % AROUND) as u32;
        for k in 0..AROUND {
            let (p, q) = (vertex(0, k), vertex(0, k + 1));
            let (r, s) = (vertex(1, k), vertex(1, k + 1));
            self.triangles.extend([[p, q, s], [p, s, r]]);
        }
        self.add_disc(b, y, radius);
        self.add_disc(a, -y, radius);
    }

    fn add_box(&mut self, center: Vec3, half: Vec3, rotation: UnitQuaternion<f64>) {
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut normal = Vec3::zeros();
                normal[axis] = sign;
                let corner = |a: f64, b: f64| {
                    let mut c = normal;
                    c[u] = a * sign;
                    c[v] = b;
                    center + rotation * c.component_mul(&half)
                };
                let places = [
                    corner(-1.0, -1.0),
                    corner(1.0, -1.0),
                    corner(1.0, 1.0),
                    corner(-1.0, 1.0),
                ];
                let ids = places.map(|p| self.push(p, rotation * normal));
                self.triangles
                    .extend([[ids[0], ids[1], ids[2]], [ids[0], ids[2], ids[3]]]);
            }
        }
    }

    fn add_custom(&mut self, shape: &CustomShape, pose: &Pose) {
        let surface = zero_level(shape);
        for (x, normal) in surface.positions.iter().zip(&surface.normals) {
            self.push(pose.to_world(x), pose.orientation * normal);
        }
        self.triangles.extend(surface.triangles);
    }

    fn add_disc(&mut self, point: Vec3, normal: Vec3, extent: f64) {
        let [x, y, z] = frame_along(normal);
        let middle = self.push(point, y);
        for k in 0..AROUND {
            let angle = k as f64 / AROUND as f64 * std::f64::consts::TAU;
            self.push(point + (x * angle.cos() + z * angle.sin()) * extent, y);
        }
        for k in 0..AROUND {
            let rim = |k: usize| middle + 1 + (k % AROUND) as u32;
            self.triangles.push([middle, rim(k + 1), rim(k)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::SurfaceMesh;

    fn surface(mesh: &GlyphMesh) -> SurfaceMesh {
        let positions = mesh
            .positions
            .iter()
            .map(|p| nalgebra::Vector3::from(*p).cast::<f64>())
            .collect();
        SurfaceMesh::new(positions, mesh.triangles.clone())
    }

    #[test]
    fn volumes_are_those_of_the_shapes_and_point_outwards() {
        let pi = std::f64::consts::PI;
        let turn = UnitQuaternion::from_euler_angles(0.3, 0.8, -0.2);
        let (a, b) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(-0.5, 0.4, 0.9));
        let r: f64 = 0.3;
        for (glyph, exact) in [
            (
                ToolGlyph::Sphere {
                    center: a,
                    radius: r,
                },
                4.0 / 3.0 * pi * r.powi(3),
            ),
            (
                ToolGlyph::Capsule { a, b, radius: r },
                4.0 / 3.0 * pi * r.powi(3) + pi * r * r * (b - a).norm(),
            ),
            (
                ToolGlyph::Cylinder { a, b, radius: r },
                pi * r * r * (b - a).norm(),
            ),
            (
                ToolGlyph::Box {
                    center: b,
                    half: Vec3::new(0.1, 0.2, 0.3),
                    rotation: turn,
                },
                8.0 * 0.006,
            ),
        ] {
            let mesh = glyph.mesh(1.0);
            let volume = surface(&mesh).volume();
            assert!(
                (volume / exact - 1.0).abs() < 0.01,
                "{glyph:?}: {volume} against {exact}"
            );
            let inside = glyph.bounds().inflated(1e-6);
            assert!(surface(&mesh).positions.iter().all(|p| inside.contains(p)));
        }
    }

    #[test]
    fn a_half_space_is_a_disc_that_faces_its_normal() {
        let normal = Vec3::new(0.0, 2.0, 0.5);
        let mesh = ToolGlyph::HalfSpace {
            point: Vec3::x(),
            normal,
        }
        .mesh(2.0);
        let disc = surface(&mesh);
        assert!((0..disc.triangles.len()).all(|t| disc.area_vector(t).dot(&normal) > 0.0));
        assert!((disc.area() / (4.0 * std::f64::consts::PI) - 1.0).abs() < 0.01);
    }
}
