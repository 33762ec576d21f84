//! A closed surface as a body of boundary elements; the laws of incompressible bodies use it too.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, SupportRegion};
use pliant_core::material::{Material, YoungPoisson};
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_core::scene::Selection;

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
        material: Material {
            elastic: YoungPoisson {
                young: 1e5,
                poisson,
            },
            ..Material::default()
        },
        supports: vec![SupportRegion::new("base", support, &skin)],
        levels: Vec::new(),
        greens_level: Some(Arc::new(mesh)),
        voxels: None,
        skin,
    }
}
