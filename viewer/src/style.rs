//! Colours, fonts and spacing of the window: greys, and one accent colour for each method.

use egui::{Color32, FontFamily, FontId, RichText, Stroke, TextStyle, Theme, Ui};
use pliant_core::scene::Method;
use pliant_render::color::{decode_srgb, method_color};
use pliant_render::picture::Backdrop;

/// Space between panes, points.
pub const GAP: f32 = 2.0;
/// Height of the strip above a pane's picture, points.
pub const HEADER_HEIGHT: f32 = 62.0;
/// Its height above a low picture, points.
pub const LOW_HEADER_HEIGHT: f32 = 42.0;

/// Background of the panels.
const DARK_PANEL: Color32 = Color32::from_rgb(25, 28, 33);
const LIGHT_PANEL: Color32 = Color32::from_rgb(246, 247, 249);

/// Sets fonts and spacing once, for both themes.
pub fn install(ctx: &egui::Context) {
    let mut fonts = egui::FontDefinitions::default();
    if let Some(proportional) = fonts.families.get_mut(&FontFamily::Proportional) {
        // the only one of egui's fonts with a raised minus
        proportional.push("Hack".to_owned());
    }
    ctx.set_fonts(fonts);
    ctx.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Heading, 17.0, FontFamily::Proportional),
            (TextStyle::Body, 13.5, FontFamily::Proportional),
            (TextStyle::Button, 13.5, FontFamily::Proportional),
            (TextStyle::Small, 11.5, FontFamily::Proportional),
            (TextStyle::Monospace, 12.5, FontFamily::Monospace),
        ]
        .map(|(text, size, family)| (text, FontId::new(size, family)))
        .into();
        style.spacing.item_spacing = egui::vec2(8.0, 5.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.interaction.selectable_labels = false;
    });
    let mut dark = egui::Visuals::dark();
    dark.panel_fill = DARK_PANEL;
    dark.error_fg_color = alarm(true);
    dark.window_fill = Color32::from_rgb(31, 34, 40);
    dark.extreme_bg_color = Color32::from_rgb(19, 21, 25);
    dark.window_stroke = Stroke::new(1.0, Color32::from_rgb(52, 57, 65));
    dark.widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(45, 49, 56));
    dark.widgets.noninteractive.fg_stroke = Stroke::new(1.0, Color32::from_rgb(205, 210, 217));
    dark.widgets.inactive.weak_bg_fill = Color32::from_rgb(43, 47, 54);
    dark.widgets.inactive.bg_fill = Color32::from_rgb(52, 57, 65);
    dark.widgets.inactive.fg_stroke = Stroke::new(1.0, Color32::from_rgb(215, 220, 227));
    ctx.set_visuals_of(Theme::Dark, dark);
    let mut light = egui::Visuals::light();
    light.panel_fill = LIGHT_PANEL;
    light.warn_fg_color = Color32::from_rgb(142, 80, 0);
    light.error_fg_color = alarm(false);
    light.widgets.noninteractive.fg_stroke = Stroke::new(1.0, Color32::from_rgb(45, 50, 58));
    ctx.set_visuals_of(Theme::Light, light);
}

/// The backdrop behind the bodies.
pub fn backdrop(dark: bool) -> Backdrop {
    if dark {
        Backdrop::DARK
    } else {
        Backdrop::LIGHT
    }
}

/// The first colour in the dark theme, the second in the light one.
fn themed(dark: bool, on_dark: [u8; 3], on_light: [u8; 3]) -> Color32 {
    let [r, g, b] = if dark { on_dark } else { on_light };
    Color32::from_rgb(r, g, b)
}

/// An opaque colour from one in sRGB, 0 to 1.
pub fn opaque(color: [f32; 3]) -> Color32 {
    let [r, g, b] = color.map(|c| (c * 255.0).round() as u8);
    Color32::from_rgb(r, g, b)
}

/// Background of text in front of pictures and curves, with its opacity in the dark and in the light theme, 0 to 255.
pub fn plate(dark: bool, [on_dark, on_light]: [u8; 2]) -> Color32 {
    match dark {
        true => Color32::from_rgba_unmultiplied(22, 25, 30, on_dark),
        false => Color32::from_rgba_unmultiplied(255, 255, 255, on_light),
    }
}

/// Colour of secondary text.
pub fn faint(dark: bool) -> Color32 {
    themed(dark, [148, 156, 167], [98, 106, 117])
}

/// Text in the secondary colour.
pub fn secondary(ui: &Ui, text: impl Into<String>) -> RichText {
    RichText::new(text).color(faint(ui.visuals().dark_mode))
}

/// Small text in the secondary colour.
pub fn small(ui: &Ui, text: impl Into<String>) -> RichText {
    secondary(ui, text).small()
}

/// Colour of important text.
pub fn strong(dark: bool) -> Color32 {
    themed(dark, [238, 241, 245], [22, 26, 32])
}

/// Text of something that went well.
pub fn good(dark: bool) -> Color32 {
    themed(dark, [99, 211, 166], [17, 115, 79])
}

/// Text of something that went wrong.
pub fn alarm(dark: bool) -> Color32 {
    themed(dark, [240, 138, 122], [178, 46, 30])
}

/// Smallest contrast of text with its background (WCAG 2.2, success criterion 1.4.3).
const MIN_CONTRAST: f32 = 4.5;

/// A method's colour for text, marks and curves: lightened in the dark theme, in the light one darkened until text is readable.
pub fn accent(method: Method, dark: bool) -> Color32 {
    let color = method_color(method.name());
    if dark {
        return opaque(color.map(|c| c + (1.0 - c) * 0.28));
    }
    let darkened = (0..=50).map(|step| opaque(color.map(|c| c * (1.0 - 0.02 * step as f32))));
    let mut readable = darkened.filter(|c| contrast(*c, LIGHT_PANEL) >= MIN_CONTRAST);
    readable.next().unwrap_or(Color32::BLACK)
}

/// Contrast of two opaque colours, 1 to 21 (WCAG 2.2).
fn contrast(a: Color32, b: Color32) -> f32 {
    let [a, b] = [a, b].map(|color| {
        let [r, g, b] = [color.r(), color.g(), color.b()].map(|c| f32::from(c) / 255.0);
        let [r, g, b] = decode_srgb([r, g, b]);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    });
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Name of a method above its pane.
pub fn title(method: Method) -> &'static str {
    match method {
        Method::Adaptive => "Adaptive",
        Method::Quasistatic => "Quasistatic",
        Method::Lattice => "Lattice",
    }
}

/// A method in a few words.
pub fn subtitle(method: Method) -> &'static str {
    match method {
        Method::Adaptive => "explicit finite elements, refined where it bends",
        Method::Quasistatic => "precomputed Green's functions, exact contact",
        Method::Lattice => "shape matching on a lattice of cells",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_every_colour_can_be_read_on_the_panels_of_both_themes() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 0.01);
        let ctx = egui::Context::default();
        install(&ctx);
        for (theme, ground) in [(Theme::Dark, DARK_PANEL), (Theme::Light, LIGHT_PANEL)] {
            let dark = theme == Theme::Dark;
            let visuals = ctx.style_of(theme).visuals.clone();
            assert_eq!(visuals.panel_fill, ground);
            let of_methods = Method::ALL.map(|method| accent(method, dark));
            let others = [
                faint(dark),
                strong(dark),
                good(dark),
                alarm(dark),
                visuals.warn_fg_color,
                visuals.error_fg_color,
            ];
            for color in of_methods.into_iter().chain(others) {
                let found = contrast(color, ground);
                assert!(found >= MIN_CONTRAST, "{theme:?} {color:?}: {found}");
            }
        }
    }
}
