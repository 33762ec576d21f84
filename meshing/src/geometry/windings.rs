//! Winding numbers of any surface: counted along a ray where the surface has no rim, else summed.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use super::ray_crossings::CrossingCounter;
use super::winding::WindingNumber;
use crate::repair::steps::edges::{by_edge, sides_between};

/// Winding numbers of a surface: whole ones by counting along a ray where the surface has no rim, else sums of solid angles.
#[derive(Debug, Clone)]
pub(crate) struct Windings {
    sums: WindingNumber,
    /// present where the surface has no rim, see [`is_cycle`]
    counts: Option<CrossingCounter>,
}

impl Windings {
    /// Builds the trees. Vertices at the same `place` count as one.
    pub(crate) fn new(surface: &SurfaceMesh, place: &[u32]) -> Self {
        Self {
            sums: WindingNumber::new(&surface.positions, &surface.triangles),
            counts: is_cycle(surface, place)
                .then(|| CrossingCounter::new(&surface.positions, &surface.triangles)),
        }
    }

    /// The counter, where winding numbers are integers: these are constant wherever no triangle lies between.
    pub(crate) fn counter(&self) -> Option<&CrossingCounter> {
        self.counts.as_ref()
    }

    /// Winding number at `point`. Where the ray grazes an edge, the sum of solid angles decides.
    pub(crate) fn at(&self, point: &Vec3) -> f64 {
        let counted = self.counts.as_ref().and_then(|c| c.winding(point));
        counted.map_or_else(|| self.sums.at(point), f64::from)
    }
}

/// Whether every edge is passed as often in one direction as in the other, vertices at the same `place` counting as one.
/// Then winding numbers are integers and the same along every ray, whatever else may be wrong with the surface.
pub(crate) fn is_cycle(surface: &SurfaceMesh, place: &[u32]) -> bool {
    by_edge(&sides_between(surface, place)).all(|edge| {
        let forward = edge.iter().filter(|side| side.forward).count();
        edge[0].low == edge[0].high || 2 * forward == edge.len()
    })
}
