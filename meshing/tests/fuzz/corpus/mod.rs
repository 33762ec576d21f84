//! Small valid files of every format and variant, made from procedural bodies.

pub mod binary;
pub mod gltf;
pub mod gmsh;
pub mod text;
pub mod vtk;

use std::fmt::Display;

use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::mesh::{SurfaceMesh, TetMesh};

/// A closed surface of 20 triangles.
pub fn surface() -> SurfaceMesh {
    box_surface(Vec3::new(2.0, 1.0, 0.5), [2, 1, 1], CellStyle::Kuhn)
}

/// Six tetrahedra.
pub fn body() -> TetMesh {
    box_tets(Vec3::repeat(1.0), [1, 1, 1], CellStyle::Kuhn)
}

/// A line for each point, between two texts.
pub fn points(points: &[Vec3], before: &str, after: &str) -> String {
    lines(points.iter().map(|p| [p.x, p.y, p.z]), before, after)
}

/// A line for each triangle, between two texts.
pub fn triangles(surface: &SurfaceMesh, before: &str, after: &str) -> String {
    lines(surface.triangles.iter().copied(), before, after)
}

fn lines<T: Display>(rows: impl Iterator<Item = [T; 3]>, before: &str, after: &str) -> String {
    let line = |[a, b, c]: [T; 3]| format!("{before}{a} {b} {c}{after}\n");
    rows.map(line).collect()
}

/// Bytes of numbers in one byte order.
pub struct Packed {
    pub bytes: Vec<u8>,
    pub big_endian: bool,
}

impl Packed {
    pub fn new(text: &str, big_endian: bool) -> Self {
        Self {
            bytes: text.as_bytes().to_vec(),
            big_endian,
        }
    }

    /// The bytes of one number, given with its least significant byte first.
    pub fn put<const N: usize>(&mut self, mut raw: [u8; N]) {
        if self.big_endian {
            raw.reverse();
        }
        self.bytes.extend(raw);
    }

    pub fn int(&mut self, value: u32) {
        self.put(value.to_le_bytes());
    }

    pub fn long(&mut self, value: u64) {
        self.put(value.to_le_bytes());
    }

    pub fn float(&mut self, value: f64) {
        self.put((value as f32).to_le_bytes());
    }

    pub fn double(&mut self, value: f64) {
        self.put(value.to_le_bytes());
    }

    pub fn text(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
    }
}
