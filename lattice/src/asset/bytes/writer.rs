//! Appends numbers, arrays and the parts of a lattice.

use pliant_core::material::{Damping, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SkinEmbedding, SurfaceMesh};

use crate::asset::changed::Changed;
use crate::asset::lists::Lists;

#[derive(Default)]
pub(super) struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    pub fn number(&mut self, value: f64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub fn index(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub fn vector(&mut self, v: &Vec3) {
        v.iter().for_each(|&x| self.number(x));
    }

    pub fn numbers(&mut self, values: &[f64]) {
        self.index(values.len() as u32);
        values.iter().for_each(|&x| self.number(x));
    }

    pub fn vectors(&mut self, values: &[Vec3]) {
        self.index(values.len() as u32);
        values.iter().for_each(|v| self.vector(v));
    }

    pub fn indices(&mut self, values: &[u32]) {
        self.index(values.len() as u32);
        values.iter().for_each(|&x| self.index(x));
    }

    pub fn text(&mut self, text: &str) {
        self.index(text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub fn lists(&mut self, lists: &Lists) {
        self.indices(&lists.offsets);
        self.indices(&lists.items);
    }

    pub fn changed(&mut self, changed: &Changed) {
        self.index(changed.regions().len() as u32);
        for &region in changed.regions() {
            self.index(region);
            let runs = changed.runs(region as usize).unwrap_or_default();
            self.indices(runs.as_flattened());
        }
    }

    pub fn skin(&mut self, skin: &SurfaceMesh) {
        self.vectors(&skin.positions);
        self.indices(skin.triangles.as_flattened());
        self.index(skin.groups.len() as u32);
        for group in &skin.groups {
            self.text(&group.name);
            self.indices(&group.vertices);
        }
    }

    pub fn material(&mut self, m: &Material) {
        let (kind, a, b) = match m.damping {
            Damping::Ratio(zeta) => (0, zeta, 0.0),
            Damping::Parameters(d) => (1, d.phi, d.psi),
        };
        self.numbers(&[m.elastic.young, m.elastic.poisson, m.density, a, b]);
        self.index(kind);
        self.text(m.law.name());
    }

    pub fn embedding(&mut self, embedding: &SkinEmbedding) {
        self.index(embedding.len() as u32);
        for vertex in 0..embedding.len() {
            let (nodes, weights) = embedding.row(vertex);
            self.indices(nodes);
            self.numbers(weights);
        }
        self.number(embedding.max_distance);
        self.index(embedding.farthest_vertex);
    }
}
