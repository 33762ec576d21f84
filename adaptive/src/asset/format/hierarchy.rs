//! Serialization of a hierarchy.

use std::sync::Arc;

use crate::asset::format::bytes::{AssetFormatError, Reader, Writer, corrupt, positive};
use crate::asset::format::level::{Counts, check_stencils, read_level, write_level};
use crate::asset::format::material::{read_material, write_material};
use crate::asset::format::skin::{read_skin, write_skin};
use crate::asset::lod_hierarchy::{LodHierarchy, link_children};
use crate::hierarchy::Level;

const MAGIC: &[u8; 8] = b"PLNTADPT";
/// Raised whenever the baker or the format changes.
pub(crate) const VERSION: u32 = 11;

impl LodHierarchy {
    /// The hierarchy as bytes: magic, version, then little-endian arrays.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer::new(MAGIC.to_vec());
        w.u32(VERSION);
        write_skin(&mut w, &self.skin);
        write_material(&mut w, &self.material);
        w.f64(self.lowest_frequency);
        w.items(&self.notes, |w, note| w.text(note));
        w.items(&self.supports, |w, name| w.text(name));
        w.items(&self.levels, write_level);
        w.into_bytes()
    }

    /// Reads what [`LodHierarchy::to_bytes`] wrote, exactly.
    ///
    /// # Errors
    /// [`AssetFormatError`] for anything else. No input causes a panic or an allocation larger than the input.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AssetFormatError> {
        let mut r = Reader::new(bytes);
        if r.take(MAGIC.len()).ok() != Some(MAGIC.as_slice()) {
            return Err(corrupt("magic word"));
        }
        if r.u32()? != VERSION {
            return Err(corrupt("format version"));
        }
        let skin = read_skin(&mut r)?;
        let material = read_material(&mut r)?;
        let lowest_frequency = positive(r.f64()?, "lowest frequency")?;
        let notes = r.items(4, Reader::text)?;
        let supports = r.items(4, Reader::text)?;
        let mut levels: Vec<Level> = Vec::new();
        for _ in 0..r.count(24)? {
            let coarser = levels.last().map(|level| Counts {
                nodes: level.node_count(),
                tets: level.mesh.tets.len(),
            });
            levels.push(read_level(&mut r, &skin, supports.len(), coarser)?);
        }
        r.finish()?;
        if levels.is_empty() {
            return Err(corrupt("number of levels"));
        }
        check_stencils(&levels)?;
        link_children(&mut levels);
        Ok(Self {
            skin: Arc::new(skin),
            material,
            supports,
            levels,
            lowest_frequency,
            notes,
        })
    }
}
