//! The skin attached to the free boundary nodes.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::embedding::embed_in_surface;
use pliant_core::mesh::tet::TetBoundary;

use crate::bake::held_nodes::BoundaryColumns;
use crate::error::BakeError;
use crate::greens::SkinRows;

/// A skin vertex closer than this share of the diagonal to a boundary node counts as that node.
const COINCIDENCE_SHARE: f64 = 1e-9;
/// A distance above this share of the diagonal is an error.
const MAX_DISTANCE_SHARE: f64 = 0.10;
/// Above these shares of the diagonal a note says that forces are unreliable, or approximate.
const UNRELIABLE_SHARE: f64 = 0.03;
const APPROXIMATE_SHARE: f64 = 0.01;

/// Attaches every skin vertex to the coincident boundary vertex, or else to the closest boundary triangle with three weights.
///
/// # Errors
/// [`BakeError::EmbeddingFar`] beyond 10 % of the skin's diagonal.
pub(super) fn embed_skin(
    skin: &SurfaceMesh,
    boundary: &TetBoundary,
    columns: &BoundaryColumns,
) -> Result<SkinRows, BakeError> {
    let embedding = embed_in_surface(skin, &boundary.surface);
    let diagonal = skin.bounds().diagonal();
    if embedding.max_distance.is_nan() || embedding.max_distance > MAX_DISTANCE_SHARE * diagonal {
        return Err(BakeError::EmbeddingFar {
            vertex: embedding.farthest_vertex,
            distance: embedding.max_distance,
            percent: 100.0 * embedding.max_distance / diagonal,
        });
    }
    let mut rows = SkinRows::empty(embedding.max_distance, embedding.farthest_vertex);
    for (vertex, x) in skin.positions.iter().enumerate() {
        let (nodes, weights) = embedding.row(vertex);
        let coincident = nodes.iter().find(|&&n| {
            (boundary.surface.positions[n as usize] - x).norm() <= COINCIDENCE_SHARE * diagonal
        });
        let node_of_row = |node: u32| {
            let (column, support) = (&columns.column_of_vertex, &columns.support_of_vertex);
            (column[node as usize], support[node as usize], node)
        };
        match coincident {
            Some(&node) => rows.push_row([(node_of_row(node), 1.0)]),
            None => {
                let parts = nodes.iter().zip(weights);
                rows.push_row(parts.map(|(&node, &weight)| (node_of_row(node), weight)));
                rows.identity = false;
            }
        }
    }
    Ok(rows)
}

/// A note for the user where the skin is far from the boundary.
pub(super) fn distance_note(rows: &SkinRows, diagonal: f64) -> Option<String> {
    let share = rows.max_distance / diagonal;
    let figures = format!(
        "skin vertex {} is {:.4} m ({:.1} % of the diagonal) from the mesh of the Green's functions",
        rows.farthest_vertex,
        rows.max_distance,
        100.0 * share
    );
    if share > UNRELIABLE_SHARE {
        Some(format!("{figures}: shape and forces there are unreliable"))
    } else if share > APPROXIMATE_SHARE {
        Some(format!("{figures}: forces there are approximate"))
    } else {
        None
    }
}
