//! How far a touched skin vertex is displaced by a force on another one.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Mat3;

use super::linear_level::LinearLevel;

/// Vertices whose responses are solved together, and between two looks whether the work was cancelled.
const VERTICES_AT_ONCE: usize = 4;
/// Marks a vertex that has not been touched.
const UNTOUCHED: u32 = u32::MAX;

/// The compliance of the skin vertices that have been touched so far.
pub(super) struct ContactCompliance {
    /// number of each skin vertex among the touched ones
    number: Vec<u32>,
    /// the touched vertices, in the order in which they were touched
    vertices: Vec<u32>,
    /// lower triangle: `blocks[i][j]` is the displacement of vertex `i` for a unit force on vertex `j`, m/N
    blocks: Vec<Vec<Mat3>>,
}

impl ContactCompliance {
    /// Nothing is touched on a skin with so many vertices.
    pub(super) fn new(skin_vertices: usize) -> Self {
        Self {
            number: vec![UNTOUCHED; skin_vertices],
            vertices: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Number of a vertex among the touched ones.
    pub(super) fn number(&self, vertex: u32) -> Option<usize> {
        let number = *self.number.get(vertex as usize)?;
        (number != UNTOUCHED).then_some(number as usize)
    }

    /// Adds those of some different `vertices` that are new. Cost: three solutions for each.
    pub(super) fn add(
        &mut self,
        vertices: &[u32],
        level: &LinearLevel,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let untouched = vertices.iter().copied();
        let untouched: Vec<u32> = untouched.filter(|v| self.number(*v).is_none()).collect();
        for part in untouched.chunks(VERTICES_AT_ONCE) {
            progress.check()?;
            for (&vertex, [x, y, z]) in part.iter().zip(&level.responses(part)) {
                self.number[vertex as usize] = self.vertices.len() as u32;
                self.vertices.push(vertex);
                let row = self.vertices.iter().map(|&other| {
                    let columns = [x, y, z].map(|moved| level.skin_displacement(other, moved));
                    // reciprocity: the other vertex moves under a force here as this one does under a force there
                    Mat3::from_columns(&columns).transpose()
                });
                let row = row.collect();
                self.blocks.push(row);
            }
        }
        Ok(())
    }

    /// Displacement of the touched vertex with number `i` for a unit force on that with number `j`, m/N.
    pub(super) fn block(&self, i: usize, j: usize) -> Mat3 {
        match i >= j {
            true => self.blocks[i][j],
            false => self.blocks[j][i].transpose(),
        }
    }
}
