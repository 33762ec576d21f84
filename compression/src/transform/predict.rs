//! Predictors: the weights of coarse vertices for each new one.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::domain::Domain;
use super::spec::{MissingNeighbours, TransformSpec, WaveletBasis};
use crate::subdivision::SubdivisionHierarchy;
use crate::subdivision::opposite_corners;

/// Coarse vertices, or rows, and their weights.
pub(crate) type Stencil = Vec<(u32, f64)>;

/// The predictor of each row that `level` adds.
pub(super) fn predictors(
    hierarchy: &SubdivisionHierarchy,
    domain: &Domain,
    level: usize,
    spec: &TransformSpec,
) -> Vec<Stencil> {
    let first = hierarchy.vertex_count(level - 1) as u32;
    let parents = hierarchy.parents(level);
    let coarse = CoarseMesh::new(hierarchy.triangles(level - 1));
    let rows = domain.level_rows(level);
    let of_vertex = |vertex: u32| {
        let [a, b] = parents[(vertex - first) as usize];
        let linear = vec![(a, 0.5), (b, 0.5)];
        let stencil = match spec.basis {
            WaveletBasis::Linear => linear.clone(),
            WaveletBasis::Butterfly => coarse.butterfly(a, b),
            WaveletBasis::ModifiedButterfly => coarse.modified_butterfly(a, b),
        };
        restrict_to_domain(stencil, &linear, domain, spec)
    };
    domain.vertices()[rows]
        .iter()
        .map(|&v| of_vertex(v))
        .collect()
}

/// Restricts a stencil of vertices to the rows of the domain.
fn restrict_to_domain(
    stencil: Stencil,
    linear: &Stencil,
    domain: &Domain,
    spec: &TransformSpec,
) -> Stencil {
    let complete = stencil.iter().all(|&(v, _)| domain.row(v).is_some());
    let renormalise = spec.missing == MissingNeighbours::Renormalise;
    let stencil = if complete || !renormalise {
        &stencil
    } else {
        linear
    };
    let mut rows: Stencil = stencil
        .iter()
        .filter_map(|&(v, weight)| Some((domain.row(v)?, weight)))
        .collect();
    let sum: f64 = rows.iter().map(|(_, w)| w).sum();
    if renormalise && !complete {
        rows.iter_mut().for_each(|(_, w)| *w /= sum);
    }
    rows
}

/// The triangles of the coarser level, by their edges.
struct CoarseMesh {
    opposite: BTreeMap<[u32; 2], u32>,
}

impl CoarseMesh {
    fn new(triangles: &[[u32; 3]]) -> Self {
        Self {
            opposite: opposite_corners(triangles),
        }
    }

    fn opposite_corner(&self, a: u32, b: u32) -> Option<u32> {
        self.opposite.get(&[a, b]).copied()
    }

    /// The eight-point butterfly around the edge `ab`. Weights of coinciding points add up.
    fn butterfly(&self, a: u32, b: u32) -> Stencil {
        let mut weights = BTreeMap::from([(a, 0.5), (b, 0.5)]);
        let mut add = |v: Option<u32>, weight: f64| {
            if let Some(v) = v {
                *weights.entry(v).or_insert(0.0) += weight;
            }
        };
        for (u, v) in [(a, b), (b, a)] {
            if let Some(c) = self.opposite_corner(u, v) {
                add(Some(c), 0.125);
                add(self.opposite_corner(c, v), -0.0625);
                add(self.opposite_corner(u, c), -0.0625);
            }
        }
        weights.into_iter().collect()
    }

    /// Neighbours of `v` in order, from `start` on; empty where the surface is open.
    fn ring(&self, v: u32, start: u32) -> Vec<u32> {
        let mut ring = vec![start];
        while let Some(next) = ring.last().and_then(|&p| self.opposite_corner(v, p)) {
            if next == start {
                return ring;
            }
            ring.push(next);
            if ring.len() > self.opposite.len() {
                break;
            }
        }
        Vec::new()
    }

    /// Weights of Zorin, Schröder and Sweldens (1996) around ends whose valence is not six; the mean of both stencils where neither end has valence six.
    fn modified_butterfly(&self, a: u32, b: u32) -> Stencil {
        let rings = [(a, b), (b, a)].map(|(v, start)| (v, self.ring(v, start)));
        let irregular = rings
            .iter()
            .filter(|(_, ring)| ring.len() != 6 && ring.len() >= 3);
        let irregular: Vec<_> = irregular.collect();
        if irregular.is_empty() {
            return self.butterfly(a, b);
        }
        let share = 1.0 / irregular.len() as f64;
        let mut weights = BTreeMap::new();
        for (v, ring) in irregular {
            *weights.entry(*v).or_insert(0.0) += 0.75 * share;
            for (j, &p) in ring.iter().enumerate() {
                *weights.entry(p).or_insert(0.0) += share * ring_weight(ring.len(), j);
            }
        }
        weights.into_iter().collect()
    }
}

/// Weight of neighbour `j` of `valence` neighbours, counted from the other end of the edge.
fn ring_weight(valence: usize, j: usize) -> f64 {
    match (valence, j) {
        (3, 0) => 5.0 / 12.0,
        (3, _) => -1.0 / 12.0,
        (4, 0) => 3.0 / 8.0,
        (4, 2) => -1.0 / 8.0,
        (4, _) => 0.0,
        _ => {
            let angle = TAU * j as f64 / valence as f64;
            (0.25 + angle.cos() + 0.5 * (2.0 * angle).cos()) / valence as f64
        }
    }
}
