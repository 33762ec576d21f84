//! Quiet lines of the report.

use egui::{Label, Ui};

use crate::style;

/// A small line.
pub fn small(ui: &mut Ui, text: &str) {
    ui.add(Label::new(style::small(ui, text)).wrap());
}

/// A line that says why there is nothing else.
pub fn faint(ui: &mut Ui, text: &str) {
    ui.add(Label::new(style::secondary(ui, text)).wrap());
}
