//! The sparse stiffness matrix of the free nodes of a tetrahedral mesh.

use faer::sparse::{SparseColMat, SymbolicSparseColMat};
use pliant_core::math::Mat3;

use crate::greens::element_mesh::ElementMesh;

/// Marks a node that has no unknowns.
pub const NOT_FREE: u32 = u32::MAX;

/// Numbers the nodes that carry unknowns, in ascending node order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeNodes {
    /// Free number of each node of the mesh, or [`NOT_FREE`].
    pub index_of_node: Vec<u32>,
    /// Node behind each free number, ascending.
    pub nodes: Vec<u32>,
}

impl FreeNodes {
    /// The nodes for which `is_free` holds.
    pub fn new(node_count: usize, is_free: impl Fn(usize) -> bool) -> Self {
        let mut index_of_node = vec![NOT_FREE; node_count];
        let mut nodes = Vec::new();
        for (node, index) in index_of_node.iter_mut().enumerate() {
            if is_free(node) {
                *index = nodes.len() as u32;
                nodes.push(node as u32);
            }
        }
        Self {
            index_of_node,
            nodes,
        }
    }

    /// Number of free nodes; a third of the unknowns.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is free.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Free number of `node`, `None` where it is held.
    pub fn get(&self, node: u32) -> Option<usize> {
        let index = self.index_of_node[node as usize];
        (index != NOT_FREE).then_some(index as usize)
    }
}

/// Lower triangle of a symmetric matrix of 3×3 blocks over free nodes (N/m), in compressed columns with a fixed pattern.
#[derive(Debug, Clone)]
pub struct SymmetricBlocks {
    matrix: SparseColMat<usize, f64>,
    /// Free neighbours with a larger free number, ascending, of each free node.
    later: Vec<Vec<u32>>,
}

impl SymmetricBlocks {
    /// The zero matrix with a block wherever two free nodes share a tetrahedron. Cost O(number of edges).
    pub fn zeros(mesh: &ElementMesh, free: &FreeNodes) -> Self {
        let mut later: Vec<Vec<u32>> = vec![Vec::new(); free.len()];
        for tet in mesh.tets() {
            for &node in tet {
                let Some(i) = free.get(node) else { continue };
                let others = tet.iter().filter(|&&other| other > node);
                later[i].extend(others.filter_map(|&other| free.get(other).map(|j| j as u32)));
            }
        }
        for others in &mut later {
            others.sort_unstable();
            others.dedup();
        }
        let size = 3 * free.len();
        let mut starts = Vec::with_capacity(size + 1);
        let mut rows = Vec::new();
        starts.push(0);
        for (i, others) in later.iter().enumerate() {
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
            later,
        }
    }

    /// Sets every entry to zero and keeps the pattern.
    pub fn clear(&mut self) {
        self.matrix.val_mut().fill(0.0);
    }

    /// Adds block `K_ij` (rows of free node `i`, columns of free node `j`); only `i ≥ j` is stored, the rest is its mirror image.
    ///
    /// Blocks of nodes that share no tetrahedron have no place and are ignored.
    pub fn add(&mut self, i: usize, j: usize, block: &Mat3) {
        if i < j {
            return;
        }
        let place = if i == j {
            0
        } else {
            match self.later[j].binary_search(&(i as u32)) {
                Ok(place) => place,
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
                    values[start + 3 - c + 3 * place + r] += block[(r, c)];
                }
            }
        }
    }

    /// Adds `shift` (N/m) to every diagonal entry.
    pub fn shift_diagonal(&mut self, shift: f64) {
        for column in 0..self.size() {
            let start = self.matrix.symbolic().col_ptr()[column];
            self.matrix.val_mut()[start] += shift;
        }
    }

    /// Number of scalar unknowns.
    pub fn size(&self) -> usize {
        self.matrix.nrows()
    }

    /// The lower triangle as faer sees it.
    pub fn lower(&self) -> &SparseColMat<usize, f64> {
        &self.matrix
    }

    /// Largest diagonal entry, N/m; 0 for an empty matrix.
    pub fn largest_diagonal(&self) -> f64 {
        let starts = self.matrix.symbolic().col_ptr();
        (0..self.size())
            .map(|column| self.matrix.val()[starts[column]])
            .fold(0.0, f64::max)
    }
}
