//! Where the vertices of pairs are in a step.

use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;

/// Vertices of pairs, each of them once, and where they are.
#[derive(Debug, Clone)]
pub(super) struct Places {
    vertices: Vec<u32>,
    /// one more than the number of each vertex of the surface among these, 0 for others
    numbers: Vec<u32>,
    /// m
    at: Vec<Vec3>,
}

impl Places {
    /// With memory for so many of the vertices of a surface; there are none yet.
    pub fn new(vertex_count: usize, most: usize) -> Self {
        Self {
            vertices: Vec::with_capacity(most),
            numbers: vec![0; vertex_count],
            at: Vec::with_capacity(most),
        }
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        for &v in &self.vertices {
            self.numbers[v as usize] = 0;
        }
        self.vertices.clear();
    }

    /// Number of a vertex, which is added where it is new.
    pub fn number(&mut self, vertex: u32) -> u32 {
        let number = &mut self.numbers[vertex as usize];
        if *number == 0 {
            self.vertices.push(vertex);
            *number = self.vertices.len() as u32;
        }
        *number - 1
    }

    /// The vertex with this number.
    pub fn vertex(&self, number: u32) -> u32 {
        self.vertices[number as usize]
    }

    /// Moves all of them to where nodes at `positions` (m) have them.
    pub fn follow(&mut self, rows: &SkinEmbedding, positions: &[Vec3]) {
        self.at.clear();
        let places = self.vertices.iter();
        self.at
            .extend(places.map(|v| rows.interpolate(*v as usize, positions)));
    }

    /// Where vertices with these numbers are, m.
    pub fn of(&self, numbers: [u32; 4]) -> [Vec3; 4] {
        numbers.map(|k| self.at[k as usize])
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }
}
