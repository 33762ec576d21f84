//! Loop's rules as weights: a subdivided surface as a linear map of its base.

use std::collections::BTreeMap;

use pliant_core::mesh::WeightedRows;

use super::edges::EdgeTable;
use super::levels::{Subdivision, even_weights};
use super::sharp::SharpEdges;

/// Vertices and their weights.
type Row = Vec<(u32, f64)>;

/// For each vertex of the finest level its weights on the vertices of the base, ascending; they sum to one. Cost O(n) for n finest vertices.
pub(super) fn loop_rows(subdivision: &Subdivision) -> WeightedRows {
    let base = subdivision.levels.first().map_or(0, |l| l.vertex_count());
    let mut rows: Vec<Row> = (0..base as u32).map(|v| vec![(v, 1.0)]).collect();
    for (table, sharp) in subdivision.edges.iter().zip(&subdivision.sharp) {
        let weights = level_weights(rows.len(), table, sharp);
        rows = weights.iter().map(|row| combined(row, &rows)).collect();
    }
    WeightedRows::from_rows(rows)
}

/// The weights of the vertices of one level on those of the level before.
fn level_weights(count: usize, table: &EdgeTable, sharp: &SharpEdges) -> Vec<Row> {
    let mut rings: Vec<Vec<u32>> = vec![Vec::new(); count];
    for &[a, b] in &table.ends {
        rings[a as usize].push(b);
        rings[b as usize].push(a);
    }
    let at_vertices = sharp.at_vertices(count);
    let even = |v: usize| -> Row {
        let (own, ring) = (v as u32, &rings[v]);
        match at_vertices[v][..] {
            [] | [_] => {
                let (at_own, at_each) = even_weights(ring.len());
                let around = ring.iter().map(|&w| (w, at_each));
                std::iter::once((own, at_own)).chain(around).collect()
            }
            [a, b] => vec![(own, 0.75), (a, 0.125), (b, 0.125)],
            _ => vec![(own, 1.0)],
        }
    };
    let odd = |(&[a, b], &[c, d]): (&[u32; 2], &[u32; 2])| -> Row {
        match sharp.contains([a, b]) {
            true => vec![(a, 0.5), (b, 0.5)],
            false => vec![(a, 0.375), (b, 0.375), (c, 0.125), (d, 0.125)],
        }
    };
    let new = table.ends.iter().zip(&table.opposite).map(odd);
    (0..count).map(even).chain(new).collect()
}

/// A weighted sum of rows.
fn combined(weights: &[(u32, f64)], rows: &[Row]) -> Row {
    let mut sum = BTreeMap::new();
    for &(v, weight) in weights {
        for &(base, share) in &rows[v as usize] {
            *sum.entry(base).or_insert(0.0) += weight * share;
        }
    }
    sum.into_iter().collect()
}
