//! What is being opened, what could not be opened, what to do without a scene, and the hint while a file hovers.

use egui::text::LayoutJob;
use egui::{Align, Align2, Button, Color32, FontId, Rect, RichText, Ui};

use super::open::open;
use super::scene_warning::{SceneWarning, scene_warning};
use crate::panels::Context;
use crate::state::CutPreparation;
use crate::style;

/// What a scene without a blade says when it can be cut.
const PREPARED: &str = "The scene starts anew: its bodies are prepared for cutting now. Once a pane is ready, drag over it to cut. Opening the scene again gives the one without a blade.";

/// Whether there is a line to show.
pub fn is_shown(cx: &Context<'_>) -> bool {
    cx.snapshot.opening.is_some()
        || error(cx).is_some()
        || cx.state.missing_file.is_some()
        || cx.state.cut_preparation == CutPreparation::Started
        || warning(cx).is_some()
}

fn error<'a>(cx: &'a Context<'_>) -> Option<&'a String> {
    let error = cx.snapshot.open_error.as_ref();
    error.filter(|e| cx.state.dismissed.as_ref() != Some(*e))
}

/// The warning about the results of the scene, until it is dismissed.
fn warning(cx: &Context<'_>) -> Option<SceneWarning> {
    let setup = cx.snapshot.setup.as_ref()?;
    let warning = scene_warning(setup)?;
    (cx.state.dismissed_warning.as_ref() != Some(&warning.notes)).then_some(warning)
}

/// Whether the mesh report has something to show.
fn has_findings(cx: &Context<'_>) -> bool {
    let setup = cx.snapshot.setup.as_ref();
    setup.is_some_and(|setup| !setup.findings.is_empty())
}

/// An error as text for the window, without the word `remedy` before a suggestion.
fn plain(error: &str) -> String {
    error.replace("remedy: did you mean", "did you mean")
}

/// Shows a line with the button that dismisses it. Returns whether the button was clicked.
fn show_dismissible(ui: &mut Ui, text: RichText) -> bool {
    let line = ui.horizontal(|ui| {
        let button = ui.button("Dismiss");
        ui.add(egui::Label::new(text).wrap());
        button.clicked()
    });
    line.inner
}

/// Shows the line.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    let alarm = style::alarm(ui.visuals().dark_mode);
    if let Some(error) = error(cx).cloned() {
        if show_dismissible(ui, RichText::new(plain(&error)).color(alarm)) {
            cx.state.dismissed = Some(error);
        }
    } else if let Some(source) = &cx.snapshot.opening {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(style::secondary(ui, format!("opening {source}")));
        });
    } else if let Some(missing_file) = cx.state.missing_file.clone() {
        if show_dismissible(ui, RichText::new(missing_file).color(alarm)) {
            cx.state.missing_file = None;
        }
    } else if cx.state.cut_preparation == CutPreparation::Started {
        let text = style::secondary(ui, PREPARED);
        if show_dismissible(ui, text) {
            cx.state.cut_preparation = CutPreparation::None;
        }
    } else if let Some(warning) = warning(cx) {
        ui.horizontal(|ui| {
            if ui.button("Dismiss").clicked() {
                cx.state.dismissed_warning = Some(warning.notes.clone());
            }
            let to_details = ui.add_enabled(!cx.state.details, Button::new("Show in Details"));
            if to_details
                .on_hover_text("all notes on the scene, at the top of Details (D)")
                .clicked()
            {
                cx.state.details = true;
            }
            if has_findings(cx) {
                let report = Button::new("Show in the mesh");
                let report = ui.add_enabled(!cx.state.mesh_report.open, report);
                let hint = "the problems of the mesh file, place by place (B)";
                if report.on_hover_text(hint).clicked() {
                    cx.state.mesh_report.open = true;
                }
            }
            let text = RichText::new(&warning.line).color(ui.visuals().warn_fg_color);
            ui.add(egui::Label::new(text).wrap())
                .on_hover_text(&warning.notes);
        });
    }
}

/// Files that were dropped on the window, and a hint while some hover above it.
pub fn dropped(ui: &Ui, cx: &mut Context<'_>) {
    let (hovering, dropped) =
        ui.input(|i| (!i.raw.hovered_files.is_empty(), i.raw.dropped_files.clone()));
    if !dropped.is_empty() {
        cx.state.incoming_files.add_dropped(&dropped, ui.ctx());
    }
    match cx.state.incoming_files.take() {
        Some(Ok(file)) => open(cx, file),
        Some(Err(reason)) => cx.state.missing_file = Some(reason),
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

/// Says in the middle of `rect` what is being opened or what to do, while no scene is there.
pub fn without_scene(ui: &Ui, rect: Rect, cx: &Context<'_>) {
    let Some(text) = text_without_scene(cx) else {
        return;
    };
    let (font, faint) = (
        FontId::proportional(16.0),
        style::faint(ui.visuals().dark_mode),
    );
    let painter = ui.painter().with_clip_rect(rect);
    let mut job = LayoutJob::simple(text, font, faint, (rect.width() - 24.0).max(0.0));
    job.halign = Align::Center;
    let galley = painter.layout_job(job);
    // the middle of its lines, not their left end
    let place = rect.center() - egui::vec2(0.0, 0.5 * galley.size().y);
    painter.galley(place, galley, faint);
}

/// What stands in the place of panes; `None` where there is a scene.
fn text_without_scene(cx: &Context<'_>) -> Option<String> {
    let snapshot = cx.snapshot;
    if snapshot.setup.is_some() {
        return None;
    }
    let hint = "No scene is open.\nDrop a mesh or a scene here, or choose one with Open.";
    Some(match &snapshot.opening {
        // the line above has the whole path
        Some(source) => {
            let name = source.rsplit(['/', '\\']).next().unwrap_or(source);
            format!("Opening {name} …")
        }
        None => hint.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use pliant_simulation::snapshot::WorldSnapshot;

    use super::*;
    use crate::state::UiState;
    use crate::testing::with_context;

    #[test]
    fn an_empty_window_says_what_is_opened_or_what_to_do_and_a_scene_says_nothing() {
        let mut state = UiState::default();
        let mut text =
            |snapshot: &WorldSnapshot| with_context(snapshot, &mut state, text_without_scene);
        let mut snapshot = WorldSnapshot::default();
        let hint = text(&snapshot).expect("a hint");
        assert!(hint.starts_with("No scene is open."), "{hint}");
        for (source, expected) in [
            ("welcome", "Opening welcome …"),
            ("/home/me/bath tub.obj", "Opening bath tub.obj …"),
            ("C:\\meshes\\tub.obj", "Opening tub.obj …"),
        ] {
            snapshot.opening = Some(source.into());
            assert_eq!(text(&snapshot).as_deref(), Some(expected));
        }
        assert_eq!(text(&crate::testing::snapshot()), None);
    }
}
