//! The chunks `SKIN` and `SURF`: positions and triangles, packed.

use super::bytes::{Reader, Writer};
use super::words::{from_position, pack, to_position, unpack};
use crate::contents::{Header, Skin};
use crate::error::RecordingError;

/// A skin may unpack to so many bytes,
const MOST_UNPACKED: u64 = 64 << 20;
/// or to so many for each byte of the file. Skins shrink to a half or a tenth; a file that is made to fill the memory, to a thousandth.
const MOST_UNPACKED_A_BYTE: u64 = 64;
/// Deflate cannot hold more in a byte: 258 bytes in each two bits.
const MOST_DEFLATED_A_BYTE: u64 = 4 * 258;

/// Positions as words.
pub(crate) fn position_words(positions: &[[f32; 3]]) -> Vec<u32> {
    let numbers = positions.as_flattened().iter();
    numbers.map(|x| from_position(*x)).collect()
}

/// Words as positions.
pub(crate) fn positions(words: &[u32]) -> Vec<[f32; 3]> {
    let (points, _) = words.as_chunks::<3>();
    points.iter().map(|p| p.map(to_position)).collect()
}

/// What word `k` is expected to be: that of a known list, beyond it the same coordinate of the vertex before, or corner of the triangle before.
fn expected(k: usize, known: &[u32], words: &[u32]) -> u32 {
    let before = || k.checked_sub(3).and_then(|k| words.get(k)).copied();
    known.get(k).copied().or_else(before).unwrap_or_default()
}

/// Words packed as differences to what is expected of them.
pub(super) fn packed(words: &[u32], known: &[u32]) -> Vec<u8> {
    pack((0..words.len()).map(|k| (words[k], expected(k, known, words))))
}

/// The inverse of [`packed`]; `None` for bytes that are something else.
pub(super) fn unpacked(packed: &[u8], count: usize, known: &[u32]) -> Option<Vec<u32>> {
    let mut words: Vec<u32> = Vec::new();
    for difference in unpack(packed, count)? {
        let expected = expected(words.len(), known, &words);
        words.push(expected.wrapping_add(difference));
    }
    Some(words)
}

/// Writes a skin whose first vertices and triangles may be those of `known`.
pub(super) fn write_beside(w: &mut Writer, skin: &Skin, known: &Skin) {
    let rest = packed(&position_words(&skin.rest), &position_words(&known.rest));
    let corners = skin.triangles.as_flattened();
    w.u64(rest.len() as u64);
    w.raw(&rest);
    w.raw(&packed(corners, known.triangles.as_flattened()));
}

/// Reads what [`write_beside`] wrote, up to the end of the chunk, in these numbers of vertices and triangles. `what` names the length and the positions for messages.
pub(super) fn read_beside(
    r: &mut Reader<'_>,
    [vertices, triangles]: [u32; 2],
    known: &Skin,
    what: [&'static str; 2],
) -> Result<Skin, RecordingError> {
    let length = usize::try_from(r.u64()?).map_err(|_| r.invalid(what[0]))?;
    let rest = r.take(length)?;
    let corners = r.rest();
    let numbers = |packed: &[u8], count: u32, known: &[u32]| {
        let count = possible_words(packed, count)?;
        unpacked(packed, count, known)
    };
    let rest = numbers(rest, vertices, &position_words(&known.rest));
    let rest = rest.ok_or_else(|| r.invalid(what[1]))?;
    let corners = numbers(corners, triangles, known.triangles.as_flattened());
    let corners = corners.ok_or_else(|| r.invalid("triangles"))?;
    skin_of(&rest, &corners).ok_or_else(|| r.invalid("vertex of a triangle"))
}

pub(crate) fn write_skin(skin: &Skin) -> Vec<u8> {
    let mut w = Writer::default();
    write_beside(&mut w, skin, &Skin::default());
    w.into_bytes()
}

/// The skin in the sizes that the header says.
pub(crate) fn read_skin(header: &Header, mut r: Reader<'_>) -> Result<Skin, RecordingError> {
    let counts = [header.vertices, header.triangles];
    read_beside(&mut r, counts, &Skin::default(), ["skin", "skin at rest"])
}

/// Words of `count` triples; `None` for more than these bytes can hold.
fn possible_words(packed: &[u8], count: u32) -> Option<usize> {
    let length = packed.len() as u64;
    let most = MOST_UNPACKED.max(MOST_UNPACKED_A_BYTE * length);
    let most = most.min(MOST_DEFLATED_A_BYTE * length);
    (12 * u64::from(count) <= most).then_some(3 * count as usize)
}

/// A skin of words; `None` where a triangle names a vertex that there is not.
fn skin_of(rest: &[u32], triangles: &[u32]) -> Option<Skin> {
    let vertices = (rest.len() / 3) as u32;
    let exist = triangles.iter().all(|v| *v < vertices);
    exist.then(|| Skin {
        rest: positions(rest),
        triangles: triangles.as_chunks::<3>().0.to_vec(),
    })
}

/// The surface of method number `method`. `previous` has the words of its last one, or of the skin at rest, and gets those of this one.
pub(crate) fn write_surface(method: u32, surface: &[[f32; 3]], previous: &mut Vec<u32>) -> Vec<u8> {
    let words = position_words(surface);
    let mut w = Writer::default();
    w.u32(method);
    w.raw(&packed(&words, previous));
    *previous = words;
    w.into_bytes()
}

/// The positions of a surface; `previous` as in [`write_surface`]. `None` for bytes that are something else.
pub(crate) fn read_surface(packed: &[u8], previous: &mut [u32]) -> Option<Vec<[f32; 3]>> {
    let differences = unpack(packed, previous.len())?;
    for (word, difference) in previous.iter_mut().zip(differences) {
        *word = word.wrapping_add(difference);
    }
    Some(positions(previous))
}
