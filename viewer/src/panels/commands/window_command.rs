//! A command of the window.

use egui::{Button, Response, Ui};

use super::shortcut::Shortcut;
use crate::panels::bars::button;
use crate::panels::context::Context;

/// Most keys of a command.
const MAX_KEYS: usize = 3;

/// Something that the window does when it is asked to.
pub struct WindowCommand {
    /// Its name: what it does.
    pub name: &'static str,
    /// More of it, which the palette shows, and a button on hovering.
    pub about: &'static str,
    /// Why it cannot be run now; `None` where it can.
    pub refused: fn(&Context<'_>) -> Option<&'static str>,
    /// Does it.
    pub run: fn(&egui::Context, &mut Context<'_>),
    keys: [Option<Shortcut>; MAX_KEYS],
}

impl WindowCommand {
    /// A command without keys, which can always be run and does nothing yet.
    pub(super) const fn new(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            refused: always_allowed,
            run: nothing,
            keys: [None; MAX_KEYS],
        }
    }

    /// With one more key that runs it.
    pub(super) const fn key(mut self, key: Shortcut) -> Self {
        let mut k = 0;
        while self.keys[k].is_some() {
            k += 1;
        }
        self.keys[k] = Some(key);
        self
    }

    /// With a reason for which it cannot be run.
    pub(super) const fn unless(self, refused: fn(&Context<'_>) -> Option<&'static str>) -> Self {
        Self { refused, ..self }
    }

    /// With what it does.
    pub(super) const fn runs(self, run: fn(&egui::Context, &mut Context<'_>)) -> Self {
        Self { run, ..self }
    }

    /// The keys that run it; none where the palette alone does.
    pub fn keys(&self) -> impl Iterator<Item = &Shortcut> {
        self.keys.iter().flatten()
    }

    /// Its keys, as text.
    pub fn keys_text(&self) -> String {
        let keys: Vec<String> = self.keys().map(Shortcut::text).collect();
        keys.join(" or ")
    }

    /// Shows a button that runs it. Hovering shows what it does, and its keys.
    pub fn button(&self, ui: &mut Ui, cx: &mut Context<'_>, button: Button<'_>) -> Response {
        let hint = match self.keys_text() {
            keys if keys.is_empty() => self.about.to_string(),
            keys => format!("{} ({keys})", self.about),
        };
        let response = button::show(ui, button, &hint, (self.refused)(cx));
        if response.clicked() {
            (self.run)(ui.ctx(), cx);
        }
        response
    }
}

/// For commands that need a scene.
pub fn without_scene(cx: &Context<'_>) -> Option<&'static str> {
    cx.snapshot.setup.is_none().then_some("no scene is open")
}

fn always_allowed(_: &Context<'_>) -> Option<&'static str> {
    None
}

fn nothing(_: &egui::Context, _: &mut Context<'_>) {}
