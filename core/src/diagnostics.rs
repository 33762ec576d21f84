//! Parts of messages: codes of errors and notes, capital letters, and the name that was probably meant.

/// The name of the variant of an error enum, from its debug form. It is the code in the JSON output, which scripts match on.
///
/// ```
/// use pliant_core::diagnostics::variant_name;
/// use pliant_core::model::StepError;
///
/// assert_eq!(variant_name(&StepError::Unconstrained), "Unconstrained");
/// ```
pub fn variant_name(error: &impl std::fmt::Debug) -> String {
    let text = format!("{error:?}");
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    text[..end].to_string()
}

/// Whether a word is a code of a note or an error: two or more capitalised words without blanks.
///
/// ```
/// use pliant_core::diagnostics::is_code;
///
/// assert!(is_code("SkinTooCoarse"));
/// assert!(!is_code("Liver") && !is_code("USB") && !is_code("level 1"));
/// ```
pub fn is_code(word: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let capitals = word.chars().filter(char::is_ascii_uppercase).count();
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word.chars().all(is_word)
        && capitals >= 2
        && word.chars().any(|c| c.is_ascii_lowercase())
}

/// The code at the beginning of a note, where it has one, and what follows it.
pub fn split_code(note: &str) -> (Option<&str>, &str) {
    match note.split_once(": ") {
        Some((code, sentence)) if is_code(code) => (Some(code), sentence),
        _ => (None, note),
    }
}

/// A note with the name of its body in front of the sentence: of one of several bodies. Its code stays at the beginning, where scripts look for it.
///
/// ```
/// use pliant_core::diagnostics::with_body_name;
///
/// let named = |note| with_body_name("bear", note);
/// assert_eq!(named("LevelVolumeMismatch: level 0 is small"), "LevelVolumeMismatch: bear: level 0 is small");
/// assert_eq!(named("repair: one hole was closed"), "bear: repair: one hole was closed");
/// // a name that looks like a code is quoted, so that it is not read as one
/// assert_eq!(with_body_name("BigBear", "repair: one hole was closed"), "`BigBear`: repair: one hole was closed");
/// ```
pub fn with_body_name(name: &str, note: &str) -> String {
    let name = match is_code(name) {
        true => format!("`{name}`"),
        false => name.to_string(),
    };
    match split_code(note) {
        (Some(code), sentence) => format!("{code}: {name}: {sentence}"),
        (None, sentence) => format!("{name}: {sentence}"),
    }
}

/// `text` with a capital first letter.
///
/// ```
/// use pliant_core::diagnostics::capitalised;
///
/// assert_eq!(capitalised("lattice as the scene says"), "Lattice as the scene says");
/// ```
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Gives an error enum its method `code`: the name of the variant, by `diagnostics::variant_name`.
///
/// ```
/// #[derive(Debug)]
/// enum PumpError {
///     Leaks { at: f64 },
/// }
/// pliant_core::error_code!(PumpError);
///
/// assert_eq!(PumpError::Leaks { at: 0.5 }.code(), "Leaks");
/// ```
#[macro_export]
macro_rules! error_code {
    ($error:ty) => {
        impl $error {
            /// The variant's name, the error code of the JSON output.
            pub fn code(&self) -> String {
                $crate::diagnostics::variant_name(self)
            }
        }
    };
}

/// Gives an enum the list of its variants, `ALL`, that of their names, `NAMES`, and the methods `name` and `from_name`.
///
/// ```
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Side {
///     Left,
///     Right,
/// }
/// pliant_core::named!(Side { Left => "left", Right => "right" });
///
/// assert_eq!(Side::ALL, [Side::Left, Side::Right]);
/// assert_eq!(Side::from_name("right"), Some(Side::Right));
/// ```
#[macro_export]
macro_rules! named {
    ($choices:ident { $($choice:ident => $name:literal),+ $(,)? }) => {
        impl $choices {
            /// All of them, in the order of the enum.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$choice),+];
            /// Their names.
            pub const NAMES: [&'static str; [$($name),+].len()] = [$($name),+];

            /// The name in scenes, in reports and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$choice => $name),+
                }
            }

            /// The one of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|choice| choice.name() == name)
            }
        }
    };
}

/// The one of `names` with the least edit distance to `name` (Damerau and Levenshtein), if that is at most a third of the letters. Capitals, and blanks or
/// hyphens in place of underscores, do not count.
///
/// ```
/// use pliant_core::diagnostics::nearest_name;
///
/// assert_eq!(nearest_name("Comapre", ["view", "compare"]), Some("compare"));
/// assert_eq!(nearest_name("nonsense", ["view", "compare"]), None);
/// ```
pub fn nearest_name<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let normalised = |s: &str| -> String {
        let letters = s.to_lowercase().replace(['-', ' '], "_");
        letters.chars().take(64).collect()
    };
    let name = normalised(name);
    names
        .into_iter()
        .map(|known| {
            let distance = strsim::damerau_levenshtein(&name, &normalised(known));
            (distance, known)
        })
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, known)| 3 * distance <= known.len().max(name.chars().count()))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_proposed_and_others_are_not() {
        let nearest = |name| nearest_name(name, ["penguin", "banana_seat", "torus", "pear"]);
        assert_eq!(nearest("pengiun"), Some("penguin"));
        assert_eq!(nearest("Banana-Seat"), Some("banana_seat"));
        assert_eq!(nearest("teapot"), None);
        assert_eq!(nearest(""), None);
    }
}
