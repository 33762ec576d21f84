//! Finds subdivision connectivity in a mesh: vertices are classified as even or odd, and the odd ones are removed, level by level.

use std::collections::BTreeMap;

use pliant_core::mesh::unique_edges;

use super::hierarchy::{Refinement, SubdivisionHierarchy};
use crate::error::CompressionError;

/// A hierarchy that was found in a mesh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// The levels, in a numbering from coarse to fine.
    pub hierarchy: SubdivisionHierarchy,
    /// Vertex of the mesh behind each vertex of the hierarchy.
    pub vertex: Vec<u32>,
}

/// Neighbours of an odd vertex: it splits an edge between two triangles.
const ODD_VALENCE: usize = 6;
/// Fewest triangles of a base mesh.
const MIN_BASE_TRIANGLES: usize = 4;

/// Finds the levels of a closed, oriented, manifold mesh with `vertices` vertices. A vertex whose number of neighbours is not six is even. So are the vertices two edges further
/// along straight lines of edges. For a mesh that is regular everywhere (a torus), each vertex of one triangle is tried as even.
///
/// Cost `O(n log n)` a level.
///
/// # Errors
/// [`CompressionError::NotSemiRegular`] where not even one level can be removed; the reason names a vertex.
pub fn detect(vertices: usize, triangles: &[[u32; 3]]) -> Result<Detected, CompressionError> {
    let mut levels: Vec<Level> = Vec::new();
    let mut current = Level {
        triangles: triangles.to_vec(),
        parents: BTreeMap::new(),
    };
    let base = loop {
        match coarsen_once(vertices, &current.triangles) {
            Ok((parents, coarse)) => {
                current.parents = parents;
                levels.push(current);
                current = Level {
                    triangles: coarse,
                    parents: BTreeMap::new(),
                };
            }
            Err(reason) if levels.is_empty() => {
                return Err(CompressionError::NotSemiRegular { reason });
            }
            Err(_) => break current.triangles,
        }
    };
    number_vertices(&base, &levels)
}

struct Level {
    triangles: Vec<[u32; 3]>,
    /// The edge that each odd vertex splits.
    parents: BTreeMap<u32, [u32; 2]>,
}

/// The odd vertices with the edges that they split, and the triangles without them.
type Coarsened = (BTreeMap<u32, [u32; 2]>, Vec<[u32; 3]>);

#[derive(Clone, Copy, PartialEq)]
enum Parity {
    Unknown,
    Even,
    Odd,
}

/// Removes one level.
fn coarsen_once(vertices: usize, triangles: &[[u32; 3]]) -> Result<Coarsened, String> {
    if triangles.is_empty() || !triangles.len().is_multiple_of(4) {
        return Err(format!(
            "{} triangles are not four for each of a coarser mesh",
            triangles.len()
        ));
    }
    let rings = rings(vertices, triangles)?;
    let irregular = (0..vertices as u32).find(|&v| {
        let valence = rings[v as usize].len();
        valence > 0 && valence != ODD_VALENCE
    });
    let seeds = match irregular {
        Some(vertex) => vec![vertex],
        None => triangles[0].to_vec(),
    };
    let mut failure = String::new();
    for seed in seeds {
        match parity(&rings, seed) {
            Ok(parities) => return remove_odd(&rings, &parities, triangles),
            Err(vertex) => {
                failure = format!("vertex {vertex} would be an edge's middle and a corner at once");
            }
        }
    }
    Err(failure)
}

/// One-ring of each vertex: its neighbours in order around it.
fn rings(vertices: usize, triangles: &[[u32; 3]]) -> Result<Vec<Vec<u32>>, String> {
    let mut next: Vec<BTreeMap<u32, u32>> = vec![BTreeMap::new(); vertices];
    for &[a, b, c] in triangles {
        for [v, p, q] in [[a, b, c], [b, c, a], [c, a, b]] {
            let known = next.get_mut(v as usize).map(|around| around.insert(p, q));
            if known != Some(None) {
                return Err(format!(
                    "the surface is not an oriented manifold at vertex {v}"
                ));
            }
        }
    }
    let open = |v: usize| format!("the surface is open or pinched at vertex {v}");
    let mut rings = Vec::with_capacity(vertices);
    for (v, around) in next.iter().enumerate() {
        let mut ring = Vec::with_capacity(around.len());
        let mut at = around.keys().next().copied();
        while let Some(p) = at.filter(|_| ring.len() < around.len()) {
            ring.push(p);
            at = around.get(&p).copied();
        }
        if ring.len() < around.len() || at != ring.first().copied() {
            return Err(open(v));
        }
        rings.push(ring);
    }
    Ok(rings)
}

/// Classifies the vertices as even and odd, beginning with `seed` as even. The error is a vertex that would be both.
fn parity(rings: &[Vec<u32>], seed: u32) -> Result<Vec<Parity>, u32> {
    let mut parities = vec![Parity::Unknown; rings.len()];
    let mut starts = vec![seed];
    starts.extend((0..rings.len() as u32).filter(|&v| {
        let valence = rings[v as usize].len();
        valence > 0 && valence != ODD_VALENCE
    }));
    for start in starts {
        let mut queue = match parities[start as usize] {
            Parity::Odd => return Err(start),
            Parity::Even => continue,
            Parity::Unknown => vec![start],
        };
        parities[start as usize] = Parity::Even;
        while let Some(v) = queue.pop() {
            for &m in &rings[v as usize] {
                let ring = &rings[m as usize];
                let at = ring.iter().position(|&p| p == v);
                let (Some(at), ODD_VALENCE) = (at, ring.len()) else {
                    return Err(m);
                };
                for (step, expected) in [
                    (0, Parity::Even),
                    (3, Parity::Even),
                    (1, Parity::Odd),
                    (2, Parity::Odd),
                    (4, Parity::Odd),
                    (5, Parity::Odd),
                ] {
                    let p = ring[(at + step) % ODD_VALENCE];
                    let vertex_parity = &mut parities[p as usize];
                    if *vertex_parity == Parity::Unknown {
                        *vertex_parity = expected;
                        if expected == Parity::Even {
                            queue.push(p);
                        }
                    } else if *vertex_parity != expected {
                        return Err(p);
                    }
                }
                if parities[m as usize] == Parity::Even {
                    return Err(m);
                }
                parities[m as usize] = Parity::Odd;
            }
        }
    }
    Ok(parities)
}

/// The mesh of the even vertices: it has a triangle for each one whose corners are all odd.
fn remove_odd(
    rings: &[Vec<u32>],
    parities: &[Parity],
    triangles: &[[u32; 3]],
) -> Result<Coarsened, String> {
    let mut parents = BTreeMap::new();
    for (m, ring) in rings
        .iter()
        .enumerate()
        .filter(|(m, _)| parities[*m] == Parity::Odd)
    {
        let mut even = ring
            .iter()
            .filter(|&&p| parities[p as usize] == Parity::Even);
        let (Some(&a), Some(&b), None) = (even.next(), even.next(), even.next()) else {
            return Err(format!("vertex {m} does not split an edge"));
        };
        parents.insert(m as u32, [a, b]);
    }
    if let Some(v) =
        (0..rings.len()).find(|&v| parities[v] == Parity::Unknown && !rings[v].is_empty())
    {
        // a regular part that the flood did not reach
        return Err(format!(
            "the part of vertex {v} has no irregular vertex to start from"
        ));
    }
    let mut coarse = Vec::with_capacity(triangles.len() / 4);
    for corners in triangles {
        let edges = corners.map(|m| parents.get(&m).copied());
        let [Some(e), Some(f), Some(g)] = edges else {
            continue;
        };
        // the corner between two middles is the end that their edges share
        let shared = |p: [u32; 2], q: [u32; 2]| p.into_iter().find(|v| q.contains(v));
        match (shared(g, e), shared(e, f), shared(f, g)) {
            (Some(a), Some(b), Some(c)) if a != b && b != c && c != a => coarse.push([a, b, c]),
            _ => {
                return Err(format!(
                    "the triangle of vertices {corners:?} is not the middle of four"
                ));
            }
        }
    }
    if 4 * coarse.len() != triangles.len()
        || coarse.len() < MIN_BASE_TRIANGLES
        || unique_edges(&coarse).len() != parents.len()
    {
        return Err(format!(
            "{} of {} triangles are the middle of four",
            coarse.len(),
            triangles.len()
        ));
    }
    Ok((parents, coarse))
}

/// Numbers vertices from coarse to fine; within a level those of the mesh keep their order.
fn number_vertices(base: &[[u32; 3]], levels: &[Level]) -> Result<Detected, CompressionError> {
    let mut vertex: Vec<u32> = base.iter().flatten().copied().collect();
    vertex.sort_unstable();
    vertex.dedup();
    let base_vertices = vertex.len();
    for level in levels.iter().rev() {
        vertex.extend(level.parents.keys());
    }
    let mut number = BTreeMap::new();
    for (k, &v) in vertex.iter().enumerate() {
        number.insert(v, k as u32);
    }
    let renumber = |v: &u32| number.get(v).copied().unwrap_or(u32::MAX);
    let renumbered = |triangles: &[[u32; 3]]| -> Vec<[u32; 3]> {
        triangles
            .iter()
            .map(|t| t.each_ref().map(renumber))
            .collect()
    };
    let refinements = levels.iter().rev().map(|level| Refinement {
        parents: level
            .parents
            .values()
            .map(|p| p.each_ref().map(renumber))
            .collect(),
        triangles: renumbered(&level.triangles),
    });
    let refinements = refinements.collect();
    let hierarchy = SubdivisionHierarchy::new(base_vertices, renumbered(base), refinements)?;
    Ok(Detected { hierarchy, vertex })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{octahedron, torus};

    #[test]
    fn levels_are_found_again_whatever_the_numbering() -> Result<(), CompressionError> {
        let (given, _) = octahedron(3)?;
        let n = given.vertex_count(3);
        let mixed = |v: u32| ((u64::from(v) * 101 + 7) % n as u64) as u32;
        let triangles: Vec<[u32; 3]> = given.triangles(3).iter().map(|t| t.map(mixed)).collect();
        let found = detect(n, &triangles)?;
        assert_eq!(found.hierarchy.finest(), 3);
        for level in 0..=3 {
            assert_eq!(
                found.hierarchy.vertex_count(level),
                given.vertex_count(level)
            );
        }
        let mut base: Vec<u32> = found.vertex[..6].to_vec();
        base.sort_unstable();
        let mut expected: Vec<u32> = (0..6).map(mixed).collect();
        expected.sort_unstable();
        assert_eq!(base, expected);
        Ok(())
    }

    #[test]
    fn a_regular_torus_is_coarsened_too() -> Result<(), CompressionError> {
        let n = 8_u32;
        let found = detect((n * n) as usize, &torus(n))?;
        assert_eq!(
            found.hierarchy.vertex_count(found.hierarchy.finest() - 1),
            16
        );
        Ok(())
    }

    #[test]
    fn a_mesh_without_levels_is_refused_with_a_place() -> Result<(), CompressionError> {
        let (given, _) = octahedron(2)?;
        let mut triangles = given.triangles(2).to_vec();
        // an edge between two triangles is turned
        let opposite = super::super::hierarchy::opposite_corners(&triangles);
        let [a, b, c] = triangles[3];
        let d = opposite[&[b, a]];
        let other = triangles
            .iter()
            .position(|t| t.contains(&a) && t.contains(&b) && t.contains(&d));
        triangles[3] = [a, d, c];
        triangles[other.unwrap_or_default()] = [d, b, c];
        let refused = detect(given.vertex_count(2), &triangles);
        assert!(
            matches!(refused, Err(CompressionError::NotSemiRegular { .. })),
            "{refused:?}"
        );
        assert!(detect(4, &[[0, 1, 2]]).is_err());
        assert!(detect(3, &[[0, 1, 2], [0, 1, 2], [0, 2, 1], [0, 2, 9]]).is_err());
        Ok(())
    }
}
