//! Mutations of a file: small damages like those of disks, networks, exporters and editors.

use crate::random::Random;

/// Replacements of numbers in text.
const NUMBERS: &str = "0 -1 1 2 3 7 255 65536 4294967295 -2147483648 9223372036854775807 1000000000 nan -inf 1e308 1e-320";
/// Replacements of words in binary files, least significant byte first.
const WORDS: [u64; 10] = [
    0,
    1,
    u64::MAX,
    0x7fff_ffff,
    0x8000_0000,
    0x7fc0_0000,
    0x7f80_0000,
    1_000_000_000,
    0x7ff8_0000_0000_0000,
    0x0100_0000,
];
/// Largest length of a mutated file, bytes, unless twice its original length is more.
const MAX_LENGTH: usize = 64 << 10;

/// Applies one to six mutations to `bytes`; `others` are valid files of the same format, `tokens` its dictionary.
pub fn mutate(bytes: &mut Vec<u8>, others: &[Vec<u8>], tokens: &[&[u8]], random: &mut Random) {
    let max_length = MAX_LENGTH.max(2 * bytes.len());
    for _ in 0..=random.below(6).min(random.below(6)) {
        match random.below(12) {
            0 => flip(bytes, random),
            1 => {
                bytes.truncate(random.below(bytes.len()));
            }
            2 => {
                let other = random.pick(others).cloned().unwrap_or_default();
                splice(bytes, &other, random);
            }
            3..=5 => number(bytes, random),
            6 => {
                let line = line(bytes, random);
                bytes.drain(line);
            }
            7 => {
                let copy = bytes.get(line(bytes, random)).unwrap_or_default().to_vec();
                for _ in 0..=random.below(4) {
                    let at = line(bytes, random).start;
                    bytes.splice(at..at, copy.iter().copied());
                }
            }
            8 => {
                let token = random.pick(tokens).copied().unwrap_or_default();
                let at = word(bytes, random);
                bytes.splice(at, token.iter().copied());
            }
            9 => word_of_bytes(bytes, random),
            10 => {
                let at = random.below(bytes.len() + 1);
                let end = (at + 1 + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let at = random.below(bytes.len() + 1);
                let piece: Vec<u8> = (0..=random.below(8))
                    .map(|_| random.below(256) as u8)
                    .collect();
                bytes.splice(at..at, piece);
            }
        }
        bytes.truncate(max_length);
    }
}

/// Flips a random bit.
fn flip(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

/// Replaces a piece by a piece of another file.
fn splice(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let from = random.below(other.len() + 1);
    let end = (from + random.below(200)).min(other.len());
    let at = random.below(bytes.len() + 1);
    let at_end = (at + random.below(200)).min(bytes.len());
    bytes.splice(
        at..at_end,
        other.get(from..end).unwrap_or_default().iter().copied(),
    );
}

/// The range of the line at a random offset, with its line break.
fn line(bytes: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let at = random.below(bytes.len());
    let is_break = |b: &u8| *b == b'\n';
    let start = bytes
        .get(..at)
        .and_then(|head| head.iter().rposition(is_break));
    let end = bytes
        .get(at..)
        .and_then(|tail| tail.iter().position(is_break));
    start.map_or(0, |s| s + 1)..end.map_or(bytes.len(), |e| at + e + 1)
}

/// The range of the word at or after a random offset.
fn word(bytes: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let at = random.below(bytes.len() + 1);
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || b"+-._".contains(b);
    let tail = bytes.get(at..).unwrap_or_default();
    let start = at + tail.iter().position(is_word).unwrap_or(0);
    let tail = bytes.get(start..).unwrap_or_default();
    let length = tail.iter().position(|b| !is_word(b)).unwrap_or(tail.len());
    start..start + length
}

/// Replaces a number; some bytes where it finds none.
fn number(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..20 {
        let at = word(bytes, random);
        let is_number = bytes
            .get(at.clone())
            .is_some_and(|w| w.iter().any(u8::is_ascii_digit));
        if is_number {
            let numbers: Vec<&str> = NUMBERS.split(' ').collect();
            let new = random.pick(&numbers).copied().unwrap_or_default();
            bytes.splice(at, new.bytes());
            return;
        }
    }
    word_of_bytes(bytes, random);
}

/// Replaces two, four or eight bytes by a word, in either byte order.
fn word_of_bytes(bytes: &mut [u8], random: &mut Random) {
    let length = [2, 4, 8][random.below(3)];
    let at = random.below(bytes.len());
    let mut raw = random.pick(&WORDS).copied().unwrap_or(0).to_le_bytes();
    if random.below(2) == 0 {
        raw[..length].reverse();
    }
    for (slot, byte) in bytes.iter_mut().skip(at).zip(raw.into_iter().take(length)) {
        *slot = byte;
    }
}
