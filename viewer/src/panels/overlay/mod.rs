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
use crate::panels::bars::stages::in_words;
use crate::state::Layer;
use crate::style;
use places::{RIM, on_screen};
use text::{beside, line_on_plate, on_plate};

/// Width of a picture below which its cards have little free space, points.
const NARROW: f32 = 200.0;
/// Height of a progress bar with the space around it, points.
const BAR_HEIGHT: f32 = 14.0;
/// Distance from the middle of a mark to its border, points.
const MARK_REACH: f32 = 6.0;

/// Draws the overlay of pane `k` over the picture in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, k: usize, cx: &Context<'_>) {
    let Some(pane) = cx.snapshot.panes.get(k) else {
        return;
    };
    let below = match cx.state.layer {
        Layer::Plain => 0.0,
        _ => color_bar::show(ui, rect, k, cx),
    };
    // cards and lines stand below the colour bar
    let free = Rect::from_min_max(rect.min + Vec2::new(0.0, below), rect.max);
    match &pane.state {
        PaneState::Waiting if cx.snapshot.setup.is_some() => {
            card(ui, free, waiting(pane), None, None);
        }
        PaneState::Waiting | PaneState::Ready => {}
        PaneState::Baking { stage, fraction } => {
            let line = format!("preparing: {}", in_words(stage));
            card(ui, free, &line, None, Some(*fraction));
        }
        PaneState::NotApplicable(fault) => card(ui, free, "not applicable", Some(fault), None),
        PaneState::Stopped(fault) => {
            let line = "stopped: reset (R) starts it again";
            card(ui, free, line, Some(fault), None);
        }
    }
    if let Some(Some(line)) = cx.state.skin_lines.get(k) {
        line_on_plate(ui, free, Vec2::new(14.0, 14.0), line);
    }
    mesh_mark::show(ui, rect, pane, cx);
    if pane.state == PaneState::Ready {
        probes(ui, rect, pane, cx);
        points(ui, rect, pane, cx);
        forces::show(ui, rect, pane, cx);
        hold::show(ui, rect, pane, cx);
        if let Some(line) = began_again(pane, cx) {
            let painter = ui.painter().with_clip_rect(rect);
            // above the hint of a scene that is paused
            let place = rect.center_bottom() - Vec2::new(0.0, 48.0);
            on_plate(ui, &painter, place, Align2::CENTER_CENTER, &line);
        }
    }
    picked::show(ui, rect, k, cx);
}

/// Lines without the space around them.
fn trim_lines(reason: &str) -> String {
    reason.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Why a method waits: others are being baked, or it is ready and waits for a moment without contact to join the running ones.
fn waiting(pane: &PaneSnapshot) -> &'static str {
    if pane.baked.is_some() {
        "ready: starts as soon as nothing touches the body"
    } else {
        "waiting for its turn"
    }
}

/// A card at the lower border: a line, a reason, a progress bar. A low picture leaves out the reason, and then the card: its header says the same in a word.
fn card(ui: &mut Ui, rect: Rect, line: &str, fault: Option<&Fault>, fraction: Option<f64>) {
    let dark = ui.visuals().dark_mode;
    let (margin, padding) = match rect.width() < NARROW {
        true => (6.0, Vec2::new(8.0, 8.0)),
        false => (16.0, Vec2::new(12.0, 8.0)),
    };
    let width = (rect.width() - 2.0 * margin).clamp(60.0, 380.0);
    let inner = width - 2.0 * padding.x;
    let height_of = |text: &str, font: FontId| {
        let galley = ui
            .painter()
            .layout(text.to_string(), font, Color32::WHITE, inner);
        galley.size().y
    };
    let gap = ui.spacing().item_spacing.y;
    let with_reason = |reason: &String| gap + height_of(reason, FontId::proportional(12.5));
    let body = egui::TextStyle::Body.resolve(ui.style());
    // a part of a point more, so that rounding cuts nothing
    let mut height = height_of(line, body) + 2.0 * padding.y + 1.0;
    height += fraction.map_or(0.0, |_| BAR_HEIGHT);
    let room = rect.height() - 2.0 * margin;
    if height > room {
        return;
    }
    let whole = fault.map(|fault| trim_lines(&fault.reason));
    let first_line = whole.as_ref().and_then(|reason| reason.lines().next());
    let reasons = [whole.clone(), first_line.map(str::to_string)];
    let mut reasons = reasons.into_iter().flatten();
    let reason = reasons.find(|reason| height + with_reason(reason) <= room);
    height += reason.as_ref().map_or(0.0, with_reason);
    let place = Rect::from_center_size(
        Pos2::new(rect.center().x, rect.bottom() - margin - height * 0.5),
        Vec2::new(width, height),
    );
    let fill = style::plate(dark, [225, 232]);
    ui.painter().rect_filled(place, CornerRadius::same(6), fill);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(place.shrink2(padding)));
    ui.set_clip_rect(place);
    let title = ui.label(egui::RichText::new(line).color(style::strong(dark)));
    if let Some(whole) = whole.filter(|whole| reason.as_ref() != Some(whole)) {
        title.on_hover_text(whole);
    }
    if let (Some(reason), Some(fault)) = (reason, fault) {
        let text = egui::RichText::new(reason).size(12.5);
        let label = egui::Label::new(text.color(style::faint(dark))).wrap();
        ui.add(label).on_hover_text(&fault.code);
    }
    if let Some(fraction) = fraction {
        let bar = Rect::from_min_size(ui.cursor().min + Vec2::new(0.0, 2.0), Vec2::new(inner, 5.0));
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
            beside(ui, &painter, at, MARK_REACH, &probe.name);
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
        beside(ui, &painter, at, MARK_REACH, &text);
    }
}

/// Draws the path of the blade over a pane.
pub fn cut_trail(ui: &Ui, rect: Rect, trail: &[Vec2]) {
    let dark = ui.visuals().dark_mode;
    let painter = ui.painter().with_clip_rect(rect);
    let points = trail.iter().map(|at| rect.min + *at).collect();
    painter.line(points, egui::Stroke::new(2.0, style::strong(dark)));
}

/// How long a pane says that all methods began again with it, seconds of the scene.
const BEGAN_AGAIN: f64 = 4.0;

/// That time began again because the method of this pane became ready late; `None` where it did not, or some seconds ago.
fn began_again(pane: &PaneSnapshot, cx: &Context<'_>) -> Option<String> {
    let snapshot = cx.snapshot;
    let seconds = snapshot.frames as f64 * snapshot.setup.as_ref()?.frame_duration();
    let is_new = snapshot.began_again.contains(&pane.method) && seconds <= BEGAN_AGAIN;
    is_new.then(|| {
        let names: Vec<&str> = snapshot
            .began_again
            .iter()
            .map(|method| style::title(*method))
            .collect();
        format!("the scene began again: {} joined", names.join(" and "))
    })
}

/// A hint for a hand that does nothing because the simulation is paused.
pub fn paused_hint(ui: &Ui, rect: Rect) {
    let painter = ui.painter().with_clip_rect(rect);
    // below everything: the colour bar is at the top
    let place = rect.center_bottom() - Vec2::new(0.0, 22.0);
    let text = "paused: press space";
    on_plate(ui, &painter, place, Align2::CENTER_CENTER, text);
}

#[cfg(test)]
mod tests {
    use pliant_core::scene::Method;
    use pliant_simulation::snapshot::WorldSnapshot;

    use super::*;
    use crate::state::UiState;
    use crate::testing::with_context;

    #[test]
    fn a_method_that_waits_says_for_what() {
        let mut pane = PaneSnapshot::waiting(Method::Lattice);
        assert_eq!(waiting(&pane), "waiting for its turn");
        pane.baked = Some(0.0);
        assert!(waiting(&pane).starts_with("ready"));
    }

    #[test]
    fn a_method_that_joins_late_says_for_some_seconds_that_the_scene_began_again() {
        let mut snapshot = crate::testing::snapshot();
        let mut state = UiState::default();
        let mut lines = |snapshot: &WorldSnapshot| {
            with_context(snapshot, &mut state, |cx| {
                [0, 1].map(|k| began_again(&snapshot.panes[k], cx))
            })
        };
        assert_eq!(lines(&snapshot), [None, None]);
        snapshot.began_again = vec![Method::Quasistatic];
        let line = "the scene began again: Quasistatic joined".to_string();
        assert_eq!(lines(&snapshot), [None, Some(line)]);
        snapshot.frames = 600;
        assert_eq!(lines(&snapshot), [None, None]);
    }
}
