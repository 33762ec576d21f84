//! Checks that tetrahedra from a file share their faces properly.

use pliant_core::mesh::TetMesh;
use pliant_core::mesh::tet::FACES;

/// Why tetrahedra of a file cannot be a level. Their boundary can still be used.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unusable {
    /// A face belongs to three tetrahedra or more.
    #[error("{}", shared(*.faces))]
    FacesShared {
        /// How many.
        faces: usize,
    },
    /// Two tetrahedra lie on the same side of the face between them.
    #[error("{}", folded(*.pairs))]
    Folded {
        /// How many.
        pairs: usize,
    },
}

fn shared(faces: usize) -> String {
    match faces {
        1 => "a face has more than two tetrahedra".to_string(),
        _ => format!("{faces} faces have more than two tetrahedra each"),
    }
}

fn folded(pairs: usize) -> String {
    match pairs {
        1 => "a pair of neighbouring tetrahedra overlaps".to_string(),
        _ => format!("{pairs} pairs of neighbouring tetrahedra overlap"),
    }
}

/// Whether the tetrahedra fit together: each face belongs to one tetrahedron, or to two on opposite sides of it. Cost O(n log n).
///
/// ```
/// use pliant_core::{math::Vec3, mesh::procedural::{CellStyle, box_tets}};
/// use pliant_meshing::lod::{Unusable, fits_together};
/// let mut mesh = box_tets(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Kuhn);
/// assert_eq!(fits_together(&mesh), Ok(()));
/// mesh.tets.push(mesh.tets[0]);
/// assert!(matches!(fits_together(&mesh), Err(Unusable::FacesShared { .. })));
/// ```
///
/// # Errors
/// [`Unusable`], with the number of faults.
pub fn fits_together(mesh: &TetMesh) -> Result<(), Unusable> {
    let (mut faces, mut pairs) = (0, 0);
    for group in sorted_faces(&mesh.tets).chunk_by(|a, b| a.corners == b.corners) {
        match group {
            [_] => {}
            [a, b] => pairs += usize::from(a.is_even == b.is_even),
            _ => faces += 1,
        }
    }
    if faces > 0 {
        return Err(Unusable::FacesShared { faces });
    }
    if pairs > 0 {
        return Err(Unusable::Folded { pairs });
    }
    Ok(())
}

/// A face of a tetrahedron.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Face {
    /// Its corners, ascending.
    pub corners: [u32; 3],
    /// Whether sorting them, from the order seen from outside, is an even permutation. This holds for exactly one of two tetrahedra on opposite sides of the face.
    pub is_even: bool,
    /// Number of the tetrahedron.
    pub tet: u32,
}

/// The faces of all tetrahedra; those with the same corners are adjacent.
pub(super) fn sorted_faces(tets: &[[u32; 4]]) -> Vec<Face> {
    let mut faces = Vec::with_capacity(4 * tets.len());
    for (tet, nodes) in (0_u32..).zip(tets) {
        for face in FACES {
            let (corners, is_even) = sorted_with_parity(face.map(|k| nodes[k]));
            faces.push(Face {
                corners,
                is_even,
                tet,
            });
        }
    }
    faces.sort_unstable();
    faces
}

/// A face's corners in ascending order, and whether sorting is an even permutation.
fn sorted_with_parity(face: [u32; 3]) -> ([u32; 3], bool) {
    let [mut a, mut b, mut c] = face;
    let mut even = true;
    if a > b {
        (a, b, even) = (b, a, !even);
    }
    if b > c {
        (b, c, even) = (c, b, !even);
    }
    if a > b {
        (a, b, even) = (b, a, !even);
    }
    ([a, b, c], even)
}

#[cfg(test)]
mod tests {
    use super::Unusable;

    #[test]
    fn one_fault_is_told_in_the_singular() {
        for (fault, text) in [
            (
                Unusable::FacesShared { faces: 1 },
                "a face has more than two tetrahedra",
            ),
            (
                Unusable::FacesShared { faces: 2 },
                "2 faces have more than two tetrahedra each",
            ),
            (
                Unusable::Folded { pairs: 1 },
                "a pair of neighbouring tetrahedra overlaps",
            ),
            (
                Unusable::Folded { pairs: 2 },
                "2 pairs of neighbouring tetrahedra overlap",
            ),
        ] {
            assert_eq!(fault.to_string(), text);
        }
    }
}
