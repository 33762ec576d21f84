//! The surface that TetGen gets: that of the body, with triangles of the size of the tetrahedra.

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, unique_edges};

use crate::error::MeshingError;
use crate::remeshing::decimate::decimate;
use crate::remeshing::decimate::target::DecimateTarget;

/// Largest share of the volume that decimation may lose or add.
const MAX_VOLUME_CHANGE: f64 = 0.05;
/// Triangles above which a surface is not subdivided.
const MAX_TRIANGLES: usize = 1_000_000;

/// Triangles of the subdivided surface per target triangle: enough to represent the shape of the body within a triangle.
const SUBDIVISION_RATIO: usize = 8;

/// The result of [`remeshed`].
pub(crate) struct Remeshed {
    /// The body with quasi-uniform triangles.
    pub(crate) coarse: SurfaceMesh,
    /// The body as it was, subdivided.
    pub(crate) fine: SurfaceMesh,
}

/// The surface with quasi-uniform triangles of about `edge` (m), finer where that would lose volume: subdivided until there are many more triangles than
/// needed, then decimated.
pub(crate) fn remeshed(
    surface: &SurfaceMesh,
    edge: f64,
    progress: &Progress,
) -> Result<Remeshed, MeshingError> {
    let mut count = DecimateTarget::Edge(edge).triangles(surface).max(4);
    let mut fine = SurfaceMesh::new(surface.positions.clone(), surface.triangles.clone());
    while fine.triangles.len() < SUBDIVISION_RATIO * count
        && fine.triangles.len() < MAX_TRIANGLES / 4
    {
        fine = subdivided(&fine);
        progress.check()?;
    }
    while count < fine.triangles.len() {
        let coarse = decimate(&fine, DecimateTarget::Triangles(count), progress)?;
        let kept = coarse.volume() / surface.volume();
        if (kept - 1.0).abs() < MAX_VOLUME_CHANGE {
            return Ok(Remeshed { coarse, fine });
        }
        count *= 2;
    }
    Ok(Remeshed {
        coarse: fine.clone(),
        fine,
    })
}

/// Every triangle cut into four at the midpoints of its edges.
fn subdivided(surface: &SurfaceMesh) -> SurfaceMesh {
    let edges = unique_edges(&surface.triangles);
    let first = surface.positions.len();
    let mut positions = surface.positions.clone();
    positions.extend(edges.iter().map(|e| {
        let [p, q] = e.map(|v| surface.positions[v as usize]);
        (p + q) * 0.5
    }));
    let triangles = (surface.triangles.iter())
        .flat_map(|t| {
            let m = [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].map(|[a, b]| {
                // every side is in the list
                let edge = edges.binary_search(&[a.min(b), a.max(b)]).unwrap_or(0);
                (first + edge) as u32
            });
            [
                [t[0], m[0], m[2]],
                [t[1], m[1], m[0]],
                [t[2], m[2], m[1]],
                m,
            ]
        })
        .collect();
    SurfaceMesh::new(positions, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::assert_near;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::validate::topology;

    #[test]
    fn coarse_and_fine_surfaces_get_triangles_of_the_asked_size() {
        let size = Vec3::new(0.4, 0.2, 0.3);
        for cells in [[1, 1, 1], [32, 16, 24]] {
            let surface = box_surface(size, cells, CellStyle::Kuhn);
            let skin = remeshed(&surface, 0.04, &Progress::new())
                .expect("a box")
                .coarse;
            assert_near(skin.mean_edge(), 0.04, 0.15);
            assert_near(skin.volume(), surface.volume(), 1e-3);
            let t = topology(&skin);
            assert!(t.is_oriented() && t.genus() == Some(0));
        }
    }

    #[test]
    fn a_coarse_target_does_not_cost_the_volume() {
        let surface = box_surface(Vec3::new(0.4, 0.2, 0.3), [4, 2, 3], CellStyle::Kuhn);
        let skin = remeshed(&surface, 10.0, &Progress::new())
            .expect("a box")
            .coarse;
        assert_near(skin.volume(), surface.volume(), MAX_VOLUME_CHANGE);
    }
}
