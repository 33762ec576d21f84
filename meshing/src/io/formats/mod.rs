//! One reader a format, and the table of them all.

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

/// All formats, in the order in which a file is compared with them: the least specific ones are last.
pub(super) static FORMATS: &[&Format] = &[
    &ply::FORMAT,
    &stl::BINARY,
    &gltf::BINARY,
    &gltf::TEXT,
    &gmsh::FORMAT,
    &vtk::LEGACY,
    &vtk::XML,
    &medit::FORMAT,
    &stl::TEXT,
    &off::FORMAT,
    &abaqus::FORMAT,
    &tetgen::FORMAT,
    &obj::FORMAT,
    &stl::CUT,
];
