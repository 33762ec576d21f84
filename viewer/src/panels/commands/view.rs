//! Commands of what is seen: the camera, panes, layers and panels.

use egui::Key;

use super::shortcut::Shortcut;
use super::window_command::{WindowCommand, always_allowed};
use crate::input::camera::preset;
use crate::panels::context::Context;
use crate::state::{next_shown, settings};

/// Keys that make everything in the window larger, smaller, and as it was. The window library reads them too and does the same, once a frame.
#[cfg(not(target_family = "wasm"))]
const ZOOM: [&[Shortcut]; 3] = [
    &[Shortcut::command(Key::Plus).anywhere()],
    &[Shortcut::command(Key::Minus).anywhere()],
    &[Shortcut::command(Key::Num0).anywhere()],
];
/// A browser has these keys for itself.
#[cfg(target_family = "wasm")]
const ZOOM: [&[Shortcut]; 3] = [&[], &[], &[]];

/// The commands.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WindowCommand {
        name: "Fit",
        about: "the whole body from this side",
        keys: &[Shortcut::of(Key::F)],
        refused: always_allowed,
        run: |_, cx| fit(cx),
    },
    WindowCommand {
        name: "View from the front",
        about: "camera",
        keys: &[Shortcut::of(Key::Num1)],
        refused: always_allowed,
        run: |_, cx| from_side(cx, 0),
    },
    WindowCommand {
        name: "View from the side",
        about: "camera",
        keys: &[Shortcut::of(Key::Num2)],
        refused: always_allowed,
        run: |_, cx| from_side(cx, 1),
    },
    WindowCommand {
        name: "View from above",
        about: "camera",
        keys: &[Shortcut::of(Key::Num3)],
        refused: always_allowed,
        run: |_, cx| from_side(cx, 2),
    },
    WindowCommand {
        name: "Edges",
        about: "draws the edges of the triangles, or not",
        keys: &[Shortcut::of(Key::W)],
        refused: always_allowed,
        run: |_, cx| cx.state.wireframe = !cx.state.wireframe,
    },
    WindowCommand {
        name: "Ambient occlusion",
        about: "hollows of the skin are darker, or not",
        keys: &[],
        refused: always_allowed,
        run: |_, cx| switch_occlusion(cx),
    },
    WindowCommand {
        name: "One method alone, or all",
        about: "panes",
        keys: &[Shortcut::of(Key::M)],
        refused: always_allowed,
        run: |_, cx| {
            cx.state.maximised = match cx.state.maximised {
                Some(_) => None,
                None => next_shown(cx.snapshot, None),
            };
        },
    },
    WindowCommand {
        name: "The next method in the same place",
        about: "with the same camera, so that differences flicker",
        keys: &[Shortcut::of(Key::X)],
        refused: always_allowed,
        run: |_, cx| cx.state.maximised = next_shown(cx.snapshot, cx.state.maximised),
    },
    WindowCommand {
        name: "Overlay of the next method",
        about: "its skin as a wireframe over those of the others; after the last one, none",
        keys: &[Shortcut::of(Key::O)],
        refused: always_allowed,
        run: |_, cx| {
            let next = next_shown(cx.snapshot, cx.state.overlay);
            let is_over = cx.state.overlay.is_some() && next == next_shown(cx.snapshot, None);
            cx.state.overlay = next.filter(|_| !is_over);
        },
    },
    WindowCommand {
        name: "Details",
        about: "parameters, figures and notes at the right",
        keys: &[Shortcut::of(Key::D)],
        refused: always_allowed,
        run: |_, cx| cx.state.details = !cx.state.details,
    },
    WindowCommand {
        name: "Advice",
        about: "which method and settings suit the scene",
        keys: &[Shortcut::of(Key::A)],
        refused: always_allowed,
        run: |_, cx| cx.state.advice.open = !cx.state.advice.open,
    },
    WindowCommand {
        name: "Light or dark",
        about: "theme of the window",
        keys: &[],
        refused: always_allowed,
        run: |ctx, cx| switch_theme(ctx, cx),
    },
    WindowCommand {
        name: "Zoom in",
        about: "all letters and buttons larger",
        keys: ZOOM[0],
        refused: always_allowed,
        run: |ctx, _| egui::gui_zoom::zoom_in(ctx),
    },
    WindowCommand {
        name: "Zoom out",
        about: "all letters and buttons smaller",
        keys: ZOOM[1],
        refused: always_allowed,
        run: |ctx, _| egui::gui_zoom::zoom_out(ctx),
    },
    WindowCommand {
        name: "Usual zoom",
        about: "all letters and buttons in their own size",
        keys: ZOOM[2],
        refused: always_allowed,
        run: |ctx, _| ctx.set_zoom_factor(1.0),
    },
];

/// From light to dark or back, also for the next window.
pub fn switch_theme(ctx: &egui::Context, cx: &Context<'_>) {
    let theme = match ctx.theme() {
        egui::Theme::Dark => egui::Theme::Light,
        egui::Theme::Light => egui::Theme::Dark,
    };
    ctx.set_theme(theme);
    if let Some(folder) = cx.state.recent.folder() {
        settings::keep_theme(folder, theme);
    }
}

/// Hollows are darker or not, also in the next window.
pub fn switch_occlusion(cx: &mut Context<'_>) {
    let is_on = !cx.state.occlusion;
    cx.state.occlusion = is_on;
    if let Some(folder) = cx.state.recent.folder() {
        settings::keep_occlusion(folder, is_on);
    }
}

/// Aims the camera at the body.
pub fn fit(cx: &mut Context<'_>) {
    if let Some(setup) = &cx.snapshot.setup {
        cx.state.aim(setup);
    }
}

fn from_side(cx: &mut Context<'_>, side: usize) {
    preset(&mut cx.state.camera, side);
    fit(cx);
}
