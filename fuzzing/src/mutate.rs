//! Small damages to a file, as disks, networks, exporters and hands do them.

use crate::random::Random;

/// What counts, sizes and coordinates are replaced by in text.
const NUMBERS: [&[u8]; 16] = [
    b"0",
    b"-1",
    b"1",
    b"2",
    b"3",
    b"7",
    b"255",
    b"65536",
    b"4294967295",
    b"-2147483648",
    b"9223372036854775807",
    b"1000000000",
    b"nan",
    b"-inf",
    b"1e308",
    b"1e-320",
];
/// The same in the bytes of a binary file, least significant byte first.
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
/// A file never grows beyond this, or beyond twice its length.
const LONGEST: usize = 64 << 10;

/// One to six damages to `bytes`; `others` are good files of the same format, `tokens` its words.
pub fn mutate(bytes: &mut Vec<u8>, others: &[Vec<u8>], tokens: &[&[u8]], random: &mut Random) {
    let longest = LONGEST.max(2 * bytes.len());
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
        bytes.truncate(longest);
    }
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

/// A piece of another file in place of a piece of this one.
fn splice(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let from = random.below(other.len() + 1);
    let end = (from + random.below(200)).min(other.len());
    let at = random.below(bytes.len() + 1);
    let gone = (at + random.below(200)).min(bytes.len());
    bytes.splice(
        at..gone,
        other.get(from..end).unwrap_or_default().iter().copied(),
    );
}

/// The line at a random place, with its end.
fn line(bytes: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let at = random.below(bytes.len());
    let ends = |b: &u8| *b == b'\n';
    let start = bytes.get(..at).and_then(|head| head.iter().rposition(ends));
    let end = bytes.get(at..).and_then(|tail| tail.iter().position(ends));
    start.map_or(0, |s| s + 1)..end.map_or(bytes.len(), |e| at + e + 1)
}

/// The word at a random place or behind it.
fn word(bytes: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let at = random.below(bytes.len() + 1);
    let belongs = |b: &u8| b.is_ascii_alphanumeric() || b"+-._".contains(b);
    let tail = bytes.get(at..).unwrap_or_default();
    let start = at + tail.iter().position(belongs).unwrap_or(0);
    let tail = bytes.get(start..).unwrap_or_default();
    let length = tail.iter().position(|b| !belongs(b)).unwrap_or(tail.len());
    start..start + length
}

fn number(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..20 {
        let at = word(bytes, random);
        let is_number = bytes
            .get(at.clone())
            .is_some_and(|w| w.iter().any(u8::is_ascii_digit));
        if is_number {
            let new = random.pick(&NUMBERS).copied().unwrap_or_default();
            bytes.splice(at, new.iter().copied());
            return;
        }
    }
    word_of_bytes(bytes, random);
}

/// Two, four or eight bytes of a binary file.
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
