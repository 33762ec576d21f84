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

/// Each word with the one three places before, the same coordinate of the vertex, or the same corner of the triangle.
fn with_previous(words: &[u32]) -> impl ExactSizeIterator<Item = (u32, u32)> {
    let previous = |k: usize| k.checked_sub(3).map_or(0, |k| words[k]);
    (0..words.len()).map(move |k| (words[k], previous(k)))
}

/// The inverse of packing [`with_previous`].
fn summed(differences: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut words: Vec<u32> = Vec::new();
    for difference in differences {
        let previous = words.len().checked_sub(3).map_or(0, |k| words[k]);
        words.push(previous.wrapping_add(difference));
    }
    words
}

pub(crate) fn write_skin(skin: &Skin) -> Vec<u8> {
    let rest = pack(with_previous(&position_words(&skin.rest)));
    let triangles = pack(with_previous(skin.triangles.as_flattened()));
    let mut w = Writer::default();
    w.u64(rest.len() as u64);
    w.raw(&rest);
    w.raw(&triangles);
    w.into_bytes()
}

/// The skin in the sizes that the header says.
pub(crate) fn read_skin(header: &Header, mut r: Reader<'_>) -> Result<Skin, RecordingError> {
    let length = r.u64()?;
    let length = usize::try_from(length).map_err(|_| r.invalid("skin"))?;
    let rest = r.take(length)?;
    let triangles = r.rest();
    let numbers = |packed: &[u8], count: u32| {
        let count = possible_words(packed, count)?;
        unpack(packed, count).map(summed)
    };
    let rest = numbers(rest, header.vertices).ok_or_else(|| r.invalid("skin at rest"))?;
    let triangles = numbers(triangles, header.triangles).ok_or_else(|| r.invalid("triangles"))?;
    let skin = skin_of(&rest, &triangles).ok_or_else(|| r.invalid("vertex of a triangle"))?;
    r.finish()?;
    Ok(skin)
}

/// Words of `count` triples; `None` for more than these bytes can hold.
pub(crate) fn possible_words(packed: &[u8], count: u32) -> Option<usize> {
    let length = packed.len() as u64;
    let most = MOST_UNPACKED.max(MOST_UNPACKED_A_BYTE * length);
    let most = most.min(MOST_DEFLATED_A_BYTE * length);
    (12 * u64::from(count) <= most).then_some(3 * count as usize)
}

/// A skin of words; `None` where a triangle names a vertex that there is not.
pub(crate) fn skin_of(rest: &[u32], triangles: &[u32]) -> Option<Skin> {
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
    let expected = words.iter().zip(previous.iter());
    let packed = pack(expected.map(|(word, expected)| (*word, *expected)));
    *previous = words;
    let mut w = Writer::default();
    w.u32(method);
    w.raw(&packed);
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
