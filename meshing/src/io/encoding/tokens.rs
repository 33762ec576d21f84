//! Words of a text in which line ends are only white space, with the line of each.

use pliant_core::math::Vec3;

use super::text::{byte_order_mark_length, count, integer, number, quoted};
use crate::io::error::{Place, ReadError};

/// The words of a text, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    /// whether `#` begins a comment
    comments: bool,
}

impl<'a> Tokens<'a> {
    pub fn new(bytes: &'a [u8], comments: bool) -> Self {
        Self {
            bytes,
            at: byte_order_mark_length(bytes),
            line: 1,
            comments,
        }
    }

    /// Line of the word that came last, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Byte offset behind the word that came last.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// Bytes of the whole text.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// What follows.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Takes `count` bytes as they are; `what` describes the expected content.
    pub fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], ReadError> {
        let raw = self.rest().get(..count);
        self.at += raw.map_or(0, <[u8]>::len);
        raw.ok_or_else(|| ReadError::truncated(self.bytes.len(), what))
    }

    /// Passes over the rest of the line, its end included, and returns it.
    pub fn end_line(&mut self) -> &'a [u8] {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            let end = self.at;
            self.step(byte);
            if byte == b'\n' || (byte == b'\r' && self.bytes.get(self.at) != Some(&b'\n')) {
                return self.bytes.get(start..end).unwrap_or_default();
            }
        }
        self.bytes.get(start..).unwrap_or_default()
    }

    fn step(&mut self, byte: u8) {
        self.at += 1;
        if byte == b'\n' || (byte == b'\r' && self.bytes.get(self.at) != Some(&b'\n')) {
            self.line += 1;
        }
    }

    /// The next word.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'#' && self.comments {
                self.end_line();
            } else if byte.is_ascii_whitespace() {
                self.step(byte);
            } else {
                break;
            }
        }
        let rest = self.rest();
        let ends = |b: &u8| b.is_ascii_whitespace() || (*b == b'#' && self.comments);
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).filter(|w| !w.is_empty())
    }

    /// The next word without taking it.
    pub fn peek(&self) -> Option<&'a [u8]> {
        self.clone().word()
    }

    /// The next word; `what` describes the expected content.
    pub fn expect(&mut self, what: &str) -> Result<&'a [u8], ReadError> {
        self.word()
            .ok_or_else(|| ReadError::truncated(self.bytes.len(), what))
    }

    pub fn number(&mut self, what: &str) -> Result<f64, ReadError> {
        let word = self.expect(what)?;
        number(word).ok_or_else(|| self.wrong(word, what))
    }

    pub fn integer(&mut self, what: &str) -> Result<i64, ReadError> {
        let word = self.expect(what)?;
        integer(word).ok_or_else(|| self.wrong(word, what))
    }

    /// How many of something follow: at most as many as the text has bytes.
    pub fn count(&mut self, what: &str) -> Result<usize, ReadError> {
        let claimed = self.integer(&format!("the number of {what}"))?;
        count(claimed, what, self.place(), self.bytes.len())
    }

    /// Takes the dimension of a mesh, which must be three.
    pub fn dimension(&mut self) -> Result<(), ReadError> {
        let dimension = self.integer("the dimension")?;
        if dimension == 3 {
            return Ok(());
        }
        let what = format!("{dimension} dimensions: only three are read");
        Err(ReadError::syntax(self.place(), what))
    }

    /// Takes three coordinates.
    pub fn position(&mut self) -> Result<Vec3, ReadError> {
        let mut coordinate = || self.number("a coordinate");
        Ok(Vec3::new(coordinate()?, coordinate()?, coordinate()?))
    }

    /// Takes a word that must stand here.
    pub fn keyword(&mut self, word: &str) -> Result<(), ReadError> {
        let found = self.expect(&format!("`{word}`"))?;
        if found.eq_ignore_ascii_case(word.as_bytes()) {
            Ok(())
        } else {
            Err(self.wrong(found, &format!("`{word}`")))
        }
    }

    fn wrong(&self, word: &[u8], what: &str) -> ReadError {
        ReadError::syntax(self.place(), format!("{} instead of {what}", quoted(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_line() {
        let mut tokens = Tokens::new(b"a # b\r\nc\rd\n\n  e f\ng", true);
        let mut found = Vec::new();
        while let Some(word) = tokens.word() {
            found.push((word, tokens.line()));
            if word == b"e" {
                assert_eq!(tokens.end_line(), b" f");
            }
        }
        let expected: [(&[u8], usize); 5] = [(b"a", 1), (b"c", 2), (b"d", 3), (b"e", 5), (b"g", 6)];
        assert_eq!(found, expected);
    }

    #[test]
    fn counts_are_never_larger_than_the_file() {
        let count = |text: &'static str| Tokens::new(text.as_bytes(), false).count("points");
        assert_eq!(count("3  "), Ok(3));
        for (text, code) in [
            ("99", "TooManyClaimed"),
            ("-1", "Syntax"),
            ("x", "Syntax"),
            (" ", "Truncated"),
        ] {
            assert_eq!(count(text).expect_err("no count").code(), code);
        }
    }
}
