//! Neighbours of a block: columns that are coded before its column, and rows next to its row. The coder predicts from them.

use std::collections::BTreeMap;

use crate::subdivision::{SubdivisionHierarchy, opposite_corners};
use crate::transform::Domain;

/// A neighbour that does not exist.
pub(in crate::stream) const NONE: u32 = u32::MAX;
/// Most sibling rows of a row.
pub(in crate::stream) const MAX_SIBLINGS: usize = 4;

/// How a column is predicted from those of the coarser level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::stream) enum Interpolation {
    /// The mean of the two ends of an edge.
    Linear,
    /// Eight columns (Dyn, Levin, Gregory 1990): better where columns are smooth, worse where they are not.
    Butterfly,
}

/// The sum of the weights of earlier columns.
pub(in crate::stream) const WEIGHT_SUM: i64 = 16;

/// The columns that each column is predicted from, all earlier ones, with their weights.
#[derive(Debug)]
pub(in crate::stream) struct EarlierColumns {
    /// First entry of each column, and their number.
    starts: Vec<usize>,
    entries: Vec<(u32, i64)>,
}

impl EarlierColumns {
    /// Where columns belong to rows, a column is interpolated from columns of the coarser level: by `interpolation`, or linearly next to the boundary of the domain. Other columns, and
    /// those of the base level, are predicted by the column before.
    pub fn new(
        hierarchy: &SubdivisionHierarchy,
        domain: &Domain,
        columns: usize,
        interpolation: Interpolation,
    ) -> Self {
        let mut earlier = Self {
            starts: vec![0],
            entries: Vec::new(),
        };
        if columns != domain.rows() {
            (0..columns).for_each(|_| earlier.push(&[]));
            return earlier;
        }
        domain.level_rows(0).for_each(|_| earlier.push(&[]));
        for level in 1..=domain.finest() {
            let opposite = opposite_corners(hierarchy.triangles(level - 1));
            for ends in edge_ends(hierarchy, domain, level) {
                let inside = |vertices: &[(Option<u32>, i64)]| {
                    let row = |&(v, weight): &(Option<u32>, i64)| Some((domain.row(v?)?, weight));
                    vertices.iter().map(row).collect::<Option<Vec<_>>>()
                };
                let [a, b] = ends;
                let butterfly_entries = match interpolation {
                    Interpolation::Linear => None,
                    Interpolation::Butterfly => inside(&butterfly(&opposite, a, b)),
                };
                let entries = butterfly_entries
                    .or_else(|| inside(&[(Some(a), WEIGHT_SUM / 2), (Some(b), WEIGHT_SUM / 2)]))
                    .or_else(|| inside(&[(Some(a), WEIGHT_SUM)]))
                    .or_else(|| inside(&[(Some(b), WEIGHT_SUM)]));
                earlier.push(&entries.unwrap_or_default());
            }
        }
        earlier
    }

    /// Appends a column with the columns that predict it; without any, the column before predicts it.
    fn push(&mut self, others: &[(u32, i64)]) {
        let own = self.starts.len() - 1;
        self.entries.extend_from_slice(others);
        if let (true, Some(before)) = (others.is_empty(), own.checked_sub(1)) {
            self.entries.push((before as u32, WEIGHT_SUM));
        }
        self.starts.push(self.entries.len());
    }

    /// The columns that predict `column`, and their weights, whose sum is [`WEIGHT_SUM`].
    pub fn for_column(&self, column: usize) -> &[(u32, i64)] {
        let bounds = (self.starts.get(column), self.starts.get(column + 1));
        let (Some(&begin), Some(&end)) = bounds else {
            return &[];
        };
        self.entries.get(begin..end).unwrap_or(&[])
    }
}

/// Vertices around the edge `ab` and their weights; none for vertices that do not exist.
fn butterfly(opposite: &BTreeMap<[u32; 2], u32>, a: u32, b: u32) -> [(Option<u32>, i64); 8] {
    let across = |a: u32, b: Option<u32>| opposite.get(&[a, b?]).copied();
    let of_side = |a: u32, b: u32| {
        let c = across(a, Some(b));
        // the triangles beyond the other two edges lie to the right of them
        let beyond = |p: Option<u32>, q: Option<u32>| across(p?, q);
        [(c, 2), (beyond(c, Some(b)), -1), (beyond(Some(a), c), -1)]
    };
    let ([c, e, f], [d, g, h]) = (of_side(a, b), of_side(b, a));
    [(Some(a), 8), (Some(b), 8), c, e, f, d, g, h]
}

/// Neighbours of each row of one level.
#[derive(Debug)]
pub(in crate::stream) struct RowNeighbours {
    /// The rows of the edge that each row splits; those outside the domain are [`NONE`].
    pub parents: Vec<[u32; 2]>,
    /// Rows of the same level, counted from its first, that come earlier and share a triangle.
    pub siblings: Vec<[u32; MAX_SIBLINGS]>,
}

impl RowNeighbours {
    /// The neighbours on `level`. On the base level the siblings of a row are the four rows before it.
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
        let mut siblings = vec![[NONE; MAX_SIBLINGS]; rows.len()];
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
                let of_late = siblings.get_mut(late as usize).filter(|_| early < late);
                let Some(of_late) = of_late.filter(|rows| !rows.contains(&early)) else {
                    continue;
                };
                if let Some(free) = of_late.iter_mut().find(|s| **s == NONE) {
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
    let ends = edge_ends(hierarchy, domain, level).into_iter();
    ends.map(|ends| ends.map(|end| domain.row(end).unwrap_or(NONE)))
        .collect()
}

/// The vertices of the edge ends of each row of `level`.
fn edge_ends(hierarchy: &SubdivisionHierarchy, domain: &Domain, level: usize) -> Vec<[u32; 2]> {
    let first = hierarchy.vertex_count(level - 1);
    let parents = hierarchy.parents(level);
    let of_vertex = |&vertex: &u32| {
        let ends = parents.get((vertex as usize).saturating_sub(first));
        ends.copied().unwrap_or([NONE; 2])
    };
    let rows = domain.level_rows(level);
    let vertices = domain.vertices().get(rows).unwrap_or(&[]);
    vertices.iter().map(of_vertex).collect()
}
