//! The bar at the top: scene, gravity, hand, layers.

use egui::{Align, Button, Layout, Role, Ui, WidgetInfo, vec2};

use super::fitting::{self, fitting};
use super::views::{self, LeftOut};
use super::{button, open, pictures, toggle};
use crate::input::mode::HandMode;
use crate::panels::Context;
use crate::panels::commands::{GRAVITY, hand_refused, has_gravity, switch_theme};

/// Shows the bar: one row, from which things move into a menu where the window is narrow.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    let name = open::scene_name(cx);
    let fitting = fitting(ui, cx, &name);
    let left_out = fitting.left_out;
    ui.horizontal(|ui| {
        open::menu(ui, cx, &name, fitting.name);
        ui.separator();
        gravity_button(ui, cx);
        ui.separator();
        hand_buttons(ui, cx);
        ui.separator();
        views::show(ui, cx, left_out);
        pictures::menu(ui, cx);
        if left_out < LeftOut::Advice {
            views::advice(ui, cx);
        }
        views::more(ui, cx, left_out);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            toggle::show(ui, &mut cx.state.details, "Details")
                .on_hover_text("parameters, sizes, notes (D)");
            help_button(ui, cx);
            theme_button(ui, cx);
        });
    });
}

fn help_button(ui: &mut Ui, cx: &mut Context<'_>) {
    let button = ui.button("?");
    // named for those who hear the window
    let name = "Help: all commands and their keys";
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let hint = "all commands and their keys (ctrl K)";
    if button.on_hover_text(hint).clicked() {
        cx.state.palette.toggle();
    }
}

fn theme_button(ui: &mut Ui, cx: &Context<'_>) {
    let dark = ui.visuals().dark_mode;
    let name = if dark { "Light" } else { "Dark" };
    let button = Button::new(name).min_size(vec2(fitting::theme(ui), 0.0));
    if ui
        .add(button)
        .on_hover_text("light or dark theme of the window")
        .clicked()
    {
        switch_theme(ui.ctx(), cx);
    }
}

fn gravity_button(ui: &mut Ui, cx: &mut Context<'_>) {
    let on = has_gravity(cx) || cx.snapshot.gravity_on;
    let button = toggle::button(on, "Gravity");
    GRAVITY.button(ui, cx, button, "9.81 m/s² downwards (G)");
}

fn hand_buttons(ui: &mut Ui, cx: &mut Context<'_>) {
    for (mode, name, hint) in [
        (
            HandMode::Grab,
            "Grab",
            "left button on the skin: grab and move it; each method shows the force that this needs",
        ),
        (
            HandMode::Pull,
            "Pull",
            "left button on the skin: pull with a force, the same in all panes; the wheel makes it stronger (T; also ctrl and the right button)",
        ),
        (
            HandMode::Poke,
            "Poke",
            "left button on the skin: press the tool into it; the wheel goes deeper (also with ctrl)",
        ),
        (
            HandMode::Cut,
            "Cut",
            "drag over a pane: a blade along the view cuts what lies under the drag (C); going back in time gives the whole body back",
        ),
    ] {
        let is_chosen = cx.state.hand_mode == mode;
        let refused = hand_refused(cx, mode);
        if button::show(ui, Button::selectable(is_chosen, name), hint, refused) {
            cx.state.hand_mode = mode;
        }
    }
}
