//! Buttons that say what they do, or why they cannot be clicked now, and buttons that stay pressed.

use egui::{Button, Response, Ui};

/// Shows a button, disabled where there is a reason `refused`. Hovering shows `hint` or that reason.
pub fn show(ui: &mut Ui, button: Button<'_>, hint: &str, refused: Option<&str>) -> Response {
    ui.add_enabled(refused.is_none(), button)
        .on_hover_text(hint)
        .on_disabled_hover_text(refused.unwrap_or_default())
}

/// A button that stays pressed while `on`. It has a frame in both states, so that nobody takes it for a label.
pub fn toggle(on: bool, name: &str) -> Button<'_> {
    Button::selectable(on, name).frame_when_inactive(true)
}
