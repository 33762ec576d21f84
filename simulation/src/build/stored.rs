//! Assets in the cache: their keys, and the notes that precede them.

use std::sync::Arc;

use pliant_core::asset::{AssetKey, KeyHasher};
use pliant_quasistatic::GreensAsset;
use pliant_quasistatic::greens::table::SharedBytes;

use super::geometry::geometry_recipe;
use super::job::Job;

/// An asset in the cache starts at a multiple of so many bytes, after the notes.
const ASSET_ALIGNMENT: usize = 64;

/// Ends each note: a note may have several lines.
const NOTE_END: char = '\0';

impl Job<'_> {
    /// The cache key: the solver's key of skin, material and supports, and the recipe for the rest of the geometry.
    pub(super) fn key(&self, of_geometry: AssetKey) -> AssetKey {
        let mut hasher = KeyHasher::new(self.method.name(), 2);
        hasher.bytes("geometry", &of_geometry.0.to_le_bytes());
        hasher.bytes(
            "recipe",
            geometry_recipe(self.setup, self.method).as_bytes(),
        );
        hasher.bytes("program", env!("CARGO_PKG_VERSION").as_bytes());
        hasher.finish()
    }

    /// An asset from the cache, with the notes of its bake.
    pub(super) fn load_cached<A>(
        &self,
        key: AssetKey,
        notes: &mut Vec<String>,
        read: impl Fn(&[u8]) -> Option<A>,
    ) -> Option<A> {
        let bytes = self.cache.load(self.method.name(), key)?;
        let (bake_notes, start) = split_notes(&bytes)?;
        let asset = read(bytes.get(start..)?)?;
        notes.extend(bake_notes);
        Some(asset)
    }

    /// Green's functions from the cache; their columns stay in the mapped file.
    pub(super) fn load_mapped(
        &self,
        key: AssetKey,
        notes: &mut Vec<String>,
    ) -> Option<GreensAsset> {
        let file = self.cache.map(self.method.name(), key)?;
        let (bake_notes, start) = split_notes(file.bytes())?;
        let bytes: Arc<dyn SharedBytes> = Arc::new(file.trimmed(start, 0));
        let asset = GreensAsset::from_shared(&bytes).ok()?;
        notes.extend(bake_notes);
        Some(asset)
    }

    /// Stores an asset after the notes of its bake: length, notes, asset.
    pub(super) fn store(
        &self,
        key: AssetKey,
        bake_notes: Vec<String>,
        asset: &[u8],
        notes: &mut Vec<String>,
    ) {
        let head = head_of(&bake_notes);
        let parts = [head.as_slice(), asset];
        self.cache.store(self.method.name(), key, &parts);
        notes.extend(bake_notes);
    }
}

/// What precedes a cached asset: the length of the notes, and the notes.
fn head_of(notes: &[String]) -> Vec<u8> {
    let text: String = notes
        .iter()
        .map(|note| format!("{note}{NOTE_END}"))
        .collect();
    // a mapped asset starts at a multiple that suits wide loads
    let end = (8 + text.len()).next_multiple_of(ASSET_ALIGNMENT);
    let mut head = (end as u64 - 8).to_le_bytes().to_vec();
    head.extend_from_slice(text.as_bytes());
    head.resize(end, NOTE_END as u8);
    head
}

/// The notes in front of a cached asset, and where the asset starts.
pub(super) fn split_notes(bytes: &[u8]) -> Option<(Vec<String>, usize)> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let text = std::str::from_utf8(rest.get(..length)?).ok()?;
    let notes = text.split(NOTE_END).filter(|note| !note.trim().is_empty());
    Some((notes.map(str::to_string).collect(), 8 + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_they_were_written_each_with_its_remedy() {
        let coarse = "SkinTooCoarse: the skin is too coarse\n  remedy: mesh.edge = 0.011 or less";
        let long = "Poisson's ratio ".repeat(9);
        for notes in [
            vec![],
            vec![coarse],
            vec![long.as_str(), coarse, "level 0: a \u{fc}"],
        ] {
            let notes: Vec<String> = notes.into_iter().map(String::from).collect();
            let head = head_of(&notes);
            assert!(head.len().is_multiple_of(ASSET_ALIGNMENT));
            assert_eq!(split_notes(&head), Some((notes, head.len())));
        }
    }
}
