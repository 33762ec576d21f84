//! Closed surfaces with Green's functions from boundary elements.

use std::error::Error;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_meshing::subdivide::{Scheme, SharpEdges, subdivide};
use pliant_quasistatic::bake::StageTimes;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticParams, bake};

/// A nodule of ten vertices, subdivided: the chapter's meshes of 34, 130 and 514 vertices.
pub fn nodule(levels: usize) -> Result<SurfaceMesh, Box<dyn Error>> {
    let mut positions = vec![Vec3::new(0.0, 1.25, 0.0)];
    for (height, turn) in [(0.45, 0.0), (-0.45, 0.5)] {
        for k in 0..4 {
            let angle = (f64::from(k) + turn) * std::f64::consts::FRAC_PI_2;
            positions.push(Vec3::new(angle.cos(), height, -angle.sin()));
        }
    }
    positions.push(Vec3::new(0.0, -1.25, 0.0));
    let mut triangles = Vec::new();
    for k in 0..4 {
        let (a, b, c, d) = (1 + k, 1 + (k + 1) % 4, 5 + k, 5 + (k + 1) % 4);
        triangles.extend([[0, a, b], [a, c, b], [b, c, d], [9, d, c]]);
    }
    let mut mesh = SurfaceMesh::new(positions, triangles);
    if mesh.volume() < 0.0 {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let fine = subdivide(
        &mesh,
        levels,
        Scheme::Loop,
        &SharpEdges::none(),
        &Progress::new(),
    )?;
    Ok(fine.levels.last().cloned().unwrap_or(mesh))
}

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
pub fn baked(geometry: &BodyGeometry) -> Result<(Arc<GreensAsset>, StageTimes), Box<dyn Error>> {
    let params = QuasistaticParams {
        generator: Generator::BemLinear,
        precision: Precision::Double,
        ..QuasistaticParams::default()
    };
    let (asset, times) = bake::bake_timed(geometry, &params, &Progress::new())?;
    Ok((Arc::new(asset), times))
}

/// The vertex farthest along `direction`.
pub fn extreme(skin: &SurfaceMesh, direction: Vec3) -> usize {
    let along = |v: &usize| skin.positions[*v].dot(&direction);
    (0..skin.vertex_count())
        .max_by(|a, b| along(a).total_cmp(&along(b)))
        .unwrap_or(0)
}
