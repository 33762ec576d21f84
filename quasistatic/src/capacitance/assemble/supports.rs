//! The nodes of a condition: those of a skin vertex, or those of a coarse constraint.

use pliant_core::math::Vec3;

use super::contact_row::ContactRow;
use crate::greens::SkinRows;
use crate::greens::skin_rows::weighted_sum;

/// Coarse constraints of one frame. Each is a mean over touched skin vertices, and its index follows those of the skin vertices.
///
/// The same weights distribute the force of a constraint to its vertices, so that compliances stay symmetric.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CoarseSupports {
    first: u32,
    /// First part of each constraint, one more than constraints.
    offsets: Vec<u32>,
    nodes: Vec<u32>,
    weights: Vec<f64>,
    /// Weight times the normal of each touched vertex, summed by node.
    normals: Vec<Vec3>,
}

impl CoarseSupports {
    /// Removes all constraints. Indices of new ones begin at `skin_vertices`.
    pub fn clear(&mut self, skin_vertices: usize) {
        self.first = skin_vertices as u32;
        self.offsets.clear();
        self.offsets.push(0);
        self.nodes.clear();
        self.weights.clear();
        self.normals.clear();
    }

    /// Appends a constraint of parts (node, weight, weight times normal), ascending by node; parts of one node are added. Returns its index as a vertex.
    pub fn push(&mut self, parts: &[(u32, f64, Vec3)]) -> u32 {
        let begin = self.nodes.len();
        for &(node, weight, normal) in parts {
            if self.nodes.len() > begin && self.nodes.last() == Some(&node) {
                if let (Some(w), Some(n)) = (self.weights.last_mut(), self.normals.last_mut()) {
                    *w += weight;
                    *n += normal;
                }
            } else {
                self.nodes.push(node);
                self.weights.push(weight);
                self.normals.push(normal);
            }
        }
        self.offsets.push(self.nodes.len() as u32);
        self.first + self.offsets.len() as u32 - 2
    }

    /// The constraint with the index `vertex`.
    pub fn index(&self, vertex: u32) -> Option<usize> {
        vertex.checked_sub(self.first).map(|k| k as usize)
    }

    fn range(&self, k: usize) -> std::ops::Range<usize> {
        match (self.offsets.get(k), self.offsets.get(k + 1)) {
            (Some(&begin), Some(&end)) => begin as usize..end as usize,
            _ => 0..0,
        }
    }
}

/// The nodes of the conditions of a frame.
#[derive(Debug, Clone, Copy)]
pub struct RowSupports<'a> {
    /// The nodes of each skin vertex.
    pub skin: &'a SkinRows,
    /// The coarse constraints, if the frame has any.
    pub coarse: Option<&'a CoarseSupports>,
}

impl<'a> From<&'a SkinRows> for RowSupports<'a> {
    fn from(skin: &'a SkinRows) -> Self {
        Self { skin, coarse: None }
    }
}

impl<'a> RowSupports<'a> {
    /// Nodes and weights of a vertex or a coarse constraint.
    pub fn weights(&self, vertex: u32) -> (&'a [u32], &'a [f64]) {
        let coarse = self.coarse.and_then(|c| Some((c, c.index(vertex)?)));
        match coarse {
            Some((coarse, k)) => {
                let range = coarse.range(k);
                (&coarse.nodes[range.clone()], &coarse.weights[range])
            }
            None => self.skin.row(vertex as usize),
        }
    }

    /// Visits each node of a condition with the nodal force for a unit force of the condition. A coarse constraint that may only push acts along the normals of its vertices, other
    /// conditions act along their direction.
    pub fn visit(&self, row: &ContactRow, mut visit: impl FnMut(u32, Vec3)) {
        let coarse = self.coarse.filter(|_| row.unilateral);
        if let Some((coarse, k)) = coarse.and_then(|c| Some((c, c.index(row.vertex)?))) {
            let range = coarse.range(k);
            let nodes = coarse.nodes[range.clone()].iter();
            for (&node, &normal) in nodes.zip(&coarse.normals[range]) {
                visit(node, normal);
            }
            return;
        }
        let (nodes, weights) = self.weights(row.vertex);
        for (&node, &weight) in nodes.iter().zip(weights) {
            visit(node, row.direction * weight);
        }
    }

    /// Displacement (m) of a vertex, or the mean one of a coarse constraint, in a field of three numbers a node.
    pub fn interpolate(&self, vertex: u32, field: &[f64]) -> Vec3 {
        weighted_sum(self.weights(vertex), field)
    }

    /// Displacement of a condition along its directions (m) in a field of three numbers a node.
    pub fn displacement(&self, row: &ContactRow, field: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.visit(row, |node, coefficient| {
            let k = 3 * node as usize;
            sum += coefficient.dot(&Vec3::new(field[k], field[k + 1], field[k + 2]));
        });
        sum
    }
}
