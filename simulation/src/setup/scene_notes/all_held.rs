//! Whether anything can move: supports come before tools, grabs and weight.

use super::note::{NoteSubject, SceneNote};
use crate::setup::scene_setup::Setup;

/// A note where supports hold all vertices of all bodies.
///
/// Cost: a pass over the skin.
pub(in crate::setup) fn note(setup: &Setup) -> Option<SceneNote> {
    setup.held.iter().all(|held| *held).then(|| {
        SceneNote::warning(
            NoteSubject::Scene,
            "NothingMoves: supports hold all vertices of the skin, so that nothing moves and no tool is felt\n  remedy: a smaller support, for example lowest = 0.05".to_string(),
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::world::testing::setup_of;

    #[test]
    fn a_body_that_supports_hold_altogether_is_told() {
        let is_told = |lowest: f64| {
            let setup = setup_of(format!(
                "[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }}\n\
                 support = [{{ name = 'base', select = {{ lowest = {lowest} }} }}]\n"
            ));
            let mut notes = setup.notes.iter();
            notes.any(|note| note.is_warning && note.code() == Some("NothingMoves"))
        };
        assert!(is_told(1.0));
        assert!(!is_told(0.9));
    }
}
