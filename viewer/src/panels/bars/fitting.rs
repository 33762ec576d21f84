//! Which parts of the bar at the top fit into the window.

use egui::{TextStyle, Ui, Vec2, vec2};

use super::views::{self, LeftOut};
use super::width;
use crate::panels::Context;

/// Largest width of the name of the scene, points.
const MAX_NAME_WIDTH: f32 = 180.0;
/// Width that a long name keeps until other things have left the bar, points.
const KEPT_NAME_WIDTH: f32 = 96.0;
/// Smallest width of the name, points.
const MIN_NAME_WIDTH: f32 = 40.0;
/// Width of the line between two groups, points.
const SEPARATOR: f32 = 6.0;
/// Width between the groups at the left and at the right, points.
const FREE_WIDTH: f32 = 8.0;

/// Which parts of the bar fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitting {
    /// What is left out.
    pub left_out: LeftOut,
    /// Size of the button with the name of the scene, points.
    pub name: Vec2,
}

/// Finds out what fits beside the `name` of the scene.
pub fn fitting(ui: &Ui, cx: &Context<'_>, name: &str) -> Fitting {
    let available = ui.available_width();
    let natural = width::button_size(ui, name, TextStyle::Heading);
    let measured = |level: LeftOut| (level, rest(ui, cx, level));
    let kept = |level: LeftOut| match level {
        LeftOut::Nothing => natural.x.min(MAX_NAME_WIDTH),
        LeftOut::Colour => natural.x.min(MIN_NAME_WIDTH),
        _ => natural.x.min(KEPT_NAME_WIDTH),
    };
    let mut levels = LeftOut::LEVELS.into_iter().map(measured);
    let found = levels.find(|(level, rest)| rest + kept(*level) <= available);
    let (left_out, rest) = found.unwrap_or_else(|| measured(LeftOut::Window));
    let max_width = natural.x.min(MAX_NAME_WIDTH);
    let name = (available - rest).clamp(MIN_NAME_WIDTH.min(max_width), max_width);
    Fitting {
        left_out,
        name: vec2(name, natural.y),
    }
}

/// Width of all but the name, with the spaces between, points.
fn rest(ui: &Ui, cx: &Context<'_>, left_out: LeftOut) -> f32 {
    let mut widths = vec![SEPARATOR; 2];
    let always = ["Grab", "Pull", "Poke", "Cut", "Details"];
    widths.extend(always.map(|name| width::button(ui, name)));
    widths.push(super::pictures::width(ui));
    if left_out < LeftOut::Window {
        widths.push(SEPARATOR);
        widths.extend(["Gravity", "?"].map(|name| width::button(ui, name)));
        widths.push(theme(ui));
    }
    if left_out < LeftOut::Label {
        widths.push(width::label(ui, "Colour"));
    }
    if left_out < LeftOut::Colour {
        widths.push(views::colour_width(ui, cx));
    }
    if left_out < LeftOut::Panes && views::has_several_panes(cx) {
        let labels = ["Overlay", "Panes"];
        widths.extend(labels.map(|name| width::label(ui, name)));
        widths.extend([views::method_width(ui); 2]);
    }
    if left_out < LeftOut::View {
        widths.extend(["Edges", "Fit"].map(|name| width::button(ui, name)));
    }
    if left_out < LeftOut::Advice {
        widths.push(width::button(ui, "Advice"));
    }
    if left_out >= LeftOut::Panes {
        widths.push(width::button(ui, "More"));
    }
    let gap = ui.spacing().item_spacing.x;
    // each of them has one gap before it, the first one behind the name
    widths.iter().map(|width| width + gap).sum::<f32>() + FREE_WIDTH
}

/// Width of the button that changes the theme: as wide for both words, so that nothing jumps.
pub fn theme(ui: &Ui) -> f32 {
    width::button(ui, "Light").max(width::button(ui, "Dark"))
}
