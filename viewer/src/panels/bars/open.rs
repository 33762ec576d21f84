//! Opening a scene or a mesh: from the menu, or dropped on the window.

use std::ffi::OsString;
use std::path::Path;

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, Button, Layout, PopupCloseBehavior, RichText, Ui, Vec2};
use pliant_simulation::command::Command;
use pliant_simulation::scenes::ImportOptions;

use super::scene_cards;
use crate::panels::context::Context;
use crate::style;

/// Width of the list, points.
const LIST_WIDTH: f32 = 1060.0;

/// Height of what stands above and below the list of bundled scenes, points.
const HEIGHT_BESIDE_LIST: f32 = 130.0;

/// A menu with fields, which stays open when it is clicked.
pub fn stays_open() -> MenuConfig {
    MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside)
}

/// The name of the scene, or what to do without one.
pub fn scene_name(cx: &Context<'_>) -> String {
    let setup = cx.snapshot.setup.as_ref();
    setup
        .map_or("Open", |s| s.description.name.as_str())
        .to_string()
}

/// The menu of bundled scenes, with a field for a path, behind the name of the present one. A name that is longer than `room` (points) is cut;
/// hovering shows all of it.
pub fn menu(ui: &mut Ui, cx: &mut Context<'_>, name: &str, room: Vec2) {
    let title = RichText::new(name).text_style(egui::TextStyle::Heading);
    let button = Button::new(title).truncate();
    let menu = MenuButton::from_button(button).config(stays_open());
    let row = Layout::left_to_right(Align::Center);
    let shown = ui.allocate_ui_with_layout(room, row, |ui| menu.ui(ui, |ui| content(ui, cx)));
    let (button, _) = shown.inner;
    button.on_hover_text(format!("{name}: scenes and files"));
}

/// The content of the menu.
fn content(ui: &mut Ui, cx: &mut Context<'_>) {
    let screen = ui.ctx().content_rect().size();
    ui.set_width(LIST_WIDTH.min(screen.x - 60.0));
    egui::ScrollArea::vertical()
        .max_height((screen.y - HEIGHT_BESIDE_LIST).max(120.0))
        .min_scrolled_height((screen.y - HEIGHT_BESIDE_LIST).max(120.0))
        .show(ui, |ui| {
            recent_files(ui, cx);
            bundled_scenes(ui, cx);
        });
    ui.separator();
    let kinds = "A scene (.toml) or a mesh (OBJ, STL, PLY, OFF, glTF and the formats of simulations); or drop one on the window";
    ui.label(style::small(ui, kinds));
    file(ui, cx);
}

/// A file of the computer: a browser shows a dialogue of its own.
#[cfg(target_family = "wasm")]
fn file(ui: &mut Ui, cx: &mut Context<'_>) {
    if ui.button("Choose a file…").clicked() {
        cx.state.incoming_files.choose(ui.ctx());
        ui.close();
    }
}

/// A file of the computer, by its path.
#[cfg(not(target_family = "wasm"))]
fn file(ui: &mut Ui, cx: &mut Context<'_>) {
    ui.horizontal(|ui| {
        let field = egui::TextEdit::singleline(&mut cx.state.path)
            .hint_text("path to a file")
            .desired_width(270.0);
        let entered = ui.add(field).lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        if (ui.button("Open").clicked() || entered) && !cx.state.path.trim().is_empty() {
            open(cx, cx.state.path.trim().to_string());
            ui.close();
        }
    });
}

/// The bundled scenes.
fn bundled_scenes(ui: &mut Ui, cx: &mut Context<'_>) {
    ui.label(style::small(ui, "Bundled scenes"));
    let setup = cx.snapshot.setup.as_ref();
    let present = setup.map(|s| s.description.name.clone());
    if let Some(name) = scene_cards::show(ui, present.as_deref()) {
        open(cx, name);
        ui.close();
    }
}

/// The files that were opened last.
fn recent_files(ui: &mut Ui, cx: &mut Context<'_>) {
    let files = cx.state.recent.files().to_vec();
    if files.is_empty() {
        return;
    }
    ui.label(style::small(ui, "Recent files"));
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

/// Opens a file of the list. A missing file is removed from the list, with a notice.
pub fn open_recent(cx: &mut Context<'_>, file: &Path) {
    if file.is_file() {
        open(cx, file.as_os_str());
        return;
    }
    cx.state.recent.forget(file);
    cx.state.missing_file = Some(format!(
        "{} no longer exists and was removed from the list of recent files",
        file.display()
    ));
}

/// Asks for a scene or mesh.
pub fn open(cx: &mut Context<'_>, source: impl Into<OsString>) {
    cx.state.dismissed = None;
    cx.state.dismissed_warning = None;
    cx.state.missing_file = None;
    cx.commands.push(Command::Open {
        source: source.into(),
        import: ImportOptions::default(),
    });
}
