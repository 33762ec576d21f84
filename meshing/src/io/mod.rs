//! Mesh files: readers that decide by content and name the line or byte of an error, and writers.
//!
//! Read: Wavefront OBJ, STL (text and binary), PLY (text, binary of both byte orders), OFF, glTF 2.0 (`.gltf` and `.glb`, not compressed),
//! Gmsh MSH 2, 4.0 and 4.1 (text and binary), VTK (legacy text and binary, VTU and VTP, also compressed), TetGen's three files, Medit as text. Written: OBJ, VTU.
//! A reader returns the surface as it stands in the file, polygons cut into triangles, nothing welded and nothing repaired:
//! [`crate::report::check`] says what is wrong with it and [`crate::repair::repair`] makes it a solid.

mod attribute;
mod base64;
mod beside;
mod cells;
mod error;
mod gltf;
mod gmsh;
mod medit;
mod obj;
mod off;
mod ply;
mod ply_header;
mod polygon;
mod polygons;
mod scalar;
mod sniff;
mod stl;
mod tetgen;
mod text;
mod tokens;
mod vtk;
mod write;

use std::path::Path;

use pliant_core::mesh::{SurfaceMesh, TetMesh};

use beside::Beside;

pub use attribute::{VertexAttribute, read_vertex_attribute, read_vertex_attribute_bytes};
pub use error::{Place, ReadError};
pub use write::{write_obj, write_vtu_tets, write_vtu_voxels};

/// Longest file that is read: vertex numbers and places then fit 32 bits.
const LONGEST: u64 = u32::MAX as u64;

/// Formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// STL as text.
    StlText,
    /// STL, binary.
    StlBinary,
    /// PLY as text.
    PlyText,
    /// PLY, binary, least significant byte first.
    PlyLittleEndian,
    /// PLY, binary, most significant byte first.
    PlyBigEndian,
    /// Geomview OFF as text, with or without colours and normals.
    Off,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0, binary.
    Glb,
    /// Gmsh MSH as text.
    Gmsh,
    /// Gmsh MSH, binary.
    GmshBinary,
    /// Legacy VTK as text.
    VtkText,
    /// Legacy VTK, binary, most significant byte first.
    VtkBinary,
    /// VTK unstructured grid in XML.
    Vtu,
    /// VTK polygons in XML.
    Vtp,
    /// TetGen's `.node`, `.ele` and `.face` files.
    TetGen,
    /// Medit `.mesh` as text.
    Medit,
}

impl MeshFormat {
    /// Name for people, for example `"binary STL"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obj => "OBJ",
            Self::StlText => "text STL",
            Self::StlBinary => "binary STL",
            Self::PlyText => "text PLY",
            Self::PlyLittleEndian | Self::PlyBigEndian => "binary PLY",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
            Self::Glb => "binary glTF",
            Self::Gmsh => "Gmsh MSH",
            Self::GmshBinary => "binary Gmsh MSH",
            Self::VtkText => "text VTK",
            Self::VtkBinary => "binary VTK",
            Self::Vtu => "VTU",
            Self::Vtp => "VTP",
            Self::TetGen => "TetGen",
            Self::Medit => "Medit",
        }
    }
}

/// A surface as it stands in a file, or tetrahedra and their boundary.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// Vertices and triangles in the order of the file, in its own unit and axes; every vertex number is in range. STL has three vertices a
    /// triangle, not yet welded. glTF is placed by the transforms of its scene (m, y up).
    /// Where the file has tetrahedra, this is their boundary (see [`TetMesh::boundary`]).
    pub surface: SurfaceMesh,
    /// The tetrahedra of the file, each with positive volume, in its order, without nodes that none uses; in the file's own unit and axes.
    /// `None` for a file of surfaces only.
    pub tets: Option<TetMesh>,
    /// What the content was recognised as.
    pub format: MeshFormat,
    /// What the reader skipped or changed, a sentence each: polygons cut, statements ignored, bytes left over.
    pub notes: Vec<String>,
}

/// How to treat questionable content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Keep vertices with NaN or infinite coordinates instead of failing: only [`crate::report::check`] can use such a surface.
    pub keep_non_finite: bool,
}

/// Reads a mesh file of any supported format; the name of the file plays no part, but leads to files that belong to it (buffers of glTF, TetGen's
/// other files). Memory: at most 20 times the length of the files (beyond that at most 56 MiB where they are compressed or
/// place a mesh several times).
pub fn read_mesh(path: &Path) -> Result<MeshFile, ReadError> {
    read_mesh_with(path, &ReadOptions::default())
}

/// As [`read_mesh`], with options.
pub fn read_mesh_with(path: &Path, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let bytes = beside::open(path)?;
    dispatch(&bytes, Beside { path: Some(path) }, options)
}

/// Reads a mesh from the content of a file; a format that needs other files is refused with their names.
///
/// ```
/// use pliant_meshing::io::{MeshFormat, read_mesh_bytes};
/// let file = read_mesh_bytes(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n").expect("a square");
/// assert_eq!(file.format, MeshFormat::Obj);
/// assert_eq!(file.surface.triangles, [[0, 1, 2], [0, 2, 3]]);
///
/// let error = read_mesh_bytes(b"v 0 0 0\nv 1 0 zero\n").expect_err("not a number");
/// assert_eq!(error.code(), "Syntax");
/// assert_eq!(error.place().as_deref(), Some("line 2"));
/// ```
pub fn read_mesh_bytes(bytes: &[u8]) -> Result<MeshFile, ReadError> {
    read_mesh_bytes_with(bytes, &ReadOptions::default())
}

/// As [`read_mesh_bytes`], with options.
pub fn read_mesh_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    refuse_too_large(bytes.len() as u64)?;
    dispatch(bytes, Beside { path: None }, options)
}

fn dispatch(
    bytes: &[u8],
    beside: Beside<'_>,
    options: &ReadOptions,
) -> Result<MeshFile, ReadError> {
    match sniff::format(bytes)? {
        sniff::Kind::Obj => obj::read(bytes, options),
        sniff::Kind::StlText => stl::read_text(bytes, options),
        sniff::Kind::StlBinary => stl::read_binary(bytes, options),
        sniff::Kind::Ply => ply::read(bytes, options),
        sniff::Kind::Off => off::read(bytes, options),
        sniff::Kind::Gltf => gltf::read_text(bytes, beside, options),
        sniff::Kind::Glb => gltf::read_binary(bytes, beside, options),
        sniff::Kind::Gmsh => gmsh::read(bytes, options),
        sniff::Kind::VtkLegacy => vtk::legacy::read(bytes, options),
        sniff::Kind::VtkXml => vtk::xml_file::read(bytes, options),
        sniff::Kind::TetGen(part) => tetgen::read(bytes, part, beside, options),
        sniff::Kind::Medit => medit::read(bytes, options),
    }
}

fn refuse_too_large(bytes: u64) -> Result<(), ReadError> {
    if bytes > LONGEST {
        return Err(ReadError::TooLarge {
            bytes,
            limit: LONGEST,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_robust;
