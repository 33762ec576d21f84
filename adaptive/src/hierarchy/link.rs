//! Everything between two neighbouring levels: parents, and how each side's nodes follow the other's.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::adjacency::{node_neighbours, node_tets};
use pliant_core::mesh::{Csr, TetMesh};
use rayon::prelude::*;

use crate::hierarchy::geodesic::VolumeGraph;
use crate::hierarchy::locate::{INSIDE_TOLERANCE, LocatedTet, deepest};
use crate::hierarchy::parenting::{Parentage, children, parentage};
use crate::hierarchy::stencil::{
    MAX_NODES, Stencils, absolute_weight_sum, affine_stencil, has_good_weights, has_small_weights,
    sort_by_distance, spread_stencil,
};

/// Smallest barycentric weight with which a tetrahedron still extrapolates to a node. Below it, the node gets a stencil over more nodes.
const MIN_EXTRAPOLATED_WEIGHT: f64 = -0.3;
/// Largest number of rings of neighbours by which a stencil grows until its weights are small enough.
const MAX_RINGS: usize = 6;
/// Children with which a stencil over children and other nodes begins.
const CHILDREN_FIRST: usize = 8;

/// What connects a fine level with the next coarser one.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Parents of the fine nodes.
    pub parentage: Parentage,
    /// Rows of the fine nodes over the corners of a tetrahedron of the coarse level near their geodesic candidates.
    pub up: Stencils,
    /// Rows of the coarse nodes over the corners of a tetrahedron of the fine level.
    pub down_tet: Stencils,
    /// Rows of the coarse nodes over their children, where these suffice, or over children and their neighbours.
    pub down_affine: Stencils,
    /// Nodes of both levels that lie farther than a mean edge of the other level outside its tetrahedra.
    pub far_outside: u32,
}

/// Links `fine` with `coarse`.
///
/// Cost: some tens of microseconds a node, on all cores. Neither mesh may be empty; both have to be checked.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
pub fn link(fine: &TetMesh, coarse: &TetMesh, progress: &Progress) -> Result<Link, Cancelled> {
    let graph = VolumeGraph::new(fine, &coarse.nodes);
    let labels = graph.labels(&coarse.nodes, progress)?;
    let parentage = parentage(&graph, &labels, &coarse.nodes);
    progress.check()?;
    progress.set_fraction(0.5);
    let over_coarse = TargetLevel::new(coarse);
    let up: Vec<PlacedRow> = fine
        .nodes
        .par_iter()
        .enumerate()
        .map(|(node, x)| {
            let mut near: Vec<u32> = labels.candidates(node).collect();
            near.push(parentage.parents[node]);
            over_coarse.row_near(x, near)
        })
        .collect();
    progress.check()?;
    progress.set_fraction(0.8);
    let over_fine = TargetLevel {
        mesh: fine,
        neighbours: graph.neighbours.clone(),
        tets: node_tets(fine.nodes.len(), &fine.tets),
        spacing: fine.mean_edge(),
    };
    let rows = children(&parentage.parents, coarse.nodes.len());
    let down: Vec<(PlacedRow, Vec<(u32, f64)>)> = coarse
        .nodes
        .par_iter()
        .enumerate()
        .map(|(node, x)| {
            let seed = fine.tets[graph.seeds[node] as usize];
            let placed = over_fine.row_in_finer(x, seed, rows.row(node));
            let affine = over_fine
                .row_from_children(x, rows.row(node))
                .unwrap_or_else(|| placed.row.clone());
            (placed, affine)
        })
        .collect();
    let far = up.iter().chain(down.iter().map(|(placed, _)| placed));
    let far_outside = far.filter(|placed| placed.is_far).count() as u32;
    let (down_tet, down_affine): (Vec<_>, Vec<_>) = down
        .into_iter()
        .map(|(placed, affine)| (placed.row, affine))
        .unzip();
    Ok(Link {
        parentage,
        up: Stencils::from_rows(up.into_iter().map(|placed| placed.row)),
        down_tet: Stencils::from_rows(down_tet),
        down_affine: Stencils::from_rows(down_affine),
        far_outside,
    })
}

struct PlacedRow {
    row: Vec<(u32, f64)>,
    is_far: bool,
}

/// The level whose nodes interpolate those of the other level.
struct TargetLevel<'a> {
    mesh: &'a TetMesh,
    neighbours: Csr,
    tets: Csr,
    spacing: f64,
}

impl<'a> TargetLevel<'a> {
    fn new(mesh: &'a TetMesh) -> Self {
        Self {
            mesh,
            neighbours: node_neighbours(mesh.nodes.len(), &mesh.tets),
            tets: node_tets(mesh.nodes.len(), &mesh.tets),
            spacing: mesh.mean_edge(),
        }
    }

    fn deepest_around(&self, x: &Vec3, nodes: &[u32]) -> Option<LocatedTet> {
        let tets = nodes.iter().flat_map(|&n| self.tets.row(n as usize));
        deepest(self.mesh, x, tets.copied())
    }

    fn with_neighbours(&self, nodes: &[u32]) -> Vec<u32> {
        let around = nodes.iter().flat_map(|&n| self.neighbours.row(n as usize));
        let mut all: Vec<u32> = nodes.iter().chain(around).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Row of `x` over a tetrahedron at the `near` nodes or, where none of these contains `x`, over one at their neighbours.
    fn row_near(&self, x: &Vec3, near: Vec<u32>) -> PlacedRow {
        let mut near = near;
        let mut found = self.deepest_around(x, &near);
        if found.is_none_or(|f| f.depth < -INSIDE_TOLERANCE) {
            near = self.with_neighbours(&near);
            found = self.deepest_around(x, &near);
        }
        self.row_of(x, found, &near)
    }

    /// Row of `x` over the tetrahedron with corners `seed` or, where `x` lies outside of it, over one at these corners or at `children`.
    fn row_in_finer(&self, x: &Vec3, seed: [u32; 4], children: &[u32]) -> PlacedRow {
        let near: Vec<u32> = seed.iter().chain(children).copied().collect();
        self.row_of(x, self.deepest_around(x, &near), &near)
    }

    fn row_of(&self, x: &Vec3, found: Option<LocatedTet>, near: &[u32]) -> PlacedRow {
        let Some(found) = found else {
            // a node without a tetrahedron does not pass the checks of a level
            return PlacedRow {
                row: Vec::new(),
                is_far: true,
            };
        };
        let corners = self.mesh.tets[found.tet as usize];
        let barycentric: Vec<(u32, f64)> = corners.into_iter().zip(found.weights).collect();
        if found.depth >= MIN_EXTRAPOLATED_WEIGHT {
            return PlacedRow {
                row: barycentric,
                is_far: false,
            };
        }
        let distance = corners
            .iter()
            .map(|&n| (self.mesh.nodes[n as usize] - x).norm())
            .fold(f64::INFINITY, f64::min);
        let mut around = self.with_neighbours(near);
        sort_by_distance(x, &mut around, &self.mesh.nodes);
        let shared = affine_stencil(x, &around, &self.mesh.nodes);
        let smaller =
            shared.filter(|row| absolute_weight_sum(row) < absolute_weight_sum(&barycentric));
        PlacedRow {
            row: self.with_small_weights(x, near, smaller.unwrap_or(barycentric)),
            is_far: distance > self.spacing,
        }
    }

    /// Returns `row` if its weights are small enough. Otherwise adds rings of neighbours around `near` until a row over nodes that are far apart has small weights.
    ///
    /// A node of a coarse level with thickened walls may lie beside a thin part of the fine level, many times its width away.
    fn with_small_weights(&self, x: &Vec3, near: &[u32], row: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
        let (mut best, mut around) = (row, near.to_vec());
        for _ in 0..MAX_RINGS {
            if has_small_weights(&best) {
                break;
            }
            around = self.with_neighbours(&around);
            let wider = spread_stencil(x, &around, &self.mesh.nodes);
            best = wider
                .filter(|row| absolute_weight_sum(row) < absolute_weight_sum(&best))
                .unwrap_or(best);
        }
        best
    }

    /// Row of `x` over the children alone where its weights are good, otherwise over children and their neighbours.
    fn row_from_children(&self, x: &Vec3, children: &[u32]) -> Option<Vec<(u32, f64)>> {
        let mut own = children.to_vec();
        sort_by_distance(x, &mut own, &self.mesh.nodes);
        let alone = affine_stencil(x, &own, &self.mesh.nodes);
        if let Some(row) = &alone
            && has_good_weights(row)
        {
            return alone;
        }
        let mut others = self.with_neighbours(&own);
        others.retain(|n| !children.contains(n));
        sort_by_distance(x, &mut others, &self.mesh.nodes);
        own.truncate(CHILDREN_FIRST);
        own.extend(others);
        own.truncate(MAX_NODES);
        let row = affine_stencil(x, &own, &self.mesh.nodes).or(alone)?;
        Some(self.with_small_weights(x, children, row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Mat3;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    #[test]
    fn every_affine_motion_of_one_level_carries_the_other() {
        let coarse = box_tets(Vec3::new(1.0, 0.5, 0.8), [3, 2, 3], CellStyle::Alternating);
        // finer, a little larger, turned: many nodes of each lie outside the other
        let mut fine = box_tets(Vec3::new(1.03, 0.52, 0.83), [7, 4, 6], CellStyle::Kuhn);
        let turn = nalgebra::Rotation3::from_euler_angles(0.02, -0.03, 0.01);
        for x in &mut fine.nodes {
            *x = turn * *x;
        }
        let made = link(&fine, &coarse, &Progress::new()).expect("not cancelled");
        assert_eq!(made.far_outside, 0);
        let f = Mat3::new(1.0, 0.4, 0.0, -0.3, 1.2, 0.1, 0.2, 0.0, 0.8);
        let map = |x: &Vec3| f * x + Vec3::new(3.0, -1.0, 2.0);
        let moved = |mesh: &TetMesh| -> Vec<Vec3> { mesh.nodes.iter().map(map).collect() };
        let (low, high) = (moved(&coarse), moved(&fine));
        for (node, place) in high.iter().enumerate() {
            assert!((made.up.interpolate(node, &low) - place).norm() < 1e-12);
            let (_, weights) = made.up.row(node);
            assert!(weights.iter().all(|w| *w > -0.5), "{weights:?}");
        }
        let mut alone = 0;
        for (node, place) in low.iter().enumerate() {
            assert!((made.down_tet.interpolate(node, &high) - place).norm() < 1e-12);
            assert!((made.down_affine.interpolate(node, &high) - place).norm() < 1e-12);
            let (nodes, weights) = made.down_affine.row(node);
            assert!(nodes.len() <= MAX_NODES);
            assert!(weights.iter().map(|w| w.abs()).sum::<f64>() < 4.0);
            alone += usize::from(
                nodes
                    .iter()
                    .all(|&n| made.parentage.parents[n as usize] == node as u32),
            );
        }
        assert!(
            2 * alone > coarse.nodes.len(),
            "{alone} over children alone"
        );
    }

    /// A block of a metre with a post of half a metre on it that is `width` (m) wide.
    fn block_with_a_post(cells: usize, width: f64) -> TetMesh {
        let size = Vec3::new(1.0, 1.5, 1.0);
        let counts = [cells, cells * 3 / 2, cells];
        let whole = box_tets(size, counts, CellStyle::Alternating);
        whole.part(|x| x.y < 0.25 || x.x.abs().max(x.z.abs()) < 0.5 * width)
    }

    #[test]
    fn nodes_beside_a_thin_part_follow_it_without_large_weights() {
        // the coarse post is five times as thick
        let fine = block_with_a_post(20, 0.1);
        let coarse = block_with_a_post(4, 0.5);
        let made = link(&fine, &coarse, &Progress::new()).expect("not cancelled");
        assert!(made.far_outside > 0);
        let map = |x: &Vec3| Mat3::new(1.0, 0.4, 0.0, -0.3, 1.2, 0.1, 0.2, 0.0, 0.8) * x;
        let high: Vec<Vec3> = fine.nodes.iter().map(map).collect();
        for stencils in [&made.down_tet, &made.down_affine] {
            for (node, x) in coarse.nodes.iter().enumerate() {
                let (_, weights) = stencils.row(node);
                let sum: f64 = weights.iter().map(|w| w.abs()).sum();
                // a quarter of a metre beside nodes that are at most half a tenth from the axis cannot have less than 5
                assert!(sum < 6.0 && weights.len() <= MAX_NODES, "{x}: {weights:?}");
                assert!((stencils.interpolate(node, &high) - map(x)).norm() < 1e-9);
            }
        }
    }
}
