//! Lines, words and numbers of text formats, on bytes: no encoding is assumed.

use pliant_core::math::Vec3;

use crate::io::error::{Place, ReadError};

/// Length of the byte order mark that a text may begin with.
pub(crate) fn byte_order_mark_length(bytes: &[u8]) -> usize {
    3 * usize::from(bytes.starts_with(b"\xef\xbb\xbf"))
}

/// One line without its line end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub number: usize,
    pub bytes: &'a [u8],
}

/// The lines of a text; `\n`, `\r\n` and `\r` end a line.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    number: usize,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: byte_order_mark_length(bytes),
            number: 0,
        }
    }

    /// Byte offset of the line that comes next.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Number of the line that came last.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next line that holds more than white space and a `#` comment; the comment is cut off.
    pub fn next_meaningful(&mut self) -> Option<Line<'a>> {
        for mut line in self.by_ref() {
            line.bytes = without_comment(line.bytes);
            if !line.bytes.trim_ascii().is_empty() {
                return Some(line);
            }
        }
        None
    }

    /// Whether nothing but white space follows.
    pub fn at_end(&self) -> bool {
        self.bytes
            .get(self.at..)
            .is_none_or(|rest| rest.trim_ascii().is_empty())
    }

    /// The error of a line that has too few numbers: it is cut only where the file ends with it.
    pub fn ends_early(&self, line: usize) -> ReadError {
        if self.at_end() {
            ReadError::truncated(self.bytes.len(), format!("the rest of line {line}"))
        } else {
            ReadError::syntax(Place::Line(line), "the line has too few numbers")
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.bytes.get(self.at..).filter(|r| !r.is_empty())?;
        let length = rest
            .iter()
            .position(|&b| b == b'\n' || b == b'\r')
            .unwrap_or(rest.len());
        let (line, after) = rest.split_at(length);
        let end = match after {
            [b'\r', b'\n', ..] => 2,
            [_, ..] => 1,
            [] => 0,
        };
        self.at += length + end;
        self.number += 1;
        Some(Line {
            number: self.number,
            bytes: line,
        })
    }
}

/// The line up to the first `#`.
pub(crate) fn without_comment(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|&b| b == b'#').unwrap_or(line.len());
    line.split_at(end).0
}

/// The words of a line.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|b| b.is_ascii_whitespace())
        .filter(|w| !w.is_empty())
}

/// A decimal number. Spellings of NaN and infinity, the old Microsoft ones too, give a value that is not finite.
pub(crate) fn number(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    if let Ok(value) = text.parse::<f64>() {
        return Some(value);
    }
    let lower = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
    (lower.starts_with("nan") || lower.starts_with("inf") || lower.starts_with("1.#"))
        .then_some(f64::NAN)
}

/// A whole number.
pub(crate) fn integer(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

pub(crate) fn not_a_number(word: &[u8], place: Place) -> ReadError {
    ReadError::syntax(place, format!("{} is not a number", quoted(word)))
}

/// The three coordinates of a vertex, which the next words of `line` are.
pub(crate) fn position<'a>(
    mut rest: impl Iterator<Item = &'a [u8]>,
    line: usize,
) -> Result<Vec3, ReadError> {
    let place = Place::Line(line);
    let mut position = Vec3::zeros();
    for (axis, x) in position.iter_mut().enumerate() {
        let Some(word) = rest.next() else {
            let what = format!("a vertex with {axis} coordinates instead of 3");
            return Err(ReadError::syntax(place, what));
        };
        *x = number(word).ok_or_else(|| not_a_number(word, place))?;
    }
    Ok(position)
}

/// How many of something a file of `bytes` bytes claims at `place`: never more than it has bytes.
pub(crate) fn count(
    claimed: i64,
    what: &str,
    place: Place,
    bytes: usize,
) -> Result<usize, ReadError> {
    match u64::try_from(claimed) {
        Ok(count) if count <= bytes as u64 => Ok(count as usize),
        Ok(count) => Err(ReadError::too_many(place, what, count, bytes)),
        Err(_) => Err(ReadError::syntax(place, format!("{claimed} {what}"))),
    }
}

/// A word of a file for a message: at most 40 characters, in quotes, without bytes that are not UTF-8 and without characters that move the cursor of a terminal.
pub fn quoted(word: &[u8]) -> String {
    // four bytes make a character at most
    let text = String::from_utf8_lossy(word.get(..160).unwrap_or(word));
    let short: String = text
        .chars()
        .take(40)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    let dots = if text.chars().count() > 40 { "..." } else { "" };
    format!("`{short}{dots}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_line_ends_count_as_one_line() {
        let lines: Vec<_> = Lines::new(b"\xef\xbb\xbfa\r\nb\rc\n\nd").collect();
        let texts: Vec<_> = lines.iter().map(|l| l.bytes).collect();
        assert_eq!(texts, [b"a".as_slice(), b"b", b"c", b"", b"d"]);
        assert_eq!(lines.last().map(|l| l.number), Some(5));
    }

    #[test]
    fn numbers_in_every_usual_spelling() {
        assert_eq!(number(b"-1.5e-3"), Some(-0.0015));
        assert_eq!(number(b"+2."), Some(2.0));
        assert_eq!(number(b"1e400"), Some(f64::INFINITY));
        for word in [b"-nan(ind)".as_slice(), b"1.#QNAN", b"-1.#IND", b"NaN"] {
            assert!(number(word).is_some_and(f64::is_nan));
        }
        assert_eq!(number(b"1,5"), None);
        assert_eq!(number(b"\xff"), None);
    }
}
