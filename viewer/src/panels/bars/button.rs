//! Buttons that say what they do, or why they cannot be clicked now.

use egui::{Button, Ui};

/// Shows a button, disabled where there is a reason `refused`. Hovering shows `hint` or that reason. Returns whether it was clicked.
pub fn show(ui: &mut Ui, button: Button<'_>, hint: &str, refused: Option<&str>) -> bool {
    ui.add_enabled(refused.is_none(), button)
        .on_hover_text(hint)
        .on_disabled_hover_text(refused.unwrap_or_default())
        .clicked()
}
