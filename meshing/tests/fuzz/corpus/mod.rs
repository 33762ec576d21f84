//! Small valid files of every format and variant, made from procedural bodies.

pub mod binary;
pub mod gltf;
pub mod gmsh;
pub mod text;
pub mod vtk;

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
