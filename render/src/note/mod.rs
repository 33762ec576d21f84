//! Notes worded for users: the sentence first, then the code for scripts.
//!
//! Models write a note as `LevelTopologyMismatch: level 1 has ...`, because scripts look for the code. Assets in a cache keep these texts.

mod finding;

use std::fmt;

use pliant_core::diagnostics::{is_code, split_code};

pub use finding::{sentence, sentences};

/// A note, split into its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The message, with the remedy, if any, on a line of its own.
    pub sentence: String,
    /// Its code for scripts, where it has one.
    pub code: Option<String>,
}

/// Explanations of the terms in some notes.
const EXPLANATIONS: &[(&str, &str)] = &[
    (
        "LevelTopologyMismatch",
        "A part is a connected piece, a shell a closed surface, the genus the number of holes through it. Coarse elements close holes and gaps that are narrower than they are.",
    ),
    (
        "LevelVolumeMismatch",
        "Coarse elements cannot follow parts that are thinner than they are.",
    ),
    (
        "RatioOutOfRange",
        "Usually each level has elements about half as long as the one before.",
    ),
    (
        "FarOutside",
        "Such nodes follow the nearest tetrahedron of the other level, as a rigid arm would.",
    ),
    (
        "DependentConstraint",
        "The others hold the body as it is asked for.",
    ),
];

/// Plain words that precede the sentence of some notes.
const INTRODUCTIONS: &[(&str, &str)] = &[("LevelTopologyMismatch", "holes or parts differ: ")];

impl Note {
    /// Splits `text`. A code is a name of two or more capitalised words without blanks, before a colon at the beginning or in brackets anywhere.
    pub fn read(text: &str) -> Self {
        if let (Some(code), sentence) = split_code(text) {
            let introduction = INTRODUCTIONS.iter().find(|(key, _)| *key == code);
            let introduction = introduction.map_or("", |(_, text)| text);
            return Self {
                sentence: format!("{introduction}{sentence}"),
                code: Some(code.to_string()),
            };
        }
        for (begin, _) in text.match_indices(" (") {
            let (before, rest) = (&text[..begin], &text[begin + 2..]);
            if let Some((code, after)) = rest.split_once(')')
                && is_code(code)
            {
                return Self {
                    sentence: format!("{before}{after}"),
                    code: Some(code.to_string()),
                };
            }
        }
        Self {
            sentence: text.to_string(),
            code: None,
        }
    }

    /// Background of the sentence: an explanation of its terms, and the code. Empty for a note without a code.
    pub fn about(&self) -> String {
        let Some(code) = &self.code else {
            return String::new();
        };
        let meaning = EXPLANATIONS.iter().find(|(key, _)| key == code);
        match meaning {
            Some((_, meaning)) => format!("{meaning}\n{code}"),
            None => code.clone(),
        }
    }
}

/// One line: the sentence, and the code behind it.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence.replace("\n  ", "; "))?;
        match &self.code {
            Some(code) => write!(f, " ({code})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_comes_first_and_the_code_stays() {
        for (text, sentence, code) in [
            (
                "LevelTopologyMismatch: level 0 has genus 0, the finest genus 2",
                "holes or parts differ: level 0 has genus 0, the finest genus 2",
                "LevelTopologyMismatch",
            ),
            (
                "RatioOutOfRange: the edges are 3.2 times those of level 1",
                "the edges are 3.2 times those of level 1",
                "RatioOutOfRange",
            ),
            (
                "level 0 (LevelTopologyMismatch): 2 components where the body has 1",
                "level 0: 2 components where the body has 1",
                "LevelTopologyMismatch",
            ),
        ] {
            let note = Note::read(text);
            assert_eq!(
                (note.sentence.as_str(), note.code.as_deref()),
                (sentence, Some(code))
            );
            assert_eq!(note.to_string(), format!("{sentence} ({code})"));
            let about = note.about();
            assert!(about.ends_with(&format!("\n{code}")), "{about}");
        }
    }

    #[test]
    fn what_is_no_code_stays_as_it_is() {
        for text in [
            "repair: two vertices were merged",
            "level 1: walls (of the body) were moved",
            "Liver: its skin is closed",
            "USB: a device",
            "the mesh of Young (Ogden) is soft (2 MPa)",
            "",
            "Éa: (",
        ] {
            let note = Note::read(text);
            assert_eq!((note.sentence.as_str(), note.code.as_deref()), (text, None));
            assert_eq!(note.about(), "");
            assert_eq!(note.to_string(), text);
        }
        assert_eq!(
            Note::read("bad\n  remedy: mend it").to_string(),
            "bad; remedy: mend it"
        );
    }
}
