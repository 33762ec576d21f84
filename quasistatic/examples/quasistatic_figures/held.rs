//! Closed surfaces as bodies of boundary elements; laws use them too.

use std::error::Error;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_core::scene::Selection;
use pliant_meshing::subdivide::{Scheme, SharpEdges, subdivide};

/// The body as boundary elements see it, held where `support` says. The inside is a fan around the middle, which only carries the boundary.
pub fn held(skin: &SurfaceMesh, support: Selection, poisson: f64) -> BodyGeometry {
    let mut nodes = skin.positions.clone();
    nodes.push(skin.bounds().center());
    let centre = skin.vertex_count() as u32;
    let tets = skin.triangles.iter().map(|&[a, b, c]| [centre, a, b, c]);
    let mesh = TetMesh {
        tets: tets.collect(),
        nodes,
    };
    let skin = Arc::new(mesh.boundary().surface);
    BodyGeometry {
        greens_level: Some(Arc::new(mesh)),
        ..BodyGeometry::new(skin, Material::isotropic(1e5, poisson)).held_at("base", support)
    }
}

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

/// The vertex farthest along `direction`.
pub fn extreme(skin: &SurfaceMesh, direction: Vec3) -> usize {
    let along = |v: &usize| skin.positions[*v].dot(&direction);
    (0..skin.vertex_count())
        .max_by(|a, b| along(a).total_cmp(&along(b)))
        .unwrap_or(0)
}
