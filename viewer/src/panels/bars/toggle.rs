//! Buttons that stay pressed. They have a frame in both states, so that nobody takes one for a label.

use egui::{Button, Response, Ui};

/// The button itself.
pub fn button(on: bool, name: &str) -> Button<'_> {
    Button::selectable(on, name).frame_when_inactive(true)
}

/// Shows it; a click turns `on` around.
pub fn show(ui: &mut Ui, on: &mut bool, name: &str) -> Response {
    let mut response = ui.add(button(*on, name));
    if response.clicked() {
        *on = !*on;
        response.mark_changed();
    }
    response
}
