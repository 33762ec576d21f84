//! The vertex that was picked, in all panes: beside each other, to be compared.

use egui::{RichText, Ui};

use super::values::in_one_line;
use crate::panels::Context;
use crate::state::{VertexReading, shown, vertex_line};
use crate::style;

/// Shows it, where one is picked.
pub(super) fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    let Some(vertex) = cx.state.picked.vertex else {
        return;
    };
    let Some(line) = vertex_line(cx.snapshot, vertex) else {
        return;
    };
    ui.label(RichText::new("Picked on the skin").strong());
    let dark = ui.visuals().dark_mode;
    ui.horizontal(|ui| {
        ui.label(style::secondary(ui, line));
        if ui
            .small_button("Clear")
            .on_hover_text("removes the marker (escape)")
            .clicked()
        {
            cx.state.picked.vertex = None;
        }
    });
    for k in shown(cx.snapshot) {
        let Some(reading) = VertexReading::of(cx.snapshot, k, vertex, &cx.state.layer) else {
            continue;
        };
        let method = cx.snapshot.panes[k].method;
        ui.label(RichText::new(style::title(method)).color(style::accent(method, dark)));
        for line in reading.lines() {
            ui.label(line.replace(" mm", &in_one_line(" mm")));
        }
    }
    ui.separator();
}
