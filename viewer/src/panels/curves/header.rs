//! The line above the curves: what they show, whose they are, and how much of the past.

use egui::scroll_area::ScrollBarVisibility;
use egui::{Align, Button, Layout, RichText, ScrollArea, Ui};

use super::choices::reference_name;
use super::metrics;
use crate::panels::commands::SAVE_CURVES;
use crate::panels::{Context, accuracy};
use crate::state::{Curve, ForceSource, Plotted, SPANS, shown};
use crate::style;

/// Width from which the names of the curves stand in the line, points.
const WITH_LEGENDS: f32 = 760.0;

/// Shows the line.
pub fn show(
    ui: &mut Ui,
    cx: &mut Context<'_>,
    source: &ForceSource,
    plotted: Plotted,
    choices: &[(Plotted, String)],
) {
    let has_legends = has_legends(ui);
    ui.horizontal(|ui| {
        if has_legends {
            what_is_shown(ui, cx, source, plotted, choices);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            SAVE_CURVES.button(ui, cx, Button::new("Save CSV"));
            spans(ui, cx);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.set_clip_rect(ui.max_rect());
                if has_legends {
                    ui.add_space(6.0);
                    legends(ui, cx, plotted);
                    ui.add_space(6.0);
                    accuracy::summary(ui, cx);
                    return;
                }
                let choices_in_row = |ui: &mut Ui| what_is_shown(ui, cx, source, plotted, choices);
                ScrollArea::horizontal()
                    .scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden)
                    .show(ui, |ui| ui.horizontal(choices_in_row));
            });
        });
    });
}

/// What can be plotted, and what is.
fn what_is_shown(
    ui: &mut Ui,
    cx: &mut Context<'_>,
    source: &ForceSource,
    plotted: Plotted,
    choices: &[(Plotted, String)],
) {
    match choices {
        [] if cx.snapshot.setup.is_none() => {}
        [] => {
            let text = "No tool, grab or probe: nothing to plot";
            ui.label(style::secondary(ui, text));
        }
        [(choice, name)] if !choice.is_metric() => {
            let color = style::strong(ui.visuals().dark_mode);
            ui.label(RichText::new(name).color(color));
        }
        _ => {
            for (choice, name) in choices.iter().filter(|(choice, _)| !choice.is_metric()) {
                if ui.selectable_label(*choice == plotted, name).clicked() {
                    cx.state.plotted = *choice;
                }
            }
            metrics::menu(ui, cx, plotted, choices);
        }
    }
    let (unit, _) = plotted.unit();
    let what = match plotted {
        Plotted::Force => source.caption().trim_start_matches("force ").to_string(),
        Plotted::ForceFeedback => "by a hand at the pointer, at 1 kHz,".to_string(),
        Plotted::Probe(_) | Plotted::PointDisplacement(_) => "displacement".to_string(),
        Plotted::PointStress(_) => "von Mises stress".to_string(),
        // the menu has its name
        Plotted::Metric(_) => String::new(),
        Plotted::Distance(_) | Plotted::LargestDistance(_) => "rms".to_string(),
    };
    if !choices.is_empty() {
        let what = format!("{what} in {unit}");
        ui.label(style::small(ui, what.trim_start()));
    }
}

/// Whether the line has room for the names of the curves; they have a line of their own else.
fn has_legends(ui: &Ui) -> bool {
    ui.available_width() > WITH_LEGENDS
}

/// Shows which colour is whose, and how right they are, where the line has no room for it.
pub fn second_line(ui: &mut Ui, cx: &Context<'_>, plotted: Plotted) {
    if has_legends(ui) {
        return;
    }
    ui.horizontal(|ui| {
        ui.set_clip_rect(ui.max_rect());
        legends(ui, cx, plotted);
        ui.add_space(6.0);
        accuracy::summary(ui, cx);
    });
}

/// Shows which colour is whose, and who has no such curve.
fn legends(ui: &mut Ui, cx: &Context<'_>, plotted: Plotted) {
    let dark = ui.visuals().dark_mode;
    for k in shown(cx.snapshot) {
        // only one pane has force feedback, and no pane has a distance from itself
        let curves = cx.state.history.curves.get(k);
        let curve = curves.and_then(|curves| curves.of(plotted));
        if plotted == Plotted::ForceFeedback && curve.is_none_or(Curve::is_empty)
            || plotted == Plotted::Distance(k)
        {
            continue;
        }
        let pane = &cx.snapshot.panes[k];
        let title = style::title(pane.method);
        match metrics::lacking(pane, plotted) {
            Some(what) => {
                let text = format!("{title}: no {what}");
                ui.label(style::small(ui, text));
            }
            None => mark(ui, title, style::accent(pane.method, dark), 2.5),
        }
    }
    let reference = cx.snapshot.reference.found();
    if let Some(reference) = reference.filter(|_| !plotted.is_metric()) {
        let name = reference_name(reference);
        mark(ui, name, style::faint(dark), 1.4);
    }
}

/// How much of the past is shown. From right to left, as the line around it.
fn spans(ui: &mut Ui, cx: &mut Context<'_>) {
    for (k, span) in SPANS.into_iter().enumerate().rev() {
        let button = ui.selectable_label(cx.state.span == k, format!("{span:.0} s"));
        let hint = format!("the last {span:.0} s");
        if button.on_hover_text(hint).clicked() {
            cx.state.span = k;
        }
    }
}

/// A short stroke and a name.
fn mark(ui: &mut Ui, name: &str, color: egui::Color32, width: f32) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(16.0, 12.0), egui::Sense::hover());
    let stroke = egui::Stroke::new(width, color);
    ui.painter().hline(rect.x_range(), rect.center().y, stroke);
    ui.label(style::small(ui, name));
}
