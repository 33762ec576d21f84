//! The bar at the top: scene, gravity, hand, layers.

use egui::{Align, Button, Layout, Role, Ui, WidgetInfo, vec2};

use super::fitting::{self, fitting};
use super::views::{self, LeftOut};
use super::{button, open, pictures};
use crate::input::mode::HandMode;
use crate::panels::Context;
use crate::panels::commands::{CUT, DETAILS, GRAB, GRAVITY, HELP, POKE, PULL, THEME, has_gravity};

/// Shows the bar: one row, from which things move into a menu where the window is narrow.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    let name = open::scene_name(cx);
    let fitting = fitting(ui, cx, &name);
    let left_out = fitting.left_out;
    ui.horizontal(|ui| {
        open::menu(ui, cx, &name, fitting.name);
        ui.separator();
        if left_out < LeftOut::Window {
            gravity_button(ui, cx);
            ui.separator();
        }
        hand_buttons(ui, cx);
        ui.separator();
        views::show(ui, cx, left_out);
        pictures::menu(ui, cx);
        if left_out < LeftOut::Advice {
            views::advice(ui, cx);
        }
        views::more(ui, cx, left_out, |ui, cx| {
            gravity_button(ui, cx);
            theme_button(ui, cx);
            help_button(ui, cx);
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let details = button::toggle(cx.state.details, "Details");
            DETAILS.button(ui, cx, details);
            if left_out < LeftOut::Window {
                help_button(ui, cx);
                theme_button(ui, cx);
            }
        });
    });
}

fn help_button(ui: &mut Ui, cx: &mut Context<'_>) {
    let button = HELP.button(ui, cx, Button::new("?"));
    // named for those who hear the window
    let name = "Help: all commands and their keys";
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
}

fn theme_button(ui: &mut Ui, cx: &mut Context<'_>) {
    let dark = ui.visuals().dark_mode;
    let name = if dark { "Light" } else { "Dark" };
    let button = Button::new(name).min_size(vec2(fitting::theme(ui), 0.0));
    THEME.button(ui, cx, button);
}

fn gravity_button(ui: &mut Ui, cx: &mut Context<'_>) {
    let on = has_gravity(cx) || cx.snapshot.gravity_on;
    let button = button::toggle(on, "Gravity");
    GRAVITY.button(ui, cx, button);
}

fn hand_buttons(ui: &mut Ui, cx: &mut Context<'_>) {
    for (mode, name, command) in [
        (HandMode::Grab, "Grab", GRAB),
        (HandMode::Pull, "Pull", PULL),
        (HandMode::Poke, "Poke", POKE),
        (HandMode::Cut, "Cut", CUT),
    ] {
        let button = Button::selectable(cx.state.hand_mode == mode, name);
        let is_clicked = command.button(ui, cx, button).clicked();
        let setup = cx.snapshot.setup.as_ref();
        // unlike the key, a second click does not go back to grabbing
        if is_clicked && setup.is_some_and(|setup| mode.is_possible(setup)) {
            cx.state.hand_mode = mode;
        }
    }
}
