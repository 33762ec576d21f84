//! Everything that the geometry of a body depends on, as text for the keys of the cache.

use std::sync::Arc;

use pliant_core::mesh::TetMesh;
use pliant_core::scene::Method;

use super::boundary_mesh::boundary_limits;
use super::levels::{FITTING_NODES, level_targets, tets_of_file};
use super::voxels::cells_recipe;
use crate::setup::Setup;

/// Increased when a mesher changes its results, so that cached assets are baked anew.
pub const MESHING_VERSION: u32 = 7;

/// Like [`MESHING_VERSION`], but for meshes that only Green's functions are made on: references stay valid.
const BOUNDARY_VERSION: u32 = 1;

/// Everything in the scene that [`geometry_for`](super::geometry_for) depends on, as text for a content key.
pub fn geometry_recipe(setup: &Setup, method: Method) -> String {
    let body = &setup.description.body;
    let what = match method {
        Method::Adaptive => {
            let given = tets_of_file(setup).map_or(0, mesh_hash);
            format!("{:?} {given:032x}", level_targets(setup))
        }
        Method::Quasistatic => {
            let (nodes, _) = boundary_limits(setup);
            format!("{:?} {nodes} {BOUNDARY_VERSION}", body.quasistatic.boundary)
        }
        Method::Lattice => format!(
            "fitted to {FITTING_NODES} {} {}{}",
            cells_recipe(setup),
            body.lattice.shell,
            if body.lattice.split_cells {
                ""
            } else {
                " fused"
            }
        ),
    };
    format!(
        "{MESHING_VERSION} {} {:?} {what}",
        method.name(),
        setup.box_size
    )
}

/// A hash over the bits of all nodes and tetrahedra.
fn mesh_hash(mesh: &Arc<TetMesh>) -> u128 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for x in mesh.nodes.iter().flat_map(|p| p.iter()) {
        hasher.update(&x.to_bits().to_le_bytes());
    }
    for v in mesh.tets.iter().flatten() {
        hasher.update(&v.to_le_bytes());
    }
    hasher.digest128()
}
