//! One method: a strip with its name, state and force, and below it the picture.

use egui::{Align, Color32, FontId, Layout, Rect, Response, RichText, Ui, UiBuilder, Vec2};
use pliant_core::inspect::ModelStats;
use pliant_core::scene::Method;
use pliant_render::numbers::grouped;
use pliant_simulation::snapshot::{PaneSnapshot, PaneState};

use super::accuracy;
use super::bars::stages::in_words;
use super::bars::width::text_size;
use super::context::Context;
use crate::state::ForceSource;
use crate::style;

/// Width of a strip from which it has more free space at its ends, points.
const WIDE: f32 = 200.0;
/// Space between texts that stand side by side, points.
const GAP: f32 = 8.0;
/// A part of a point more than a text needs, so that rounding cuts nothing.
const SLACK: f32 = 1.0;
/// A force that is as wide as any.
const WIDEST_FORCE: &str = "0.000 mN";
/// Sizes of the letters of the name and of the force beside it, points; without the second, the force stands below the name.
const LETTERS: [(f32, Option<f32>); 3] = [(17.0, Some(25.0)), (17.0, Some(17.0)), (17.0, None)];
/// Size of the letters of a name that has no room, and of a force below a name, points.
const SMALLER: f32 = 13.5;
/// Size of the other letters, points.
const SMALL: f32 = 11.5;

/// Shows the strip of pane `k` in `rect`. Where it is narrow, its less important parts leave it.
pub fn show(ui: &mut Ui, rect: Rect, k: usize, cx: &Context<'_>, source: &ForceSource) {
    let Some(pane) = cx.snapshot.panes.get(k) else {
        return;
    };
    let dark = ui.visuals().dark_mode;
    let accent = style::accent(pane.method, dark);
    let fill = if dark {
        Color32::from_rgb(31, 34, 40)
    } else {
        Color32::from_rgb(252, 252, 253)
    };
    ui.painter().rect_filled(rect, 0.0, fill);
    let stripe = Rect::from_min_size(rect.min, egui::vec2(rect.width(), 3.0));
    ui.painter().rect_filled(stripe, 0.0, accent);
    let margin = if rect.width() < WIDE { 8.0 } else { 12.0 };
    let inner = rect.shrink2(egui::vec2(margin, 0.0));
    let mut ui = ui.new_child(UiBuilder::new().max_rect(inner));
    ui.set_clip_rect(rect);
    let is_low = rect.height() < style::HEADER_HEIGHT - 1.0;
    let centers = if is_low { [14.0, 32.0] } else { [23.0, 44.0] };
    let [upper, lower] = centers.map(|y| {
        let center = egui::pos2(inner.center().x, rect.top() + y);
        Rect::from_center_size(center, Vec2::new(inner.width(), 30.0))
    });
    let mut room = inner.width();
    let (name_letters, force_letters) = letters(&ui, room, is_low);
    let name = RichText::new(style::title(pane.method)).size(name_letters);
    let hint = format!(
        "{}\ndouble click: this method alone, or all of them (M)",
        style::subtitle(pane.method)
    );
    write(&mut ui, upper, Align::Min, name.color(style::strong(dark))).on_hover_text(hint);
    let states = state_lines(pane);
    let mut side = Align::Min;
    // before its first frame a method has no force
    let size = source.size(pane).filter(|size| size.is_finite());
    if let Some(size) = size.filter(|_| pane.state == PaneState::Ready) {
        let force = force_text(size);
        let number = RichText::new(&force).color(accent);
        let (caption, color) = accuracy::of_pane(pane, cx.snapshot, dark)
            .unwrap_or_else(|| (source.caption(), style::faint(dark)));
        let hint = accuracy::hint(pane, cx.snapshot);
        let all = [Some(caption.clone()), hint.clone()];
        let all = all.into_iter().flatten().collect::<Vec<_>>().join("\n");
        if let Some(letters) = force_letters {
            let place = upper.with_max_x(upper.right() - unit_space(&ui, &force, letters));
            write(&mut ui, place, Align::Max, number.size(letters)).on_hover_text(all);
            let taken = width(&ui, &caption, SMALL) + GAP;
            let shortest = states.last().map_or(0.0, |s| width(&ui, s, SMALL));
            if taken + shortest <= room {
                let text = RichText::new(caption).size(SMALL).color(color);
                let line = write(&mut ui, lower, Align::Max, text);
                if let Some(hint) = hint {
                    line.on_hover_text(hint);
                }
                room -= taken;
            }
        } else {
            write(&mut ui, lower, Align::Min, number.size(SMALLER)).on_hover_text(all);
            room -= width(&ui, &force, SMALLER) + GAP;
            side = Align::Max;
        }
    }
    let color = match pane.state {
        PaneState::Stopped(_) => style::alarm(dark),
        _ => style::faint(dark),
    };
    state(&mut ui, lower, side, room, &states, color);
}

/// The largest letters with which the names of all methods and any force fit, so that nothing jumps.
fn letters(ui: &Ui, room: f32, is_low: bool) -> (f32, Option<f32>) {
    let fits = |(name, force): &(f32, Option<f32>)| {
        let names = Method::ALL.map(|method| width(ui, style::title(method), *name));
        let beside = force.map_or(0.0, |force| GAP + width(ui, WIDEST_FORCE, force));
        names.into_iter().fold(0.0, f32::max) + beside <= room
    };
    let mut all = LETTERS.into_iter().skip(usize::from(is_low));
    all.find(fits).unwrap_or((SMALLER, None))
}

/// Width of a text, points.
fn width(ui: &Ui, text: &str, letters: f32) -> f32 {
    text_size(ui, text, FontId::proportional(letters)).x + SLACK
}

/// Space behind a force, so that its digits stay in place when its unit becomes a wider one, points.
fn unit_space(ui: &Ui, force: &str, letters: f32) -> f32 {
    let unit_of = |text: &str| text.rsplit(' ').next().unwrap_or_default().to_string();
    let [widest, own] = [WIDEST_FORCE, force].map(|text| width(ui, &unit_of(text), letters));
    (widest - own).max(0.0)
}

/// Writes a text at one end of a row.
fn write(ui: &mut Ui, row: Rect, side: Align, text: RichText) -> Response {
    let layout = match side {
        Align::Max => Layout::right_to_left(Align::Center),
        _ => Layout::left_to_right(Align::Center),
    };
    let mut ui = ui.new_child(UiBuilder::new().max_rect(row).layout(layout));
    ui.add(egui::Label::new(text).truncate())
}

/// Writes the longest of the lines that fits. Hovering shows the longest of all.
fn state(ui: &mut Ui, row: Rect, side: Align, room: f32, lines: &[String], color: Color32) {
    let fits = |line: &&String| width(ui, line, SMALL) <= room;
    // beside a force, none is better than a part
    let shortest = lines.last().filter(|_| side == Align::Min);
    let Some(line) = lines.iter().find(fits).or(shortest) else {
        return;
    };
    let text = RichText::new(line).size(SMALL).color(color);
    let shown = write(ui, row, side, text);
    if let Some(longest) = lines.first().filter(|longest| *longest != line) {
        shown.on_hover_text(longest);
    }
}

/// A force with three digits that do not jump in width; a dash for one that does not exist.
pub fn force_text(newtons: f64) -> String {
    match newtons {
        f if !f.is_finite() => "—".to_string(),
        // below the resolution of the digits
        f if f < 5e-7 => "0.00 N".to_string(),
        f if f < 9.995e-5 => format!("{:.1} µN", f * 1e6),
        f if f < 9.995e-4 => format!("{:.3} mN", f * 1e3),
        f if f < 9.995e-3 => format!("{:.2} mN", f * 1e3),
        f if f < 0.09995 => format!("{:.1} mN", f * 1e3),
        f if f < 0.9995 => format!("{f:.3} N"),
        f if f < 9.995 => format!("{f:.2} N"),
        f if f < 99.95 => format!("{f:.1} N"),
        f if f < 9999.5 => format!("{f:.0} N"),
        f => format!("{:.1} kN", f * 1e-3),
    }
}

/// What a pane does, in a line, and in shorter ones.
fn state_lines(pane: &PaneSnapshot) -> Vec<String> {
    match &pane.state {
        PaneState::Waiting => vec!["waiting".to_string()],
        PaneState::Baking { stage, fraction } => preparing(stage, *fraction),
        PaneState::Ready => {
            let cost = cost_text(pane.cost_ms);
            let (more, brief) = match pane.baked {
                Some(share) => full_model(&pane.bake_stage, share),
                None => (format!("{} nodes", node_count(&pane.stats)), None),
            };
            let with = |and: &str, more: &str| format!("{cost} {and}  {more}");
            let mut lines = vec![with("a frame  ·", &more), with(" ·", &more)];
            lines.extend(brief.map(|brief| with(" ·", brief)));
            lines.push(cost);
            lines
        }
        PaneState::NotApplicable(_) => vec!["not applicable".to_string()],
        PaneState::Stopped(_) => ["stopped at its last good frame", "stopped"]
            .map(str::to_string)
            .to_vec(),
    }
}

/// How far the full model is that takes the place of one that runs, and the same in fewer words.
fn full_model(stage: &str, share: f64) -> (String, Option<&'static str>) {
    if share >= 1.0 {
        let waits = "full model waits: in contact".to_string();
        return (waits, Some("full model waits"));
    }
    if stage.is_empty() {
        let waits = "full model: waits for its turn".to_string();
        return (waits, Some("full model waits"));
    }
    let percent = (100.0 * share).round();
    let of_stage = match percent > 0.0 {
        true => format!(", {percent:.0} %"),
        false => String::new(),
    };
    let text = format!("full model: {}{of_stage}", in_words(stage));
    (text, Some("full model in work"))
}

/// A stage that has not said how far it is has no percentage yet.
fn preparing(stage: &str, fraction: f64) -> Vec<String> {
    let stage = in_words(stage);
    let percent = (fraction * 100.0).round();
    let (of_stage, alone) = match percent > 0.0 {
        true => (format!(", {percent:.0} %"), format!(" {percent:.0} %")),
        false => (String::new(), String::new()),
    };
    vec![
        format!("preparing: {stage}{of_stage}"),
        format!("{stage}{of_stage}"),
        format!("preparing{alone}"),
    ]
}

/// The cost of a frame; a dash for a method that has not computed one.
fn cost_text(ms: f64) -> String {
    if ms <= 0.0 {
        "— ms".to_string()
    } else if ms < 9.95 {
        format!("{ms:.1} ms")
    } else {
        format!("{ms:.0} ms")
    }
}

/// How many nodes are computed, and of how many, where these are not all.
pub fn node_count(stats: &ModelStats) -> String {
    let (active, total) = (stats.active_nodes, stats.total_nodes);
    let sleeps = |(name, count): &(&str, f64)| {
        ["bodies_asleep", "pieces_asleep"].contains(name) && *count > 0.0
    };
    // zero active nodes mean that the method does not report them, unless its bodies or pieces sleep
    let is_reported = active > 0 || stats.counters.iter().any(sleeps);
    if total > active && is_reported {
        format!("{} of {}", grouped(active), grouped(total))
    } else {
        grouped(active.max(total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(force_text(0.0), "0.00 N");
        assert_eq!(force_text(12.34), "12.3 N");
        assert_eq!(force_text(123_456.0), "123.5 kN");
        assert_eq!(force_text(0.123_4), "0.123 N");
        assert_eq!(force_text(0.059), "59.0 mN");
        assert_eq!(force_text(0.001_234), "1.23 mN");
        assert_eq!(force_text(1.25e-5), "12.5 µN");
        assert_eq!(force_text(0.000_2), "0.200 mN");
        assert_eq!(force_text(f64::NAN), "—");
        assert_eq!(cost_text(0.0), "— ms");
        assert_eq!(cost_text(1.25), "1.2 ms");
    }

    #[test]
    fn a_state_has_shorter_lines_for_narrow_panes() {
        for (fraction, lines) in [
            (0.004, ["preparing: cells", "cells", "preparing"]),
            (
                0.25,
                ["preparing: cells, 25 %", "cells, 25 %", "preparing 25 %"],
            ),
        ] {
            assert_eq!(preparing("cells", fraction), lines);
        }
        let mut pane = PaneSnapshot::waiting(Method::Lattice);
        assert_eq!(state_lines(&pane), ["waiting"]);
        pane.state = PaneState::Ready;
        pane.cost_ms = 16.0;
        pane.stats.total_nodes = 2016;
        let lines = [
            "16 ms a frame  ·  2,016 nodes",
            "16 ms  ·  2,016 nodes",
            "16 ms",
        ];
        assert_eq!(state_lines(&pane), lines);
    }

    #[test]
    fn a_coarse_model_that_runs_says_what_its_full_model_waits_for() {
        let mut pane = PaneSnapshot::waiting(Method::Adaptive);
        pane.state = PaneState::Ready;
        pane.cost_ms = 16.0;
        for (share, stage, long, brief) in [
            (
                0.0,
                "",
                "full model: waits for its turn",
                "full model waits",
            ),
            (
                0.004,
                "local stiffness of level 3 of 5",
                "full model: stiffness of the levels, 3 of 5",
                "full model in work",
            ),
            (
                0.25,
                "lowest mode",
                "full model: slowest vibration, 25 %",
                "full model in work",
            ),
            (1.0, "", "full model waits: in contact", "full model waits"),
        ] {
            pane.baked = Some(share);
            pane.bake_stage = stage.into();
            let lines = [
                format!("16 ms a frame  ·  {long}"),
                format!("16 ms  ·  {long}"),
                format!("16 ms  ·  {brief}"),
                "16 ms".to_string(),
            ];
            assert_eq!(state_lines(&pane), lines);
        }
    }

    #[test]
    fn a_heap_that_sleeps_says_so_and_a_method_without_figures_does_not() {
        let mut stats = ModelStats {
            total_nodes: 12_014,
            ..ModelStats::default()
        };
        assert_eq!(node_count(&stats), "12,014");
        stats.counters = vec![("bodies_asleep", 0.0)];
        assert_eq!(node_count(&stats), "12,014");
        stats.counters = vec![("bodies_asleep", 52.0)];
        assert_eq!(node_count(&stats), "0 of 12,014");
        stats.active_nodes = 12;
        assert_eq!(node_count(&stats), "12 of 12,014");
    }
}
