//! What stands in front of a pane's picture: progress, reasons, the colour bar, probes.

use egui::{Align2, Color32, CornerRadius, FontId, Pos2, Rect, Ui, UiBuilder, Vec2};
use nalgebra::Vector4;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_render::OrbitCamera;
use pliant_render::numbers::{engineering_unit, grouped, number};
use pliant_simulation::snapshot::{PaneFault, PaneSnapshot, PaneState};

use super::bars::width::text_size;
use super::color_bar::{self, HEIGHT};
use super::context::Context;
use crate::state::Layer;
use crate::style;

/// Length of the arrow of a force without end, in diagonals of the body.
const ARROW: f64 = 0.3;

/// Draws the overlay of pane `k` over the picture in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, k: usize, cx: &Context<'_>) {
    let Some(pane) = cx.snapshot.panes.get(k) else {
        return;
    };
    match &pane.state {
        PaneState::Waiting if cx.snapshot.setup.is_some() => {
            card(ui, rect, waiting(cx), None, None)
        }
        PaneState::Waiting | PaneState::Ready => {}
        PaneState::Baking { stage, fraction } => card(
            ui,
            rect,
            &format!("preparing: {stage}"),
            None,
            Some(*fraction),
        ),
        PaneState::NotApplicable(fault) => card(ui, rect, "not applicable", Some(fault), None),
        PaneState::Stopped(fault) => card(
            ui,
            rect,
            "stopped: reset (R) starts it again",
            Some(fault),
            None,
        ),
    }
    if pane.state == PaneState::Ready {
        probes(ui, rect, pane, cx);
        points(ui, rect, pane, cx);
        felt(ui, rect, pane, cx);
    }
    if cx.state.layer != Layer::Plain {
        color_bar::show(ui, rect, k, cx);
    }
    if let Some(Some(line)) = cx.state.skin_lines.get(k) {
        let below = if cx.state.layer == Layer::Plain {
            0.0
        } else {
            HEIGHT
        };
        quiet_line(ui, rect, Vec2::new(14.0, 14.0 + below), line);
    }
}

/// A line in the upper left of a picture that can be read in front of a body too.
fn quiet_line(ui: &Ui, rect: Rect, at: Vec2, line: &str) {
    let painter = ui.painter().with_clip_rect(rect);
    on_plate(ui, &painter, rect.min + at, Align2::LEFT_TOP, line);
}

/// Text on a plate, so that it can be read in front of a body of any colour.
fn on_plate(ui: &Ui, painter: &egui::Painter, at: Pos2, align: Align2, text: &str) {
    let dark = ui.visuals().dark_mode;
    let font = FontId::proportional(12.0);
    let galley = painter.layout_no_wrap(text.to_string(), font, style::strong(dark));
    let place = align.anchor_size(at, galley.size());
    let fill = if dark {
        Color32::from_rgba_unmultiplied(22, 25, 30, 150)
    } else {
        Color32::from_rgba_unmultiplied(255, 255, 255, 170)
    };
    painter.rect_filled(place.expand(3.0), CornerRadius::same(3), fill);
    painter.galley(place.min, galley, style::strong(dark));
}

/// Lines without the space around them.
fn tidy(reason: &str) -> String {
    reason.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Why a method waits: others are being baked, or it is ready and waits for a moment without contact to join the running ones.
fn waiting(cx: &Context<'_>) -> &'static str {
    let others = |test: fn(&PaneState) -> bool| cx.snapshot.panes.iter().any(|p| test(&p.state));
    let baking = others(|s| matches!(s, PaneState::Baking { .. }));
    if others(|s| *s == PaneState::Ready) && !baking {
        "ready: joins as soon as nothing touches the body"
    } else {
        "waiting for its turn"
    }
}

/// A quiet card at the lower border: a line, a reason, a bar.
fn card(ui: &mut Ui, rect: Rect, line: &str, fault: Option<&PaneFault>, fraction: Option<f64>) {
    let dark = ui.visuals().dark_mode;
    let reason = fault.map(|fault| tidy(&fault.reason));
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
    let fill = if dark {
        Color32::from_rgba_unmultiplied(22, 25, 30, 225)
    } else {
        Color32::from_rgba_unmultiplied(255, 255, 255, 232)
    };
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
        let accent = ui.visuals().selection.bg_fill;
        ui.painter().rect_filled(
            bar,
            CornerRadius::same(2),
            style::faint(dark).gamma_multiply(0.3),
        );
        ui.painter()
            .rect_filled(done(&ui, bar, fraction), CornerRadius::same(2), accent);
    }
}

/// The filled part of a bar: what is done, or a piece that wanders while nothing is known of it.
fn done(ui: &Ui, bar: Rect, fraction: f64) -> Rect {
    if fraction >= 0.005 {
        let width = bar.width() * fraction.clamp(0.0, 1.0) as f32;
        return Rect::from_min_size(bar.min, Vec2::new(width, bar.height()));
    }
    ui.ctx()
        .request_repaint_after(std::time::Duration::from_millis(50));
    let there = (0.5 - 0.5 * (ui.input(|i| i.time) * 2.2).cos()) as f32;
    let width = 0.25 * bar.width();
    let left = bar.left() + there * (bar.width() - width);
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
            painter.circle(
                at,
                4.5,
                Color32::WHITE,
                egui::Stroke::new(1.5, Color32::from_rgb(30, 34, 40)),
            );
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
            egui::Stroke::new(1.5, Color32::from_rgb(30, 34, 40)),
        ));
        let stress = point.state.von_mises();
        let (scale, unit) = engineering_unit(stress, "Pa");
        let text = format!("{}  {} {unit}", point.name, number(stress * scale, 3));
        let place = at + Vec2::new(10.0, 0.0);
        on_plate(ui, &painter, place, Align2::LEFT_CENTER, &text);
    }
}

/// What a hand at the pointer would feel of the body: an arrow at the tool, and how punctually the servo loop answers.
fn felt(ui: &Ui, rect: Rect, pane: &PaneSnapshot, cx: &Context<'_>) {
    let (Some(felt), Some(setup)) = (&cx.snapshot.felt, &cx.snapshot.setup) else {
        return;
    };
    if pane.method != Method::Quasistatic || felt.ticks == 0 {
        return;
    }
    let painter = ui.painter().with_clip_rect(rect);
    let size = felt.force.norm();
    if felt.held && size > 0.0 {
        let direction = felt.force / size;
        // half of the longest is reached at 1 N, so that soft bodies and hard ones have one
        let length = ARROW * setup.diagonal * size / (size + 1.0);
        let ends = [felt.tip, felt.tip + direction * length];
        let [from, to] = ends.map(|end| on_screen(&cx.state.camera, rect, &end));
        if let (Some(from), Some(to)) = (from, to) {
            let color = Color32::from_rgb(226, 72, 60);
            painter.arrow(from, to - from, egui::Stroke::new(3.0, color));
        }
    }
    let late = 100.0 * felt.late_ticks as f64 / felt.ticks.max(1) as f64;
    let parts = [
        format!("felt {} N at 1 kHz", number(size, 3)),
        format!("{} ms behind the pointer", number(felt.latency_ms[0], 2)),
        format!("{late:.2} % of {} ticks late", grouped(felt.ticks as usize)),
    ];
    let text = fitting(ui, &parts, rect.width() - 28.0);
    quiet_line(ui, rect, Vec2::new(14.0, rect.height() - 30.0), &text);
}

/// As many of `parts` as fit into `width` points, at least the first one.
fn fitting(ui: &Ui, parts: &[String], width: f32) -> String {
    let line = |count: usize| parts[..count].join("  ·  ");
    let fits = |line: &String| text_size(ui, line, FontId::proportional(12.0)).x <= width;
    let mut all = (2..=parts.len()).rev().map(line);
    all.find(fits).unwrap_or_else(|| line(1))
}

/// Where a point of the world is in a pane; `None` behind the eye.
pub fn on_screen(camera: &OrbitCamera, rect: Rect, place: &Vec3) -> Option<Pos2> {
    let aspect = f64::from(rect.width()) / f64::from(rect.height().max(1.0));
    let p = Vector4::new(place.x as f32, place.y as f32, place.z as f32, 1.0);
    let clip = camera.projection(aspect) * camera.view() * p;
    (clip.w > 0.0).then(|| {
        let part = Vec2::new(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w);
        rect.min + part * rect.size()
    })
}

/// The way of the blade in the hand over a pane.
pub fn cut_trail(ui: &Ui, rect: Rect, trail: &[Vec2]) {
    let dark = ui.visuals().dark_mode;
    let painter = ui.painter().with_clip_rect(rect);
    let points = trail.iter().map(|at| rect.min + *at).collect();
    painter.line(points, egui::Stroke::new(2.0, style::strong(dark)));
}

/// A hint for a hand that waits in vain: nothing moves while the simulation stands.
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
