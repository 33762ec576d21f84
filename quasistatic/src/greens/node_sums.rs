//! Sums of columns at the same nodes, again and again, without the rest of the field.

use std::ops::Range;
use std::sync::Arc;

use pliant_compression::transform::WaveletTransform;
use pliant_compression::wavelet::RegionSum;
use pliant_core::math::Vec3;

use super::matrix::GreensMatrix;

/// Nodes over selected ones from which on columns are summed at the selected ones alone. With fewer, most rows of the transform are needed.
const MIN_NODES_PER_SELECTED: usize = 4;

/// Displacements of selected nodes under forces. Of columns that are wavelets, only what these nodes need is summed and reconstructed, so that a sum does not depend on the size of the
/// body. Its bits are those of the whole field.
#[derive(Debug, Clone, Default)]
pub struct NodeSums {
    /// Ascending.
    nodes: Vec<u32>,
    /// The nodes of the next selection.
    next: Vec<u32>,
    region: RegionSum,
    /// The transform for which the region was selected; `None` where sums are those of [`GreensMatrix::add_rows`].
    transform: Option<Arc<WaveletTransform>>,
    values: Vec<f64>,
}

impl NodeSums {
    /// Selects nodes, in any order and more than once, of these columns. Nothing is done where they are selected already.
    pub fn select(&mut self, greens: &GreensMatrix, nodes: impl IntoIterator<Item = u32>) {
        self.next.clear();
        self.next.extend(nodes);
        self.next.sort_unstable();
        self.next.dedup();
        let is_few = MIN_NODES_PER_SELECTED * self.next.len() <= greens.nodes();
        let matrix = greens.wavelets().filter(|_| is_few);
        let transform = matrix.map(|matrix| matrix.transform());
        let is_same = match (&self.transform, transform) {
            (Some(selected), Some(transform)) => Arc::ptr_eq(selected, transform),
            (None, None) => true,
            _ => false,
        };
        if is_same && self.nodes == self.next {
            return;
        }
        std::mem::swap(&mut self.nodes, &mut self.next);
        if let Some(transform) = transform {
            self.region.select(transform, &self.nodes);
        }
        self.transform = transform.cloned();
    }

    /// The selected nodes, ascending.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Adds the displacements (m) under `forces` (node, N) to `out`, three numbers for each selected node. The columns are those of the selection, or the same with another threshold.
    pub fn add(&mut self, greens: &GreensMatrix, forces: &[(u32, Vec3)], out: &mut [f64]) {
        match greens.wavelets().filter(|_| self.transform.is_some()) {
            Some(matrix) => {
                let sums = self.region.sum(matrix, forces);
                for (out, sum) in out.as_chunks_mut::<3>().0.iter_mut().zip(sums) {
                    for (out, x) in out.iter_mut().zip(sum.iter()) {
                        *out += x;
                    }
                }
            }
            None => greens.add_rows(forces, &self.nodes, out),
        }
    }

    /// Copies the numbers of the selected nodes, three a node, from one field to another.
    pub fn copy(&self, from: &[f64], to: &mut [f64]) {
        for node in &self.nodes {
            to[numbers(node)].copy_from_slice(&from[numbers(node)]);
        }
    }

    /// As [`Self::add`], to the selected nodes of `field`, which has three numbers for each node. Other nodes stay as they are.
    pub fn add_to(&mut self, greens: &GreensMatrix, forces: &[(u32, Vec3)], field: &mut [f64]) {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        for node in &self.nodes {
            values.extend_from_slice(&field[numbers(node)]);
        }
        self.add(greens, forces, &mut values);
        for (node, value) in self.nodes.iter().zip(values.as_chunks::<3>().0) {
            field[numbers(node)].copy_from_slice(value);
        }
        self.values = values;
    }
}

/// Places of the three numbers of a node.
fn numbers(node: &u32) -> Range<usize> {
    let first = 3 * *node as usize;
    first..first + 3
}
