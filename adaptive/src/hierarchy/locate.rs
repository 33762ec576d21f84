//! Which tetrahedron holds a point: a uniform grid over the boxes of the tetrahedra.

use pliant_core::math::Vec3;
use pliant_core::math::barycentric::tetrahedron_weights;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::{Csr, TetMesh};

/// Largest number of grid cells along an axis.
const MAX_CELLS: usize = 48;
/// How far below zero a barycentric weight may be for a point that counts as inside.
pub(super) const INSIDE_TOLERANCE: f64 = 1e-9;

/// A grid of lists of tetrahedra.
pub(super) struct TetLocator<'a> {
    mesh: &'a TetMesh,
    bounds: Aabb,
    cells: [usize; 3],
    lists: Csr,
}

impl<'a> TetLocator<'a> {
    /// Cells of about the mean edge. Cost O(tetrahedra).
    pub(super) fn new(mesh: &'a TetMesh) -> Self {
        let bounds = mesh.bounds().inflated(1e-9 * mesh.bounds().diagonal());
        let edge = mesh.mean_edge().max(f64::MIN_POSITIVE);
        let size = bounds.size();
        let cells = [0, 1, 2].map(|axis| ((size[axis] / edge) as usize).clamp(1, MAX_CELLS));
        let mut locator = Self {
            mesh,
            bounds,
            cells,
            lists: Csr::from_pairs(0, std::iter::empty()),
        };
        let mut pairs = Vec::new();
        for tet in 0..mesh.tets.len() {
            let bounds = Aabb::of_points(&mesh.corners(tet));
            let (low, high) = (locator.cell(&bounds.min), locator.cell(&bounds.max));
            for k in low[2]..=high[2] {
                for j in low[1]..=high[1] {
                    for i in low[0]..=high[0] {
                        pairs.push((locator.index([i, j, k]), tet as u32));
                    }
                }
            }
        }
        locator.lists = Csr::from_pairs(cells.iter().product(), pairs.iter().copied());
        locator
    }

    /// The tetrahedron that contains `x`. Of several, the one in which `x` lies deepest, then the one with the lowest index. `None` for a point outside.
    pub(super) fn containing(&self, x: &Vec3) -> Option<u32> {
        if !self.bounds.contains(x) {
            return None;
        }
        let list = self.lists.row(self.index(self.cell(x)) as usize);
        deepest(self.mesh, x, list.iter().copied())
            .filter(|found| found.depth >= -INSIDE_TOLERANCE)
            .map(|found| found.tet)
    }

    fn cell(&self, x: &Vec3) -> [usize; 3] {
        let size = self.bounds.size();
        [0, 1, 2].map(|axis| {
            let count = self.cells[axis];
            let share = (x[axis] - self.bounds.min[axis]) / size[axis].max(f64::MIN_POSITIVE);
            ((share * count as f64) as usize).min(count - 1)
        })
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> u32 {
        ((k * self.cells[1] + j) * self.cells[0] + i) as u32
    }
}

/// A tetrahedron and the position of a point in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LocatedTet {
    pub(super) tet: u32,
    pub(super) weights: [f64; 4],
    /// smallest barycentric weight, negative outside
    pub(super) depth: f64,
}

/// Of `tets` the one in which the smallest barycentric weight of `x` is largest; of equal ones the one with the lowest index.
pub(super) fn deepest(
    mesh: &TetMesh,
    x: &Vec3,
    tets: impl Iterator<Item = u32>,
) -> Option<LocatedTet> {
    let mut best: Option<LocatedTet> = None;
    for tet in tets {
        let Some(weights) = tetrahedron_weights(x, mesh.corners(tet as usize)) else {
            continue;
        };
        let depth = weights.into_iter().fold(f64::INFINITY, f64::min);
        if best.is_none_or(|b| depth > b.depth || (depth == b.depth && tet < b.tet)) {
            best = Some(LocatedTet {
                tet,
                weights,
                depth,
            });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    #[test]
    fn every_point_inside_is_found_and_none_outside() {
        let mesh = box_tets(Vec3::new(1.0, 0.4, 0.7), [5, 2, 3], CellStyle::Alternating);
        let locator = TetLocator::new(&mesh);
        for k in 0..400 {
            let t = f64::from(k);
            let x = Vec3::new(
                (t * 0.71).sin() * 0.6,
                (t * 1.3).cos() * 0.25,
                (t * 0.37).sin() * 0.4,
            );
            let inside = x.x.abs() < 0.5 && x.y.abs() < 0.2 && x.z.abs() < 0.35;
            let found = locator.containing(&x);
            assert_eq!(found.is_some(), inside, "{x:?}");
            if let Some(tet) = found {
                let weights = tetrahedron_weights(&x, mesh.corners(tet as usize)).expect("volume");
                assert!(weights.iter().all(|&w| w >= -INSIDE_TOLERANCE));
            }
        }
        // corners and the centre belong to many tetrahedra: one of them answers
        assert!(mesh.nodes.iter().all(|x| locator.containing(x).is_some()));
    }
}
