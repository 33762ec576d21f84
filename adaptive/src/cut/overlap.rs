//! Which tetrahedra of neighbouring levels lie in the same place.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::barycentric::tetrahedron_weights;
use pliant_core::mesh::adjacency::node_tets;
use pliant_core::mesh::{Csr, TetMesh};
use rayon::prelude::*;

use crate::hierarchy::{Level, Stencils};

/// No tetrahedron.
const NONE: u32 = u32::MAX;
/// Distance of the four points of a tetrahedron from its centre over that of its corners: those of the rule of second order (Hammer, Marlowe, Stroud 1956).
const POINT: f64 = 0.447_213_595_499_958;
/// Points of a tetrahedron.
pub(crate) const POINTS: usize = 4;
/// Tetrahedra between two looks at the cancel flag.
const BATCH: usize = 16_384;

/// For four points of each tetrahedron of `fine`, each for a quarter of its volume, the tetrahedron of the next coarser level around them. `up` has the place of each fine node on the coarser level:
/// looked around are these places, so never across a gap.
///
/// Cost: some microseconds a tetrahedron, on all cores; part of the baked hierarchy.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
pub(crate) fn places_above(
    fine: &TetMesh,
    coarse: &Level,
    up: &Stencils,
    progress: &Progress,
) -> Result<Vec<[u32; POINTS]>, Cancelled> {
    let node_tets = node_tets(coarse.node_count(), &coarse.mesh.tets);
    let around = |nodes: &[u32]| -> Vec<u32> {
        let rows = nodes.iter().map(|n| node_tets.row(*n as usize));
        let mut tets: Vec<u32> = rows.flatten().copied().collect();
        tets.sort_unstable();
        tets.dedup();
        tets
    };
    let of = |tet: usize| {
        let corners = fine.corners(tet);
        let centre = corners.iter().sum::<Vec3>() / 4.0;
        let mut k = 0;
        corners.map(|corner| {
            let node = fine.tets[tet][k];
            k += 1;
            let x = centre + (corner - centre) * POINT;
            let nodes = up.row(node as usize).0;
            // most points lie beside the first of these
            for n in nodes {
                let holds = |t: &&u32| holds(coarse, **t, &x);
                if let Some(&found) = node_tets.row(*n as usize).iter().find(holds) {
                    return found;
                }
            }
            deepest(coarse, &x, &around(nodes))
        })
    };
    let mut places = Vec::with_capacity(fine.tets.len());
    for first in (0..fine.tets.len()).step_by(BATCH) {
        progress.check()?;
        let batch = first..(first + BATCH).min(fine.tets.len());
        places.par_extend(batch.into_par_iter().map(&of));
    }
    Ok(places)
}

/// Which tetrahedra of neighbouring levels lie in the same place: [`Level::above`] of all levels, in the numbers of the forest, and the other way round.
#[derive(Debug)]
pub(crate) struct Overlaps {
    /// none on the coarsest level
    above: Vec<[u32; POINTS]>,
    /// finer tetrahedra with a point inside, once a point
    below: Csr,
}

impl Overlaps {
    /// Numbers what was baked: tetrahedra of the forest are counted level by level.
    pub(crate) fn new(levels: &[Level]) -> Self {
        let mut above: Vec<[u32; POINTS]> = Vec::new();
        let mut first = 0;
        for (l, level) in levels.iter().enumerate() {
            let coarser = l.checked_sub(1).and_then(|k| levels.get(k));
            match coarser {
                None => above.resize(level.mesh.tets.len(), [NONE; POINTS]),
                Some(coarser) => {
                    above.extend(level.above.iter().map(|p| p.map(|t| t + first)));
                    first += coarser.mesh.tets.len() as u32;
                }
            }
        }
        let pairs = above.iter().enumerate().flat_map(|(fine, places)| {
            let held = places.iter().filter(|c| **c != NONE);
            held.map(move |&coarse| (coarse, fine as u32))
        });
        let pairs: Vec<(u32, u32)> = pairs.collect();
        Self {
            below: Csr::from_pairs(above.len(), pairs.iter().copied()),
            above,
        }
    }

    /// Tetrahedra of the next coarser level around the points of `tet`; none on the coarsest.
    pub(crate) fn above(&self, tet: u32) -> impl Iterator<Item = u32> + '_ {
        let places = &self.above[tet as usize];
        places.iter().copied().filter(|t| *t != NONE)
    }

    /// Tetrahedra of the next finer level with points in `tet`, once a point.
    pub(crate) fn below(&self, tet: u32) -> &[u32] {
        self.below.row(tet as usize)
    }
}

fn holds(level: &Level, tet: u32, x: &Vec3) -> bool {
    tetrahedron_weights(x, level.mesh.corners(tet as usize))
        .is_some_and(|weights| weights.into_iter().all(|w| w >= 0.0))
}

/// Of `tets` the first that holds `x`, or else the one it is least outside of.
fn deepest(level: &Level, x: &Vec3, tets: &[u32]) -> u32 {
    let mut best = (f64::NEG_INFINITY, NONE);
    for &tet in tets {
        let Some(weights) = tetrahedron_weights(x, level.mesh.corners(tet as usize)) else {
            continue;
        };
        let depth = weights.into_iter().fold(f64::INFINITY, f64::min);
        if depth > best.0 {
            best = (depth, tet);
        }
        if depth >= 0.0 {
            break;
        }
    }
    // a node of a checked level has tetrahedra, and these have a volume
    match best.1 {
        NONE => tets.first().copied().unwrap_or(0),
        tet => tet,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::{BodyGeometry, Progress};
    use pliant_core::material::{Damping, Material, MaterialLaw, YoungPoisson};
    use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};

    use super::*;
    use crate::asset::LodHierarchy;
    use crate::cut::Forest;

    #[test]
    fn the_points_inside_a_tetrahedron_fill_it() {
        let size = Vec3::new(1.0, 0.7, 0.9);
        let cells = [[2, 2, 2], [5, 4, 5], [9, 7, 9]];
        let geometry = BodyGeometry {
            skin: Arc::new(box_surface(size, cells[2], CellStyle::Alternating)),
            material: Material {
                elastic: YoungPoisson {
                    young: 1e4,
                    poisson: 0.3,
                },
                density: 1000.0,
                damping: Damping::Ratio(0.0),
                law: MaterialLaw::Green,
            },
            supports: Vec::new(),
            levels: cells
                .iter()
                .map(|&c| Arc::new(box_tets(size, c, CellStyle::Alternating)))
                .collect(),
            greens_level: None,
            voxels: None,
        };
        let asset = LodHierarchy::bake(&geometry, &Progress::new()).expect("bakes");
        let forest = Forest::new(Arc::new(asset));
        for level in 0..2 {
            let (mut sum, mut off, mut count) = (0.0, 0.0_f64, 0);
            for t in (0..forest.tet_count() as u32).filter(|&t| forest.level_of_tet(t) == level) {
                let below = forest.overlaps().below(t);
                assert!(below.iter().all(|&f| forest.level_of_tet(f) == level + 1));
                let volume: f64 = below.iter().map(|&f| forest.shape(f).volume / 4.0).sum();
                sum += volume;
                off += (volume / forest.shape(t).volume - 1.0).abs();
                count += 1;
                assert!(
                    below
                        .iter()
                        .all(|&f| forest.overlaps().above(f).any(|c| c == t))
                );
            }
            assert!((sum / 0.63 - 1.0).abs() < 1e-12);
            assert!(
                off < 0.25 * f64::from(count),
                "level {level}: {off} of {count}"
            );
        }
    }
}
