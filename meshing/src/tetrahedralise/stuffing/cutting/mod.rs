//! From lattice tetrahedra to tetrahedra inside the body: cut points, stencils, and the repair of the boundary.

mod cuts;
pub(crate) mod repair;
mod stencils;
