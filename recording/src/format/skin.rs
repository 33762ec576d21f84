//! The chunks `SKIN` and `SURF`: positions and triangles, packed.

use super::bytes::{Reader, Writer};
use super::words::{from_ordered_word, pack, to_ordered_word, unpack};
use crate::contents::{Header, Skin};
use crate::error::RecordingError;

/// Largest size of an unpacked skin, bytes, unless [`MAX_UNPACKED_PER_BYTE`] allows more.
const MAX_UNPACKED_BYTES: u64 = 64 << 20;
/// Most unpacked bytes for each byte of the file. Skins are packed to a half or a tenth of their size, and a file that is made to exhaust memory to a thousandth.
const MAX_UNPACKED_PER_BYTE: u64 = 64;
/// Largest ratio of deflate: 258 bytes in two bits.
const MAX_DEFLATE_RATIO: u64 = 4 * 258;

/// Positions as words.
pub(crate) fn position_words(positions: &[[f32; 3]]) -> Vec<u32> {
    let numbers = positions.as_flattened().iter();
    numbers.map(|x| to_ordered_word(*x)).collect()
}

/// Words as positions.
pub(crate) fn positions(words: &[u32]) -> Vec<[f32; 3]> {
    let (points, _) = words.as_chunks::<3>();
    points.iter().map(|p| p.map(from_ordered_word)).collect()
}

/// Prediction of word `k`: the word of the reference, or after its end the same coordinate of the previous vertex, or the same corner of the previous triangle.
fn predicted(k: usize, reference: &[u32], words: &[u32]) -> u32 {
    let previous = || k.checked_sub(3).and_then(|k| words.get(k)).copied();
    reference
        .get(k)
        .copied()
        .or_else(previous)
        .unwrap_or_default()
}

/// Packs words as differences from their predictions.
pub(super) fn pack_words(words: &[u32], reference: &[u32]) -> Vec<u8> {
    pack((0..words.len()).map(|k| (words[k], predicted(k, reference, words))))
}

/// The inverse of [`pack_words`]; `None` for invalid bytes.
pub(super) fn unpack_words(packed: &[u8], count: usize, reference: &[u32]) -> Option<Vec<u32>> {
    let mut words: Vec<u32> = Vec::new();
    for difference in unpack(packed, count)? {
        let predicted = predicted(words.len(), reference, &words);
        words.push(predicted.wrapping_add(difference));
    }
    Some(words)
}

/// Writes a skin relative to a `reference`, which may have the same first vertices and triangles.
pub(super) fn write_skin_relative(w: &mut Writer, skin: &Skin, reference: &Skin) {
    let rest = pack_words(
        &position_words(&skin.rest),
        &position_words(&reference.rest),
    );
    let corners = skin.triangles.as_flattened();
    w.u64(rest.len() as u64);
    w.raw(&rest);
    w.raw(&pack_words(corners, reference.triangles.as_flattened()));
}

/// Reads a skin that [`write_skin_relative`] wrote, up to the end of the chunk, with these numbers of vertices and triangles. `what` are the names of the length and the positions in messages.
pub(super) fn read_skin_relative(
    r: &mut Reader<'_>,
    [vertices, triangles]: [u32; 2],
    reference: &Skin,
    what: [&'static str; 2],
) -> Result<Skin, RecordingError> {
    let length = usize::try_from(r.u64()?).map_err(|_| r.invalid(what[0]))?;
    let rest = r.take(length)?;
    let corners = r.rest();
    let words = |packed: &[u8], count: u32, reference: &[u32]| {
        let count = checked_word_count(packed, count)?;
        unpack_words(packed, count, reference)
    };
    let rest = words(rest, vertices, &position_words(&reference.rest));
    let rest = rest.ok_or_else(|| r.invalid(what[1]))?;
    let corners = words(corners, triangles, reference.triangles.as_flattened());
    let corners = corners.ok_or_else(|| r.invalid("triangles"))?;
    skin_of(&rest, &corners).ok_or_else(|| r.invalid("vertex of a triangle"))
}

pub(crate) fn write_skin(skin: &Skin) -> Vec<u8> {
    let mut w = Writer::default();
    write_skin_relative(&mut w, skin, &Skin::default());
    w.into_bytes()
}

/// Reads the skin, whose size the header has.
pub(crate) fn read_skin(header: &Header, mut r: Reader<'_>) -> Result<Skin, RecordingError> {
    let counts = [header.vertices, header.triangles];
    read_skin_relative(&mut r, counts, &Skin::default(), ["skin", "skin at rest"])
}

/// The number of words of `count` triples; `None` for more than these bytes can hold.
fn checked_word_count(packed: &[u8], count: u32) -> Option<usize> {
    let length = packed.len() as u64;
    let limit = MAX_UNPACKED_BYTES.max(MAX_UNPACKED_PER_BYTE * length);
    let limit = limit.min(MAX_DEFLATE_RATIO * length);
    (12 * u64::from(count) <= limit).then_some(3 * count as usize)
}

/// A skin of words; `None` where a triangle names a vertex that does not exist.
fn skin_of(rest: &[u32], triangles: &[u32]) -> Option<Skin> {
    let vertices = (rest.len() / 3) as u32;
    let exist = triangles.iter().all(|v| *v < vertices);
    exist.then(|| Skin {
        rest: positions(rest),
        triangles: triangles.as_chunks::<3>().0.to_vec(),
    })
}

/// The surface of method number `method`. `previous` has the words of its last surface, or of the skin at rest, and gets those of this one.
pub(crate) fn write_surface(method: u32, surface: &[[f32; 3]], previous: &mut Vec<u32>) -> Vec<u8> {
    let words = position_words(surface);
    let mut w = Writer::default();
    w.u32(method);
    w.raw(&pack_words(&words, previous));
    *previous = words;
    w.into_bytes()
}

/// Reads the positions of a surface; `previous` as in [`write_surface`]. `None` for invalid bytes.
pub(crate) fn read_surface(packed: &[u8], previous: &mut [u32]) -> Option<Vec<[f32; 3]>> {
    let differences = unpack(packed, previous.len())?;
    for (word, difference) in previous.iter_mut().zip(differences) {
        *word = word.wrapping_add(difference);
    }
    Some(positions(previous))
}
