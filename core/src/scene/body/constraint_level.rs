//! The key `quasistatic.constraint_level`.

use toml::Value;

use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// The level of the subdivision at which touched vertices are constrained. Only wavelet columns have levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ConstraintLevel {
    /// The finest: each vertex by itself.
    #[default]
    Fine,
    /// This many levels coarser than the finest, at most the coarsest.
    Coarser(u32),
    /// The finest level that the budget of a frame allows.
    Auto,
}

/// Reads the key. Whether the columns of a file have levels, and how many, is checked by the model.
pub(super) fn read_constraint_level(
    at: &Reader<'_>,
    is_file: bool,
) -> Result<ConstraintLevel, SceneError> {
    let choice = match at.get("constraint_level") {
        None => ConstraintLevel::Fine,
        Some(Value::String(word)) if word == "fine" => ConstraintLevel::Fine,
        Some(Value::String(word)) if word == "auto" => ConstraintLevel::Auto,
        Some(Value::Integer(0)) => ConstraintLevel::Fine,
        Some(Value::Integer(n)) if (1..=12).contains(n) => ConstraintLevel::Coarser(*n as u32),
        Some(_) => {
            let text = "must be \"fine\", \"auto\" or a number of levels from 0 to 12";
            return Err(at.bad("constraint_level", text));
        }
    };
    let has_levels = is_file || !matches!(at.text("wavelet")?, None | Some("none"));
    let is_useless = choice != ConstraintLevel::Fine && !has_levels;
    let text = "applies only to columns that are compressed by wavelets, which have levels\n  remedy: add wavelet = \"linear\", or leave it out";
    at.refuse_if(is_useless, "constraint_level", text)?;
    Ok(choice)
}

#[cfg(test)]
mod tests {
    use super::ConstraintLevel;
    use crate::scene::body::quasistatic::tests::{scene, text};
    use crate::scene::load::tests::assert_refused;

    #[test]
    fn constraint_levels_are_read_where_columns_have_levels() {
        let read = |text: &str| scene(text).map(|scene| scene.body.quasistatic.constraint_level);
        let wavelets = "generator = \"bem-linear\", wavelet = \"linear\", constraint_level";
        for (value, level) in [
            ("\"fine\"", ConstraintLevel::Fine),
            ("\"auto\"", ConstraintLevel::Auto),
            ("0", ConstraintLevel::Fine),
            ("2", ConstraintLevel::Coarser(2)),
        ] {
            assert_eq!(read(&format!("{wavelets} = {value}")), Ok(level), "{value}");
        }
        for value in ["-1", "13", "1.5", "\"coarse\""] {
            assert!(read(&format!("{wavelets} = {value}")).is_err(), "{value}");
        }
        let refused =
            "constraint_level = 1 => BadValue body[0].quasistatic.constraint_level: remedy";
        assert_refused(text, &[refused]);
    }
}
