//! What lies beside a block: columns that are coded before its column, and rows beside its row. The coder takes its expectations from there.

use crate::subdivision::SubdivisionHierarchy;
use crate::transform::Domain;

/// A neighbour that does not exist.
pub(super) const NONE: u32 = u32::MAX;
/// Rows of the same level that are asked at most.
pub(super) const SIBLINGS: usize = 4;

/// The two columns that each column is predicted from, both earlier ones; without them [`NONE`].
#[derive(Debug)]
pub(super) struct EarlierColumns(Vec<[u32; 2]>);

impl EarlierColumns {
    /// Where columns belong to the rows, those of the edge that a vertex splits; else the column before.
    pub fn new(hierarchy: &SubdivisionHierarchy, domain: &Domain, columns: usize) -> Self {
        let before = |column: usize| [column.checked_sub(1).map_or(NONE, |c| c as u32), NONE];
        if columns != domain.rows() {
            return Self((0..columns).map(before).collect());
        }
        let mut of_column: Vec<[u32; 2]> = domain.level_rows(0).map(before).collect();
        for level in 1..=domain.finest() {
            for [a, b] in parent_rows(hierarchy, domain, level) {
                let pair = match (a, b) {
                    (NONE, NONE) => before(of_column.len()),
                    (NONE, b) => [b, NONE],
                    pair => pair.into(),
                };
                of_column.push(pair);
            }
        }
        Self(of_column)
    }

    /// Those of `column`.
    pub fn of(&self, column: usize) -> [u32; 2] {
        self.0.get(column).copied().unwrap_or([NONE; 2])
    }
}

/// Rows beside each row of one level.
#[derive(Debug)]
pub(super) struct RowNeighbours {
    /// The rows of the edge that each row splits; those outside the domain are [`NONE`].
    pub parents: Vec<[u32; 2]>,
    /// Rows of the same level, counted from its first, that come earlier and share a triangle.
    pub siblings: Vec<[u32; SIBLINGS]>,
}

impl RowNeighbours {
    /// Those of `level`. On the base level a row has the four rows before it.
    pub fn new(hierarchy: &SubdivisionHierarchy, domain: &Domain, level: usize) -> Self {
        let rows = domain.level_rows(level);
        if level == 0 {
            let before = |row: usize| {
                let distance = |k: usize| row.checked_sub(k + 1).map_or(NONE, |r| r as u32);
                [distance(0), distance(1), distance(2), distance(3)]
            };
            return Self {
                parents: vec![[NONE; 2]; rows.len()],
                siblings: (0..rows.len()).map(before).collect(),
            };
        }
        let mut siblings = vec![[NONE; SIBLINGS]; rows.len()];
        let local = |vertex: u32| {
            let row = domain.row(vertex)? as usize;
            row.checked_sub(rows.start).map(|k| k as u32)
        };
        for &[a, b, c] in hierarchy.triangles(level) {
            for (p, q) in [(a, b), (b, c), (c, a)] {
                let (Some(p), Some(q)) = (local(p), local(q)) else {
                    continue;
                };
                let (early, late) = (p.min(q), p.max(q));
                let known = siblings.get_mut(late as usize).filter(|_| early < late);
                let Some(known) = known.filter(|known| !known.contains(&early)) else {
                    continue;
                };
                if let Some(free) = known.iter_mut().find(|s| **s == NONE) {
                    *free = early;
                }
            }
        }
        Self {
            parents: parent_rows(hierarchy, domain, level),
            siblings,
        }
    }
}

/// The rows of the edge ends of each row of `level`.
fn parent_rows(hierarchy: &SubdivisionHierarchy, domain: &Domain, level: usize) -> Vec<[u32; 2]> {
    let first = hierarchy.vertex_count(level - 1);
    let parents = hierarchy.parents(level);
    let of_vertex = |&vertex: &u32| {
        let ends = parents.get((vertex as usize).saturating_sub(first));
        let ends = ends.copied().unwrap_or([NONE; 2]);
        ends.map(|end| domain.row(end).unwrap_or(NONE))
    };
    let rows = domain.level_rows(level);
    let vertices = domain.vertices().get(rows).unwrap_or(&[]);
    vertices.iter().map(of_vertex).collect()
}
