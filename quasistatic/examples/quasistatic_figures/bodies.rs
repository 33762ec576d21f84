//! Closed surfaces with Green's functions from boundary elements.

use std::error::Error;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_meshing::subdivide::{Scheme, SharpEdges, subdivide};
use pliant_quasistatic::bake::{BakeControl, StageTimes, bake_controlled};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticParams};

/// An octahedron of radius 1, subdivided, with the edges of one face sharp.
pub fn octahedron(levels: usize) -> Result<SurfaceMesh, Box<dyn Error>> {
    let [x, y, z] = [Vec3::x(), Vec3::y(), Vec3::z()];
    let positions = vec![x, y, z, -x, -y, -z];
    let mut triangles = Vec::new();
    for a in [0, 3] {
        for b in [1, 4] {
            for c in [2, 5] {
                let even = [a, b, c].iter().filter(|v| **v > 2).count() % 2 == 0;
                triangles.push(if even { [a, b, c] } else { [a, c, b] });
            }
        }
    }
    let base = SurfaceMesh::new(positions, triangles);
    let sharp = SharpEdges::from_faces(&base, &[0])?;
    let fine = subdivide(&base, levels, Scheme::Loop, &sharp, &Progress::new())?;
    Ok(fine.levels.last().cloned().unwrap_or(base))
}

/// Green's functions from linear boundary elements, and how long they took.
pub fn bake_body(
    geometry: &BodyGeometry,
) -> Result<(Arc<GreensAsset>, StageTimes), Box<dyn Error>> {
    let params = QuasistaticParams {
        generator: Generator::BemLinear,
        precision: Precision::Double,
        ..QuasistaticParams::default()
    };
    let progress = Progress::new();
    let control = BakeControl::new(&progress);
    let (asset, times) = bake_controlled(geometry, &params, &control)?;
    Ok((Arc::new(asset), times))
}
