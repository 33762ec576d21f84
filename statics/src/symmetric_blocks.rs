//! The sparse stiffness matrix of the free nodes of a mesh.

use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use pliant_core::math::Mat3;

use crate::free_nodes::FreeNodes;

/// Lower triangle of a symmetric matrix of 3×3 blocks over free nodes (N/m), in compressed columns with a fixed pattern.
#[derive(Debug, Clone)]
pub struct SymmetricBlocks {
    matrix: SparseColMat<usize, f64>,
    /// For each free node its free neighbours with larger numbers, ascending.
    larger_neighbours: Vec<Vec<u32>>,
}

impl SymmetricBlocks {
    /// The zero matrix, with a block for each pair of free nodes that share one of the `elements`, which are lists of nodes. Cost O(number of edges).
    pub fn zeros<'a>(elements: impl Iterator<Item = &'a [u32]>, free: &FreeNodes) -> Self {
        let mut larger_neighbours: Vec<Vec<u32>> = vec![Vec::new(); free.len()];
        for element in elements {
            for &node in element {
                let Some(i) = free.get(node) else { continue };
                let others = element.iter().filter(|&&other| other > node);
                larger_neighbours[i]
                    .extend(others.filter_map(|&other| free.get(other).map(|j| j as u32)));
            }
        }
        for others in &mut larger_neighbours {
            others.sort_unstable();
            others.dedup();
        }
        let size = 3 * free.len();
        let mut starts = Vec::with_capacity(size + 1);
        let mut rows = Vec::new();
        starts.push(0);
        for (i, others) in larger_neighbours.iter().enumerate() {
            for c in 0..3 {
                rows.extend(3 * i + c..3 * i + 3);
                for &j in others {
                    rows.extend(3 * j as usize..3 * j as usize + 3);
                }
                starts.push(rows.len());
            }
        }
        let values = vec![0.0; rows.len()];
        let pattern = SymbolicSparseColMat::new_checked(size, size, starts, None, rows);
        Self {
            matrix: SparseColMat::new(pattern, values),
            larger_neighbours,
        }
    }

    /// Sets every entry to zero and keeps the pattern.
    pub fn clear(&mut self) {
        self.matrix.val_mut().fill(0.0);
    }

    /// Adds block `K_ij` (rows of free node `i`, columns of free node `j`); only `i ≥ j` is stored, and the rest follows by symmetry.
    ///
    /// Blocks of nodes that share no element are not in the pattern and are ignored.
    pub fn add(&mut self, i: usize, j: usize, block: &Mat3) {
        if i < j {
            return;
        }
        let index = if i == j {
            0
        } else {
            match self.larger_neighbours[j].binary_search(&(i as u32)) {
                Ok(index) => index,
                Err(_) => return,
            }
        };
        for c in 0..3 {
            let start = self.matrix.symbolic().col_ptr()[3 * j + c];
            let values = self.matrix.val_mut();
            if i == j {
                for r in c..3 {
                    values[start + r - c] += block[(r, c)];
                }
            } else {
                for r in 0..3 {
                    values[start + 3 - c + 3 * index + r] += block[(r, c)];
                }
            }
        }
    }

    /// For each free node its free neighbours with larger numbers, ascending.
    pub fn larger_neighbours(&self) -> &[Vec<u32>] {
        &self.larger_neighbours
    }

    /// Number of scalar unknowns.
    pub fn size(&self) -> usize {
        self.matrix.nrows()
    }

    /// The lower triangle as a matrix of faer.
    pub fn lower(&self) -> &SparseColMat<usize, f64> {
        &self.matrix
    }
}
