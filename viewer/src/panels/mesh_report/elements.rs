//! Shapes of the tetrahedra of each method that keeps some.

use egui::{Button, RichText, Ui};
use pliant_render::numbers::{grouped, number};

use super::visit::show_place;
use crate::panels::context::Context;
use crate::state::{Marked, shown};
use crate::style;

/// A line for each method with tetrahedra, and a button that shows the worst of them.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    let snapshot = cx.snapshot;
    for k in shown(snapshot) {
        let pane = &snapshot.panes[k];
        let Some(shapes) = &pane.element_shapes else {
            continue;
        };
        let dark = ui.visuals().dark_mode;
        let title = format!("Tetrahedra of {}", style::title(pane.method));
        let color = style::accent(pane.method, dark);
        ui.label(RichText::new(title).strong().color(color));
        let (low, high) = shapes.dihedral_range;
        let (low, high) = (number(low, 3), number(high, 3));
        let count = grouped(shapes.count);
        let text =
            format!("{count} on the finest level, with dihedral angles of {low}° to {high}°");
        ui.label(style::small(ui, text));
        let what = Marked::WorstElement(pane.method);
        let mark = cx.state.mesh_report.mark(snapshot);
        let is_marked = mark.is_some_and(|mark| mark.what == what);
        let button = ui.add(Button::selectable(is_marked, "Show the smallest angle"));
        let hint =
            "the tetrahedron that has it, at rest: flat ones make steps small and elements stiff";
        if button.on_hover_text(hint).clicked() {
            show_place(what, cx);
        }
        ui.add_space(6.0);
    }
}
