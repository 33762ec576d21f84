//! The linear system of a held body: free nodes, stiffness and the elements behind it.

use faer::Mat;
use pliant_core::math::{Mat3, Vec3};
use pliant_statics::{CholeskyPattern, FactorError, FreeNodes, SymmetricBlocks};

use crate::error::BakeError;
use crate::finite_elements::dissection::order_ending_with;
use crate::finite_elements::elasticity::BodyElasticity;
use crate::finite_elements::element_mesh::ElementMesh;

/// The linear system of a held body, ready to be factorised.
pub(crate) struct LinearSystem {
    pub free: FreeNodes,
    pub stiffness: SymmetricBlocks,
    pub elements: ElementMesh,
}

impl LinearSystem {
    /// Stiffness of all elements between the nodes for which `is_free` holds.
    pub fn assemble(
        elements: ElementMesh,
        elasticity: &BodyElasticity,
        is_free: impl Fn(usize) -> bool,
    ) -> Self {
        let free = FreeNodes::new(elements.nodes.len(), is_free);
        let mut stiffness = SymmetricBlocks::zeros(elements.tets(), &free);
        for (t, tet) in elements.tets().enumerate() {
            for (a, &row) in tet.iter().enumerate() {
                for (b, &column) in tet.iter().enumerate() {
                    if let (Some(i), Some(j)) = (free.get(row), free.get(column))
                        && i >= j
                    {
                        stiffness.add(i, j, &elements.block(elasticity, t, a, b));
                    }
                }
            }
        }
        Self {
            free,
            stiffness,
            elements,
        }
    }

    /// The pattern of the factor by nested dissection of the free nodes, with the nodes `last` eliminated last, in their order.
    pub fn dissected(&self, last: &[usize]) -> Result<CholeskyPattern, FactorError> {
        let nodes = self.free.nodes.iter();
        let positions: Vec<Vec3> = nodes.map(|&n| self.elements.nodes[n as usize]).collect();
        let order = order_ending_with(&self.stiffness, &positions, last);
        CholeskyPattern::in_order(&self.stiffness, &order, last.len())
    }

    /// The error of a failed factorisation, with the position of the failed pivot.
    pub fn bake_error(&self, error: FactorError) -> BakeError {
        match error {
            FactorError::NotPositive { unknown } => {
                let node = self.free.nodes.get(unknown / 3).copied().unwrap_or(0);
                BakeError::NotPositiveDefinite {
                    node,
                    at: self.elements.nodes[node as usize],
                }
            }
            FactorError::OutOfMemory { megabytes } => BakeError::FactorTooLarge {
                unknowns: self.stiffness.size(),
                megabytes,
            },
        }
    }
}

pub(crate) fn block_of(x: &Mat<f64>, row: usize) -> Mat3 {
    Mat3::from_fn(|r, c| x[(3 * row + r, c)])
}

pub(crate) fn add_block(x: &mut Mat<f64>, row: usize, block: &Mat3) {
    for r in 0..3 {
        for c in 0..3 {
            x[(3 * row + r, c)] += block[(r, c)];
        }
    }
}
