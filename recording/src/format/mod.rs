//! The file format of recordings.
//!
//! A file is the word `PLNTRECD`, the version (u32), and chunks. A chunk is its kind (4 letters), the length of its content in bytes (u64), the content, and xxh3 over all of these (u64). Numbers are little
//! endian; texts and lists are preceded by their length (u32). The chunks are, in this order:
//!
//! | kind | holds |
//! |---|---|
//! | `HEAD` | [`Header`](crate::contents::Header) |
//! | `SKIN` | positions at rest and triangles, [packed](words); left out where no surfaces are kept |
//! | `FRAM` | [`Frame`](crate::contents::Frame), with the list lengths of the header |
//! | `SURF` | after the frame that it belongs to, one for each method: the number of the method, and its positions, packed as differences from its previous surface |
//! | `CUTT` | after `SURF`, where the cuts of a method have changed since its previous surface: the number of the method, the numbers of vertices and triangles of the cut surface, and its positions at rest and triangles, packed as differences from `SKIN` |
//! | `CUTP` | after these, where a method has cuts: the number of the method, the hash of the positions of the cut surface (u64), and these positions. They are packed as differences from those of `SURF`; for further vertices, from the previous cut surface, or from the positions at rest where the cuts have changed |
//! | `DONE` | the number of frames, and [`Summary`](crate::contents::Summary) |
//!
//! A file without `DONE` is incomplete and refused. Version 1 had no cuts.

pub(crate) mod bytes;
pub(crate) mod chunk;
pub(crate) mod cut;
pub(crate) mod frame;
pub(crate) mod header;
pub(crate) mod skin;
pub(crate) mod summary;
pub mod words;

/// First bytes of every recording.
pub const MAGIC: &[u8; 8] = b"PLNTRECD";
/// Version that is written; earlier ones are read, too.
pub const VERSION: u32 = 2;
