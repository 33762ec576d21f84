//! How wide things will be, before they are shown.

use egui::{Color32, FontId, TextStyle, Ui, Vec2, vec2};

/// Size of a line of text, points.
pub fn text_size(ui: &Ui, text: &str, font: FontId) -> Vec2 {
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_string(), font, Color32::PLACEHOLDER);
    galley.size()
}

/// Width of a line of usual text, points.
pub fn label(ui: &Ui, text: &str) -> f32 {
    text_size(ui, text, TextStyle::Body.resolve(ui.style())).x
}

/// Size of a button with a text of `style`, points.
pub fn button_size(ui: &Ui, text: &str, style: TextStyle) -> Vec2 {
    let size = text_size(ui, text, style.resolve(ui.style())) + 2.0 * ui.spacing().button_padding;
    // a part of a point is more than the text needs, so that rounding cuts nothing
    vec2(
        size.x.ceil() + 1.0,
        size.y.max(ui.spacing().interact_size.y),
    )
}

/// Width of a button, points.
pub fn button(ui: &Ui, text: &str) -> f32 {
    button_size(ui, text, TextStyle::Button).x
}

/// Width of a menu of choices that is as wide for each of `texts`, points.
pub fn choices<'a>(ui: &Ui, texts: impl IntoIterator<Item = &'a str>) -> f32 {
    let widest = texts
        .into_iter()
        .map(|text| button(ui, text))
        .fold(0.0, f32::max);
    widest + ui.spacing().icon_spacing + ui.spacing().icon_width
}
