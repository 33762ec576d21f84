//! Opening a scene or a mesh: from the menu, or dropped on the window.

use std::ffi::OsString;
use std::path::Path;

use egui::{RichText, Ui};
use pliant_simulation::command::Command;
use pliant_simulation::scenes::ImportOptions;

use crate::panels::context::Context;
use crate::panels::scene_titles::bundled;
use crate::style;

/// The menu of bundled scenes, with a field for a path.
pub fn menu(ui: &mut Ui, cx: &mut Context<'_>) {
    let name = cx
        .snapshot
        .setup
        .as_ref()
        .map_or("Open", |s| s.description.name.as_str());
    let title = RichText::new(name.to_string()).text_style(egui::TextStyle::Heading);
    ui.menu_button(title, |ui| {
        ui.set_min_width(360.0);
        recent_files(ui, cx);
        ui.label(
            RichText::new("Bundled scenes")
                .small()
                .color(style::faint(ui.visuals().dark_mode)),
        );
        for (name, about) in bundled() {
            let chosen = cx
                .snapshot
                .setup
                .as_ref()
                .is_some_and(|s| s.description.name == name);
            if ui
                .selectable_label(chosen, name)
                .on_hover_text(about)
                .clicked()
            {
                open(cx, name);
                ui.close();
            }
            ui.label(
                RichText::new(about)
                    .small()
                    .color(style::faint(ui.visuals().dark_mode)),
            );
        }
        ui.separator();
        ui.label(
            RichText::new(
                "A scene (.toml) or a mesh (STL, OBJ, PLY, OFF); or drop one on the window",
            )
            .small()
            .color(style::faint(ui.visuals().dark_mode)),
        );
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut cx.state.path)
                .hint_text("path to a file")
                .desired_width(270.0);
            let entered =
                ui.add(field).lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            if (ui.button("Open").clicked() || entered) && !cx.state.path.trim().is_empty() {
                open(cx, cx.state.path.trim().to_string());
                ui.close();
            }
        });
    });
}

/// The files that were opened last.
fn recent_files(ui: &mut Ui, cx: &mut Context<'_>) {
    let files = cx.state.recent.files().to_vec();
    if files.is_empty() {
        return;
    }
    let faint = style::faint(ui.visuals().dark_mode);
    ui.label(RichText::new("Recent files").small().color(faint));
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if ui
            .selectable_label(false, name)
            .on_hover_text(file.to_string_lossy())
            .clicked()
        {
            open_recent(cx, file);
            ui.close();
        }
    }
    ui.separator();
}

/// Opens a file of the list; one that is gone leaves the list, which is told.
pub fn open_recent(cx: &mut Context<'_>, file: &Path) {
    if file.is_file() {
        open(cx, file.as_os_str());
        return;
    }
    cx.state.recent.forget(file);
    cx.state.gone = Some(format!(
        "{} is gone, and left the list of recent files",
        file.display()
    ));
}

/// Asks for a scene or mesh.
pub fn open(cx: &mut Context<'_>, source: impl Into<OsString>) {
    cx.state.dismissed = None;
    cx.state.gone = None;
    cx.commands.push(Command::Open {
        source: source.into(),
        import: ImportOptions::default(),
    });
}

/// Path of a dropped file, if it has one.
pub fn dropped_path(file: &egui::DroppedFileHandle) -> Option<String> {
    let path = file.path().to_string_lossy().into_owned();
    (!path.is_empty()).then_some(path)
}
