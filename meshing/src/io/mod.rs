//! Mesh files: readers that decide by content and name the line or byte of an error, and writers.
//!
//! [`MeshFormat`] lists what is read. Written: OBJ, VTU.
//! A reader returns the surface as stored in the file, polygons cut into triangles, nothing welded and nothing repaired:
//! [`crate::report::check`] lists its problems and [`crate::repair::repair`] makes it a solid.

mod assembly;
mod attribute;
mod companion_files;
mod encoding;
mod error;
mod formats;
mod memory_files;
mod mesh_file;
mod read;
mod sniff;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod write;

pub use attribute::{VertexAttribute, read_vertex_attribute, read_vertex_attribute_bytes};
pub use encoding::text::quoted;
pub use error::{Place, ReadError};
pub(crate) use formats::tetgen::{FileError, nodes_and_tetrahedra};
pub use memory_files::{keep_file, kept_file};
pub use mesh_file::{MeshFile, MeshFormat, ReadOptions};
pub use read::{read_mesh, read_mesh_bytes, read_mesh_bytes_with, read_mesh_with};
pub use write::{write_obj, write_vtu_tets, write_vtu_voxels};
