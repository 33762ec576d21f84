//! The mesh report, at the left: problems in the mesh file of the body, and their repairs. A click shows the place in all panes.

mod elements;
mod visit;
mod wording;

use egui::{Align, Button, Layout, RichText, ScrollArea, Ui};
use pliant_core::scene::MeshSource;
use pliant_render::numbers::grouped;
use pliant_simulation::setup::{MeshFindings, MeshProblem, RepairStep, Setup};

use self::visit::show_place;
use super::context::Context;
use crate::state::Marked;
use crate::style;

pub use visit::{fly, step};

/// Most repairs of a problem that are listed. The others are counted.
const MAX_LISTED_REPAIRS: usize = 3;

/// Shows the panel.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    ui.horizontal(|ui| {
        ui.heading("Mesh report");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.button("Close");
            if close
                .on_hover_text("closes the report and removes its mark (B)")
                .clicked()
            {
                cx.state.mesh_report.close();
            }
        });
    });
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let snapshot = cx.snapshot;
        let Some(setup) = &snapshot.setup else {
            ui.label(style::secondary(ui, "No scene is open."));
            return;
        };
        if setup.findings.is_empty() {
            ui.label(style::secondary(ui, nothing_found(setup)));
        }
        for (body, findings) in setup.findings.iter().enumerate() {
            let title = match setup.others.is_empty() {
                true => "In the file".to_string(),
                false => format!("In the file of {}", findings.body),
            };
            ui.label(RichText::new(title).strong());
            mesh_section(ui, body, findings, cx);
        }
        elements::show(ui, cx);
    });
}

/// Why there is nothing to report.
fn nothing_found(setup: &Setup) -> &'static str {
    let is_file = |kind: &Setup| matches!(kind.description.body.mesh, MeshSource::File { .. });
    match setup.kinds().any(is_file) {
        true => "Nothing was wrong with the mesh file, and nothing was changed.",
        false => "The body is generated: there is no mesh file to report on.",
    }
}

fn mesh_section(ui: &mut Ui, body: usize, findings: &MeshFindings, cx: &mut Context<'_>) {
    if findings.problems.is_empty() {
        ui.label(style::small(ui, "No problem was found."));
    }
    for (number, problem) in findings.problems.iter().enumerate() {
        ui.add_space(6.0);
        problem_section(ui, (body, number), problem, cx);
    }
    if !findings.other_repairs.is_empty() {
        ui.add_space(6.0);
        let are_kept = findings.other_repairs.iter().all(is_kept);
        let title = if are_kept { "Also found" } else { "Also done" };
        ui.label(RichText::new(title).strong());
        repairs(ui, &findings.other_repairs);
    }
    ui.add_space(10.0);
}

/// A problem, its repairs, and buttons that step through its places.
fn problem_section(
    ui: &mut Ui,
    numbers: (usize, usize),
    problem: &MeshProblem,
    cx: &mut Context<'_>,
) {
    let mark = cx.state.mesh_report.mark(cx.snapshot);
    let marked = mark.and_then(|mark| mark.what.place_in(numbers));
    let title = wording::title(problem.code);
    let mut text = RichText::new(format!("{title}: {}", grouped(problem.count)));
    if problem.severity != "note" {
        text = text.color(ui.visuals().warn_fg_color);
    }
    let hint = format!("{}: {}", problem.code, problem.hint);
    if problem.places.is_empty() {
        ui.label(text).on_hover_text(hint);
    } else {
        let line = Button::selectable(marked.is_some(), text);
        if ui.add(line).on_hover_text(hint).clicked() {
            let (problem, place) = (numbers, 0);
            show_place(Marked::Place { problem, place }, cx);
        }
    }
    ui.label(style::small(ui, &problem.message));
    repairs(ui, &problem.repairs);
    if let Some(place) = marked {
        ui.horizontal(|ui| {
            for (label, key, back) in [("Previous", "shift N", true), ("Next", "N", false)] {
                if ui.button(label).on_hover_text(key).clicked() {
                    step(back, cx);
                }
            }
            ui.label(format!("{} of {}", place + 1, problem.places.len()));
        });
    }
    if problem.further_places > 0 && !problem.places.is_empty() {
        let more = grouped(problem.further_places);
        let text = format!("and {more} more places, which are not shown");
        ui.label(style::small(ui, text));
    }
}

/// Whether a step only says what was left as it is.
fn is_kept(step: &RepairStep) -> bool {
    step.code.starts_with("Kept")
}

/// Lists repairs.
fn repairs(ui: &mut Ui, steps: &[RepairStep]) {
    for step in steps.iter().take(MAX_LISTED_REPAIRS) {
        if is_kept(step) {
            ui.label(style::small(ui, format!("Kept: {}", step.message)));
            continue;
        }
        let text = RichText::new(format!("Done: {}", step.message)).small();
        let color = style::good(ui.visuals().dark_mode);
        ui.label(text.color(color));
    }
    let rest = steps.get(MAX_LISTED_REPAIRS..).unwrap_or_default();
    if !rest.is_empty() {
        let count: usize = rest.iter().map(|step| step.count).sum();
        let text = format!("and {} more", grouped(count));
        ui.label(style::small(ui, text));
    }
}
