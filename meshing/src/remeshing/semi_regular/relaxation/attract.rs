//! Pulling vertices to the tips and ridges that a mesh cuts off.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::TriangleTree;
use pliant_core::mesh::triangle_tree::ClosestPoint;
use rayon::prelude::*;

use super::relax::{BAD_SCORE, Hold, Relaxation};

/// Rounds of pulling.
const MAX_ROUNDS: usize = 12;
/// All points are searched once in this many rounds, otherwise only those that were not near.
const FULL_SEARCH_INTERVAL: usize = 6;
/// Shares of the way to a missed point that are tried.
const PULL_SHARES: [f64; 3] = [1.0, 0.5, 0.2];
/// Rings around a pulled vertex that are smoothed.
const SMOOTHED_RINGS: usize = 4;

impl Relaxation<'_> {
    /// Pulls vertices to points of the surface that the mesh misses by more than `tolerance`, farthest first, and smooths the vertices around them.
    pub(crate) fn attract(&mut self, tolerance: f64, progress: &Progress) -> Result<(), Cancelled> {
        let surface = self.domain.surface;
        let centers =
            (0..surface.triangles.len()).map(|t| surface.corners(t).iter().sum::<Vec3>() / 3.0);
        let targets: Vec<Vec3> = (surface.positions.iter().copied()).chain(centers).collect();
        let mut candidates: Vec<usize> = Vec::new();
        for round in 0..MAX_ROUNDS {
            progress.check()?;
            for hold in &mut self.hold {
                if *hold == Hold::Pulled {
                    *hold = Hold::Free;
                }
            }
            if round % FULL_SEARCH_INTERVAL == 0 {
                candidates = (0..targets.len()).collect();
            }
            let tree = TriangleTree::new(&self.positions(), self.triangles);
            let found: Vec<(usize, ClosestPoint)> = (candidates.par_iter())
                .filter_map(|&k| tree.closest(&targets[k]).map(|c| (k, c)))
                .filter(|(_, c)| c.distance_squared > 0.25 * tolerance * tolerance)
                .collect();
            candidates = found.iter().map(|f| f.0).collect();
            let mut missed: Vec<(u64, usize, ClosestPoint)> = (found.into_iter())
                .filter(|(_, c)| c.distance_squared > tolerance * tolerance)
                // distances are not negative, so their bits are in order
                .map(|(k, c)| (c.distance_squared.to_bits(), k, c))
                .collect();
            missed.sort_unstable_by_key(|&(distance, k, _)| (std::cmp::Reverse(distance), k));
            let mut busy = vec![false; self.spots.len()];
            let mut moved = Vec::new();
            for (_, k, nearest) in missed {
                let corners = self.triangles[nearest.triangle as usize].map(|v| v as usize);
                if let Some(v) = self.pull(corners, &busy, targets[k]) {
                    moved.push(v as u32);
                    busy[v] = true;
                    for &w in self.neighbours.row(v) {
                        busy[w as usize] = true;
                    }
                }
            }
            if moved.is_empty() {
                break;
            }
            let around = self.rings(moved, SMOOTHED_RINGS);
            self.sweep(Some(&around), progress)?;
            self.sweep(Some(&around), progress)?;
        }
        Ok(())
    }

    /// Moves one of three vertices to a point, or as far towards it as its triangles allow: the one whose triangles stay best.
    fn pull(&mut self, corners: [usize; 3], busy: &[bool], to: Vec3) -> Option<usize> {
        for share in PULL_SHARES {
            let best = (corners.into_iter())
                .filter(|&v| !busy[v] && self.hold[v] != Hold::Pinned)
                .filter_map(|v| {
                    let from = &self.spots[v];
                    let spot = self.moved(v, from, (to - from.position) * share, BAD_SCORE)?;
                    Some((self.worst(v, &spot), v, spot))
                })
                .max_by(|p, q| p.0.total_cmp(&q.0).then(q.1.cmp(&p.1)));
            if let Some((_, v, spot)) = best {
                self.spots[v] = spot;
                self.hold[v] = if share == 1.0 {
                    Hold::Pinned
                } else {
                    Hold::Pulled
                };
                return Some(v);
            }
        }
        None
    }

    /// Whether each vertex is within some rings of the given ones.
    pub(crate) fn rings(&self, mut front: Vec<u32>, count: usize) -> Vec<bool> {
        let mut inside = vec![false; self.spots.len()];
        for &v in &front {
            inside[v as usize] = true;
        }
        for _ in 0..count {
            let mut next = Vec::new();
            for &v in &front {
                for &w in self.neighbours.row(v as usize) {
                    if !inside[w as usize] {
                        inside[w as usize] = true;
                        next.push(w);
                    }
                }
            }
            front = next;
        }
        inside
    }
}
