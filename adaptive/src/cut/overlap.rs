//! Overlapping tetrahedra of neighbouring levels.

use pliant_core::mesh::Csr;

use crate::hierarchy::Level;
use crate::hierarchy::places_above::QUADRATURE_POINT_COUNT;

/// No tetrahedron.
const NONE: u32 = u32::MAX;

/// Overlapping tetrahedra of neighbouring levels: [`Level::above`] of all levels, in the numbers of the forest, and its inverse.
#[derive(Debug)]
pub(crate) struct Overlaps {
    /// none on the coarsest level
    above: Vec<[u32; QUADRATURE_POINT_COUNT]>,
    /// finer tetrahedra with a point inside, once a point
    below: Csr,
}

impl Overlaps {
    /// Numbers what was baked: tetrahedra of the forest are counted level by level.
    pub(crate) fn new(levels: &[Level]) -> Self {
        let mut above: Vec<[u32; QUADRATURE_POINT_COUNT]> = Vec::new();
        let mut first = 0;
        for (l, level) in levels.iter().enumerate() {
            let coarser = l.checked_sub(1).and_then(|k| levels.get(k));
            match coarser {
                None => above.resize(level.mesh.tets.len(), [NONE; QUADRATURE_POINT_COUNT]),
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::{BodyGeometry, Progress};
    use pliant_core::material::{Material, MaterialLaw};
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    use crate::asset::LodHierarchy;
    use crate::cut::Forest;

    #[test]
    fn the_points_inside_a_tetrahedron_fill_it() {
        let size = Vec3::new(1.0, 0.7, 0.9);
        let cells = [[2, 2, 2], [5, 4, 5], [9, 7, 9]];
        let levels = cells.map(|c| box_tets(size, c, CellStyle::Alternating));
        let material = Material::isotropic(1e4, 0.3)
            .with_density(1000.0)
            .with_damping_ratio(0.0)
            .with_law(MaterialLaw::Green);
        let geometry = BodyGeometry::of_levels(levels, material);
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
