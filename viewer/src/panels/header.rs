//! One method: a strip with its name, state and force, and below it the picture.

use egui::{Align, Color32, Layout, Rect, RichText, Ui, UiBuilder};
use pliant_core::inspect::ModelStats;
use pliant_render::numbers::grouped;
use pliant_simulation::snapshot::{PaneSnapshot, PaneState};

use super::accuracy;
use super::bars::width::text_size;
use super::context::Context;
use crate::state::ForceSource;
use crate::style;

/// Widths of a strip below which its force is written smaller, points.
const NARROW_WIDTH: f32 = 230.0;
const NARROWEST_WIDTH: f32 = 160.0;

/// Shows the strip of pane `k` in `rect`.
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
    let inner = rect
        .shrink2(egui::vec2(12.0, 6.0))
        .translate(egui::vec2(0.0, 2.0));
    let row = Layout::left_to_right(Align::Center);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(inner).layout(row));
    ui.set_clip_rect(rect);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        force(ui, pane, cx, source, dark);
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.add_space(3.0);
            let name = RichText::new(style::title(pane.method))
                .text_style(egui::TextStyle::Heading)
                .strong();
            let name = egui::Label::new(name.color(style::strong(dark))).truncate();
            let subtitle = style::subtitle(pane.method);
            let hint = format!("{subtitle}\ndouble click: this method alone, or all of them (M)");
            ui.add(name).on_hover_text(hint);
            let (text, color) = state_line(pane, dark);
            let text = fitting(ui, text);
            ui.add(egui::Label::new(RichText::new(text).small().color(color)).truncate());
        });
    });
}

fn force(ui: &mut Ui, pane: &PaneSnapshot, cx: &Context<'_>, source: &ForceSource, dark: bool) {
    if *source == ForceSource::Nothing || pane.state != PaneState::Ready {
        return;
    }
    // the name of the method comes first where there is not room for both
    let (width, letters) = match ui.available_width() {
        narrowest if narrowest < NARROWEST_WIDTH => (0.5 * narrowest, 14.0),
        narrow if narrow < NARROW_WIDTH => (0.45 * narrow, 17.0),
        _ => (148.0, 25.0),
    };
    ui.allocate_ui_with_layout(
        egui::vec2(width, ui.available_height()),
        Layout::top_down(Align::Max),
        |ui| {
            let size = source.size(pane).unwrap_or(f64::NAN);
            let number = RichText::new(force_text(size))
                .size(letters)
                .color(style::accent(pane.method, dark));
            let number = number.family(egui::FontFamily::Proportional);
            ui.add(egui::Label::new(number).extend());
            let (text, color) = accuracy::of_pane(pane, cx.snapshot, dark)
                .unwrap_or_else(|| (source.caption(), style::faint(dark)));
            // a second line would lie outside of the strip
            let text = RichText::new(text).small().color(color);
            let line = ui.add(egui::Label::new(text).truncate());
            if let Some(hint) = accuracy::hint(pane, cx.snapshot) {
                line.on_hover_text(hint);
            }
        },
    );
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

/// The line, shortened where it does not fit. Hovering shows the full text.
fn fitting(ui: &Ui, line: String) -> String {
    let font = egui::TextStyle::Small.resolve(ui.style());
    if text_size(ui, &line, font).x <= ui.available_width() {
        return line;
    }
    shorter(&line)
}

/// A state line without the words that the context explains.
fn shorter(line: &str) -> String {
    line.replace(" a frame", "").replace("preparing: ", "")
}

/// State of the method in a line, and its colour.
fn state_line(pane: &PaneSnapshot, dark: bool) -> (String, Color32) {
    let faint = style::faint(dark);
    match &pane.state {
        PaneState::Waiting => ("waiting".to_string(), faint),
        PaneState::Baking { stage, fraction } => (preparing(stage, *fraction), faint),
        PaneState::Ready => {
            let (cost, nodes) = (cost_text(pane.cost_ms), node_count(&pane.stats));
            let line = match pane.baked {
                Some(share) if share >= 1.0 => format!("{cost}  ·  full model waits: in contact"),
                Some(share) => format!("{cost}  ·  full model {:.0} % ready", 100.0 * share),
                None => format!("{cost}  ·  {nodes} nodes"),
            };
            (line, faint)
        }
        PaneState::NotApplicable(_) => ("not applicable".to_string(), faint),
        PaneState::Stopped(_) => (
            "stopped at its last good frame".to_string(),
            style::alarm(dark),
        ),
    }
}

/// A stage that has not said how far it is has no percentage yet.
fn preparing(stage: &str, fraction: f64) -> String {
    let percent = (fraction * 100.0).round();
    if percent > 0.0 {
        format!("preparing: {stage}, {percent:.0} %")
    } else {
        format!("preparing: {stage}")
    }
}

/// The cost of a frame; a dash for a method that has not computed one.
fn cost_text(ms: f64) -> String {
    if ms <= 0.0 {
        "— ms a frame".to_string()
    } else if ms < 9.95 {
        format!("{ms:.1} ms a frame")
    } else {
        format!("{ms:.0} ms a frame")
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
        assert_eq!(preparing("tetrahedra", 0.004), "preparing: tetrahedra");
        assert_eq!(preparing("tetrahedra", 0.25), "preparing: tetrahedra, 25 %");
        assert_eq!(cost_text(0.0), "— ms a frame");
        assert_eq!(cost_text(1.25), "1.2 ms a frame");
        let line = "16 ms a frame  ·  1,856 of 2,016 nodes";
        assert_eq!(shorter(line), "16 ms  ·  1,856 of 2,016 nodes");
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
