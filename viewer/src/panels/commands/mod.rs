//! All commands of the window, in one table: keys run them, and the palette finds and explains them.

pub mod keys;
mod mesh;
mod panes;
mod picking;
mod pictures;
mod scene;
mod shortcut;
mod timeline;
mod view;
mod window_command;

pub use panes::pane_of;
pub use pictures::{
    MARK_BEGINNING, MARK_END, MARKED_PART, MARKED_PART_AS_PNG, NEXT_SECONDS, NEXT_SECONDS_AS_PNG,
    PANES, REMOVE_MARKS, SAVE_CURVES, WINDOW,
};
pub use scene::{CUT, GRAB, GRAVITY, POKE, PULL, SAVE_SCENE, has_gravity};
pub use shortcut::Shortcut;
pub use timeline::{BACK, LOOP, PLAY, REDO, RESET, START, STEP, UNDO};
pub use view::{ADVICE, DETAILS, EDGES, FIT, HELP, THEME, show_layer, switch_occlusion};
pub use window_command::{WindowCommand, without_scene};

/// Every command, in the order of the palette. The first one opens it.
pub fn all() -> impl Iterator<Item = &'static WindowCommand> {
    let lists: [&'static [WindowCommand]; 8] = [
        &[HELP],
        timeline::COMMANDS,
        view::COMMANDS,
        panes::COMMANDS,
        mesh::COMMANDS,
        scene::COMMANDS,
        picking::COMMANDS,
        pictures::COMMANDS,
    ];
    lists.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_commands_have_one_name_or_one_key() {
        let (mut names, mut keys) = (HashSet::new(), HashSet::new());
        for command in all() {
            assert!(names.insert(command.name), "{}", command.name);
            for key in command.keys().map(Shortcut::text) {
                assert!(keys.insert(key.clone()), "{key}");
            }
        }
    }
}
