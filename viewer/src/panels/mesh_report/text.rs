//! Quiet lines of the report.

use egui::{Label, RichText, Ui};

use crate::style;

/// A small line.
pub fn small(ui: &mut Ui, text: &str) {
    let color = style::faint(ui.visuals().dark_mode);
    ui.add(Label::new(RichText::new(text).small().color(color)).wrap());
}

/// A line that says why there is nothing else.
pub fn faint(ui: &mut Ui, text: &str) {
    let color = style::faint(ui.visuals().dark_mode);
    ui.add(Label::new(RichText::new(text).color(color)).wrap());
}
