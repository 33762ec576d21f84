//! The bar at the top: scene, gravity, hand, layers.

use egui::{RichText, Ui};
use pliant_core::scene::Method;
use pliant_simulation::command::Command;

use super::open::menu;
use super::pictures;
use crate::input::hand::HandMode;
use crate::panels::Context;
use crate::panels::commands::{fit, switch_theme};
use crate::state::{Layer, Range, shown};
use crate::style;

/// Shows the bar.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    ui.horizontal_wrapped(|ui| {
        menu(ui, cx);
        ui.separator();
        gravity_button(ui, cx);
        ui.separator();
        hand_buttons(ui, cx);
        ui.separator();
        layer_menu(ui, cx);
        ui.toggle_value(&mut cx.state.wireframe, "Edges")
            .on_hover_text("edges of the triangles (W)");
        overlay_menu(ui, cx);
        alone_menu(ui, cx);
        if ui
            .button("Fit")
            .on_hover_text("the whole body from this side (F); 1, 2, 3: front, side, above")
            .clicked()
        {
            fit(cx);
        }
        pictures::menu(ui, cx);
        ui.toggle_value(&mut cx.state.advice.open, "Advice")
            .on_hover_text("which method and which settings suit this scene (A)");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.toggle_value(&mut cx.state.details, "Details")
                .on_hover_text("parameters, sizes, notes (D)");
            if ui
                .button("?")
                .on_hover_text("all commands and their keys (ctrl K)")
                .clicked()
            {
                cx.state.palette.toggle();
            }
            theme_button(ui, cx);
        });
    });
}

fn theme_button(ui: &mut Ui, cx: &Context<'_>) {
    let dark = ui.visuals().dark_mode;
    if ui
        .button(if dark { "Light" } else { "Dark" })
        .on_hover_text("bright or dark studio")
        .clicked()
    {
        switch_theme(ui.ctx(), cx);
    }
}

fn gravity_button(ui: &mut Ui, cx: &mut Context<'_>) {
    let built_in = cx
        .snapshot
        .setup
        .as_ref()
        .is_some_and(|s| s.description.gravity.norm() > 0.0);
    let mut on = built_in || cx.snapshot.gravity_on;
    let toggle = egui::Button::selectable(on, "Gravity");
    let hint = if built_in {
        "this scene has gravity of its own"
    } else {
        "9.81 m/s² downwards (G)"
    };
    if ui
        .add_enabled(!built_in, toggle)
        .on_hover_text(hint)
        .on_disabled_hover_text(hint)
        .clicked()
    {
        on = !on;
        cx.commands.push(Command::SetGravity(on));
    }
}

fn hand_buttons(ui: &mut Ui, cx: &mut Context<'_>) {
    let setup = cx.snapshot.setup.as_ref();
    let [pokes, cuts] =
        [HandMode::Poke, HandMode::Cut].map(|mode| setup.is_some_and(|s| mode.is_possible(s)));
    ui.selectable_value(&mut cx.state.hand_mode, HandMode::Grab, "Grab")
        .on_hover_text("left button on the skin: take hold and pull");
    ui.add_enabled_ui(pokes, |ui| {
        ui.selectable_value(&mut cx.state.hand_mode, HandMode::Poke, "Poke")
            .on_hover_text("left button on the skin: press the tool into it; the wheel goes deeper (also with ctrl)")
            .on_disabled_hover_text("this scene has no tool that follows the pointer");
    });
    ui.add_enabled_ui(cuts, |ui| {
        ui.selectable_value(&mut cx.state.hand_mode, HandMode::Cut, "Cut")
            .on_hover_text("drag over a pane: a blade along the view cuts what lies under the drag (C); going back in time gives the whole body back")
            .on_disabled_hover_text("this scene has no blade, so that its bodies were not prepared to be cut");
    });
}

fn layer_menu(ui: &mut Ui, cx: &mut Context<'_>) {
    let before = cx.state.layer.clone();
    let name = ui.label(RichText::new("Colour").color(style::faint(ui.visuals().dark_mode)));
    let menu = egui::ComboBox::from_id_salt("layer")
        .selected_text(before.label())
        .width(150.0)
        .show_ui(ui, |ui| {
            for choice in Layer::choices(cx.snapshot) {
                let label = choice.label();
                ui.selectable_value(&mut cx.state.layer, choice, label);
            }
        });
    menu.response.labelled_by(name.id);
    if cx.state.layer != before {
        cx.state.range = Range::default();
        cx.commands.extend(cx.state.layer.commands(cx.snapshot));
    }
}

/// Whose skin is drawn over those of the others.
fn overlay_menu(ui: &mut Ui, cx: &mut Context<'_>) {
    let all = methods(cx);
    if all.len() < 2 {
        return;
    }
    let name = ui.label(RichText::new("Overlay").color(style::faint(ui.visuals().dark_mode)));
    let text = cx.state.overlay.map_or("none", style::title);
    let menu = egui::ComboBox::from_id_salt("overlay")
        .selected_text(text)
        .width(96.0)
        .show_ui(ui, |ui| {
            ui.selectable_value(&mut cx.state.overlay, None, "none");
            for method in all {
                ui.selectable_value(&mut cx.state.overlay, Some(method), style::title(method));
            }
        });
    menu.response
        .labelled_by(name.id)
        .on_hover_text("the skin of one method as a net over those of the others (O)");
}

/// Whether one method has the whole window.
fn alone_menu(ui: &mut Ui, cx: &mut Context<'_>) {
    let all = methods(cx);
    if all.len() < 2 {
        return;
    }
    let name = ui.label(RichText::new("Panes").color(style::faint(ui.visuals().dark_mode)));
    let text = cx.state.alone.map_or("all", style::title);
    let menu = egui::ComboBox::from_id_salt("alone")
        .selected_text(text)
        .width(96.0)
        .show_ui(ui, |ui| {
            ui.selectable_value(&mut cx.state.alone, None, "all");
            for method in all {
                ui.selectable_value(&mut cx.state.alone, Some(method), style::title(method));
            }
        });
    menu.response.labelled_by(name.id).on_hover_text(
        "one method alone (M, or a double click on its name); X shows the next one in its place",
    );
}

/// The methods that have a pane.
fn methods(cx: &Context<'_>) -> Vec<Method> {
    let panes = shown(cx.snapshot).into_iter();
    panes.map(|k| cx.snapshot.panes[k].method).collect()
}
