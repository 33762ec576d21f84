//! What a note on a scene says, and what it is about.

use pliant_core::diagnostics::split_code;
use pliant_core::scene::Method;

/// A note on a scene. Notes are told apart by code and subject, never by their text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneNote {
    /// What it is about.
    pub subject: NoteSubject,
    /// A sentence, behind its code where it has one. The remedy, if any, is on a line of its own.
    pub text: String,
    /// Whether it puts the results in doubt, so that a window shows it before anybody asks. The others tell how the scene was prepared.
    pub is_warning: bool,
}

/// What a note on a scene is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteSubject {
    /// The scene, or its bodies.
    Scene,
    /// A tool, by name.
    Tool(String),
    /// A grab, by name.
    Grab(String),
    /// A method, where it is of no concern to the others.
    Method(Method),
}

impl SceneNote {
    /// A note on `subject`.
    pub fn new(subject: NoteSubject, text: String) -> Self {
        Self {
            subject,
            text,
            is_warning: false,
        }
    }

    /// A note on `subject` that puts the results in doubt.
    pub fn warning(subject: NoteSubject, text: String) -> Self {
        Self {
            is_warning: true,
            ..Self::new(subject, text)
        }
    }

    /// Its code for scripts, where it has one.
    pub fn code(&self) -> Option<&str> {
        split_code(&self.text).0
    }
}

/// A note on the scene.
impl From<String> for SceneNote {
    fn from(text: String) -> Self {
        Self::new(NoteSubject::Scene, text)
    }
}

#[cfg(test)]
mod tests {
    use super::SceneNote;
    use crate::world::testing::setup_of;

    #[test]
    fn what_puts_results_in_doubt_is_a_warning_and_how_a_scene_was_prepared_is_none() {
        let block = "mesh = { procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }\nadaptive = { models = ['green'] }";
        let floor = "shape = { half_space = { point = [0.0, -0.03, 0.0], normal = [0.0, 1.0, 0.0] } }\nmotion = 'fixed'";
        let setup = setup_of(format!(
            "[[body]]\nname = 'block'\n{block}\n[[tool]]\nname = 'base'\n{floor}\n"
        ));
        let (warnings, others): (Vec<&SceneNote>, Vec<&SceneNote>) =
            setup.notes.iter().partition(|note| note.is_warning);
        let codes: Vec<_> = warnings.iter().map(|note| note.code()).collect();
        assert_eq!(codes, [Some("ToolOverlaps")]);
        let told = |note: &&SceneNote| note.text.contains("adaptive.models");
        assert_eq!(others.iter().copied().filter(told).count(), 1);
    }

    #[test]
    fn notes_on_a_body_name_it_where_there_are_several() {
        let body = |name: &str, keys: &str| {
            format!(
                "[[body]]\nname = '{name}'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }}\nadaptive = {{ models = ['green'] }}\n{keys}\n"
            )
        };
        let heads = |text: String| {
            let setup = setup_of(text);
            let notes = setup.note_texts().filter_map(|note| {
                let (head, _) = note.split_once("adaptive.models")?;
                Some(head.to_string())
            });
            notes.collect::<Vec<_>>()
        };
        assert_eq!(heads(body("a", "")), [""]);
        assert_eq!(heads(body("a", "count = 2")), ["a: "]);
        let apart = "layout = { grid = [1, 1, 1], origin = [0.0, 1.0, 0.0] }";
        assert_eq!(heads(body("a", "") + &body("b", apart)), ["a: ", "b: "]);
        // what concerns the scene is said once
        let nu0 = "compare = { material = 'nu0' }\n".to_string();
        let setup = setup_of(nu0 + &body("a", "") + &body("b", apart));
        let told = setup.note_texts().filter(|note| note.contains("Poisson"));
        let told: Vec<&str> = told.collect();
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("compare.material"), "{told:?}");
    }
}
