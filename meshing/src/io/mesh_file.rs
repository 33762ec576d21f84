//! What a mesh file holds, and how it is to be read.

use pliant_core::mesh::{SurfaceMesh, TetMesh};

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
    /// glTF 2.0 as JSON, not compressed.
    Gltf,
    /// glTF 2.0, binary, not compressed.
    Glb,
    /// Gmsh MSH 2, 4.0 and 4.1 as text.
    Gmsh,
    /// Gmsh MSH 2, 4.0 and 4.1, binary.
    GmshBinary,
    /// Legacy VTK as text.
    VtkText,
    /// Legacy VTK, binary, most significant byte first.
    VtkBinary,
    /// VTK unstructured grid in XML, also compressed.
    Vtu,
    /// VTK polygons in XML, also compressed.
    Vtp,
    /// TetGen's `.node`, `.ele` and `.face` files.
    TetGen,
    /// Medit `.mesh` as text.
    Medit,
    /// Abaqus and CalculiX input.
    Abaqus,
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
            Self::Abaqus => "Abaqus",
        }
    }
}

/// A surface as stored in a file, or tetrahedra and their boundary.
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
