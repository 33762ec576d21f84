//! What is being opened, what could not be opened, and the hint while a file hovers.

use egui::{Align2, Color32, FontId, RichText, Ui};
use pliant_render::note::Note;
use pliant_simulation::scenes::BUNDLED;

use super::open::open;
use crate::panels::Context;
use crate::style;

/// Whether there is a line to show.
pub fn wanted(cx: &Context<'_>) -> bool {
    cx.snapshot.opening.is_some()
        || error(cx).is_some()
        || cx.state.gone.is_some()
        || warning(cx).is_some()
}

fn error<'a>(cx: &'a Context<'_>) -> Option<&'a String> {
    let error = cx.snapshot.open_error.as_ref();
    error.filter(|e| cx.state.dismissed.as_ref() != Some(*e))
}

/// What makes the results of the scene doubtful.
fn warning(cx: &Context<'_>) -> Option<String> {
    let setup = cx.snapshot.setup.as_ref()?;
    // bundled scenes show what methods do; their notes stand in the details
    if BUNDLED
        .iter()
        .any(|(name, _)| setup.origin.as_os_str() == *name)
    {
        return None;
    }
    let notes = &setup.notes;
    let doubtful = notes.iter().find(|note| note.starts_with("SkinTooCoarse"));
    let text = Note::read(doubtful?).sentence.replace("\n  ", "; ");
    (cx.state.dismissed.as_ref() != Some(&text)).then_some(text)
}

/// Shows the line.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    let dark = ui.visuals().dark_mode;
    if let Some(error) = error(cx).cloned() {
        ui.horizontal(|ui| {
            if ui.button("Dismiss").clicked() {
                cx.state.dismissed = Some(error.clone());
            }
            ui.add(egui::Label::new(RichText::new(error).color(style::alarm(dark))).wrap());
        });
    } else if let Some(source) = &cx.snapshot.opening {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(RichText::new(format!("opening {source}")).color(style::faint(dark)));
        });
    } else if let Some(gone) = cx.state.gone.clone() {
        ui.horizontal(|ui| {
            if ui.button("Dismiss").clicked() {
                cx.state.gone = None;
            }
            ui.add(egui::Label::new(RichText::new(gone).color(style::alarm(dark))).wrap());
        });
    } else if let Some(text) = warning(cx) {
        ui.horizontal(|ui| {
            if ui.button("Dismiss").clicked() {
                cx.state.dismissed = Some(text.clone());
            }
            ui.add(egui::Label::new(RichText::new(text).color(ui.visuals().warn_fg_color)).wrap());
        });
    }
}

/// Files that were dropped on the window, and a hint while some hover above it.
pub fn dropped(ui: &Ui, cx: &mut Context<'_>) {
    let (hovering, dropped) =
        ui.input(|i| (!i.raw.hovered_files.is_empty(), i.raw.dropped_files.clone()));
    if !dropped.is_empty() {
        cx.state.arrivals.receive(&dropped, ui.ctx());
    }
    match cx.state.arrivals.take() {
        Some(Ok(file)) => open(cx, file),
        Some(Err(reason)) => cx.state.gone = Some(reason),
        None => {}
    }
    if hovering {
        let painter = ui.ctx().layer_painter(egui::LayerId::new(
            egui::Order::Foreground,
            egui::Id::unique("drop"),
        ));
        let rect = ui.ctx().content_rect();
        painter.rect_filled(rect, 0.0, Color32::from_black_alpha(170));
        let place = rect.center();
        painter.text(
            place,
            Align2::CENTER_CENTER,
            "Drop a mesh or a scene to open it",
            FontId::proportional(28.0),
            Color32::WHITE,
        );
    }
}
