//! Lines of the report in the secondary colour.

use egui::{Label, Ui};

use crate::style;

/// A small line.
pub fn small(ui: &mut Ui, text: &str) {
    ui.add(Label::new(style::small(ui, text)).wrap());
}

/// A line of usual size.
pub fn faint(ui: &mut Ui, text: &str) {
    ui.add(Label::new(style::secondary(ui, text)).wrap());
}
