//! One reader a format, and the tables of them all.

pub(crate) mod abaqus;
pub(crate) mod format;
pub(crate) mod gltf;
pub(crate) mod gmsh;
pub(crate) mod medit;
pub(crate) mod obj;
pub(crate) mod off;
pub(crate) mod ply;
pub(crate) mod stl;
pub(crate) mod tetgen;
pub(crate) mod vtk;

use format::Format;

/// Formats whose test no file of another format passes.
pub(super) static CERTAIN: &[&Format] = &[
    &ply::FORMAT,
    &stl::BINARY,
    &gltf::BINARY,
    &gltf::TEXT,
    &gmsh::FORMAT,
    &vtk::LEGACY,
    &vtk::XML,
    &medit::FORMAT,
];

/// The others, in the order in which a file is compared with them: the least specific ones are last.
pub(super) static LIKELY: &[&Format] = &[
    &stl::TEXT,
    &off::FORMAT,
    &abaqus::FORMAT,
    &tetgen::FORMAT,
    &obj::FORMAT,
    &stl::CUT,
];
