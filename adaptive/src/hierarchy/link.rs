//! Everything between two neighbouring levels: parents, and how each side's nodes follow the other's.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::adjacency::{node_neighbours, node_tets};
use pliant_core::mesh::{Csr, TetMesh};
use rayon::prelude::*;

use crate::hierarchy::geodesic::VolumeGraph;
use crate::hierarchy::locate::{Depth, deepest};
use crate::hierarchy::parenting::{Parentage, children, parentage};
use crate::hierarchy::stencil::{
    MOST_NODES, Stencils, affine_stencil, is_good, is_tame, row_sum, spread_stencil,
};

/// Smallest weight of a tetrahedron's corner that is still extrapolated; beyond, more nodes share the load.
const MOST_OUTSIDE: f64 = -0.3;
/// Weight that counts as inside.
const DUST: f64 = 1e-9;
/// Rings of neighbours at most by which a stencil grows until its weights are small enough.
const RINGS: usize = 6;
/// Children that come first in a stencil over children and others.
const OWN_FIRST: usize = 8;

/// What connects a fine level with the next coarser one.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Parents of the fine nodes.
    pub parentage: Parentage,
    /// For each fine node its place in a tetrahedron of the coarse level near its geodesic candidates.
    pub up: Stencils,
    /// For each coarse node its place in a tetrahedron of the fine level.
    pub down_tet: Stencils,
    /// For each coarse node its place among its children, where they suffice, or among them and their neighbours.
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
    let over_coarse = Side::new(coarse);
    let up: Vec<Placed> = fine
        .nodes
        .par_iter()
        .enumerate()
        .map(|(node, x)| {
            let mut near: Vec<u32> = labels.candidates(node).collect();
            near.push(parentage.parents[node]);
            over_coarse.place(x, near)
        })
        .collect();
    progress.check()?;
    progress.set_fraction(0.8);
    let over_fine = Side {
        mesh: fine,
        neighbours: graph.neighbours.clone(),
        tets: node_tets(fine.nodes.len(), &fine.tets),
        spacing: fine.mean_edge(),
    };
    let rows = children(&parentage.parents, coarse.nodes.len());
    let down: Vec<(Placed, Vec<(u32, f64)>)> = coarse
        .nodes
        .par_iter()
        .enumerate()
        .map(|(node, x)| {
            let seed = fine.tets[graph.seeds[node] as usize];
            let placed = over_fine.place_below(x, seed, rows.row(node));
            let affine = over_fine
                .among(x, rows.row(node))
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

struct Placed {
    row: Vec<(u32, f64)>,
    is_far: bool,
}

/// One level as the place of the other's nodes.
struct Side<'a> {
    mesh: &'a TetMesh,
    neighbours: Csr,
    tets: Csr,
    spacing: f64,
}

impl<'a> Side<'a> {
    fn new(mesh: &'a TetMesh) -> Self {
        Self {
            mesh,
            neighbours: node_neighbours(mesh.nodes.len(), &mesh.tets),
            tets: node_tets(mesh.nodes.len(), &mesh.tets),
            spacing: mesh.mean_edge(),
        }
    }

    fn deepest_around(&self, x: &Vec3, nodes: &[u32]) -> Option<Depth> {
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

    /// In a tetrahedron that touches `near` nodes, or, where none of these holds `x`, one that touches their neighbours.
    fn place(&self, x: &Vec3, near: Vec<u32>) -> Placed {
        let mut near = near;
        let mut found = self.deepest_around(x, &near);
        if found.is_none_or(|f| f.depth < -DUST) {
            near = self.with_neighbours(&near);
            found = self.deepest_around(x, &near);
        }
        self.row(x, found, &near)
    }

    /// In the tetrahedron with corners `seed`, or, where `x` lies outside of it, in one that touches these or `children`.
    fn place_below(&self, x: &Vec3, seed: [u32; 4], children: &[u32]) -> Placed {
        let near: Vec<u32> = seed.iter().chain(children).copied().collect();
        self.row(x, self.deepest_around(x, &near), &near)
    }

    fn row(&self, x: &Vec3, found: Option<Depth>, near: &[u32]) -> Placed {
        let Some(found) = found else {
            // a node without a tetrahedron does not pass the checks of a level
            return Placed {
                row: Vec::new(),
                is_far: true,
            };
        };
        let corners = self.mesh.tets[found.tet as usize];
        let plain: Vec<(u32, f64)> = corners.into_iter().zip(found.weights).collect();
        if found.depth >= MOST_OUTSIDE {
            return Placed {
                row: plain,
                is_far: false,
            };
        }
        let distance = corners
            .iter()
            .map(|&n| (self.mesh.nodes[n as usize] - x).norm())
            .fold(f64::INFINITY, f64::min);
        let mut around = self.with_neighbours(near);
        self.sort_by_distance(x, &mut around);
        let shared = affine_stencil(x, &around, &self.mesh.nodes);
        let smaller = shared.filter(|row| row_sum(row) < row_sum(&plain));
        Placed {
            row: self.tamed(x, near, smaller.unwrap_or(plain)),
            is_far: distance > self.spacing,
        }
    }

    /// `row` if its weights are small enough, or else one over nodes that are farther apart: those around `near`, and around these, as far as it takes.
    ///
    /// A node beside a thin part, as of a coarse level whose walls were thickened, lies many times the width of that part away from it.
    fn tamed(&self, x: &Vec3, near: &[u32], row: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
        let (mut best, mut around) = (row, near.to_vec());
        for _ in 0..RINGS {
            if is_tame(&best) {
                break;
            }
            around = self.with_neighbours(&around);
            let wider = spread_stencil(x, &around, &self.mesh.nodes);
            best = wider
                .filter(|row| row_sum(row) < row_sum(&best))
                .unwrap_or(best);
        }
        best
    }

    /// Over the children alone where that is good, otherwise over children and their neighbours.
    fn among(&self, x: &Vec3, children: &[u32]) -> Option<Vec<(u32, f64)>> {
        let mut own = children.to_vec();
        self.sort_by_distance(x, &mut own);
        let alone = affine_stencil(x, &own, &self.mesh.nodes);
        if let Some(row) = &alone
            && is_good(row)
        {
            return alone;
        }
        let mut others = self.with_neighbours(&own);
        others.retain(|n| !children.contains(n));
        self.sort_by_distance(x, &mut others);
        own.truncate(OWN_FIRST);
        own.extend(others);
        own.truncate(MOST_NODES);
        let row = affine_stencil(x, &own, &self.mesh.nodes).or(alone)?;
        Some(self.tamed(x, children, row))
    }

    fn sort_by_distance(&self, x: &Vec3, nodes: &mut [u32]) {
        let distance = |n: u32| (self.mesh.nodes[n as usize] - x).norm_squared();
        nodes.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
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
            assert!(nodes.len() <= MOST_NODES);
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
        let mut mesh = box_tets(size, counts, CellStyle::Alternating);
        let nodes = std::mem::take(&mut mesh.nodes);
        mesh.tets.retain(|tet| {
            let centre = tet.iter().map(|&n| nodes[n as usize]).sum::<Vec3>() / 4.0;
            centre.y < 0.25 || centre.x.abs().max(centre.z.abs()) < 0.5 * width
        });
        let mut numbers = vec![u32::MAX; nodes.len()];
        for n in mesh.tets.iter_mut().flatten() {
            let number = &mut numbers[*n as usize];
            if *number == u32::MAX {
                *number = mesh.nodes.len() as u32;
                mesh.nodes.push(nodes[*n as usize]);
            }
            *n = *number;
        }
        mesh
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
                assert!(sum < 6.0 && weights.len() <= MOST_NODES, "{x}: {weights:?}");
                assert!((stencils.interpolate(node, &high) - map(x)).norm() < 1e-9);
            }
        }
    }
}
