//! How far the methods are from the reference: a line in each pane, and one for all.

use egui::{Color32, RichText, Ui};
use pliant_render::numbers::{engineering_unit, number};
use pliant_simulation::reference::{
    Reference, ReferenceKind, deviation, is_within_uncertainty, ranking, side, side_in_whole,
};
use pliant_simulation::snapshot::{
    AdviceStatus, PaneSnapshot, PaneState, ReferenceStatus, WorldSnapshot,
};

use super::bars::stages::in_words;
use super::bars::width;
use super::context::Context;
use crate::style;

/// Relative error below which an estimate says no side.
const NO_SIDE_ERROR: f64 = 0.005;
/// Relative error up to which a method counts as near.
const NEAR_ERROR: f64 = 0.1;
/// Relative error from which a method counts as far.
const FAR_ERROR: f64 = 0.25;

/// The line where there is no reference; the reason stands behind it where there is room.
const NO_REFERENCE: &str = "no reference";

/// The error of a pane's force as text, and its colour; `None` while it is unknown.
pub fn of_pane(
    pane: &PaneSnapshot,
    snapshot: &WorldSnapshot,
    dark: bool,
) -> Option<(String, Color32)> {
    let reference = snapshot.reference.found()?;
    let reference_force = reference.force.as_ref()?;
    let error = pane.accuracy.as_ref()?.force_error?;
    let (size, of) = match reference.is_estimate() {
        true if error.abs() < NO_SIDE_ERROR => ("within 1 %".to_string(), " of"),
        true => (format!("about {}", side_in_whole(error)), ""),
        false => (side(error), ""),
    };
    let text = match &snapshot.touched {
        Some(_) => format!("touch: {size}"),
        None => format!("{size}{of} {}reference", reference.kind.adjective()),
    };
    let color = match error.abs() {
        _ if is_within_uncertainty(error, reference_force) => style::good(dark),
        e if e <= NEAR_ERROR => style::good(dark),
        e if e < FAR_ERROR => style::faint(dark),
        _ => style::alarm(dark),
    };
    Some((text, color))
}

/// The hover text of a pane's error.
pub fn hint(pane: &PaneSnapshot, snapshot: &WorldSnapshot) -> Option<String> {
    let reference = snapshot.reference.found()?;
    let (reference_force, found) = (reference.force.as_ref()?, pane.accuracy.as_ref()?);
    let setup = snapshot.setup.as_ref()?;
    let tools = setup.tools.iter().map(|tool| tool.name.as_str());
    let mut names = tools.chain(setup.grabs.iter().map(|grab| grab.name.as_str()));
    let (name, presses) = match snapshot.touched {
        Some(_) => (
            names.nth(reference_force.curve).unwrap_or("hand"),
            "your hand",
        ),
        None => (names.nth(reference_force.curve)?, "the script"),
    };
    let kind = reference.title();
    let (force, expected) = (found.force?, reference_force.force);
    let (scale, unit) = engineering_unit(force.abs().max(expected.abs()), "N");
    let [force, expected, uncertainty] =
        [force, expected, reference_force.uncertainty].map(|x| number(x * scale, 4));
    Some(format!(
        "force on the {name}: {force} {unit} while {presses} presses or pulls firmly; {kind} gives {expected} ± {uncertainty} {unit}: {}",
        deviation(found.force_error?, reference)
    ))
}

/// The text where the comparison with the reference lacks something.
fn waiting(cx: &Context<'_>) -> String {
    let setup = cx.snapshot.setup.as_ref();
    let is_touched = setup.is_some_and(|s| !s.tools.is_empty() || !s.grabs.is_empty());
    if cx.snapshot.touched.is_some() {
        // a pane that runs would have been judged
        "your touch: too short to compare".to_string()
    } else if is_touched {
        "reference ready: let the script run once".to_string()
    } else {
        // there is no force to compare
        "reference ready: see its curve".to_string()
    }
}

/// The line for all methods: which is nearest and which is cheapest, or the progress of the reference.
pub fn summary(ui: &mut Ui, cx: &Context<'_>) {
    let Some((mut text, hint)) = summary_texts(cx) else {
        return;
    };
    // where there is room, not only when the pointer is there
    if text == NO_REFERENCE {
        let with_reason = format!("{text}: {}", hint.lines().next().unwrap_or_default());
        if width::label(ui, &with_reason) <= ui.available_width() {
            text = with_reason;
        }
    }
    let color = style::strong(ui.visuals().dark_mode);
    let label = egui::Label::new(RichText::new(&text).color(color));
    ui.add(label.truncate())
        .on_hover_text(format!("{text}\n{hint}"));
}

/// Width of that line, points.
pub fn summary_width(ui: &Ui, cx: &Context<'_>) -> f32 {
    summary_texts(cx).map_or(0.0, |(text, _)| width::label(ui, &text))
}

/// That line, and what hovering shows; `None` without a reference.
fn summary_texts(cx: &Context<'_>) -> Option<(String, String)> {
    let prefix = match cx.snapshot.touched {
        Some(_) => "your touch: ",
        None => "",
    };
    Some(match &cx.snapshot.reference {
        ReferenceStatus::None => return None,
        ReferenceStatus::Computing {
            estimate: None,
            stage,
            fraction,
        } => (
            progress(prefix, stage, *fraction),
            "the same scene on fine finite elements, with which all methods are compared"
                .to_string(),
        ),
        ReferenceStatus::Unavailable(reason) => {
            let text = match cx.snapshot.advice {
                AdviceStatus::Running(_) => "the advice computes the reference",
                _ => NO_REFERENCE,
            };
            (text.to_string(), reason.clone())
        }
        ReferenceStatus::Ready(reference) => (verdict(cx, prefix, reference), about(reference)),
        ReferenceStatus::Computing {
            estimate: Some(estimate),
            stage,
            fraction,
        } => (
            verdict(cx, prefix, estimate),
            format!("{}\n{}", about(estimate), progress("", stage, *fraction)),
        ),
    })
}

/// The progress of the reference. The stage comes last, so that a narrow window cuts it and not the percentage.
fn progress(prefix: &str, stage: &str, fraction: f64) -> String {
    let stage = in_words(stage);
    format!("{prefix}reference {:.0} %: {stage}", fraction * 100.0)
}

/// Description of the reference.
fn about(reference: &Reference) -> String {
    let kind = match reference.kind {
        ReferenceKind::Dynamic => "",
        ReferenceKind::Static => ", at rest in each frame",
        ReferenceKind::Linear => ", with linear elasticity",
    };
    format!(
        "the same scene on {} of finite elements{kind}",
        reference.nodes_in_words()
    )
}

/// Which method is nearest and which is cheapest, or what is missing for that.
fn verdict(cx: &Context<'_>, prefix: &str, reference: &Reference) -> String {
    let suffix = match reference.is_estimate() {
        true => "  ·  estimated",
        false => "",
    };
    let costs = cx.state.history.costs.iter();
    let panes = cx.snapshot.panes.iter().zip(costs);
    let methods = panes
        .filter_map(|(pane, cost)| Some((pane.method, pane.accuracy.as_ref()?, cost.median_ms()?)));
    let is_alone = methods.clone().count() == 1;
    let diagonal = cx.snapshot.setup.as_ref().map_or(0.0, |s| s.diagonal);
    let Some(found) = ranking(reference.force.as_ref(), diagonal, methods) else {
        return waiting(cx);
    };
    let missing = not_compared(cx.snapshot);
    let (nearest, cheapest) = (style::title(found.nearest), style::title(found.cheapest));
    let text = if is_alone && !missing.is_empty() {
        format!("compared: {nearest}")
    } else if !found.as_near.is_empty() {
        let near: Vec<&str> = found.near().into_iter().map(style::title).collect();
        format!("equally near: {}  ·  cheapest: {cheapest}", near.join(", "))
    } else if found.nearest == found.cheapest {
        format!("nearest and cheapest: {nearest}")
    } else {
        format!("nearest: {nearest}  ·  cheapest: {cheapest}")
    };
    let missing = match missing.is_empty() {
        true => String::new(),
        false => format!("  ·  not compared: {}", missing.join(", ")),
    };
    format!("{prefix}{text}{missing}{suffix}")
}

/// Methods that run, but have not yet felt what is compared: one that joined late, or whose full model did.
fn not_compared(snapshot: &WorldSnapshot) -> Vec<&'static str> {
    let running = snapshot.panes.iter();
    let running = running.filter(|pane| pane.state == PaneState::Ready && pane.accuracy.is_none());
    running.map(|pane| style::title(pane.method)).collect()
}
