//! Menus that scroll where the window is too low for them.

use egui::{ScrollArea, TextWrapMode, Ui};

/// Height of a window that such a menu leaves, points.
const BESIDE: f32 = 80.0;
/// Smallest height of such a menu, points.
const MIN_HEIGHT: f32 = 80.0;

/// Shows the content of a menu, which scrolls where the window has no room for all of it.
pub fn scrolled(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let height = (ui.ctx().content_rect().height() - BESIDE).max(MIN_HEIGHT);
    ScrollArea::vertical()
        .max_height(height)
        .min_scrolled_height(height)
        .show(ui, |ui| {
            // a menu is as wide as its longest entry
            ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
            content(ui);
        });
}
