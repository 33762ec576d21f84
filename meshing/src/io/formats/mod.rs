//! One reader a format.

pub(crate) mod gltf;
pub(crate) mod gmsh;
pub(crate) mod medit;
pub(crate) mod obj;
pub(crate) mod off;
pub(crate) mod ply;
pub(crate) mod stl;
pub(crate) mod tetgen;
pub(crate) mod vtk;
