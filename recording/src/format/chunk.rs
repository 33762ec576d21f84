//! Chunks: kind, length, content, and a checksum over all of them.

use xxhash_rust::xxh3::xxh3_64;

use crate::error::RecordingError;

/// Bytes before the content.
pub(crate) const HEAD_BYTES: usize = 12;
/// Bytes after the content.
pub(crate) const SUM_BYTES: usize = 8;

/// Kinds of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Header,
    Skin,
    Frame,
    Surface,
    CutTopology,
    CutPositions,
    Summary,
}

/// Each kind with its letters in the file and its name in messages, in the order of the enumeration.
const KINDS: [(Kind, &[u8; 4], &str); 7] = [
    (Kind::Header, b"HEAD", "header"),
    (Kind::Skin, b"SKIN", "skin"),
    (Kind::Frame, b"FRAM", "frame"),
    (Kind::Surface, b"SURF", "surface"),
    (Kind::CutTopology, b"CUTT", "cut"),
    (Kind::CutPositions, b"CUTP", "cut surface"),
    (Kind::Summary, b"DONE", "summary"),
];

impl Kind {
    fn letters(self) -> &'static [u8; 4] {
        KINDS[self as usize].1
    }

    /// Name in messages.
    pub fn name(self) -> &'static str {
        KINDS[self as usize].2
    }
}

/// A chunk with a correct checksum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk<'a> {
    pub kind: Kind,
    pub content: &'a [u8],
    /// offset of the content in the file
    pub begin: u64,
}

/// The bytes of a chunk, with its checksum.
pub(crate) fn chunk_bytes(kind: Kind, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES + content.len() + SUM_BYTES);
    bytes.extend_from_slice(kind.letters());
    bytes.extend_from_slice(&(content.len() as u64).to_le_bytes());
    bytes.extend_from_slice(content);
    bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// Whether a chunk of this kind begins at byte `at`; it need not be complete.
pub(crate) fn is_next(file: &[u8], at: usize, kind: Kind) -> bool {
    let letters = file.get(at..).and_then(|rest| rest.first_chunk::<4>());
    letters == Some(kind.letters())
}

/// The chunk at byte `at` of a file, and where it ends.
pub(crate) fn next_chunk(file: &[u8], at: usize) -> Result<(Chunk<'_>, usize), RecordingError> {
    let truncated = |what: &'static str| RecordingError::Truncated {
        what,
        offset: file.len() as u64,
    };
    let rest = file.get(at..).unwrap_or_default();
    let offset = at as u64;
    let (letters, after) = rest
        .split_first_chunk::<4>()
        .ok_or_else(|| truncated("the list of chunks"))?;
    let known = KINDS.into_iter().find(|(_, known, _)| *known == letters);
    let (kind, _, what) = known.ok_or(RecordingError::Invalid {
        what: "kind of chunk",
        offset,
    })?;
    let (length, after) = after
        .split_first_chunk::<8>()
        .ok_or_else(|| truncated("the length of a chunk"))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok();
    let (content, after) = length
        .and_then(|length| after.split_at_checked(length))
        .ok_or_else(|| truncated(what))?;
    let (stored, _) = after
        .split_first_chunk::<8>()
        .ok_or_else(|| truncated(what))?;
    let covered = HEAD_BYTES + content.len();
    if xxh3_64(&rest[..covered]) != u64::from_le_bytes(*stored) {
        return Err(RecordingError::Damaged { what, offset });
    }
    let begin = (at + HEAD_BYTES) as u64;
    let chunk = Chunk {
        kind,
        content,
        begin,
    };
    Ok((chunk, at + covered + SUM_BYTES))
}
