//! Strips of triangles between neighbouring boundaries of skin and caps.

use std::collections::BTreeMap;

use super::boundary::{BoundaryEdge, boundary_edges, inward_directions};
use super::patch::Patch;
use crate::math::Vec3;

/// Largest length of a span, in spacings. The offset positions of both sides of a cut are two spacings apart.
const MAX_SPAN_LENGTH: f64 = 1.5;

/// Joins boundaries of the skin to boundaries of caps, span by span.
pub(super) fn join(patch: &mut Patch<'_>, spacing: f64) {
    let edges = boundary_edges(patch);
    let skin = || edges.iter().filter(|edge| edge.is_skin);
    let length = |edge: &BoundaryEdge| (patch.position(edge.to) - patch.position(edge.from)).norm();
    let mean = skin().map(length).sum::<f64>() / skin().count().max(1) as f64;
    let offset = spacing.max(mean);
    let inward = inward_directions(patch, &edges);
    let positions = edges.iter().zip(&inward);
    let positions = positions.map(|(edge, inward)| patch.position(edge.from) + inward * offset);
    let positions: Vec<Vec3> = positions.collect();
    let by_vertex = edges
        .iter()
        .zip(&positions)
        .map(|(edge, x)| (edge.from, *x));
    patch.offset_positions = by_vertex.collect();
    let mut strips = Strips {
        positions,
        used: vec![false; edges.len()],
        edges: &edges,
        max_length: MAX_SPAN_LENGTH * offset,
    };
    for (_, lip, cap) in strips.seeds(patch) {
        for forwards in [true, false] {
            strips.extend([lip, cap], forwards, patch);
        }
    }
}

/// Strips under construction. A span is a pair of boundary edges, one of the skin and one of a cap, and joins their first vertices. Along a strip the edges of the skin go forwards, and those of caps backwards.
struct Strips<'a> {
    edges: &'a [BoundaryEdge],
    /// offset position of the first vertex of each edge, m
    positions: Vec<Vec3>,
    /// whether a strip closes the edge
    used: Vec<bool>,
    /// largest length of a span, m
    max_length: f64,
}

impl Strips<'_> {
    /// For each edge of the skin the shortest span, if it is not too long; sorted by length.
    fn seeds(&self, patch: &Patch<'_>) -> Vec<(f64, usize, usize)> {
        let cell =
            |x: &Vec3| -> [i64; 3] { x.map(|c| (c / self.max_length).floor() as i64).into() };
        let mut cells: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
        for (k, x) in self.positions.iter().enumerate() {
            if !self.edges[k].is_skin {
                cells.entry(cell(x)).or_default().push(k);
            }
        }
        let mut found = Vec::new();
        for (k, position) in self.positions.iter().enumerate() {
            if !self.edges[k].is_skin {
                continue;
            }
            let [x, y, z] = cell(position);
            let around = (0..27).map(|n| [x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1]);
            let near = around.filter_map(|cell| cells.get(&cell)).flatten();
            let pairs = near.map(|&cap| (self.length([k, cap], patch), k, cap));
            let best = pairs.min_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
            found.extend(best.filter(|pair| pair.0 <= self.max_length));
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found
    }

    /// Length of a span between offset positions, m; infinite where both ends are one vertex, or belong to two pieces.
    fn length(&self, span: [usize; 2], patch: &Patch<'_>) -> f64 {
        let [lip, cap] = span.map(|k| self.edges[k].from);
        match lip != cap && patch.are_one_piece(lip, cap) {
            true => (self.positions[span[0]] - self.positions[span[1]]).norm(),
            false => f64::INFINITY,
        }
    }

    /// Adds triangles from a span on, forwards along the skin and backwards along the cap or the other way, until the strip ends.
    fn extend(&mut self, mut span: [usize; 2], forwards: bool, patch: &mut Patch<'_>) {
        let edges = self.edges;
        // the next edge of the skin and of the cap, and the two edges of which a triangle may close one
        let ahead = |[lip, cap]: [usize; 2]| match forwards {
            true => {
                let previous = edges[cap].previous;
                ([edges[lip].next, previous], [lip, previous])
            }
            false => {
                let previous = edges[lip].previous;
                ([previous, edges[cap].next], [previous, cap])
            }
        };
        if ahead(span).1.iter().any(|&edge| self.used[edge]) {
            return;
        }
        loop {
            let [lip, cap] = span;
            let ([next_lip, next_cap], closable) = ahead(span);
            let next_spans = [[next_lip, cap], [lip, next_cap]];
            let Some(is_lip) = self.advances_along_skin(closable, next_spans, patch) else {
                return;
            };
            let choice = usize::from(!is_lip);
            let closed = edges[closable[choice]];
            let tip = match is_lip == forwards {
                true => closed.to,
                false => closed.from,
            };
            let [a, c] = span.map(|k| edges[k].from);
            patch.add(match (forwards, is_lip) {
                (true, true) => [tip, a, c],
                (true, false) => [a, c, tip],
                (false, _) => [a, tip, c],
            });
            self.used[closable[choice]] = true;
            span = next_spans[choice];
        }
    }

    /// Whether the strip advances along the skin, and not along the cap: to the shorter of the next spans. `None` where it ends. `closable` are the edges that the two choices would close.
    fn advances_along_skin(
        &self,
        closable: [usize; 2],
        next_spans: [[usize; 2]; 2],
        patch: &Patch<'_>,
    ) -> Option<bool> {
        let length = |k: usize| {
            let length = self.length(next_spans[k], patch);
            (!self.used[closable[k]] && length <= self.max_length).then_some(length)
        };
        match (length(0), length(1)) {
            (None, None) => None,
            (lip, cap) => Some(lip.unwrap_or(f64::INFINITY) <= cap.unwrap_or(f64::INFINITY)),
        }
    }
}
