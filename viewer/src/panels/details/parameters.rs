//! Parameters of a method: edited in place, with range, default and equation on hovering.

use egui::{Align, Id, Layout, Response, Ui};
use pliant_core::inspect::{ParameterEffect, ParameterInfo, ParameterValue};
use pliant_core::scene::Method;
use pliant_simulation::snapshot::PaneSnapshot;

use super::refused;
use super::values::{self, suffix, text, unit};
use super::wording::{self, Group};
use crate::panels::Context;
use crate::state::Edit;
use crate::style;

/// Width of a menu of words, points.
const MENU_WIDTH: f32 = 130.0;
/// Its width beside the button that takes the default back, points.
const NARROW_MENU_WIDTH: f32 = 80.0;
/// Width of a cell below which that button stands below the field, points.
const FIELD_AND_BUTTON: f32 = 120.0;
/// Where a slider by powers of ten begins, if its range begins at zero.
const SMALLEST_POSITIVE: f64 = 1e-4;

/// Whether a pane has a parameter in a group.
pub fn any(pane: &PaneSnapshot, group: Group) -> bool {
    pane.parameters.iter().any(|(info, _)| of(info) == group)
}

fn of(info: &ParameterInfo) -> Group {
    wording::of_parameter(info.name).map_or(Group::Internals, |w| w.group)
}

/// A parameter that is shown.
struct Row<'a> {
    method: Method,
    info: &'a ParameterInfo,
    value: &'a ParameterValue,
    hint: String,
    /// what has its name
    label: Id,
}

/// A value that was entered, and whether it goes on with a change that began before.
type Entered = Option<(ParameterValue, bool)>;

/// Shows the parameters of pane `k` that stand in a group: rows of a grid with two columns.
pub fn rows(ui: &mut Ui, k: usize, group: Group, cx: &mut Context<'_>) {
    let snapshot = cx.snapshot;
    let Some(pane) = snapshot.panes.get(k) else {
        return;
    };
    for (info, value) in pane.parameters.iter().filter(|(info, _)| of(info) == group) {
        let name = wording::of_parameter(info.name)
            .map_or_else(|| wording::plain(info.name), |w| w.label.to_string());
        let default = cx.state.defaults.of(pane.method, info.name).cloned();
        let hint = hint(info, default.as_ref());
        let row = Row {
            method: pane.method,
            info,
            value,
            label: ui.label(&name).on_hover_text(&hint).id,
            hint,
        };
        let other = default.filter(|d| d != value);
        let width = MENU_WIDTH.min(ui.available_width());
        let cell = |ui: &mut Ui| {
            let room = other.as_ref().map_or(width, |_| NARROW_MENU_WIDTH);
            set(cx, &row, field(ui, &row, room));
            if let Some(default) = other {
                let back = format!("back to {}", text(&default, info));
                if ui.small_button("Default").on_hover_text(back).clicked() {
                    set(cx, &row, Some((default, false)));
                }
            }
        };
        match (width < FIELD_AND_BUTTON, value) {
            (true, _) => ui.vertical(cell),
            // its words may have two lines: it begins at the top of its row, so that it does not reach into the next one
            (false, ParameterValue::Choice(_)) => {
                ui.with_layout(Layout::left_to_right(Align::Min), cell)
            }
            (false, _) => ui.horizontal(cell),
        };
        ui.end_row();
        if let (ParameterValue::Number(x), true) = (value, wording::has_slider(info.name)) {
            ui.label("");
            set(cx, &row, slider(ui, &row, *x));
            ui.end_row();
        }
        refused::show(ui, pane, info, value, &mut cx.state.edits);
    }
}

/// Requests a value that was entered, and records the change, so that it can be undone.
fn set(cx: &mut Context<'_>, row: &Row<'_>, entered: Entered) {
    let Some((after, continues)) = entered else {
        return;
    };
    let edit = Edit {
        method: row.method,
        name: row.info.name.to_string(),
        before: row.value.clone(),
        after,
    };
    cx.commands.push(edit.command(false));
    cx.state.edits.record(edit, continues);
}

/// The field of a value, or a menu in `room` points.
fn field(ui: &mut Ui, row: &Row<'_>, room: f32) -> Entered {
    let info = row.info;
    if info.effect == ParameterEffect::NeedsBake {
        let hint = "fixed when the method is prepared: set it in the scene";
        ui.label(style::secondary(ui, text(row.value, info)))
            .on_hover_text(format!("{}\n{hint}", row.hint));
        return None;
    }
    match row.value {
        ParameterValue::Number(x) => {
            let mut edited = *x;
            // no range here: the model refuses what is typed beyond it, and says so
            let field = values::field(info.name, &mut edited)
                .update_while_editing(false)
                .speed(speed(*x, info))
                .suffix(suffix(info));
            let response = ui.add(field).labelled_by(row.label);
            let response = response.on_hover_text(&row.hint);
            if response.dragged() {
                edited = edited.clamp(info.min, info.max.max(info.min));
            }
            number(&response, *x, edited)
        }
        ParameterValue::Flag(on) => {
            let mut edited = *on;
            let field = ui.checkbox(&mut edited, values::yes_or_no(*on));
            let field = field.labelled_by(row.label).on_hover_text(&row.hint);
            let is_new = field.changed();
            is_new.then_some((ParameterValue::Flag(edited), false))
        }
        ParameterValue::Choice(word) => {
            let mut edited = word.clone();
            let size = egui::vec2(room, ui.spacing().interact_size.y);
            let line = Layout::left_to_right(Align::Min);
            let menu = ui.allocate_ui_with_layout(size, line, |ui| {
                // a long word has two lines: it must not make the panel wider, and with it all panes narrower
                egui::ComboBox::from_id_salt((row.method.name(), info.name))
                    .selected_text(wording::of_choice(word))
                    .width(room)
                    .wrap()
                    .show_ui(ui, |ui| {
                        for choice in wording::choices(info.name).unwrap_or_default() {
                            let called = wording::of_choice(choice);
                            ui.selectable_value(&mut edited, choice.to_string(), called);
                        }
                    })
            });
            let hint = format!("now: {}\n{}", wording::of_choice(word), row.hint);
            let menu = menu.inner.response.labelled_by(row.label);
            menu.on_hover_text(hint);
            let is_new = edited != *word;
            is_new.then_some((ParameterValue::Choice(edited), false))
        }
    }
}

/// A slider over the whole range, by powers of ten.
fn slider(ui: &mut Ui, row: &Row<'_>, value: f64) -> Entered {
    let mut edited = value;
    ui.spacing_mut().slider_width = MENU_WIDTH.min(ui.available_width());
    let slider = egui::Slider::new(&mut edited, row.info.min..=row.info.max)
        .logarithmic(true)
        .smallest_positive(SMALLEST_POSITIVE)
        .show_value(false);
    let response = ui.add(slider).labelled_by(row.label);
    let response = response.on_hover_text(&row.hint);
    number(&response, value, edited)
}

/// A number that may have been entered in place of the one `before`.
fn number(response: &Response, before: f64, edited: f64) -> Entered {
    let is_new = response.changed() && edited != before;
    let continues = response.dragged() && !response.drag_started();
    is_new.then_some((ParameterValue::Number(edited), continues))
}

/// What a parameter is, its equation, its range and its default.
fn hint(info: &ParameterInfo, default: Option<&ParameterValue>) -> String {
    let mut lines = vec![info.help.trim_end_matches('.').to_string()];
    if let Some(word) = wording::of_parameter(info.name)
        && !word.source.is_empty()
    {
        lines.push(word.source.to_string());
    }
    if info.max > info.min && !matches!(default, Some(ParameterValue::Flag(_))) {
        let [low, high] = [info.min, info.max].map(|x| values::end(x, &unit(info)));
        lines.push(format!("from {low} to {high}"));
    }
    if let Some(default) = default {
        lines.push(format!("default: {}", text(default, info)));
    }
    lines.join("\n")
}

/// Change with a point of dragging.
fn speed(value: f64, info: &ParameterInfo) -> f64 {
    let share = (info.max - info.min).abs().min(1.0) * 0.005;
    (value.abs() * 0.01).max(share).max(1e-6)
}
