//! Parameters, sizes and notes of each method, generated from what the models say of themselves.

use egui::{RichText, Ui};
use pliant_core::inspect::{ParameterEffect, ParameterInfo, ParameterValue, PointState};
use pliant_core::scene::Method;
use pliant_render::numbers::{engineering_unit, grouped, number};
use pliant_simulation::command::Command;
use pliant_simulation::snapshot::{PaneSnapshot, WorldSnapshot};

use super::context::Context;
use crate::state::shown;
use crate::style;

/// Shows all methods, one below the other.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    let dark = ui.visuals().dark_mode;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            for k in shown(cx.snapshot) {
                let pane = &cx.snapshot.panes[k];
                let title = RichText::new(style::title(pane.method))
                    .strong()
                    .color(style::accent(pane.method, dark));
                egui::CollapsingHeader::new(title)
                    .id_salt(pane.method.name())
                    .default_open(true)
                    .show(ui, |ui| {
                        ui.label(
                            RichText::new(style::subtitle(pane.method))
                                .small()
                                .color(style::faint(dark)),
                        );
                        parameters(ui, pane, cx.commands);
                        points(ui, pane);
                        if pane.method == Method::Quasistatic {
                            felt(ui, cx.snapshot);
                        }
                        figures(ui, pane);
                    });
            }
            let notes = cx.snapshot.setup.as_ref().map_or(&[][..], |s| &s.notes);
            if !notes.is_empty() {
                ui.separator();
                ui.label(RichText::new("The body").strong());
                notes_list(ui, notes);
            }
            ui.separator();
            help(ui);
        });
}

fn parameters(ui: &mut Ui, pane: &PaneSnapshot, commands: &mut Vec<Command>) {
    egui::Grid::new(("parameters", pane.method.name()))
        .num_columns(2)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            for (info, value) in &pane.parameters {
                ui.label(info.name.replace('_', " "))
                    .on_hover_text(info.help);
                if let Some(command) = parameter(ui, pane.method, info, value) {
                    commands.push(command);
                }
                ui.end_row();
            }
        });
}

fn parameter(
    ui: &mut Ui,
    method: Method,
    info: &ParameterInfo,
    value: &ParameterValue,
) -> Option<Command> {
    let dark = ui.visuals().dark_mode;
    if info.effect == ParameterEffect::NeedsBake {
        let text = match value {
            ParameterValue::Number(x) => format!("{x} {}", info.unit),
            ParameterValue::Flag(on) => if *on { "yes" } else { "no" }.to_string(),
            ParameterValue::Choice(word) => word.clone(),
        };
        ui.label(RichText::new(text.trim()).color(style::faint(dark)))
            .on_hover_text("fixed when the method is prepared: set it in the scene");
        return None;
    }
    let new = match value {
        ParameterValue::Number(x) => {
            let mut edited = *x;
            let speed = (x.abs() * 0.01)
                .max((info.max - info.min).abs().min(1.0) * 0.005)
                .max(1e-6);
            let field = egui::DragValue::new(&mut edited)
                .range(info.min..=info.max)
                .speed(speed)
                .custom_formatter(|x, decimals| number_text(x, *decimals.start()))
                .suffix(if info.unit.is_empty() {
                    String::new()
                } else {
                    format!(" {}", info.unit)
                });
            (ui.add(field).on_hover_text(info.help).changed() && edited != *x)
                .then_some(ParameterValue::Number(edited))
        }
        ParameterValue::Flag(on) => {
            let mut edited = *on;
            ui.checkbox(&mut edited, if *on { "yes" } else { "no" })
                .on_hover_text(info.help)
                .changed()
                .then_some(ParameterValue::Flag(edited))
        }
        ParameterValue::Choice(word) => {
            let id = ui.make_persistent_id((method.name(), info.name));
            let mut edited = ui
                .data_mut(|d| d.get_temp::<String>(id))
                .unwrap_or_else(|| word.clone());
            let field = ui
                .add(egui::TextEdit::singleline(&mut edited).desired_width(150.0))
                .on_hover_text(info.help);
            let entered = field.lost_focus();
            if field.has_focus() {
                ui.data_mut(|d| d.insert_temp(id, edited.clone()));
            } else {
                ui.data_mut(|d| d.remove_temp::<String>(id));
            }
            (entered && edited != *word).then_some(ParameterValue::Choice(edited))
        }
    }?;
    Some(Command::SetParameter {
        method,
        name: info.name.to_string(),
        value: new,
    })
}

/// Points inside: how far each has moved and its stress, all components on hovering.
fn points(ui: &mut Ui, pane: &PaneSnapshot) {
    if pane.points.is_empty() {
        return;
    }
    let dark = ui.visuals().dark_mode;
    ui.label(RichText::new("points inside").small().strong());
    egui::Grid::new(("points", pane.method.name()))
        .num_columns(3)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            for point in &pane.points {
                let PointState {
                    displacement: u,
                    stress,
                } = &point.state;
                let [xx, yy, zz, yz, xz, xy] = stress.map(|s| text_of(s, "Pa"));
                let all = format!(
                    "moved by ({}, {}, {})\nstress xx {xx}, yy {yy}, zz {zz}\nyz {yz}, xz {xz}, xy {xy}",
                    text_of(u.x, "m"),
                    text_of(u.y, "m"),
                    text_of(u.z, "m")
                );
                ui.label(&point.name).on_hover_text(&all);
                for value in [
                    text_of(u.norm(), "m"),
                    text_of(point.state.von_mises(), "Pa"),
                ] {
                    ui.label(RichText::new(value).color(style::faint(dark)))
                        .on_hover_text(&all);
                }
                ui.end_row();
            }
        });
}

/// The servo loop of the pointer.
fn felt(ui: &mut Ui, snapshot: &WorldSnapshot) {
    let Some(felt) = snapshot.felt.as_ref().filter(|felt| felt.ticks > 0) else {
        return;
    };
    let dark = ui.visuals().dark_mode;
    ui.label(RichText::new("force feedback").small().strong());
    for line in [
        format!(
            "{} ticks, {} late",
            grouped(felt.ticks as usize),
            grouped(felt.late_ticks as usize)
        ),
        format!(
            "work of a tick: p50 {} µs, p99.9 {} µs",
            number(felt.work_us[0], 3),
            number(felt.work_us[1], 3)
        ),
        format!(
            "pointer to force: p50 {} ms, p99 {} ms",
            number(felt.latency_ms[0], 3),
            number(felt.latency_ms[1], 3)
        ),
    ] {
        ui.label(RichText::new(line).small().color(style::faint(dark)));
    }
}

/// A value with a unit of its size.
fn text_of(value: f64, unit: &str) -> String {
    let (scale, unit) = engineering_unit(value.abs(), unit);
    format!("{} {unit}", number(value * scale, 3))
}

fn figures(ui: &mut Ui, pane: &PaneSnapshot) {
    let stats = &pane.stats;
    if stats.total_nodes == 0 && stats.active_nodes == 0 {
        return;
    }
    let dark = ui.visuals().dark_mode;
    let mut lines = vec![
        format!(
            "{} nodes, {} active",
            grouped(stats.total_nodes),
            grouped(stats.active_nodes)
        ),
        format!(
            "{} elements, {:.1} MB",
            grouped(stats.elements),
            stats.bytes as f64 / 1e6
        ),
    ];
    lines.extend(
        stats
            .counters
            .iter()
            .map(|(name, value)| format!("{}: {}", name.replace('_', " "), counter(*value))),
    );
    for line in lines {
        ui.label(RichText::new(line).small().color(style::faint(dark)));
    }
    notes_list(ui, &stats.notes);
}

/// A value that can be edited; whole numbers without decimals.
fn number_text(value: f64, decimals: usize) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.decimals$}")
    }
}

/// Whole numbers without decimals.
fn counter(value: f64) -> String {
    if value >= 0.0 && value.fract() == 0.0 && value < 1e15 {
        grouped(value as usize)
    } else {
        number(value, 3)
    }
}

fn notes_list(ui: &mut Ui, notes: &[String]) {
    let dark = ui.visuals().dark_mode;
    for note in notes {
        ui.add(
            egui::Label::new(
                RichText::new(format!("• {note}"))
                    .small()
                    .color(style::faint(dark)),
            )
            .wrap(),
        );
    }
}

fn help(ui: &mut Ui) {
    let dark = ui.visuals().dark_mode;
    for line in [
        "left drag on the skin: grab (ctrl: poke)",
        "left drag beside it, right drag: orbit",
        "middle drag, shift drag: pan; wheel: zoom",
        "space play, right arrow step, R reset, G gravity",
        "F fit, 1 2 3 views, W edges",
    ] {
        ui.label(RichText::new(line).small().color(style::faint(dark)));
    }
}
