//! Columns that are stored compressed and summed without expansion.

use std::sync::{Arc, Mutex, PoisonError};

use pliant_compression::CompressionError;
use pliant_compression::hierarchical_matrix::{HierarchicalMatrix, SumScratch};
use pliant_compression::subdivision::SubdivisionHierarchy;
use pliant_compression::wavelet::{CoefficientField, ThresholdSpec, WaveletMatrix};
use pliant_core::math::{Mat3, Vec3};

use super::near_field::NearFieldSpec;

/// Compressed columns with reusable memory for their sums.
#[derive(Debug)]
pub enum CompressedColumns {
    /// By wavelets: not reciprocal.
    Wavelets(WaveletColumns, Mutex<Vec<CoefficientField>>),
    /// As a hierarchical matrix, which is symmetric.
    Hierarchical(HierarchicalMatrix, Mutex<Vec<HierarchicalSum>>),
}

/// Memory of one sum: the scratch of [`HierarchicalMatrix::add_columns`], and a field.
#[derive(Debug, Default)]
pub struct HierarchicalSum {
    scratch: SumScratch,
    field: Vec<f64>,
}

/// Columns by wavelets, with the source of their transform, which files store.
#[derive(Debug, Clone, PartialEq)]
pub struct WaveletColumns {
    /// The columns.
    pub matrix: WaveletMatrix,
    /// The levels of the boundary.
    pub hierarchy: Arc<SubdivisionHierarchy>,
    /// Areas of all vertices of the boundary, m².
    pub areas: Arc<[f64]>,
    /// Share of the largest block of a column below which details were dropped.
    pub epsilon: f64,
    /// The near field that was kept in any case, if there is one.
    pub near: Option<Arc<NearFieldSpec>>,
}

impl WaveletColumns {
    /// These columns with a larger threshold, see [`WaveletMatrix::rethresholded`]; `amplitudes` are those of the matrix.
    ///
    /// # Errors
    /// [`CompressionError::BadThreshold`], [`CompressionError::WrongLength`].
    pub fn rethresholded(
        &self,
        amplitudes: &[f64],
        epsilon: f64,
    ) -> Result<Self, CompressionError> {
        let spec = ThresholdSpec {
            epsilon,
            near_field: self.near.as_ref().map(|near| near.near_field()),
        };
        Ok(Self {
            matrix: self.matrix.rethresholded(amplitudes, &spec)?,
            hierarchy: Arc::clone(&self.hierarchy),
            areas: Arc::clone(&self.areas),
            epsilon,
            near: self.near.clone(),
        })
    }

    /// Relative error of `other` columns of the same body, compared with these, each weighted by the area of its node, see [`WaveletMatrix::sampled_error`].
    ///
    /// # Errors
    /// [`CompressionError::WrongLength`] for columns of another body.
    pub fn sampled_error(&self, other: &Self) -> Result<f64, CompressionError> {
        let vertices = self.matrix.transform().domain().vertices().iter();
        let area = |&v: &u32| self.areas.get(v as usize).copied().unwrap_or(0.0);
        let areas: Vec<f64> = vertices.map(area).collect();
        self.matrix.sampled_error(&other.matrix, Some(&areas))
    }
}

impl From<WaveletColumns> for CompressedColumns {
    fn from(columns: WaveletColumns) -> Self {
        Self::Wavelets(columns, Mutex::default())
    }
}

impl From<HierarchicalMatrix> for CompressedColumns {
    fn from(matrix: HierarchicalMatrix) -> Self {
        Self::Hierarchical(matrix, Mutex::default())
    }
}

impl CompressedColumns {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        match self {
            Self::Wavelets(columns, _) => columns.matrix.rows(),
            Self::Hierarchical(matrix, _) => matrix.nodes(),
        }
    }

    /// Bytes of all columns.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Wavelets(columns, _) => columns.matrix.bytes(),
            Self::Hierarchical(matrix, _) => matrix.bytes(),
        }
    }

    /// Whether `F_ij = F_jiᵀ`.
    pub fn is_reciprocal(&self) -> bool {
        matches!(self, Self::Hierarchical(..))
    }

    /// Displacement of node `i` (m) for a unit force (N) on node `j`.
    pub fn block(&self, i: usize, j: usize) -> Mat3 {
        match self {
            Self::Wavelets(columns, _) => columns.matrix.block(i, j),
            Self::Hierarchical(matrix, _) => matrix.block(i, j),
        }
    }

    /// Adds the displacements (m) under `forces` (node, N) to `field`, three numbers a node.
    pub fn add_columns(&self, forces: &[(u32, Vec3)], field: &mut [f64]) {
        match self {
            Self::Wavelets(columns, memory) => {
                sum_wavelets(&columns.matrix, memory, forces, |sum| {
                    for (node, out) in field.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                        add(out, sum.value(node).as_ref());
                    }
                })
            }
            Self::Hierarchical(matrix, memory) => {
                with_memory(memory, |sum| {
                    matrix.add_columns(forces, field, &mut sum.scratch)
                });
            }
        }
    }

    /// Adds the displacements (m) of `nodes` under `forces` (node, N) to `out`.
    pub fn add_rows(&self, forces: &[(u32, Vec3)], nodes: &[u32], out: &mut [f64]) {
        let rows = nodes.iter().zip(out.as_chunks_mut::<3>().0);
        match self {
            Self::Wavelets(columns, memory) => {
                sum_wavelets(&columns.matrix, memory, forces, |sum| {
                    for (&node, out) in rows {
                        add(out, sum.value(node as usize).as_ref());
                    }
                })
            }
            Self::Hierarchical(matrix, memory) => with_memory(memory, |sum| {
                sum.field.clear();
                sum.field.resize(3 * matrix.nodes(), 0.0);
                matrix.add_columns(forces, &mut sum.field, &mut sum.scratch);
                let values = sum.field.as_chunks::<3>().0;
                for (&node, out) in rows {
                    add(out, &values[node as usize]);
                }
            }),
        }
    }
}

/// Sums and reconstructs columns in reusable memory.
fn sum_wavelets(
    matrix: &WaveletMatrix,
    memory: &Mutex<Vec<CoefficientField>>,
    forces: &[(u32, Vec3)],
    read: impl FnOnce(&CoefficientField),
) {
    with_memory(memory, |field| {
        matrix.sum_columns(forces, field);
        read(field);
    });
}

/// Runs `work` with memory that no other thread uses at the same time.
fn with_memory<M: Default>(memory: &Mutex<Vec<M>>, work: impl FnOnce(&mut M)) {
    let lock = || memory.lock().unwrap_or_else(PoisonError::into_inner);
    let mut reused = lock().pop().unwrap_or_default();
    work(&mut reused);
    lock().push(reused);
}

fn add(out: &mut [f64; 3], value: &[f64; 3]) {
    for (out, x) in out.iter_mut().zip(value) {
        *out += x;
    }
}

impl Clone for CompressedColumns {
    fn clone(&self) -> Self {
        match self {
            Self::Wavelets(columns, _) => columns.clone().into(),
            Self::Hierarchical(matrix, _) => matrix.clone().into(),
        }
    }
}

impl PartialEq for CompressedColumns {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Wavelets(a, _), Self::Wavelets(b, _)) => a == b,
            (Self::Hierarchical(a, _), Self::Hierarchical(b, _)) => a == b,
            _ => false,
        }
    }
}
