//! What stands in front of a pane's picture: progress, reasons, forces, the colour bar, probes, what the mesh report marks, what the hand holds, the vertex that was picked.

pub mod color_bar;
mod forces;
mod hold;
mod mesh_mark;
mod picked;
mod places;
mod text;

use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Ui, UiBuilder, Vec2};
use pliant_render::numbers::quantity;
use pliant_simulation::error::Fault;
use pliant_simulation::snapshot::{PaneSnapshot, PaneState};

use crate::panels::Context;
use crate::state::Layer;
use crate::style;
use color_bar::HEIGHT;
use places::{RIM, on_screen};
use text::{line_on_plate, on_plate};

/// Draws the overlay of pane `k` over the picture in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, k: usize, cx: &Context<'_>) {
    let Some(pane) = cx.snapshot.panes.get(k) else {
        return;
    };
    match &pane.state {
        PaneState::Waiting if cx.snapshot.setup.is_some() => {
            card(ui, rect, waiting(cx), None, None);
        }
        PaneState::Waiting | PaneState::Ready => {}
        PaneState::Baking { stage, fraction } => {
            let line = format!("preparing: {stage}");
            card(ui, rect, &line, None, Some(*fraction));
        }
        PaneState::NotApplicable(fault) => card(ui, rect, "not applicable", Some(fault), None),
        PaneState::Stopped(fault) => {
            let line = "stopped: reset (R) starts it again";
            card(ui, rect, line, Some(fault), None);
        }
    }
    mesh_mark::show(ui, rect, pane, cx);
    if pane.state == PaneState::Ready {
        probes(ui, rect, pane, cx);
        points(ui, rect, pane, cx);
        forces::show(ui, rect, pane, cx);
        hold::show(ui, rect, pane, cx);
    }
    picked::show(ui, rect, k, cx);
    if cx.state.layer != Layer::Plain {
        color_bar::show(ui, rect, k, cx);
    }
    if let Some(Some(line)) = cx.state.skin_lines.get(k) {
        let below = if cx.state.layer == Layer::Plain {
            0.0
        } else {
            HEIGHT
        };
        line_on_plate(ui, rect, Vec2::new(14.0, 14.0 + below), line);
    }
}

/// Lines without the space around them.
fn trim_lines(reason: &str) -> String {
    reason.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Why a method waits: others are being baked, or it is ready and waits for a moment without contact to join the running ones.
fn waiting(cx: &Context<'_>) -> &'static str {
    let others = |test: fn(&PaneState) -> bool| cx.snapshot.panes.iter().any(|p| test(&p.state));
    let baking = others(|s| matches!(s, PaneState::Baking { .. }));
    if others(|s| *s == PaneState::Ready) && !baking {
        "ready: starts as soon as nothing touches the body"
    } else {
        "waiting for its turn"
    }
}

/// A card at the lower border: a line, a reason, a progress bar.
fn card(ui: &mut Ui, rect: Rect, line: &str, fault: Option<&Fault>, fraction: Option<f64>) {
    let dark = ui.visuals().dark_mode;
    let reason = fault.map(|fault| trim_lines(&fault.reason));
    let width = (rect.width() - 32.0).clamp(60.0, 380.0);
    let height = match (&reason, fraction) {
        (Some(reason), _) => {
            let font = FontId::proportional(12.5);
            let galley = ui
                .painter()
                .layout(reason.clone(), font, Color32::WHITE, width - 24.0);
            (galley.size().y + 44.0).min((rect.height() - 32.0).max(40.0))
        }
        (None, Some(_)) => 50.0,
        (None, None) => 34.0,
    };
    let place = Rect::from_center_size(
        Pos2::new(rect.center().x, rect.bottom() - 16.0 - height * 0.5),
        Vec2::new(width, height),
    );
    let fill = style::plate(dark, [225, 232]);
    ui.painter().rect_filled(place, CornerRadius::same(6), fill);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(place.shrink2(Vec2::new(12.0, 8.0))));
    ui.set_clip_rect(place);
    ui.label(egui::RichText::new(line).color(style::strong(dark)));
    if let (Some(reason), Some(fault)) = (reason, fault) {
        let text = egui::RichText::new(reason).size(12.5);
        let label = egui::Label::new(text.color(style::faint(dark))).wrap();
        ui.add(label).on_hover_text(&fault.code);
    }
    if let Some(fraction) = fraction {
        let bar = Rect::from_min_size(
            ui.cursor().min + Vec2::new(0.0, 2.0),
            Vec2::new(width - 24.0, 5.0),
        );
        let ground = style::faint(dark).gamma_multiply(0.3);
        ui.painter().rect_filled(bar, CornerRadius::same(2), ground);
        let accent = ui.visuals().selection.bg_fill;
        let filled = filled_part(&ui, bar, fraction);
        ui.painter()
            .rect_filled(filled, CornerRadius::same(2), accent);
    }
}

/// The filled part of a progress bar; a part that moves back and forth while there is no progress.
fn filled_part(ui: &Ui, bar: Rect, fraction: f64) -> Rect {
    if fraction >= 0.005 {
        let width = bar.width() * fraction.clamp(0.0, 1.0) as f32;
        return Rect::from_min_size(bar.min, Vec2::new(width, bar.height()));
    }
    ui.ctx()
        .request_repaint_after(std::time::Duration::from_millis(50));
    let position = (0.5 - 0.5 * (ui.input(|i| i.time) * 2.2).cos()) as f32;
    let width = 0.25 * bar.width();
    let left = bar.left() + position * (bar.width() - width);
    Rect::from_min_size(Pos2::new(left, bar.top()), Vec2::new(width, bar.height()))
}

fn probes(ui: &Ui, rect: Rect, pane: &PaneSnapshot, cx: &Context<'_>) {
    let Some(setup) = &cx.snapshot.setup else {
        return;
    };
    if pane.frame.positions.len() != setup.skin().vertex_count() {
        return;
    }
    for probe in &setup.probes {
        let place = pane.frame.point(setup.skin(), &probe.at);
        if let Some(at) = on_screen(&cx.state.camera, rect, &place) {
            let painter = ui.painter().with_clip_rect(rect);
            painter.circle(at, 4.5, Color32::WHITE, egui::Stroke::new(1.5, RIM));
            let place = at + Vec2::new(10.0, 0.0);
            on_plate(ui, &painter, place, Align2::LEFT_CENTER, &probe.name);
        }
    }
}

/// Points inside, seen through the skin: a diamond, the name and the stress.
fn points(ui: &Ui, rect: Rect, pane: &PaneSnapshot, cx: &Context<'_>) {
    let painter = ui.painter().with_clip_rect(rect);
    for point in &pane.points {
        let Some(at) = on_screen(&cx.state.camera, rect, &point.place) else {
            continue;
        };
        let reach = 5.5;
        let corners = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)];
        painter.add(egui::Shape::convex_polygon(
            corners.map(|(x, y)| at + Vec2::new(x, y)).to_vec(),
            Color32::from_rgb(255, 214, 92),
            egui::Stroke::new(1.5, RIM),
        ));
        let stress = quantity(point.state.von_mises(), "Pa");
        let text = format!("{}  {stress}", point.name);
        let place = at + Vec2::new(10.0, 0.0);
        on_plate(ui, &painter, place, Align2::LEFT_CENTER, &text);
    }
}

/// Draws the path of the blade over a pane.
pub fn cut_trail(ui: &Ui, rect: Rect, trail: &[Vec2]) {
    let dark = ui.visuals().dark_mode;
    let painter = ui.painter().with_clip_rect(rect);
    let points = trail.iter().map(|at| rect.min + *at).collect();
    painter.line(points, egui::Stroke::new(2.0, style::strong(dark)));
}

/// A hint for a hand that does nothing because the simulation is paused.
pub fn paused_hint(ui: &Ui, rect: Rect) {
    let dark = ui.visuals().dark_mode;
    let painter = ui.painter().with_clip_rect(rect);
    let place = rect.center_top() + Vec2::new(0.0, 18.0);
    painter.text(
        place,
        Align2::CENTER_CENTER,
        "paused: press space",
        FontId::proportional(13.0),
        style::strong(dark),
    );
}
