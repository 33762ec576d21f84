//! Options that a scene names by a word.

use pliant_core::scene::SceneError;

use crate::error::BuildError;
use crate::setup::Setup;

/// What the word `name` of the body's key `key` stands for; `None` for an empty one, which leaves the choice to the solver.
///
/// The scene's reader refuses unknown words before. This check is for descriptions that a program made or changed itself.
///
/// # Errors
/// [`BuildError::Scene`] with the key and the word where `parse` has no meaning for it.
pub(super) fn choice<T>(
    setup: &Setup,
    key: &str,
    name: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, BuildError> {
    if name.is_empty() {
        return Ok(None);
    }
    parse(name).map(Some).ok_or_else(|| BuildError::Scene {
        file: setup.origin.clone(),
        source: SceneError::BadValue {
            path: format!("body.{}.{key}", setup.description.body.name),
            reason: format!(
                "\"{name}\" is not known\n  remedy: docs/scenes.md lists the values of this key"
            ),
        },
    })
}

#[cfg(test)]
mod tests {
    use pliant_core::scene::BodyDescription;

    use crate::parameters::lattice_params;
    use crate::world::testing::setup_from;

    #[test]
    fn an_unknown_word_is_an_error_that_names_the_key_and_the_word() {
        let setup = setup_from("poke");
        assert!(lattice_params(&setup).is_ok());
        type Word = fn(&mut BodyDescription) -> &mut String;
        let words: [(&str, Word); 3] = [
            ("lattice.sums", |body| &mut body.lattice.sums),
            ("lattice.rotation", |body| &mut body.lattice.rotation),
            ("lattice.matching", |body| &mut body.lattice.matching),
        ];
        for (key, word) in words {
            let mut other = setup.clone();
            *word(&mut other.description.body) = "nonsense".into();
            let error = lattice_params(&other).err().expect(key);
            assert_eq!(error.code(), "BadValue");
            let text = error.to_string();
            let is_named = text.contains(key) && text.contains("\"nonsense\"");
            assert!(is_named, "{text}");
        }
    }
}
