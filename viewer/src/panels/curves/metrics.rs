//! Metrics as curves: which there are, the menu of them, and who lacks one.

use egui::containers::menu::MenuButton;
use egui::{Button, Ui};
use pliant_simulation::command::Command;
use pliant_simulation::snapshot::{MEASURED_ALWAYS, PaneSnapshot, PaneState};
use pliant_simulation::world::METRICS;

use crate::panels::Context;
use crate::panels::bars::menu::scrolled;
use crate::state::{Plotted, shown};
use crate::style;

/// The metrics that can be plotted, with their names: those that a pane has, and those that it would have if it were asked.
pub fn metrics(cx: &Context<'_>) -> Vec<(Plotted, String)> {
    let snapshot = cx.snapshot;
    let mut running = shown(snapshot);
    running.retain(|&k| snapshot.panes[k].state == PaneState::Ready);
    let panes = || running.iter().map(move |&k| &snapshot.panes[k]);
    let must_be_asked = has_large_skin(cx);
    // after a reset there is none for a moment
    let is_kept = |choice: Plotted| snapshot.frames == 0 && cx.state.plotted == choice;
    let mut all = Vec::new();
    for metric in METRICS {
        let is_there = panes().any(|pane| (metric.value)(&pane.metrics).is_some());
        let can_be = must_be_asked && metric.is_of_skin && !running.is_empty();
        let choice = Plotted::Metric(metric);
        if is_there || can_be || is_kept(choice) {
            all.push((choice, metric.label.to_string()));
        }
    }
    for &k in &running {
        let is_there = panes().any(|pane| matches!(pane.distances.get(k), Some(Some(_))));
        let can_be = must_be_asked && running.len() > 1;
        let choice = Plotted::Distance(k);
        if is_there || can_be || is_kept(choice) {
            let name = style::title(snapshot.panes[k].method);
            all.push((choice, format!("Distance to {name}")));
        }
    }
    all
}

/// The menu of the metrics among `choices`, which has the name of the one that is plotted.
pub fn menu(ui: &mut Ui, cx: &mut Context<'_>, plotted: Plotted, choices: &[(Plotted, String)]) {
    let Some(title) = title(plotted, choices) else {
        return;
    };
    let metrics = choices.iter().filter(|(choice, _)| choice.is_metric());
    let button = Button::selectable(plotted.is_metric(), title);
    let (button, _) =
        MenuButton::from_button(button).ui(ui, |ui| entries(ui, cx, plotted, metrics));
    button.on_hover_text("energies, constraints, volume, and how far the skins are apart");
}

/// The name of that menu; `None` where there is no metric.
pub fn title(plotted: Plotted, choices: &[(Plotted, String)]) -> Option<&str> {
    let mut metrics = choices.iter().filter(|(choice, _)| choice.is_metric());
    metrics.clone().next()?;
    let chosen = metrics.find(|(choice, _)| *choice == plotted);
    Some(chosen.map_or("Metrics", |(_, name)| name.as_str()))
}

/// Entries of a menu: what can be plotted.
pub fn entries<'c>(
    ui: &mut Ui,
    cx: &mut Context<'_>,
    plotted: Plotted,
    choices: impl Iterator<Item = &'c (Plotted, String)>,
) {
    scrolled(ui, |ui| {
        for (choice, name) in choices {
            let mut entry = ui.selectable_label(*choice == plotted, name);
            if choice.is_metric() {
                entry = entry.on_hover_text(about(*choice));
            }
            if entry.clicked() {
                cx.state.plotted = *choice;
                ui.close();
            }
        }
    });
}

/// Description of a metric.
fn about(choice: Plotted) -> &'static str {
    match choice {
        Plotted::Metric(metric) => metric.about,
        _ => "root mean square over the skin, weighted by area",
    }
}

/// In a word, what a running pane without such a curve lacks; `None` where it has one, or may get one.
pub fn lacking(pane: &PaneSnapshot, plotted: Plotted) -> Option<&'static str> {
    let Plotted::Metric(metric) = plotted else {
        return None;
    };
    // each method reports the violation of contact after its first step
    let has_stepped = pane.state == PaneState::Ready && pane.metrics.violation.is_some();
    let lacks = has_stepped && !metric.is_of_skin && (metric.value)(&pane.metrics).is_none();
    lacks.then_some(metric.lacks)
}

/// Requests that large skins are measured while the result is visible.
pub fn request_skins(cx: &mut Context<'_>) {
    let is_seen = cx.state.details || cx.state.plotted.is_of_skin();
    if has_large_skin(cx) && is_seen != cx.state.measures_skins {
        cx.state.measures_skins = is_seen;
        cx.commands.push(Command::MeasureSkins(is_seen));
    }
}

/// Whether the skin is too large to be measured without a request.
fn has_large_skin(cx: &Context<'_>) -> bool {
    let setup = cx.snapshot.setup.as_ref();
    setup.is_some_and(|setup| setup.skin().vertex_count() > MEASURED_ALWAYS)
}
