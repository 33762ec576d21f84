//! Forces in front of a pane's picture: arrows at the tools, and the force feedback of the pointer.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Ui, Vec2};
use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_render::numbers::{grouped, number};
use pliant_simulation::snapshot::PaneSnapshot;

use super::places::on_screen;
use super::text::{fitting, line_on_plate};
use crate::panels::Context;
use crate::state::with_arrows;

/// Length of the arrow of the largest force, in diagonals of the body.
const MAX_ARROW_LENGTH: f64 = 0.18;
/// Length from which arrows are drawn, points.
const MIN_ARROW_LENGTH: f32 = 4.0;
/// Distance of the tip of an arrow from the border of its picture, points: beyond it, the header of the pane would cover the head.
const MARGIN: f32 = 2.0;
/// Length of the head of an arrow, points.
const HEAD_LENGTH: f32 = 14.0;
/// Colour of forces, in the light and the dark theme.
const COLOR: Color32 = Color32::from_rgb(226, 72, 60);

/// Draws them over the picture in `rect`.
pub fn show(ui: &Ui, rect: Rect, pane: &PaneSnapshot, cx: &Context<'_>) {
    let painter = ui.painter().with_clip_rect(rect);
    for [from, to] in arrows(pane, cx) {
        let ends = [from, to].map(|end| on_screen(&cx.state.camera, rect, &end));
        let [Some(from), Some(to)] = ends else {
            continue;
        };
        let to = visible_end(rect.shrink(MARGIN), from, to);
        if (to - from).length() > MIN_ARROW_LENGTH {
            draw(&painter, from, to);
        }
    }
    force_feedback(ui, rect, pane, cx);
}

/// Where an arrow that begins in `room` ends: at the border of it where it would leave. One that begins elsewhere is not changed.
fn visible_end(room: Rect, from: Pos2, to: Pos2) -> Pos2 {
    if !room.contains(from) {
        return to;
    }
    let along = to - from;
    let share = |from: f32, along: f32, low: f32, high: f32| match along {
        right if right > 0.0 => (high - from) / right,
        left if left < 0.0 => (low - from) / left,
        _ => 1.0,
    };
    let across = share(from.x, along.x, room.left(), room.right());
    let down = share(from.y, along.y, room.top(), room.bottom());
    from + along * across.min(down).min(1.0)
}

/// A line with a filled head.
fn draw(painter: &Painter, from: Pos2, to: Pos2) {
    let vector = to - from;
    let head = HEAD_LENGTH.min(0.5 * vector.length());
    let along = vector.normalized() * head;
    let neck = to - along;
    painter.line_segment([from, neck], Stroke::new(3.0, COLOR));
    let side = along.rot90() * 0.5;
    let corners = vec![to, neck + side, neck - side];
    painter.add(Shape::convex_polygon(corners, COLOR, Stroke::NONE));
}

/// Ends of the arrow of each tool that the body pushes, world, m. The arrow starts at the middle of the tool. All panes have one scale: the largest force on one tool that their curves keep has the longest arrow,
/// so that lengths are proportional to forces, but for arrows that leave the picture.
fn arrows(pane: &PaneSnapshot, cx: &Context<'_>) -> Vec<[Vec3; 2]> {
    let Some(setup) = &cx.snapshot.setup else {
        return Vec::new();
    };
    let tools = &cx.snapshot.tools;
    let panes = cx.snapshot.panes.iter();
    let current = panes.flat_map(|pane| with_arrows(tools, &pane.tool_forces));
    let largest = current.fold(cx.state.history.largest_arrow(), |most, (_, force)| {
        most.max(force.norm())
    });
    if largest <= 0.0 {
        return Vec::new();
    }
    let scale = MAX_ARROW_LENGTH * setup.diagonal / largest;
    let arrow = |from: Vec3, force: &Vec3| [from, from + force * scale];
    with_arrows(tools, &pane.tool_forces)
        .map(|(tool, force)| arrow(tool.end.position, force))
        .collect()
}

/// The force on a hand at the pointer, and the timing of the servo loop. It is shown only while the hand presses the tool: afterwards the servo feels nothing, but a script may press.
fn force_feedback(ui: &Ui, rect: Rect, pane: &PaneSnapshot, cx: &Context<'_>) {
    let servo = cx.snapshot.force_feedback.as_ref();
    let servo = servo.filter(|s| s.held && s.ticks > 0);
    let Some(servo) = servo.filter(|_| pane.method == Method::Quasistatic) else {
        return;
    };
    let late = 100.0 * servo.late_ticks as f64 / servo.ticks as f64;
    let ticks = grouped(servo.ticks as usize);
    let parts = [
        format!("force {} N at 1 kHz", number(servo.force.norm(), 3)),
        format!("{} ms behind the pointer", number(servo.latency_ms[0], 2)),
        format!("{late:.2} % of {ticks} ticks late"),
    ];
    let text = fitting(ui, &parts, rect.width() - 28.0);
    line_on_plate(ui, rect, Vec2::new(14.0, rect.height() - 30.0), &text);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_simulation::snapshot::{PaneState, WorldSnapshot};

    use super::*;
    use crate::state::{ForceSource, UiState};
    use crate::testing::with_context;

    #[test]
    fn an_arrow_that_leaves_its_picture_ends_at_the_border() {
        let room = Rect::from_min_max(Pos2::new(10.0, 50.0), Pos2::new(110.0, 150.0));
        let from = Pos2::new(60.0, 100.0);
        for (to, end) in [
            (Pos2::new(80.0, 60.0), Pos2::new(80.0, 60.0)),
            (Pos2::new(60.0, -100.0), Pos2::new(60.0, 50.0)),
            (Pos2::new(260.0, 200.0), Pos2::new(110.0, 125.0)),
            (from, from),
        ] {
            assert!(
                (visible_end(room, from, to) - end).length() < 1e-3,
                "{to:?}"
            );
        }
        let outside = Pos2::new(0.0, 0.0);
        assert_eq!(visible_end(room, outside, from), from);
    }

    #[test]
    fn arrows_are_proportional_to_the_forces_of_all_panes() {
        let mut snapshot = crate::testing::snapshot();
        let setup = Arc::clone(snapshot.setup.as_ref().expect("a scene"));
        let tool = snapshot.tools[0].end.position;
        snapshot.panes[0].tool_forces = vec![Vec3::y() * 5.0];
        snapshot.panes[2].tool_forces = vec![Vec3::y() * 1.0];
        let mut state = UiState::default();
        let length = |snapshot: &WorldSnapshot, state: &mut UiState, k: usize| {
            let found = with_context(snapshot, state, |cx| arrows(&snapshot.panes[k], cx));
            found.first().map(|[from, to]| {
                assert_eq!(*from, tool);
                let share = (to - from).y / (MAX_ARROW_LENGTH * setup.diagonal);
                (share * 1e9).round() / 1e9
            })
        };
        assert_eq!(length(&snapshot, &mut state, 0), Some(1.0));
        assert_eq!(length(&snapshot, &mut state, 1), None, "it does not run");
        assert_eq!(length(&snapshot, &mut state, 2), Some(0.2));
        // there was a larger force before: the arrows keep its scale
        snapshot.panes[0].state = PaneState::Ready;
        snapshot.panes[0].tool_forces = vec![Vec3::y() * 10.0];
        state.history.record_frame(&mut snapshot, 1);
        snapshot.panes[0].tool_forces = vec![Vec3::y() * 5.0];
        assert_eq!(length(&snapshot, &mut state, 0), Some(0.5));
        // a grab needs more, but it has no arrow
        snapshot.panes[0].grab_force = Vec3::y() * 100.0;
        crate::testing::run_to(&mut snapshot, 2);
        state.history.record(&snapshot, &ForceSource::Grab);
        assert_eq!(length(&snapshot, &mut state, 0), Some(0.5));
        // nothing presses
        let mut still = crate::testing::snapshot();
        still.panes[0].tool_forces = vec![Vec3::zeros()];
        assert_eq!(length(&still, &mut UiState::default(), 0), None);
    }
}
