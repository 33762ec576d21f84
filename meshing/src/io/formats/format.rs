//! A file format: how its files are recognised, and its reader.

use crate::io::companion_files::CompanionFiles;
use crate::io::encoding::text::{Lines, words};
use crate::io::error::ReadError;
use crate::io::mesh_file::{MeshFile, ReadOptions};

/// One format, or one encoding of it.
#[derive(Debug)]
pub(crate) struct Format {
    /// Name for tests and messages.
    pub name: &'static str,
    /// Whether a file looks like this format.
    pub matches: fn(&Head<'_>) -> bool,
    /// Reads it.
    pub read: Read,
}

/// Reads the content of a file, and those next to it where the format has more than one.
pub(crate) type Read = fn(&[u8], CompanionFiles<'_>, &ReadOptions) -> Result<MeshFile, ReadError>;

/// A file, as far as formats are recognised by it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    /// All of it.
    pub bytes: &'a [u8],
    /// All of it without a byte order mark and white space in front.
    pub start: &'a [u8],
    /// Whether its first 4 KiB have no zero byte.
    pub is_text: bool,
}

impl<'a> Head<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self {
            bytes,
            start: start.trim_ascii_start(),
            is_text: !bytes.get(..4096).unwrap_or(bytes).contains(&0),
        }
    }

    /// The first word.
    pub fn first_word(&self) -> &'a [u8] {
        words(self.start).next().unwrap_or_default()
    }

    /// The first word of the first line of a text that is more than a `#` comment; nothing in binary content.
    pub fn keyword(&self) -> &'a [u8] {
        let line = Lines::new(self.bytes).next_meaningful();
        let word = line.and_then(|line| words(line.bytes).next());
        word.filter(|_| self.is_text).unwrap_or_default()
    }

    /// Whether the first 2 KiB contain `words`.
    pub fn contains(&self, words: &[u8]) -> bool {
        let head = self.start.get(..2048).unwrap_or(self.start);
        head.windows(words.len()).any(|w| w == words)
    }
}
