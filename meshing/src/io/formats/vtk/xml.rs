//! Just enough XML to walk through the tags of a VTK file.

use crate::io::error::{Place, ReadError};

/// One tag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tag<'a> {
    pub name: &'a [u8],
    /// byte offset of its `<`
    pub at: usize,
    /// byte offset behind its `>`
    pub end: usize,
    pub closes: bool,
    attributes: &'a [u8],
}

impl<'a> Tag<'a> {
    /// Value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a [u8]> {
        let mut rest = self.attributes;
        loop {
            let equals = rest.iter().position(|&b| b == b'=')?;
            let key = rest.get(..equals)?.trim_ascii();
            let after = rest.get(equals + 1..)?.trim_ascii_start();
            let (quote, after) = after.split_first()?;
            let end = after.iter().position(|b| b == quote)?;
            if key == name.as_bytes() {
                return after.get(..end);
            }
            rest = after.get(end + 1..)?;
        }
    }

    /// Value of an attribute that is a count or an offset; 0 where there is none.
    pub fn count(&self, name: &str) -> Result<u64, ReadError> {
        let Some(word) = self.attribute(name) else {
            return Ok(0);
        };
        let text = std::str::from_utf8(word).ok();
        text.and_then(|t| t.trim().parse().ok()).ok_or_else(|| {
            let what = format!("the attribute {name} is not a number");
            ReadError::syntax(Place::Byte(self.at), what)
        })
    }
}

/// The tag that follows byte `from`; comments, declarations and processing instructions are passed over.
pub(crate) fn next_tag(bytes: &[u8], mut from: usize) -> Result<Option<Tag<'_>>, ReadError> {
    loop {
        let rest = bytes.get(from..).unwrap_or_default();
        let Some(start) = rest.iter().position(|&b| b == b'<') else {
            return Ok(None);
        };
        let at = from + start;
        let body = bytes.get(at + 1..).unwrap_or_default();
        let close = |end: &[u8]| {
            let found = body.windows(end.len()).position(|w| w == end);
            let missing = || ReadError::truncated(bytes.len(), "the end of a tag");
            found
                .map(|p| (p, at + 1 + p + end.len()))
                .ok_or_else(missing)
        };
        if body.starts_with(b"!--") {
            from = close(b"-->")?.1;
            continue;
        }
        if body.starts_with(b"?") || body.starts_with(b"!") {
            from = close(b">")?.1;
            continue;
        }
        let (length, end) = close(b">")?;
        let inner = body.get(..length).unwrap_or_default();
        let inner = inner.strip_suffix(b"/").unwrap_or(inner);
        let (closes, inner) = match inner.strip_prefix(b"/") {
            Some(inner) => (true, inner),
            None => (false, inner),
        };
        let name_end = inner.iter().position(u8::is_ascii_whitespace);
        let (name, attributes) = inner.split_at(name_end.unwrap_or(inner.len()));
        return Ok(Some(Tag {
            name,
            at,
            end,
            closes,
            attributes,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_attributes() {
        let bytes = b"<?xml a?><!-- <b> --><a x='1' yy = \"2 3\"/>text</b >";
        let a = next_tag(bytes, 0).expect("fine").expect("a tag");
        assert_eq!((a.name, a.closes, a.at), (b"a".as_slice(), false, 21));
        assert_eq!(a.attribute("yy"), Some(b"2 3".as_slice()));
        assert_eq!(a.attribute("y"), None);
        assert_eq!(a.count("x"), Ok(1));
        assert!(a.count("yy").is_err());
        let b = next_tag(bytes, a.end).expect("fine").expect("a tag");
        assert_eq!((b.name, b.closes), (b"b".as_slice(), true));
        assert!(next_tag(bytes, b.end).expect("fine").is_none());
        assert_eq!(next_tag(b"<a", 0).expect_err("cut").code(), "Truncated");
    }
}
