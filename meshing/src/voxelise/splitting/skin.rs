//! Assigns each vertex of the surface to a cell copy: the one with the material at this vertex, never one across a gap.

use pliant_core::mesh::SkinCell;
use pliant_core::mesh::adjacency::vertex_triangles;
use rayon::prelude::*;

use super::cell::Body;
use super::copies::{Copies, Parts};
use super::pieces::Pieces;

/// The cell copy of each vertex. A vertex without triangles is assigned to copy 0 of the first kept cell around it, or of the grid's first one.
pub(crate) fn skin_cells(body: &Body<'_>, parts: &Parts<'_>, copies: &Copies) -> Vec<SkinCell> {
    let around = vertex_triangles(body.vertices.len(), body.triangles);
    let fallback = parts.kept.iter().position(|&k| k).unwrap_or(0) as u32;
    (0..body.vertices.len())
        .into_par_iter()
        .with_min_len(256)
        .map(|v| {
            let mut near = near_cells(body, parts, v);
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let owner = near.iter().find_map(|&(_, cell)| {
                let piece = piece_of_vertex(parts.pieces, cell, around.row(v))?;
                Some(SkinCell {
                    cell,
                    copy: copies.of_piece(cell, piece),
                })
            });
            owner.unwrap_or(SkinCell {
                cell: near.first().map_or(fallback, |n| n.1),
                copy: 0,
            })
        })
        .collect()
}

/// Kept cells at most a cell away from a vertex, with the largest distance along an axis (cells).
fn near_cells(body: &Body<'_>, parts: &Parts<'_>, vertex: usize) -> Vec<(f64, u32)> {
    let x = body.vertices[vertex];
    let base = [0, 1, 2].map(|k| x[k].floor() as i64);
    let mut found = Vec::new();
    for o in 0..27_i64 {
        let cell = [
            base[0] + o % 3 - 1,
            base[1] + o / 3 % 3 - 1,
            base[2] + o / 9 - 1,
        ];
        if (0..3).any(|k| cell[k] < 0 || cell[k] >= body.frame.dims[k] as i64) {
            continue;
        }
        let index = body.frame.index(cell.map(|i| i as usize));
        if parts.kept[index] {
            let gap = |k: usize| (cell[k] as f64 - x[k]).max(x[k] - cell[k] as f64 - 1.0);
            found.push((gap(0).max(gap(1)).max(gap(2)).max(0.0), index as u32));
        }
    }
    found
}

fn piece_of_vertex(pieces: &Pieces, cell: u32, triangles: &[u32]) -> Option<u8> {
    let index = pieces.index_of(cell)?;
    triangles.iter().find_map(|&t| pieces.piece_of(index, t))
}
