//! The chunks `CUTT` and `CUTP`: what there is to be seen of a skin that is cut.
//!
//! Most of it is the skin, so that words are packed as differences to those of the skin.

use super::bytes::{Reader, Writer};
use super::skin::{packed, position_words, positions, read_beside, unpacked, write_beside};
use crate::contents::Skin;
use crate::error::RecordingError;
use crate::surface_hash;

/// The cut skin of method number `method`, for a body with the skin `whole`.
pub(crate) fn write_topology(method: u32, skin: &Skin, whole: &Skin) -> Vec<u8> {
    let mut w = Writer::default();
    w.u32(method);
    w.u32(skin.rest.len() as u32);
    w.u32(skin.triangles.len() as u32);
    write_beside(&mut w, skin, whole);
    w.into_bytes()
}

/// A cut skin, behind the number of the method.
pub(crate) fn read_topology(mut r: Reader<'_>, whole: &Skin) -> Result<Skin, RecordingError> {
    let counts = [r.u32()?, r.u32()?];
    if (counts[0] as usize) < whole.rest.len() {
        return Err(r.invalid("number of vertices"));
    }
    read_beside(&mut r, counts, whole, ["cut", "cut at rest"])
}

/// Positions of the cut skin of method number `method`. `skin` are those of its skin; `previous` has the words of its last cut surface, or of the cut at rest, and gets those of this one.
pub(crate) fn write_positions(
    method: u32,
    cut: &[[f32; 3]],
    skin: &[[f32; 3]],
    previous: &mut Vec<u32>,
) -> Vec<u8> {
    let words = position_words(cut);
    let known = known_words(skin, previous);
    let mut w = Writer::default();
    w.u32(method);
    w.u64(surface_hash(cut));
    w.raw(&packed(&words, &known));
    *previous = words;
    w.into_bytes()
}

/// Positions behind the number of the method; `skin` and `previous` as in [`write_positions`]. `None` for bytes that are something else.
pub(crate) fn read_positions(
    mut r: Reader<'_>,
    skin: &[[f32; 3]],
    previous: &mut Vec<u32>,
) -> Option<Vec<[f32; 3]>> {
    let hash = r.u64().ok()?;
    let known = known_words(skin, previous);
    *previous = unpacked(r.rest(), previous.len(), &known)?;
    let positions = positions(previous);
    (surface_hash(&positions) == hash).then_some(positions)
}

/// Words of the skin, and of the other vertices before.
fn known_words(skin: &[[f32; 3]], previous: &[u32]) -> Vec<u32> {
    let mut known = position_words(skin);
    let others = previous.get(known.len()..).unwrap_or_default();
    known.extend_from_slice(others);
    known
}
