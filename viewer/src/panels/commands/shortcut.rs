//! A key with its modifiers.

use egui::{Event, Key, Modifiers, Ui};

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortcut {
    key: Key,
    modifiers: Modifiers,
    anywhere: bool,
}

impl Shortcut {
    /// The key alone.
    pub const fn of(key: Key) -> Self {
        Self::with(key, Modifiers::NONE)
    }

    /// The key with shift.
    pub const fn shift(key: Key) -> Self {
        Self::with(key, Modifiers::SHIFT)
    }

    /// The key with ctrl, or the command key of a Mac.
    pub const fn command(key: Key) -> Self {
        Self::with(key, Modifiers::COMMAND)
    }

    /// The same with shift.
    pub const fn command_shift(key: Key) -> Self {
        Self::with(key, Modifiers::COMMAND.plus(Modifiers::SHIFT))
    }

    const fn with(key: Key, modifiers: Modifiers) -> Self {
        Self {
            key,
            modifiers,
            anywhere: false,
        }
    }

    /// It works while somebody writes into a text field, too.
    pub const fn anywhere(mut self) -> Self {
        self.anywhere = true;
        self
    }

    /// Whether it was pressed in this frame, with these modifiers and no others; `writing` says whether a text field has the keyboard.
    pub fn is_pressed(&self, ui: &Ui, writing: bool) -> bool {
        // the modifiers of the event itself: in a slow frame they are released again when it is read
        let is_this = |event: &Event| {
            matches!(event, Event::Key { key, pressed: true, modifiers, .. }
                if *key == self.key && modifiers.matches_exact(self.modifiers))
        };
        (self.anywhere || !writing) && ui.input(|i| i.events.iter().any(is_this))
    }

    /// As the palette and the documents write it: `ctrl shift Z`.
    pub fn text(&self) -> String {
        let mut words = Vec::new();
        if self.modifiers.command {
            words.push("ctrl");
        }
        if self.modifiers.shift {
            words.push("shift");
        }
        words.push(match self.key {
            Key::Space => "space",
            Key::Home => "home",
            Key::ArrowLeft => "left",
            Key::ArrowRight => "right",
            Key::Period => ".",
            Key::Comma => ",",
            Key::Plus => "+",
            Key::Minus => "-",
            Key::OpenBracket => "[",
            Key::CloseBracket => "]",
            other => other.name(),
        });
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_as_in_the_documents() {
        for (shortcut, text) in [
            (Shortcut::of(Key::Space), "space"),
            (Shortcut::shift(Key::P), "shift P"),
            (Shortcut::command_shift(Key::Z), "ctrl shift Z"),
            (Shortcut::command(Key::K), "ctrl K"),
            (Shortcut::of(Key::Num1), "1"),
            (Shortcut::command(Key::Plus), "ctrl +"),
        ] {
            assert_eq!(shortcut.text(), text);
        }
    }
}
