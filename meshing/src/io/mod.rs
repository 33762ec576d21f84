//! Mesh files: readers that decide by content and name the line or byte of an error, and writers.
//!
//! Read: Wavefront OBJ, STL (text and binary), PLY (text, binary of both byte orders), OFF. Written: OBJ, VTU.
//! A reader returns the surface as it stands in the file, polygons cut into triangles, nothing welded and nothing repaired:
//! [`crate::report::check`] says what is wrong with it and [`crate::repair::repair`] makes it a solid.

mod error;
mod obj;
mod off;
mod ply;
mod ply_header;
mod polygon;
mod polygons;
mod sniff;
mod stl;
mod text;
mod write;

use std::io::ErrorKind;
use std::path::Path;

use pliant_core::mesh::SurfaceMesh;

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
        }
    }
}

/// A surface as it stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// Vertices and triangles in the order of the file, in its own unit and axes; every vertex number is in range. STL has three vertices a
    /// triangle, not yet welded.
    pub surface: SurfaceMesh,
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

/// Reads a mesh file of any supported format; the name of the file plays no part. Memory: at most about 20 times the file's length.
pub fn read_mesh(path: &Path) -> Result<MeshFile, ReadError> {
    read_mesh_with(path, &ReadOptions::default())
}

/// As [`read_mesh`], with options.
pub fn read_mesh_with(path: &Path, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let failed = |error: std::io::Error| {
        let path = path.to_path_buf();
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::FileNotFound { path },
            ErrorKind::PermissionDenied => ReadError::NoPermission { path },
            ErrorKind::IsADirectory => ReadError::NotAFile { path },
            _ => ReadError::Unreadable {
                path,
                reason: error.to_string(),
            },
        }
    };
    let about = std::fs::metadata(path).map_err(failed)?;
    if !about.is_file() {
        let path = path.to_path_buf();
        return Err(ReadError::NotAFile { path });
    }
    refuse_too_large(about.len())?;
    let bytes = std::fs::read(path).map_err(failed)?;
    read_mesh_bytes_with(&bytes, options)
}

/// Reads a mesh from the content of a file.
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
    match sniff::format(bytes)? {
        sniff::Kind::Obj => obj::read(bytes, options),
        sniff::Kind::StlText => stl::read_text(bytes, options),
        sniff::Kind::StlBinary => stl::read_binary(bytes, options),
        sniff::Kind::Ply => ply::read(bytes, options),
        sniff::Kind::Off => off::read(bytes, options),
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
