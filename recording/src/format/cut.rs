//! The chunks `CUTT` and `CUTP`: what there is to be seen of a skin that is cut.
//!
//! Most of it is the skin, so that words are packed as differences to words that are known, and beyond these to earlier ones of the same list.

use super::bytes::{Reader, Writer};
use super::skin::{position_words, positions, possible_words, skin_of};
use super::words::{pack, unpack};
use crate::contents::Skin;
use crate::error::RecordingError;
use crate::surface_hash;

/// What word `k` is expected to be: that of a known list, beyond it the same coordinate of the vertex before, or corner of the triangle before.
fn expected(k: usize, known: &[u32], words: &[u32]) -> u32 {
    let before = || k.checked_sub(3).and_then(|k| words.get(k)).copied();
    known.get(k).copied().or_else(before).unwrap_or_default()
}

fn packed(words: &[u32], known: &[u32]) -> Vec<u8> {
    pack((0..words.len()).map(|k| (words[k], expected(k, known, words))))
}

fn unpacked(packed: &[u8], count: usize, known: &[u32]) -> Option<Vec<u32>> {
    let mut words: Vec<u32> = Vec::new();
    for difference in unpack(packed, count)? {
        let expected = expected(words.len(), known, &words);
        words.push(expected.wrapping_add(difference));
    }
    Some(words)
}

/// The cut skin of method number `method`, for a body with the skin `whole`.
pub(crate) fn write_topology(method: u32, skin: &Skin, whole: &Skin) -> Vec<u8> {
    let rest = packed(&position_words(&skin.rest), &position_words(&whole.rest));
    let triangles = packed(
        skin.triangles.as_flattened(),
        whole.triangles.as_flattened(),
    );
    let mut w = Writer::default();
    w.u32(method);
    w.u32(skin.rest.len() as u32);
    w.u32(skin.triangles.len() as u32);
    w.u64(rest.len() as u64);
    w.raw(&rest);
    w.raw(&triangles);
    w.into_bytes()
}

/// A cut skin, behind the number of the method.
pub(crate) fn read_topology(mut r: Reader<'_>, whole: &Skin) -> Result<Skin, RecordingError> {
    let [vertices, triangles] = [r.u32()?, r.u32()?];
    let length = usize::try_from(r.u64()?).map_err(|_| r.invalid("cut"))?;
    let rest = r.take(length)?;
    let corners = r.rest();
    if (vertices as usize) < whole.rest.len() {
        return Err(r.invalid("number of vertices"));
    }
    let numbers = |packed: &[u8], count: u32, known: &[u32]| {
        let count = possible_words(packed, count)?;
        unpacked(packed, count, known)
    };
    let known = position_words(&whole.rest);
    let rest = numbers(rest, vertices, &known).ok_or_else(|| r.invalid("cut at rest"))?;
    let corners = numbers(corners, triangles, whole.triangles.as_flattened());
    let corners = corners.ok_or_else(|| r.invalid("triangles"))?;
    skin_of(&rest, &corners).ok_or_else(|| r.invalid("vertex of a triangle"))
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
