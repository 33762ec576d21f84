//! The line above the curves: what they show, whose they are, and how much of the past.

use egui::containers::menu::MenuButton;
use egui::{Align, Button, Color32, Layout, RichText, TextStyle, Ui};

use super::choices::reference_name;
use super::metrics;
use crate::panels::bars::width::{self, text_size};
use crate::panels::commands::SAVE_CURVES;
use crate::panels::{Context, accuracy};
use crate::state::{Curve, ForceSource, Plotted, SPANS, shown};
use crate::style;

/// Width of the stroke before the name of a curve, points.
const STROKE_WIDTH: f32 = 16.0;
/// Space around the names of the curves, points.
const SPACE: f32 = 6.0;
/// Height of a line with its space, points.
const LINE: f32 = 23.0;
/// Height that lines below the first one leave to the plot at least, points.
const PLOT_HEIGHT: f32 = 90.0;
/// The word on the button that saves curves.
const SAVE: &str = "Save CSV";
/// What stands in place of choices where there are none.
const NOTHING: &str = "No tool, grab or probe: nothing to plot";

/// Shows the line. Returns whether it had room for the names of the curves.
pub fn show(
    ui: &mut Ui,
    cx: &mut Context<'_>,
    source: &ForceSource,
    plotted: Plotted,
    choices: &[(Plotted, String)],
) -> bool {
    let caption = caption(source, plotted, choices);
    let gap = ui.spacing().item_spacing.x;
    let all_width = ui.available_width();
    let save_width = width::button(ui, SAVE) + gap;
    let names = SPANS.map(span_name);
    let spans_width: f32 = names.iter().map(|name| width::button(ui, name) + gap).sum();
    let caption_width = small_width(ui, &caption) + gap;
    let rest = all_width - save_width - caption_width;
    let room = rest - choices_width(ui, cx, plotted, choices) - spans_width;
    let is_wide = room >= 0.0;
    let has_legends = is_wide && legends_width(ui, cx, plotted) <= room;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            SAVE_CURVES.button(ui, cx, Button::new(SAVE));
            if is_wide {
                spans(ui, cx, (0..SPANS.len()).rev());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let needed = match is_wide {
                    true => what_is_shown(ui, cx, plotted, choices),
                    false => menu(ui, cx, plotted, choices),
                };
                if !caption.is_empty() && (is_wide || needed <= rest) {
                    ui.label(style::small(ui, caption));
                }
                if has_legends {
                    ui.add_space(SPACE);
                    legends(ui, cx, plotted);
                    ui.add_space(SPACE);
                    accuracy::summary(ui, cx);
                }
            });
        });
    });
    has_legends
}

/// What is plotted, and its unit; empty where nothing is.
fn caption(source: &ForceSource, plotted: Plotted, choices: &[(Plotted, String)]) -> String {
    let what = match plotted {
        _ if choices.is_empty() => return String::new(),
        Plotted::Force => source.caption().trim_start_matches("force ").to_string(),
        Plotted::ForceFeedback => "by a hand at the pointer, at 1 kHz,".to_string(),
        Plotted::Probe(_) | Plotted::PointDisplacement(_) => "displacement".to_string(),
        Plotted::PointStress(_) => "von Mises stress".to_string(),
        // the menu has its name
        Plotted::Metric(_) => String::new(),
        Plotted::Distance(_) | Plotted::LargestDistance(_) => "rms".to_string(),
    };
    let (unit, _) = plotted.unit();
    format!("{what} in {unit}").trim_start().to_string()
}

/// Width of what [`what_is_shown`] shows, points.
fn choices_width(
    ui: &Ui,
    cx: &Context<'_>,
    plotted: Plotted,
    choices: &[(Plotted, String)],
) -> f32 {
    let gap = ui.spacing().item_spacing.x;
    match choices {
        [] if cx.snapshot.setup.is_none() => 0.0,
        [] => width::label(ui, NOTHING) + gap,
        _ => {
            let alone = choices.iter().filter(|(choice, _)| !choice.is_metric());
            let buttons = alone.map(|(_, name)| name.as_str());
            let buttons = buttons.chain(metrics::title(plotted, choices));
            buttons.map(|name| width::button(ui, name) + gap).sum()
        }
    }
}

/// Shows what can be plotted, and what is. Returns its width, points.
fn what_is_shown(
    ui: &mut Ui,
    cx: &mut Context<'_>,
    plotted: Plotted,
    choices: &[(Plotted, String)],
) -> f32 {
    match choices {
        [] if cx.snapshot.setup.is_none() => {}
        [] => {
            ui.label(style::secondary(ui, NOTHING));
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
    ui.min_rect().width()
}

/// The same, and how much of the past, as a menu that has the name of what is plotted.
fn menu(ui: &mut Ui, cx: &mut Context<'_>, plotted: Plotted, choices: &[(Plotted, String)]) -> f32 {
    let chosen = choices.iter().find(|(choice, _)| *choice == plotted);
    let Some((_, name)) = chosen else {
        return what_is_shown(ui, cx, plotted, choices);
    };
    let button = MenuButton::from_button(Button::new(name.as_str()).truncate());
    let (button, _) = button.ui(ui, |ui| {
        metrics::entries(ui, cx, plotted, choices.iter());
        ui.separator();
        ui.horizontal(|ui| spans(ui, cx, 0..SPANS.len()));
    });
    button.on_hover_text("what the curves show, and how much of the past");
    ui.min_rect().width()
}

/// Shows which colour is whose, and how right they are, where the first line has no room for it and the plot keeps its height.
pub fn second_line(ui: &mut Ui, cx: &Context<'_>, plotted: Plotted) {
    let summary = accuracy::summary_width(ui, cx);
    let are_together = legends_width(ui, cx, plotted) <= ui.available_width();
    let has_room = |ui: &Ui| ui.available_height() >= PLOT_HEIGHT + LINE;
    if has_room(ui) {
        ui.horizontal(|ui| {
            legends(ui, cx, plotted);
            if are_together {
                ui.add_space(SPACE);
                accuracy::summary(ui, cx);
            }
        });
    }
    if !are_together && summary > 0.0 && has_room(ui) {
        ui.horizontal(|ui| accuracy::summary(ui, cx));
    }
}

/// Whose curves there are: a name, and the colour and width of the stroke before it, which those without such a curve lack.
fn names(cx: &Context<'_>, plotted: Plotted, dark: bool) -> Vec<(String, Option<(Color32, f32)>)> {
    let mut all = Vec::new();
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
        all.push(match metrics::lacking(pane, plotted) {
            Some(what) => (format!("{title}: no {what}"), None),
            None => {
                let stroke = (style::accent(pane.method, dark), 2.5);
                (title.to_string(), Some(stroke))
            }
        });
    }
    let reference = cx.snapshot.reference.found();
    if let Some(reference) = reference.filter(|_| !plotted.is_metric()) {
        let stroke = (style::faint(dark), 1.4);
        all.push((reference_name(reference).to_string(), Some(stroke)));
    }
    all
}

/// Shows the names, each after a short stroke.
fn legends(ui: &mut Ui, cx: &Context<'_>, plotted: Plotted) {
    for (name, stroke) in names(cx, plotted, ui.visuals().dark_mode) {
        if let Some((color, width)) = stroke {
            let size = egui::vec2(STROKE_WIDTH, 12.0);
            let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            let stroke = egui::Stroke::new(width, color);
            ui.painter().hline(rect.x_range(), rect.center().y, stroke);
        }
        ui.label(style::small(ui, name));
    }
}

/// Width of the names and of the line for all methods, points.
fn legends_width(ui: &Ui, cx: &Context<'_>, plotted: Plotted) -> f32 {
    let gap = ui.spacing().item_spacing.x;
    let of_name = |(name, stroke): &(String, Option<(Color32, f32)>)| {
        let stroke = stroke.map_or(0.0, |_| STROKE_WIDTH + gap);
        stroke + small_width(ui, name) + gap
    };
    let names = names(cx, plotted, false);
    let names: f32 = names.iter().map(of_name).sum();
    names + accuracy::summary_width(ui, cx) + 2.0 * SPACE + gap
}

/// Width of a line of small text, points.
fn small_width(ui: &Ui, text: &str) -> f32 {
    text_size(ui, text, TextStyle::Small.resolve(ui.style())).x
}

/// How much of the past is shown, in this order.
fn spans(ui: &mut Ui, cx: &mut Context<'_>, order: impl Iterator<Item = usize>) {
    for k in order {
        let button = ui.selectable_label(cx.state.span == k, span_name(SPANS[k]));
        let hint = format!("the last {:.0} s", SPANS[k]);
        if button.on_hover_text(hint).clicked() {
            cx.state.span = k;
        }
    }
}

fn span_name(seconds: f64) -> String {
    format!("{seconds:.0} s")
}
