//! Do tetrahedra that come from elsewhere share their faces as tetrahedra must?

use pliant_core::mesh::TetMesh;
use pliant_core::mesh::tet::FACES;

/// Why tetrahedra of a file cannot be a level; the boundary serves all the same.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unusable {
    /// A face belongs to three tetrahedra or more.
    #[error("{faces} faces have more than two tetrahedra each")]
    FacesShared {
        /// How many.
        faces: usize,
    },
    /// Two tetrahedra lie on the same side of the face between them.
    #[error("{pairs} pairs of neighbouring tetrahedra overlap")]
    Folded {
        /// How many.
        pairs: usize,
    },
}

/// Whether the tetrahedra fit together: each face with one or two of them, which lie on its two sides. Cost O(n log n).
///
/// ```
/// use pliant_core::{math::Vec3, mesh::procedural::{CellStyle, box_tets}};
/// use pliant_meshing::lod::{Unusable, fits_together};
/// let mut mesh = box_tets(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Kuhn);
/// assert_eq!(fits_together(&mesh), Ok(()));
/// mesh.tets.push(mesh.tets[0]);
/// assert!(matches!(fits_together(&mesh), Err(Unusable::FacesShared { .. })));
/// ```
pub fn fits_together(mesh: &TetMesh) -> Result<(), Unusable> {
    let mut all: Vec<([u32; 3], bool)> = Vec::with_capacity(4 * mesh.tets.len());
    for tet in &mesh.tets {
        for face in FACES {
            let mut key = face.map(|k| tet[k]);
            // its sense, from the least number on
            let least = (0..3).min_by_key(|&k| key[k]).unwrap_or(0);
            key.rotate_left(least);
            let turned = key[1] > key[2];
            if turned {
                key.swap(1, 2);
            }
            all.push((key, turned));
        }
    }
    all.sort_unstable();
    let (mut faces, mut pairs) = (0, 0);
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        match group {
            [_] => {}
            [(_, a), (_, b)] => pairs += usize::from(a == b),
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
