//! Opening a scene or a mesh: from the menu, or dropped on the window.

use std::ffi::OsString;

use egui::{RichText, Ui};
use pliant_simulation::command::Command;
use pliant_simulation::scenes::{BUNDLED, ImportOptions, load};

use crate::panels::Context;
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
        ui.label(
            RichText::new("Bundled scenes")
                .small()
                .color(style::faint(ui.visuals().dark_mode)),
        );
        for (name, _) in BUNDLED {
            let about = load(name, &ImportOptions::default())
                .map_or(String::new(), |s| s.description.title);
            let chosen = cx
                .snapshot
                .setup
                .as_ref()
                .is_some_and(|s| s.description.name == *name);
            if ui
                .selectable_label(chosen, *name)
                .on_hover_text(&about)
                .clicked()
            {
                open(cx, (*name).to_string());
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

/// Asks for a scene or mesh.
pub fn open(cx: &mut Context<'_>, source: impl Into<OsString>) {
    cx.state.dismissed = None;
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
