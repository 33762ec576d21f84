//! How a recording is stored.
//!
//! A file is the word `PLNTRECD`, the version (u32), and chunks: the kind (4 letters), the length of the content in bytes (u64), the content, and xxh3 over all of these (u64). Everything is little
//! endian; a text or a list has its length (u32) in front. The chunks are, in this order:
//!
//! | kind | holds |
//! |---|---|
//! | `HEAD` | [`Header`](crate::contents::Header) |
//! | `SKIN` | positions at rest and triangles, [packed](words); left out where no surfaces are kept |
//! | `FRAM` | [`Frame`](crate::contents::Frame), in the sizes that the header says |
//! | `SURF` | after the frame that it belongs to: the number of a method, and the positions, packed as differences to the surface that the method had before; one for each method |
//! | `CUTT` | after `SURF`, where a method's skin is cut in another way than in its surface before: the number of the method, the numbers of vertices and triangles, and positions at rest and triangles of what there is to be seen, packed as differences to `SKIN` |
//! | `CUTP` | after these, where a method's skin is cut: the number of the method, the hash of the positions of what there is to be seen (u64), and these positions, packed as differences to those of `SURF`, and beyond these to those that the method had before, or that it has at rest where the cut is another one |
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
