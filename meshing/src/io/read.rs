//! Reads a mesh file of any supported format, which its content decides.

use std::path::Path;

use super::companion_files::{CompanionFiles, open, refuse_too_large};
use super::error::ReadError;
use super::mesh_file::{MeshFile, ReadOptions};
use super::sniff;

/// Reads a mesh file of any supported format; the name of the file plays no part, but leads to files that belong to it (buffers of glTF, TetGen's
/// other files). Memory: at most 20 times the length of the files (beyond that at most 56 MiB where they are compressed or
/// place a mesh several times).
///
/// # Errors
/// [`ReadError`], with the file, or the line or byte in it.
pub fn read_mesh(path: &Path) -> Result<MeshFile, ReadError> {
    read_mesh_with(path, &ReadOptions::default())
}

/// As [`read_mesh`], with options.
///
/// # Errors
/// As [`read_mesh`].
pub fn read_mesh_with(path: &Path, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let bytes = open(path)?;
    (sniff::format(&bytes)?.read)(&bytes, CompanionFiles { path: Some(path) }, options)
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
///
/// # Errors
/// [`ReadError`], with the line or byte.
pub fn read_mesh_bytes(bytes: &[u8]) -> Result<MeshFile, ReadError> {
    read_mesh_bytes_with(bytes, &ReadOptions::default())
}

/// As [`read_mesh_bytes`], with options.
///
/// # Errors
/// As [`read_mesh_bytes`].
pub fn read_mesh_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<MeshFile, ReadError> {
    refuse_too_large(bytes.len() as u64)?;
    (sniff::format(bytes)?.read)(bytes, CompanionFiles { path: None }, options)
}
