//! The vertex that was picked: a marker that follows it in every pane, and its values in that pane.

use egui::{Align2, Color32, Pos2, Rect, Stroke, Ui, Vec2};
use pliant_core::math::Vec3;

use super::places::{RIM, on_screen};
use super::text::{on_plate, size_on_plate};
use crate::panels::Context;
use crate::state::{VertexReading, vertex_line};

/// Radius of the marker, points.
const RING_RADIUS: f32 = 6.0;
/// Offset of the read-out from the vertex, points.
const READOUT_OFFSET: Vec2 = Vec2::new(14.0, 8.0);
/// Largest share of a picture's height that a read-out with an explanation may cover.
const MAX_COVERED: f32 = 0.35;

/// Draws it over the picture of pane `k` in `rect`.
pub fn show(ui: &Ui, rect: Rect, k: usize, cx: &Context<'_>) {
    let painter = ui.painter().with_clip_rect(rect);
    let fits = |text: &str| size_on_plate(&painter, text).y <= MAX_COVERED * rect.height();
    let Some((place, text)) = readout(k, cx, fits) else {
        return;
    };
    let Some(at) = on_screen(&cx.state.camera, rect, &place) else {
        return;
    };
    painter.circle_stroke(at, RING_RADIUS, Stroke::new(4.0, RIM));
    painter.circle_stroke(at, RING_RADIUS, Stroke::new(2.0, Color32::WHITE));
    painter.circle_filled(at, 1.5, RIM);
    let (side, align) = readout_side(rect, at);
    on_plate(ui, &painter, at + side, align, &text);
}

/// Position of the picked vertex in pane `k`, m, and its read-out, without the explanation where that does not fit.
fn readout(k: usize, cx: &Context<'_>, fits: impl Fn(&str) -> bool) -> Option<(Vec3, String)> {
    let vertex = cx.state.picked.vertex?;
    let mut reading = VertexReading::of(cx.snapshot, k, vertex, &cx.state.layer)?;
    let head = vertex_line(cx.snapshot, vertex)?;
    let text_of = |reading: &VertexReading| {
        let mut lines = vec![head.clone()];
        lines.extend(reading.lines());
        lines.join("\n")
    };
    // Details has it, and the body stays visible
    if cx.state.details || !fits(&text_of(&reading)) {
        reading.explanation = None;
    }
    Some((reading.place, text_of(&reading)))
}

/// Offset and alignment of a read-out on the side of a point of `rect` that has more room.
fn readout_side(rect: Rect, at: Pos2) -> (Vec2, Align2) {
    let center = rect.center();
    let (x, y) = (READOUT_OFFSET.x, READOUT_OFFSET.y);
    match (at.x < center.x, at.y < center.y) {
        (true, true) => (Vec2::new(x, y), Align2::LEFT_TOP),
        (true, false) => (Vec2::new(x, -y), Align2::LEFT_BOTTOM),
        (false, true) => (Vec2::new(-x, y), Align2::RIGHT_TOP),
        (false, false) => (Vec2::new(-x, -y), Align2::RIGHT_BOTTOM),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::UiState;
    use crate::testing::with_context;

    #[test]
    fn the_marker_follows_the_vertex_of_its_pane() {
        let mut snapshot = crate::testing::snapshot();
        snapshot.panes[0].frame.positions[9][2] += 0.125;
        let rest = snapshot.setup.as_ref().expect("a scene").skin().positions[9];
        let mut state = UiState::default();
        let mut readout_of = |vertex, k| {
            state.picked.vertex = vertex;
            with_context(&snapshot, &mut state, |cx| readout(k, cx, |_| true))
        };
        assert_eq!(readout_of(None, 0), None);
        assert_eq!(readout_of(Some(100_000), 0), None);
        let (place, text) = readout_of(Some(9), 0).expect("a read-out");
        assert!((place - rest - Vec3::z() * 0.125).norm() < 1e-6);
        assert!(text.starts_with("vertex 9, rest ("), "{text}");
        assert!(text.ends_with("\nmoved 125 mm (0, 0, 125) mm"), "{text}");
        let (place, text) = readout_of(Some(9), 1).expect("a read-out");
        assert!((place - rest).norm() < 1e-6);
        assert!(text.ends_with("\nat rest"), "{text}");
    }

    #[test]
    fn an_explanation_is_not_shown_twice_nor_where_it_does_not_fit() {
        let mut snapshot = crate::testing::snapshot();
        crate::testing::add_explained_vertex(&mut snapshot, 9.0);
        snapshot.panes[0].stats.explanation = Some("contact is near".into());
        let mut state = UiState::default();
        state.picked.vertex = Some(9);
        for (details, fits) in [(false, true), (true, true), (false, false)] {
            state.details = details;
            let found = with_context(&snapshot, &mut state, |cx| readout(0, cx, |_| fits));
            let (_, text) = found.expect("a read-out");
            let is_explained = text.ends_with("\ncontact is near");
            assert_eq!(is_explained, !details && fits, "{text}");
        }
    }

    #[test]
    fn the_readout_stands_where_there_is_room() {
        let rect = Rect::from_min_size(Pos2::ZERO, Vec2::splat(100.0));
        for (at, align) in [
            (Pos2::new(5.0, 5.0), Align2::LEFT_TOP),
            (Pos2::new(95.0, 95.0), Align2::RIGHT_BOTTOM),
        ] {
            let (side, found) = readout_side(rect, at);
            assert_eq!(found, align);
            assert!(rect.contains(at + side));
        }
    }
}
