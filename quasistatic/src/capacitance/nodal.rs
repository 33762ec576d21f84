//! Nodal forces: forces on skin vertices, summed on the boundary nodes.

use pliant_core::math::Vec3;

use crate::capacitance::assemble::{ContactRow, RowSupports};

/// Nodal forces of one frame; memory is kept.
#[derive(Debug, Clone, Default)]
pub struct NodalForces {
    force_of_node: Vec<Vec3>,
    touched: Vec<u32>,
    list: Vec<(u32, Vec3)>,
}

impl NodalForces {
    /// Removes all forces; `nodes` is the number of free boundary nodes.
    pub fn clear(&mut self, nodes: usize) {
        self.force_of_node.resize(nodes, Vec3::zeros());
        for &node in &self.touched {
            self.force_of_node[node as usize] = Vec3::zeros();
        }
        self.touched.clear();
        self.list.clear();
    }

    /// Spreads a force (N) on a skin vertex, or on the vertices of a coarse constraint, over its nodes by the weights.
    pub fn add<'a>(&mut self, supports: impl Into<RowSupports<'a>>, vertex: u32, force: Vec3) {
        let supports: RowSupports<'a> = supports.into();
        let (nodes, weights) = supports.weights(vertex);
        for (&node, &weight) in nodes.iter().zip(weights) {
            self.force_of_node[node as usize] += force * weight;
            self.touched.push(node);
        }
    }

    /// Adds the force of a condition, N.
    pub fn add_row(&mut self, supports: RowSupports<'_>, row: &ContactRow, force: f64) {
        supports.visit(row, |node, coefficient| {
            self.force_of_node[node as usize] += coefficient * force;
            self.touched.push(node);
        });
    }

    /// The nodes that carry force, ascending, with their sums (N).
    pub fn list(&mut self) -> &[(u32, Vec3)] {
        self.touched.sort_unstable();
        self.touched.dedup();
        self.list.clear();
        let loaded = self
            .touched
            .iter()
            .map(|&n| (n, self.force_of_node[n as usize]));
        self.list
            .extend(loaded.filter(|(_, f)| *f != Vec3::zeros()));
        &self.list
    }
}
