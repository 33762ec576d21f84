//! Isosurface stuffing: tetrahedra with good dihedral angles inside any closed surface.
//!
//! After Labelle and Shewchuk 2007, "Isosurface stuffing: fast tetrahedral meshes with good dihedral angles", on a uniform
//! body-centred cubic lattice. Their stencils with exact cut points keep all angles between 10.7 and 164.8 degrees; our rule
//! for diagonals is simpler than theirs, so here the range is measured, not proved. The sign of the field comes from
//! the winding number and its magnitude from the distance to the surface, so self-intersections and small holes do no harm.
//!
//! The boundary is then pulled onto the surface, keeping `ANGLE_RANGE`. Sharp edges and corners get nodes of their own (the
//! goal of Doran 2013, "Isosurface stuffing improved: acute lattices and feature matching", by other means): a node is put
//! onto the feature, its neighbours are moved so that angles stay in range (feature relaxation), flat tetrahedra are removed, and boundary edges that
//! cross a sharp edge are flipped, as long as `MATCHED_RANGE` holds around it.

mod cutting;
pub(crate) mod fitting;
mod lattice;
pub(crate) mod mesher;
pub(crate) mod spacing;
pub(crate) mod stuff;
#[cfg(test)]
pub(crate) mod testing;

pub use mesher::Stuffing;
