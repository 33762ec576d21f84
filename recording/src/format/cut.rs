//! The chunks `CUTT` and `CUTP`: the surface of a cut body.
//!
//! Most of it is the skin, so that its words are stored as differences from those of the skin.

use super::bytes::{Reader, Writer};
use super::skin::{
    pack_words, position_words, positions, read_skin_relative, unpack_words, write_skin_relative,
};
use crate::contents::Skin;
use crate::error::RecordingError;
use crate::surface_hash;

/// The cut surface at rest of method number `method`, for a body with the skin `whole`.
pub(crate) fn write_topology(method: u32, skin: &Skin, whole: &Skin) -> Vec<u8> {
    let mut w = Writer::default();
    w.u32(method);
    w.u32(skin.rest.len() as u32);
    w.u32(skin.triangles.len() as u32);
    write_skin_relative(&mut w, skin, whole);
    w.into_bytes()
}

/// Reads a cut surface at rest, after the number of the method.
pub(crate) fn read_topology(mut r: Reader<'_>, whole: &Skin) -> Result<Skin, RecordingError> {
    let counts = [r.u32()?, r.u32()?];
    if (counts[0] as usize) < whole.rest.len() {
        return Err(r.invalid("number of vertices"));
    }
    read_skin_relative(&mut r, counts, whole, ["cut", "cut at rest"])
}

/// Positions of the cut surface of method number `method`. `skin` are those of its skin. `previous` has the words of its last cut surface, or of the cut surface at rest, and gets those of this one.
pub(crate) fn write_positions(
    method: u32,
    cut: &[[f32; 3]],
    skin: &[[f32; 3]],
    previous: &mut Vec<u32>,
) -> Vec<u8> {
    let words = position_words(cut);
    let reference = reference_words(skin, previous);
    let mut w = Writer::default();
    w.u32(method);
    w.u64(surface_hash(cut));
    w.raw(&pack_words(&words, &reference));
    *previous = words;
    w.into_bytes()
}

/// Reads positions after the number of the method; `skin` and `previous` as in [`write_positions`]. `None` for invalid bytes.
pub(crate) fn read_positions(
    mut r: Reader<'_>,
    skin: &[[f32; 3]],
    previous: &mut Vec<u32>,
) -> Option<Vec<[f32; 3]>> {
    let hash = r.u64().ok()?;
    let reference = reference_words(skin, previous);
    *previous = unpack_words(r.rest(), previous.len(), &reference)?;
    let positions = positions(previous);
    (surface_hash(&positions) == hash).then_some(positions)
}

/// Words that the differences refer to: those of the skin, and the previous ones of further vertices.
fn reference_words(skin: &[[f32; 3]], previous: &[u32]) -> Vec<u32> {
    let mut words = position_words(skin);
    let others = previous.get(words.len()..).unwrap_or_default();
    words.extend_from_slice(others);
    words
}
