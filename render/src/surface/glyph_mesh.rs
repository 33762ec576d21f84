//! Tools as triangles, in pictures and in the window.

use pliant_core::contact::{CustomShape, Pose, ToolShape};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};

use super::crease::{CreasedSurface, SHARP_ANGLE};
use super::surface_nets::zero_level;

/// Steps around a round shape.
const STEPS_AROUND: usize = 64;
/// Steps from pole to pole of a sphere; even, so that the equator is a ring.
const STEPS_ALONG: usize = 32;

/// Triangles of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GlyphMesh {
    /// Positions, m, world coordinates.
    pub positions: Vec<[f32; 3]>,
    /// Unit outward normals, one per position.
    pub normals: Vec<[f32; 3]>,
    /// Vertex triples, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Corners of a wedge in its own frame: at one end the edge and both sides of the back, then the same at the other end.
fn wedge_corners(size: &Vec3) -> [Vec3; 6] {
    let profile = [[0.0, 0.0], [1.0, -0.5], [1.0, 0.5]];
    let corner = |k: usize| {
        let [up, across] = profile[k % 3];
        let along = if k < 3 { -0.5 } else { 0.5 };
        Vec3::new(along, up, across).component_mul(size)
    };
    std::array::from_fn(corner)
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

/// Directions around a round shape, from `x` over `z`.
fn around(x: Vec3, z: Vec3) -> impl Iterator<Item = Vec3> {
    (0..STEPS_AROUND).map(move |k| {
        let angle = k as f64 / STEPS_AROUND as f64 * std::f64::consts::TAU;
        x * angle.cos() + z * angle.sin()
    })
}

impl GlyphMesh {
    /// A tool's shape at a pose; `extent` is the radius of the disc that represents a half-space, m.
    pub fn of_tool(shape: &ToolShape, pose: &Pose, extent: f64) -> Self {
        let mut mesh = Self::default();
        let on_axis = |y: f64| pose.to_world(&Vec3::new(0.0, y, 0.0));
        match shape {
            ToolShape::Sphere { radius } => {
                mesh.add_capsule(pose.position, pose.position, *radius);
            }
            ToolShape::Capsule {
                radius,
                half_length,
            } => mesh.add_capsule(on_axis(-half_length), on_axis(*half_length), *radius),
            ToolShape::Cylinder {
                radius,
                half_length,
            } => mesh.add_cylinder(on_axis(-half_length), on_axis(*half_length), *radius),
            ToolShape::Box { half_size, .. } => mesh.add_box(pose, half_size),
            ToolShape::HalfSpace { point, normal } => {
                mesh.add_disc(pose.to_world(point), pose.orientation * normal, extent);
            }
            ToolShape::Blade {
                length,
                height,
                thickness,
            } => mesh.add_wedge(pose, &Vec3::new(*length, *height, *thickness)),
            ToolShape::Mesh(shape) => mesh.add_surface(shape.surface(), pose),
            ToolShape::Custom(shape) => mesh.add_custom(shape, pose),
        }
        mesh
    }

    /// The same as a mesh.
    #[cfg(test)]
    pub(crate) fn surface(&self) -> SurfaceMesh {
        let positions = self.positions.iter().map(|p| Vec3::from(p.map(f64::from)));
        SurfaceMesh::new(positions.collect(), self.triangles.clone())
    }

    fn push(&mut self, position: Vec3, normal: Vec3) -> u32 {
        self.positions.push(position.cast::<f32>().into());
        self.normals.push(normal.cast::<f32>().into());
        (self.positions.len() - 1) as u32
    }

    /// Rings from pole `b` to pole `a`; the equator appears twice, at `b` and at `a`.
    fn add_capsule(&mut self, a: Vec3, b: Vec3, radius: f64) {
        let [x, y, z] = frame_along(b - a);
        let first = self.positions.len();
        let at_b = (0..=STEPS_ALONG / 2).map(|k| (k, b));
        let rings = at_b.chain((STEPS_ALONG / 2..=STEPS_ALONG).map(|k| (k, a)));
        for (k, center) in rings {
            let polar = k as f64 / STEPS_ALONG as f64 * std::f64::consts::PI;
            for out in around(x, z) {
                let normal = out * polar.sin() + y * polar.cos();
                self.push(center + normal * radius, normal);
            }
        }
        self.join_rings(first, STEPS_ALONG + 2);
    }

    /// Triangles between rings of vertices that follow each other from vertex `first` on.
    fn join_rings(&mut self, first: usize, rings: usize) {
        let vertex =
            |ring: usize, k: usize| (first + ring * STEPS_AROUND + k % STEPS_AROUND) as u32;
        for ring in 0..rings - 1 {
            for k in 0..STEPS_AROUND {
                let (p, q) = (vertex(ring, k), vertex(ring, k + 1));
                let (r, s) = (vertex(ring + 1, k), vertex(ring + 1, k + 1));
                self.triangles.extend([[p, q, s], [p, s, r]]);
            }
        }
    }

    /// A side and two discs. The vertices of the rims are duplicated, so that these stay sharp.
    fn add_cylinder(&mut self, a: Vec3, b: Vec3, radius: f64) {
        let [x, y, z] = frame_along(b - a);
        let first = self.positions.len();
        for center in [b, a] {
            for out in around(x, z) {
                self.push(center + out * radius, out);
            }
        }
        self.join_rings(first, 2);
        self.add_disc(b, y, radius);
        self.add_disc(a, -y, radius);
    }

    fn add_box(&mut self, pose: &Pose, half: &Vec3) {
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut normal = Vec3::zeros();
                normal[axis] = sign;
                let corner = |a: f64, b: f64| {
                    let mut c = normal;
                    c[u] = a * sign;
                    c[v] = b;
                    pose.to_world(&c.component_mul(half))
                };
                let corners = [
                    corner(-1.0, -1.0),
                    corner(1.0, -1.0),
                    corner(1.0, 1.0),
                    corner(-1.0, 1.0),
                ];
                let ids = corners.map(|p| self.push(p, pose.orientation * normal));
                self.triangles
                    .extend([[ids[0], ids[1], ids[2]], [ids[0], ids[2], ids[3]]]);
            }
        }
    }

    fn add_wedge(&mut self, pose: &Pose, size: &Vec3) {
        let corners = wedge_corners(size).map(|x| pose.to_world(&x));
        // ends, flanks and back; each has its own vertices, so that all edges stay sharp
        let faces: [&[usize]; 5] = [
            &[0, 2, 1],
            &[3, 4, 5],
            &[0, 1, 4, 3],
            &[0, 3, 5, 2],
            &[1, 2, 5, 4],
        ];
        for face in faces {
            let [a, b, c] = [0, 1, 2].map(|k| corners[face[k]]);
            let normal = (b - a).cross(&(c - a)).try_normalize(0.0);
            let normal = normal.unwrap_or_else(Vec3::y);
            let ids: Vec<u32> = face
                .iter()
                .map(|&k| self.push(corners[k], normal))
                .collect();
            for k in 2..ids.len() {
                self.triangles.push([ids[0], ids[k - 1], ids[k]]);
            }
        }
    }

    /// A closed surface, with its sharp edges.
    fn add_surface(&mut self, surface: &SurfaceMesh, pose: &Pose) {
        let first = self.positions.len() as u32;
        let creased = CreasedSurface::new(surface, SHARP_ANGLE);
        let positions = creased.positions(&SurfaceFrame::at_rest(surface).positions);
        let normals = creased.normals(&positions);
        for (x, normal) in positions.iter().zip(&normals) {
            let [x, normal] = [x, normal].map(|v| Vec3::from(v.map(f64::from)));
            self.push(pose.to_world(&x), pose.orientation * normal);
        }
        let triangles = creased.triangles.iter();
        self.triangles
            .extend(triangles.map(|t| t.map(|v| first + v)));
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
        for out in around(x, z) {
            self.push(point + out * extent, y);
        }
        for k in 0..STEPS_AROUND {
            let rim = |k: usize| middle + 1 + (k % STEPS_AROUND) as u32;
            self.triangles.push([middle, rim(k + 1), rim(k)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;
    use pliant_core::contact::{DistanceGrid, GridLayout, MeshShape};
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    fn tilted() -> Pose {
        Pose {
            position: Vec3::new(0.1, 0.2, 0.3),
            orientation: UnitQuaternion::from_euler_angles(0.3, 0.8, -0.2),
        }
    }

    #[test]
    fn volumes_are_those_of_the_shapes_and_point_outwards() {
        let (radius, half_length) = (0.3, 0.4);
        let disc = std::f64::consts::PI * radius * radius;
        let ball = 4.0 / 3.0 * disc * radius;
        let capsule = ToolShape::Capsule {
            radius,
            half_length,
        };
        let cylinder = ToolShape::Cylinder {
            radius,
            half_length,
        };
        let cuboid = ToolShape::Box {
            half_size: Vec3::new(0.1, 0.2, 0.3),
            rounding: 0.0,
        };
        let blade = ToolShape::Blade {
            length: 0.5,
            height: 0.3,
            thickness: 0.1,
        };
        for (shape, exact) in [
            (ToolShape::Sphere { radius }, ball),
            (capsule, ball + 2.0 * half_length * disc),
            (cylinder, 2.0 * half_length * disc),
            (cuboid, 8.0 * 0.006),
            (blade, 0.5 * 0.5 * 0.3 * 0.1),
        ] {
            let mesh = GlyphMesh::of_tool(&shape, &tilted(), 1.0);
            let volume = mesh.surface().volume();
            assert!(
                (volume / exact - 1.0).abs() < 0.01,
                "{shape:?}: {volume} against {exact}"
            );
        }
    }

    #[test]
    fn a_half_space_is_a_disc_that_faces_its_normal() {
        let normal = Vec3::new(0.0, 2.0, 0.5);
        let point = Vec3::x();
        let half_space = ToolShape::HalfSpace { point, normal };
        let disc = GlyphMesh::of_tool(&half_space, &Pose::at(Vec3::zeros()), 2.0).surface();
        assert!((0..disc.triangles.len()).all(|t| disc.area_vector(t).dot(&normal) > 0.0));
        assert!((disc.area() / (4.0 * std::f64::consts::PI) - 1.0).abs() < 0.01);
    }

    #[test]
    fn a_mesh_is_drawn_with_its_edges_where_the_tool_is() {
        let cube = box_surface(Vec3::repeat(0.2), [1; 3], CellStyle::Kuhn);
        let layout = GridLayout::around(&cube.bounds(), 0.1);
        let grid = DistanceGrid::new(layout, vec![1.0; layout.corner_count()]).expect("it fits");
        let shape = ToolShape::Mesh(MeshShape::new(cube, grid));
        let drawn = GlyphMesh::of_tool(&shape, &tilted(), 1.0).surface();
        assert!((drawn.volume() - 0.008).abs() < 1e-6);
        assert!((drawn.bounds().center() - tilted().position).norm() < 1e-6);
        // each of the eight corners stands once for each of its faces
        assert_eq!(drawn.vertex_count(), 24);
    }
}
