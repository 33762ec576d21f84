//! Commands of what is seen: the camera, panes, layers and panels.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::WindowCommand;
use crate::input::camera::preset;
use crate::panels::context::Context;
use crate::state::{Layer, Range, next_shown, settings};

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    FIT,
    WindowCommand::new("View from the front", "camera")
        .key(Shortcut::of(Key::Num1))
        .runs(|_, cx| from_side(cx, 0)),
    WindowCommand::new("View from the side", "camera")
        .key(Shortcut::of(Key::Num2))
        .runs(|_, cx| from_side(cx, 1)),
    WindowCommand::new("View from above", "camera")
        .key(Shortcut::of(Key::Num3))
        .runs(|_, cx| from_side(cx, 2)),
    EDGES,
    WindowCommand::new(
        "Ambient occlusion",
        "hollows of the skin are darker, or not",
    )
    .runs(|_, cx| switch_occlusion(cx)),
    WindowCommand::new("One method alone, or all", "panes")
        .key(Shortcut::of(Key::M))
        .runs(|_, cx| {
            cx.state.maximised = match cx.state.maximised {
                Some(_) => None,
                None => next_shown(cx.snapshot, None),
            };
        }),
    WindowCommand::new(
        "The next method in the same place",
        "with the same camera, so that differences flicker",
    )
    .key(Shortcut::of(Key::X))
    .runs(|_, cx| cx.state.maximised = next_shown(cx.snapshot, cx.state.maximised)),
    WindowCommand::new(
        "Overlay of the next method",
        "its skin as a wireframe over those of the others; after the last one, none",
    )
    .key(Shortcut::of(Key::O))
    .runs(|_, cx| {
        let next = next_shown(cx.snapshot, cx.state.overlay);
        let is_over = cx.state.overlay.is_some() && next == next_shown(cx.snapshot, None);
        cx.state.overlay = next.filter(|_| !is_over);
    }),
    DETAILS,
    ADVICE,
    THEME,
    zoom("Zoom in", "all letters and buttons larger", Key::Plus)
        .runs(|ctx, _| egui::gui_zoom::zoom_in(ctx)),
    zoom("Zoom out", "all letters and buttons smaller", Key::Minus)
        .runs(|ctx, _| egui::gui_zoom::zoom_out(ctx)),
    zoom(
        "Usual zoom",
        "all letters and buttons in their own size",
        Key::Num0,
    )
    .runs(|ctx, _| ctx.set_zoom_factor(1.0)),
];

/// Opens or closes the palette, which explains all others.
pub const HELP: WindowCommand =
    WindowCommand::new("Commands and keys", "all commands and their keys")
        .key(Shortcut::command(Key::K).anywhere())
        .key(Shortcut::command_shift(Key::P).anywhere())
        .key(Shortcut::of(Key::F1).anywhere())
        .runs(|_, cx| cx.state.palette.toggle());

/// Aims the camera at the body.
pub const FIT: WindowCommand = WindowCommand::new(
    "Fit",
    "the whole body from this side; 1, 2, 3: front, side, above",
)
.key(Shortcut::of(Key::F))
.runs(|_, cx| fit(cx));

/// Shows or hides the edges.
pub const EDGES: WindowCommand =
    WindowCommand::new("Edges", "draws the edges of the triangles, or not")
        .key(Shortcut::of(Key::W))
        .runs(|_, cx| cx.state.wireframe = !cx.state.wireframe);

/// Opens or closes the details.
pub const DETAILS: WindowCommand =
    WindowCommand::new("Details", "parameters, figures and notes at the right")
        .key(Shortcut::of(Key::D))
        .runs(|_, cx| cx.state.details = !cx.state.details);

/// Opens or closes the panel of advice.
pub const ADVICE: WindowCommand =
    WindowCommand::new("Advice", "which method and which settings suit this scene")
        .key(Shortcut::of(Key::A))
        .runs(|_, cx| cx.state.advice.open = !cx.state.advice.open);

/// Changes the theme, also for the next window.
pub const THEME: WindowCommand =
    WindowCommand::new("Light or dark", "light or dark theme of the window").runs(|ctx, cx| {
        let theme = match ctx.theme() {
            egui::Theme::Dark => egui::Theme::Light,
            egui::Theme::Light => egui::Theme::Dark,
        };
        ctx.set_theme(theme);
        if let Some(folder) = cx.state.recent.folder() {
            settings::keep_theme(folder, theme);
        }
    });

/// A command that makes everything in the window larger or smaller. The window library reads its key too and does the same, once a frame. A browser has these keys for itself.
const fn zoom(name: &'static str, about: &'static str, key: Key) -> WindowCommand {
    let command = WindowCommand::new(name, about);
    if cfg!(target_family = "wasm") {
        command
    } else {
        command.key(Shortcut::command(key).anywhere())
    }
}

/// Colours the skins by `layer`.
pub fn show_layer(cx: &mut Context<'_>, layer: Layer) {
    cx.commands.extend(layer.commands(cx.snapshot));
    cx.state.range = Range::around(layer.neutral());
    cx.state.layer = layer;
}

/// Hollows are darker or not, also in the next window.
pub fn switch_occlusion(cx: &mut Context<'_>) {
    let is_on = cx.state.no_occlusion;
    cx.state.no_occlusion = !is_on;
    if let Some(folder) = cx.state.recent.folder() {
        settings::keep_occlusion(folder, is_on);
    }
}

fn fit(cx: &mut Context<'_>) {
    if let Some(setup) = &cx.snapshot.setup {
        cx.state.aim(setup);
    }
}

fn from_side(cx: &mut Context<'_>, side: usize) {
    preset(&mut cx.state.camera, side);
    fit(cx);
}
