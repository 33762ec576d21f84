//! Simple shapes as triangles: tools in pictures and in the window.

use nalgebra::UnitQuaternion;
use pliant_core::contact::{CustomShape, MeshShape, Pose, ToolShape};
use pliant_core::math::Vec3;

use super::glyph_mesh::GlyphMesh;

/// The shape and pose of a tool, world coordinates.
#[derive(Debug, Clone, PartialEq)]
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
    /// A rotated box.
    Box {
        /// Centre, m.
        center: Vec3,
        /// Half edge lengths along its own axes, m.
        half: Vec3,
        /// Box axes to world.
        rotation: UnitQuaternion<f64>,
    },
    /// Everything below a plane; drawn as a disc in the plane.
    HalfSpace {
        /// A point of the plane, m; the disc is centred here.
        point: Vec3,
        /// Direction out of the solid side; need not be of unit length.
        normal: Vec3,
    },
    /// A wedge whose sharp edge lies along its own x and whose back is towards its own y.
    Blade {
        /// The middle of the edge, and the wedge's axes.
        pose: Pose,
        /// Length of the edge, height, and thickness of the back, m.
        size: Vec3,
    },
    /// A closed mesh.
    Mesh {
        /// The mesh in its own frame.
        shape: MeshShape,
        /// Where that frame is.
        pose: Pose,
    },
    /// A signed distance that a program provides.
    Custom {
        /// The shape in its own frame.
        shape: CustomShape,
        /// Where that frame is.
        pose: Pose,
    },
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
            ToolShape::Blade {
                length,
                height,
                thickness,
            } => Self::Blade {
                pose: *pose,
                size: Vec3::new(length, height, thickness),
            },
            ToolShape::Mesh(ref shape) => Self::Mesh {
                shape: shape.clone(),
                pose: *pose,
            },
            ToolShape::Custom(shape) => Self::Custom { shape, pose: *pose },
        }
    }

    /// The shape as triangles; `extent` is the radius of the disc that represents a half space, m.
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
            Self::Blade { pose, size } => mesh.add_wedge(&pose, &size),
            Self::Mesh { ref shape, pose } => mesh.add_surface(shape.surface(), &pose),
            Self::Custom { shape, pose } => mesh.add_custom(&shape, &pose),
        }
        mesh
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::contact::{DistanceGrid, GridLayout};
    use pliant_core::mesh::SurfaceMesh;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

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
        let tilt = UnitQuaternion::from_euler_angles(0.3, 0.8, -0.2);
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
                    rotation: tilt,
                },
                8.0 * 0.006,
            ),
            (
                ToolGlyph::of_shape(
                    &ToolShape::Blade {
                        length: 0.5,
                        height: 0.3,
                        thickness: 0.1,
                    },
                    &Pose {
                        position: a,
                        orientation: tilt,
                    },
                ),
                0.5 * 0.5 * 0.3 * 0.1,
            ),
        ] {
            let mesh = glyph.mesh(1.0);
            let volume = surface(&mesh).volume();
            assert!(
                (volume / exact - 1.0).abs() < 0.01,
                "{glyph:?}: {volume} against {exact}"
            );
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

    #[test]
    fn a_mesh_is_drawn_with_its_edges_where_the_tool_is() {
        let cube = box_surface(Vec3::repeat(0.2), [1; 3], CellStyle::Kuhn);
        let layout = GridLayout::around(&cube.bounds(), 0.1);
        let grid = DistanceGrid::new(layout, vec![1.0; layout.corner_count()]).expect("it fits");
        let pose = Pose {
            position: Vec3::new(0.1, 0.2, 0.3),
            orientation: UnitQuaternion::from_euler_angles(0.3, 0.8, -0.2),
        };
        let shape = ToolShape::Mesh(MeshShape::new(cube, grid));
        let drawn = surface(&ToolGlyph::of_shape(&shape, &pose).mesh(1.0));
        assert!((drawn.volume() - 0.008).abs() < 1e-6);
        assert!((drawn.bounds().center() - pose.position).norm() < 1e-6);
        // each of the eight corners stands once for each of its faces
        assert_eq!(drawn.vertex_count(), 24);
    }
}
