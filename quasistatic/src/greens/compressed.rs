//! Columns that are stored compressed and summed without being expanded.

use std::sync::{Mutex, PoisonError};

use pliant_compression::wavelet::{CoefficientField, WaveletMatrix};
use pliant_core::math::{Mat3, Vec3};

/// Compressed columns with the memory of their sums, which is kept.
#[derive(Debug)]
pub struct CompressedColumns {
    matrix: WaveletMatrix,
    fields: Mutex<Vec<CoefficientField>>,
}

impl CompressedColumns {
    /// Columns by wavelets.
    pub fn new(matrix: WaveletMatrix) -> Self {
        Self {
            matrix,
            fields: Mutex::default(),
        }
    }

    /// The wavelet columns.
    pub fn wavelets(&self) -> &WaveletMatrix {
        &self.matrix
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.matrix.rows()
    }

    /// Bytes of all columns.
    pub fn bytes(&self) -> usize {
        self.matrix.bytes()
    }

    /// Displacement of node `i` (m) for a unit force (N) on node `j`; thresholds have taken its symmetry.
    pub fn block(&self, i: usize, j: usize) -> Mat3 {
        self.matrix.block(i, j)
    }

    /// Adds the displacements (m) under `forces` (node, N) to `field`, three numbers a node.
    pub fn add_columns(&self, forces: &[(u32, Vec3)], field: &mut [f64]) {
        self.sum(forces, |sum| {
            for (node, out) in field.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                add(out, sum.value(node));
            }
        });
    }

    /// Adds the displacements (m) of `nodes` under `forces` (node, N) to `out`, with the bits of [`Self::add_columns`].
    pub fn add_rows(&self, forces: &[(u32, Vec3)], nodes: &[u32], out: &mut [f64]) {
        self.sum(forces, |sum| {
            for (&node, out) in nodes.iter().zip(out.as_chunks_mut::<3>().0) {
                add(out, sum.value(node as usize));
            }
        });
    }

    fn sum(&self, forces: &[(u32, Vec3)], read: impl FnOnce(&CoefficientField)) {
        let lock = || self.fields.lock().unwrap_or_else(PoisonError::into_inner);
        let mut field = lock().pop().unwrap_or_default();
        let finest = self.matrix.transform().domain().finest();
        field.clear(self.matrix.rows());
        self.matrix.add_columns(forces, finest, &mut field);
        self.matrix.reconstruct(finest, &mut field);
        read(&field);
        lock().push(field);
    }
}

fn add(out: &mut [f64; 3], value: Vec3) {
    for (out, x) in out.iter_mut().zip(value.iter()) {
        *out += x;
    }
}

impl Clone for CompressedColumns {
    fn clone(&self) -> Self {
        Self::new(self.matrix.clone())
    }
}

impl PartialEq for CompressedColumns {
    fn eq(&self, other: &Self) -> bool {
        self.matrix == other.matrix
    }
}
