//! A command of the window.

use egui::{Button, Ui};

use super::shortcut::Shortcut;
use crate::panels::bars::button;
use crate::panels::context::Context;

/// Something that the window does when it is asked to.
pub struct WindowCommand {
    /// Its name: what it does.
    pub name: &'static str,
    /// More of it, in a few words; may be empty.
    pub about: &'static str,
    /// The keys that run it; none where the palette alone does.
    pub keys: &'static [Shortcut],
    /// Why it cannot be run now; `None` where it can.
    pub refused: fn(&Context<'_>) -> Option<&'static str>,
    /// Does it.
    pub run: fn(&egui::Context, &mut Context<'_>),
}

impl WindowCommand {
    /// Its keys, as text.
    pub fn keys_text(&self) -> String {
        let keys: Vec<String> = self.keys.iter().map(Shortcut::text).collect();
        keys.join(" or ")
    }

    /// Shows a button that runs it, with `hint` on hovering. Returns whether it was clicked.
    pub fn button(
        &self,
        ui: &mut Ui,
        cx: &mut Context<'_>,
        button: Button<'_>,
        hint: &str,
    ) -> bool {
        let is_clicked = button::show(ui, button, hint, (self.refused)(cx));
        if is_clicked {
            (self.run)(ui.ctx(), cx);
        }
        is_clicked
    }
}

/// The `refused` of commands that need a scene.
pub fn needs_scene(cx: &Context<'_>) -> Option<&'static str> {
    cx.snapshot.setup.is_none().then_some("no scene is open")
}

/// The `refused` of commands that can always be run.
pub(super) fn always_allowed(_: &Context<'_>) -> Option<&'static str> {
    None
}
