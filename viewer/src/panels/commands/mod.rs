//! All commands of the window, in one table: keys run them, and the palette finds and explains them.

mod help;
pub mod keys;
mod mesh;
mod picking;
mod pictures;
mod scene;
mod shortcut;
mod timeline;
mod view;
mod window_command;

pub use scene::{NOT_HELD, write_scene};
pub use shortcut::Shortcut;
pub use view::{fit, switch_occlusion, switch_theme};
pub use window_command::WindowCommand;

/// Every command, in the order of the palette. The first one opens it.
pub fn all() -> impl Iterator<Item = &'static WindowCommand> {
    let first = help::COMMANDS.iter().chain(timeline::COMMANDS);
    let then = view::COMMANDS
        .iter()
        .chain(mesh::COMMANDS)
        .chain(scene::COMMANDS);
    let last = picking::COMMANDS.iter().chain(pictures::COMMANDS);
    first.chain(then).chain(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_have_one_name_or_one_key() {
        let names: Vec<&str> = all().map(|c| c.name).collect();
        let keys: Vec<String> = all()
            .flat_map(|c| c.keys.iter().map(Shortcut::text))
            .collect();
        for list in [
            names.iter().map(ToString::to_string).collect::<Vec<_>>(),
            keys,
        ] {
            let mut once = list.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), list.len(), "{list:?}");
        }
    }
}
