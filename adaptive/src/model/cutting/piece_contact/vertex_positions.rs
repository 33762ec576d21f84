//! Positions of the vertices of pairs in a step.

use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;

/// The vertices of pairs, each of them once, with their positions.
#[derive(Debug, Clone)]
pub(super) struct VertexPositions {
    vertices: Vec<u32>,
    /// for each vertex of the surface one more than its index among these, 0 for others
    numbers: Vec<u32>,
    /// m
    at: Vec<Vec3>,
}

impl VertexPositions {
    /// Without vertices, with the capacity for this number of the vertices of a surface.
    pub fn new(vertex_count: usize, capacity: usize) -> Self {
        Self {
            vertices: Vec::with_capacity(capacity),
            numbers: vec![0; vertex_count],
            at: Vec::with_capacity(capacity),
        }
    }

    /// Removes all vertices.
    pub fn clear(&mut self) {
        for &v in &self.vertices {
            self.numbers[v as usize] = 0;
        }
        self.vertices.clear();
    }

    /// Index of a vertex, which is added if it is new.
    pub fn number(&mut self, vertex: u32) -> u32 {
        let number = &mut self.numbers[vertex as usize];
        if *number == 0 {
            self.vertices.push(vertex);
            *number = self.vertices.len() as u32;
        }
        *number - 1
    }

    /// The vertex with this index.
    pub fn vertex(&self, number: u32) -> u32 {
        self.vertices[number as usize]
    }

    /// Interpolates all vertices from nodes at `positions` (m).
    pub fn update(&mut self, rows: &SkinEmbedding, positions: &[Vec3]) {
        self.at.clear();
        let places = self.vertices.iter();
        self.at
            .extend(places.map(|v| rows.interpolate(*v as usize, positions)));
    }

    /// Positions of the vertices with these indices, m.
    pub fn get(&self, numbers: [u32; 4]) -> [Vec3; 4] {
        numbers.map(|k| self.at[k as usize])
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }
}
