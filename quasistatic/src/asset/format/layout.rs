//! Magic number, version, and the alignment of columns.

/// Version of bake and format; part of the asset key.
pub const VERSION: u32 = 6;
/// First bytes of every asset.
pub(super) const MAGIC: &[u8; 8] = b"PLNTGREE";
/// Alignment of the columns, bytes, so that sums read a mapped file directly.
pub(super) const ALIGNMENT: usize = 64;
