//! JSON whose values know their place in the file (RFC 8259).

use std::borrow::Cow;

use crate::io::encoding::text::{number, quoted};
use crate::io::error::{Place, ReadError};

/// Deeper nesting is refused: glTF needs about ten levels.
const MAX_DEPTH: usize = 64;
/// A text has at most one value per this many bytes; the values of scenes take more than five.
const MIN_VALUE_BYTES: usize = 4;
/// So many values are allowed in a text of any length.
const MIN_VALUE_LIMIT: usize = 4_000;

/// A value and its place.
#[derive(Debug)]
pub(crate) struct Value<'a> {
    at: u32,
    pub data: Data<'a>,
}

#[derive(Debug)]
pub(crate) enum Data<'a> {
    Null,
    Bool(bool),
    Number(f64),
    /// as it stands between its quotes
    Text(&'a [u8]),
    List(Box<[Value<'a>]>),
    /// sorted by name, which is as it stands between its quotes: none of glTF has anything escaped
    Table(Box<[(&'a [u8], Value<'a>)]>),
}

impl<'a> Value<'a> {
    /// Byte offset in the file.
    pub fn at(&self) -> usize {
        self.at as usize
    }

    pub fn place(&self) -> Place {
        Place::Byte(self.at())
    }

    /// A member of a table; the first of this name.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        let Data::Table(members) = &self.data else {
            return None;
        };
        let place = members.partition_point(|(key, _)| *key < name.as_bytes());
        let found = members.get(place).filter(|(k, _)| *k == name.as_bytes());
        found.map(|(_, value)| value)
    }

    /// Elements of a list; none for anything else.
    pub fn list(&self) -> &[Value<'a>] {
        match &self.data {
            Data::List(values) => values.as_ref(),
            _ => &[],
        }
    }

    /// Elements of the list that is a member of this name.
    pub fn list_of(&self, name: &str) -> &[Value<'a>] {
        self.get(name).map_or(&[], Value::list)
    }

    /// Names of the members of a table.
    pub fn keys(&self) -> impl Iterator<Item = &[u8]> {
        let members = match &self.data {
            Data::Table(members) => members.as_ref(),
            _ => &[],
        };
        members.iter().map(|(key, _)| *key)
    }

    pub fn text(&self) -> Option<Cow<'a, [u8]>> {
        match self.data {
            Data::Text(text) => Some(unescaped(text)),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<f64> {
        match self.data {
            Data::Number(value) => Some(value),
            _ => None,
        }
    }

    /// A number that is whole and not negative.
    pub fn index(&self) -> Result<usize, ReadError> {
        let fits = |v: &f64| v.fract() == 0.0 && (0.0..1e15).contains(v);
        match self.number().filter(fits) {
            Some(value) => Ok(value as usize),
            None => {
                let what = "something else where a whole number is expected";
                Err(ReadError::syntax(self.place(), what))
            }
        }
    }

    /// A member that is a whole number; `None` where there is none.
    pub fn index_of(&self, name: &str) -> Result<Option<usize>, ReadError> {
        self.get(name).map(Value::index).transpose()
    }

    /// A member that must be there.
    pub fn required(&self, name: &str) -> Result<&Value<'a>, ReadError> {
        self.get(name)
            .ok_or_else(|| ReadError::syntax(self.place(), format!("`{name}` is missing")))
    }
}

/// Reads the text that stands at `base` in its file.
pub(crate) fn parse(text: &[u8], base: usize) -> Result<Value<'_>, ReadError> {
    let mut parser = Parser {
        text,
        at: 0,
        base,
        values: 0,
    };
    let value = parser.value(0)?;
    // padding of GLB chunks may be zeros
    let rest = text.get(parser.at..).unwrap_or_default();
    let blank = |b: &u8| b.is_ascii_whitespace() || *b == 0;
    match rest.iter().position(|b| !blank(b)) {
        None => Ok(value),
        Some(extra) => {
            parser.at += extra;
            Err(parser.wrong("the end of the JSON text"))
        }
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    base: usize,
    /// so far
    values: usize,
}

impl<'a> Parser<'a> {
    fn wrong(&self, expected: &str) -> ReadError {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if rest.is_empty() {
            return ReadError::truncated(self.base + self.at, expected);
        }
        let word = rest.get(..12).unwrap_or(rest);
        let what = format!("{} instead of {expected}", quoted(word));
        ReadError::syntax(Place::Byte(self.base + self.at), what)
    }

    /// The next byte that is not blank.
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn value(&mut self, depth: usize) -> Result<Value<'a>, ReadError> {
        let first = self.peek();
        let at = (self.base + self.at) as u32;
        self.values += 1;
        if self.values > MIN_VALUE_LIMIT.max(self.text.len() / MIN_VALUE_BYTES) {
            return Err(self.wrong("fewer values: it holds too many for its length"));
        }
        let data = match first {
            Some(b'{' | b'[') if depth >= MAX_DEPTH => {
                return Err(self.wrong("a value nested less deeply"));
            }
            Some(b'{') => self.table(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Data::Text(self.string()?),
            _ => self.word()?,
        };
        Ok(Value { at, data })
    }

    fn table(&mut self, depth: usize) -> Result<Data<'a>, ReadError> {
        self.at += 1;
        let mut members = Vec::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Data::Table(Box::default()));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.wrong("the name of a member"));
            }
            let name = self.string()?;
            if self.peek() != Some(b':') {
                return Err(self.wrong("`:`"));
            }
            self.at += 1;
            members.push((name, self.value(depth + 1)?));
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    // members are looked up often, and a table may be long
                    members.sort_unstable_by_key(|(name, value)| (*name, value.at));
                    return Ok(Data::Table(members.into_boxed_slice()));
                }
                _ => return Err(self.wrong("`,` or `}`")),
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Data<'a>, ReadError> {
        self.at += 1;
        let mut values = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Data::List(Box::default()));
        }
        loop {
            values.push(self.value(depth + 1)?);
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Data::List(values.into_boxed_slice()));
                }
                _ => return Err(self.wrong("`,` or `]`")),
            }
        }
    }

    /// A string as it stands between its quotes.
    fn string(&mut self) -> Result<&'a [u8], ReadError> {
        let start = self.at + 1;
        let mut end = start;
        loop {
            match self.text.get(end) {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at = end;
                    end += self.escape()?;
                }
                Some(_) => end += 1,
                None => {
                    self.at = self.text.len();
                    return Err(self.wrong("the end of a string"));
                }
            }
        }
        self.at = end + 1;
        Ok(self.text.get(start..end).unwrap_or_default())
    }

    /// Length of the escape sequence at the current byte.
    fn escape(&self) -> Result<usize, ReadError> {
        match self.text.get(self.at + 1) {
            Some(b'n' | b't' | b'r' | b'b' | b'f' | b'"' | b'\\' | b'/') => Ok(2),
            Some(b'u') => {
                let digits = self.text.get(self.at + 2..self.at + 6);
                if digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) {
                    Ok(6)
                } else {
                    Err(self.wrong("four hexadecimal digits"))
                }
            }
            _ => Err(self.wrong("an escaped character")),
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Data<'a>, ReadError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let belongs = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
        let length = rest.iter().position(|b| !belongs(b)).unwrap_or(rest.len());
        let word = rest.split_at(length).0;
        let data = match word {
            b"null" => Data::Null,
            b"true" => Data::Bool(true),
            b"false" => Data::Bool(false),
            [b'-' | b'0'..=b'9', ..] => match number(word) {
                Some(value) => Data::Number(value),
                None => return Err(self.wrong("a number")),
            },
            _ => return Err(self.wrong("a value")),
        };
        self.at += length;
        Ok(data)
    }
}

/// A checked string with its escaped characters replaced; halves of surrogate pairs become replacement characters (no name of glTF holds any).
fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\\') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let Some((&letter, after)) = rest.split_first() else {
            break;
        };
        rest = after;
        let c = match letter {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let (digits, after) = rest.split_at(rest.len().min(4));
                rest = after;
                let digits = std::str::from_utf8(digits).ok();
                let code = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
                code.and_then(char::from_u32)
                    .unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => char::from(other),
        };
        bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_place() {
        let text = br#" {"a": [1, -2.5e1, "x\/\u00e9\"y"], "b": {"c": null, "d": true}} "#;
        let root = parse(text, 100).expect("JSON");
        let list = root.list_of("a");
        assert_eq!(list[1].number(), Some(-25.0));
        assert_eq!(list[1].at(), 111);
        assert_eq!(list[2].text().as_deref(), Some("x/é\"y".as_bytes()));
        assert_eq!(list[0].index(), Ok(1));
        assert!(list[1].index().is_err());
        let b = root.required("b").expect("a table");
        assert_eq!(b.keys().count(), 2);
        assert_eq!(
            b.required("e").expect_err("none").place(),
            Some("byte 141".into())
        );
    }

    #[test]
    fn broken_text_is_refused_with_its_place() {
        for (text, place) in [
            ("{\"a\": 1,}", 8),
            ("[1 2]", 3),
            ("[1", 2),
            ("\"a", 2),
            ("\"\\x\"", 1),
            ("{} 1", 3),
            ("", 0),
            ("[01x]", 1),
        ] {
            let error = parse(text.as_bytes(), 0).expect_err("broken");
            let expected = format!("byte {place}");
            assert_eq!(error.place(), Some(expected), "{text}: {error}");
        }
        let deep = "[".repeat(100_000);
        assert!(parse(deep.as_bytes(), 0).is_err());
    }
}
