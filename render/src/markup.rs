//! Escaping of text in markup.

/// Text for markup: the five special characters escaped, control characters replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    /// Panics unless every tag is closed in order and every `&` begins an entity.
    pub(crate) fn assert_well_formed(markup: &str, void: &[&str]) {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = markup;
        while let Some(start) = rest.find('<') {
            assert!(!rest[..start].contains('>'), "stray >: {}", &rest[..start]);
            let end = rest[start..].find('>').expect("tag ends") + start;
            let tag = &rest[start + 1..end];
            assert_eq!(tag.matches('"').count() % 2, 0, "quotes: {tag}");
            let name = tag
                .trim_start_matches('/')
                .split([' ', '\n', '/'])
                .next()
                .expect("name");
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') && !tag.starts_with('!') && !void.contains(&name) {
                open.push(name);
            }
            rest = &rest[end + 1..];
        }
        assert!(open.is_empty(), "{open:?}");
        for part in markup.split('&').skip(1) {
            assert!(
                part.find(';').is_some_and(|end| end <= 6),
                "entity: {}",
                &part[..part.len().min(20)]
            );
        }
    }
}
