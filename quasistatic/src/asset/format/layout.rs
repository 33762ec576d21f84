//! Magic number, version, and the alignment of columns.

/// Version of bake and format; part of the asset key.
pub const VERSION: u32 = 6;
/// First bytes of every asset.
pub(super) const MAGIC: &[u8; 8] = b"PLNTGREE";
/// Columns begin at a multiple of this, so that a mapped file can be summed where it lies.
pub(super) const ALIGNMENT: usize = 64;
