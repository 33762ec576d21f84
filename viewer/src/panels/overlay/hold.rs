//! The line from the skin to the pointer that holds it or pulls at it, and the force in newtons.
//!
//! The pointer acts equally in all panes. A grab prescribes the same displacement in all of them, and the forces differ. A pull applies the same force in all of them, and the
//! displacements differ.

use egui::{Align2, Color32, Rect, Stroke, Ui, Vec2};
use pliant_simulation::snapshot::PaneSnapshot;

use super::places::{RIM, on_screen};
use super::text::on_plate;
use crate::input::mode::HandMode;
use crate::panels::Context;
use crate::panels::header::force_text;
use crate::style;

/// Radius of the dot where the skin was taken, points.
const DOT_RADIUS: f32 = 3.5;
/// Offset of the force's text from the pointer, points: beside the arrow of the system.
const TEXT_OFFSET: Vec2 = Vec2::new(16.0, -10.0);

/// Draws it over the picture in `rect`.
pub fn show(ui: &Ui, rect: Rect, pane: &PaneSnapshot, cx: &Context<'_>) {
    let (Some((at, pointer)), Some(setup)) = (cx.state.hand.line(), &cx.snapshot.setup) else {
        return;
    };
    if pane.frame.positions.len() != setup.skin().vertex_count() {
        return;
    }
    let taken = pane.frame.point(setup.skin(), at);
    let ends = [taken, *pointer].map(|end| on_screen(&cx.state.camera, rect, &end));
    let [Some(from), Some(to)] = ends else {
        return;
    };
    let painter = ui.painter().with_clip_rect(rect);
    let color = style::strong(ui.visuals().dark_mode);
    painter.line_segment([from, to], Stroke::new(1.5, color));
    painter.circle(from, DOT_RADIUS, Color32::WHITE, Stroke::new(1.5, RIM));
    if let Some(force) = force_line(pane, cx) {
        on_plate(ui, &painter, to + TEXT_OFFSET, Align2::LEFT_BOTTOM, &force);
    }
}

/// The force of the hand on the body in a pane; `None` where the hand does not hold the skin.
fn force_line(pane: &PaneSnapshot, cx: &Context<'_>) -> Option<String> {
    let force = match cx.state.hand.mode()? {
        HandMode::Pull => cx.snapshot.pull_force?,
        HandMode::Grab => pane.grab_force,
        HandMode::Poke | HandMode::Cut => return None,
    };
    Some(force_text(force.norm()))
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_core::math::bounds::Ray;

    use super::*;
    use crate::input::under::Under;
    use crate::state::UiState;
    use crate::testing::with_context;

    #[test]
    fn a_grab_has_a_force_for_each_pane_and_a_pull_one_for_all() {
        let mut snapshot = crate::testing::snapshot();
        snapshot.panes[0].grab_force = Vec3::x() * 2.0;
        snapshot.panes[2].grab_force = Vec3::x() * 0.5;
        snapshot.pull_force = Some(Vec3::y() * 1.5);
        let setup = snapshot.setup.clone().expect("a scene");
        let under = Under {
            skin: setup.skin(),
            frame: &snapshot.panes[0].frame,
            diagonal: setup.diagonal,
            edge: 0.05,
            pull_stiffness: 10.0,
            ray: Ray {
                origin: Vec3::new(0.01, 0.02, 1.0),
                direction: -Vec3::z(),
            },
        };
        let mut state = UiState::default();
        let mut commands = Vec::new();
        let mut force_lines = |mode: Option<HandMode>| {
            if let Some(mode) = mode {
                let hand = &mut state.hand;
                hand.drop_all(&mut commands);
                assert!(hand.press(0, &under, mode, None, &mut commands));
            }
            let line = |k: usize, cx: &Context<'_>| force_line(&snapshot.panes[k], cx);
            with_context(&snapshot, &mut state, |cx| [0, 2].map(|k| line(k, cx)))
        };
        let both = |a: &str, b: &str| [Some(a.to_string()), Some(b.to_string())];
        assert_eq!(force_lines(None), [None, None]);
        assert_eq!(force_lines(Some(HandMode::Grab)), both("2.00 N", "0.500 N"));
        assert_eq!(force_lines(Some(HandMode::Pull)), both("1.50 N", "1.50 N"));
    }
}
