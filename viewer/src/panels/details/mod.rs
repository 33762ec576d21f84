//! The material of all methods, and parameters, figures and notes of each, generated from what the models say of themselves.

mod figures;
mod material;
mod parameters;
mod picked;
mod refused;
mod skin;
mod values;
mod wording;

use egui::{Button, RichText, Ui};
use pliant_core::scene::Method;
use pliant_render::note::Note;
use pliant_simulation::snapshot::{PaneSnapshot, PaneState};

use self::wording::Group;
use super::commands::{REDO, UNDO};
use super::context::Context;
use crate::state::shown;
use crate::style;

/// Height of an open list of notes, points: notes come and go while a method runs, and nothing below them may jump.
const NOTES_HEIGHT: f32 = 104.0;

/// Shows all methods, one below the other.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    cx.state.defaults.record(cx.snapshot);
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            undo_buttons(ui, cx);
            picked::show(ui, cx);
            scene_notes(ui, cx);
            material::show(ui, cx);
            for k in shown(cx.snapshot) {
                method(ui, k, cx);
            }
            skin::show(ui, cx);
            ui.separator();
            help(ui);
        });
}

/// What was changed or is doubtful in the scene: before everything that follows from it.
fn scene_notes(ui: &mut Ui, cx: &Context<'_>) {
    let setup = cx.snapshot.setup.as_ref();
    if let Some(setup) = setup.filter(|setup| !setup.notes.is_empty()) {
        egui::CollapsingHeader::new(RichText::new("The scene").strong())
            .default_open(true)
            .show(ui, |ui| notes_list(ui, setup.note_texts()));
    }
}

/// Takes changes back, and makes them again.
fn undo_buttons(ui: &mut Ui, cx: &mut Context<'_>) {
    ui.horizontal(|ui| {
        UNDO.button(ui, cx, Button::new("Undo"));
        REDO.button(ui, cx, Button::new("Redo"));
    });
}

fn method(ui: &mut Ui, k: usize, cx: &mut Context<'_>) {
    let snapshot = cx.snapshot;
    let pane = &snapshot.panes[k];
    let dark = ui.visuals().dark_mode;
    let title = RichText::new(style::title(pane.method))
        .strong()
        .color(style::accent(pane.method, dark));
    egui::CollapsingHeader::new(title)
        .id_salt(pane.method.name())
        .default_open(true)
        .show(ui, |ui| {
            ui.label(style::small(ui, style::subtitle(pane.method)));
            grid(ui, k, &Group::SEEN, cx);
            figures::points(ui, pane);
            if pane.method == Method::Quasistatic {
                figures::force_feedback(ui, snapshot);
            }
            notes(ui, pane);
            let is_empty = figures::of(pane, Group::Internals, snapshot).is_empty();
            if !is_empty || parameters::any(pane, Group::Internals) {
                egui::CollapsingHeader::new(RichText::new(Group::Internals.title()).small())
                    .id_salt((pane.method.name(), "internals"))
                    .show(ui, |ui| grid(ui, k, &[Group::Internals], cx));
            }
        });
}

/// Parameters and figures of some groups, in columns that all of them share. A group that stands alone has no heading.
fn grid(ui: &mut Ui, k: usize, groups: &[Group], cx: &mut Context<'_>) {
    let snapshot = cx.snapshot;
    let pane = &snapshot.panes[k];
    egui::Grid::new((groups.len(), pane.method.name()))
        .num_columns(3)
        .spacing([10.0, 4.0])
        .min_col_width(40.0)
        // long names and values have several lines: the panel keeps its width, and nothing is cut
        .max_col_width(0.5 * (ui.available_width() - 10.0))
        .show(ui, |ui| {
            for &group in groups {
                let figures = figures::of(pane, group, snapshot);
                if figures.is_empty() && !parameters::any(pane, group) {
                    continue;
                }
                if groups.len() > 1 {
                    ui.label(RichText::new(group.title()).small().strong());
                    ui.end_row();
                }
                parameters::rows(ui, k, group, cx);
                figures::rows(ui, &figures);
            }
        });
}

/// What was approximated or could not be honoured, behind a fold that says how much there is. A method that runs always has the fold.
fn notes(ui: &mut Ui, pane: &PaneSnapshot) {
    let notes = &pane.stats.notes;
    if notes.is_empty() && pane.state != PaneState::Ready {
        return;
    }
    let title = RichText::new(format!("Notes ({})", notes.len())).small();
    egui::CollapsingHeader::new(title)
        .id_salt((pane.method.name(), "notes"))
        .show(ui, |ui| {
            egui::ScrollArea::vertical()
                .id_salt((pane.method.name(), "list of notes"))
                .auto_shrink(false)
                .max_height(NOTES_HEIGHT)
                .min_scrolled_height(NOTES_HEIGHT)
                .show(ui, |ui| notes_list(ui, notes.iter().map(String::as_str)));
        });
}

fn notes_list<'n>(ui: &mut Ui, notes: impl Iterator<Item = &'n str>) {
    for note in notes {
        let note = Note::read(note);
        let text = style::small(ui, format!("• {}", note.sentence));
        let label = ui.label(text);
        let about = note.about();
        if !about.is_empty() {
            label.on_hover_text(about);
        }
    }
}

fn help(ui: &mut Ui) {
    for line in [
        "left drag on the skin: grab (ctrl: poke)",
        "ctrl right drag on the skin: pull with a force",
        "click on the skin, or I: pick a vertex; escape: none",
        "left drag beside it, right drag: orbit",
        "middle drag, shift drag: pan; wheel: zoom; double click: fit",
        "ctrl K: all commands and their keys",
    ] {
        ui.label(style::small(ui, line));
    }
}
