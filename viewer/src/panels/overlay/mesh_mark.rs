//! What the mesh report marks, in front of a pane's picture: triangles, edges or points, and the other places of the same problem as dots.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Ui};
use pliant_simulation::setup::{PlacePoint, PlaceShape, SkinPlace};
use pliant_simulation::snapshot::PaneSnapshot;

use super::places::{RIM, on_screen};
use super::text::beside;
use crate::panels::Context;
use crate::state::Marked;

/// Colour of marks. No skin and no colour layer has it.
const COLOR: Color32 = Color32::from_rgb(255, 0, 168);
/// Smallest radius of the ring around a mark, points.
const MIN_RING_RADIUS: f32 = 14.0;
/// Radius of a dot, points.
const DOT_RADIUS: f32 = 3.0;

/// Draws the mark over the picture in `rect`.
pub fn show(ui: &Ui, rect: Rect, pane: &PaneSnapshot, cx: &Context<'_>) {
    let Some(setup) = &cx.snapshot.setup else {
        return;
    };
    let Some(mark) = cx.state.mesh_report.mark(cx.snapshot) else {
        return;
    };
    let painter = ui.painter().with_clip_rect(rect);
    let at = |point: &PlacePoint| {
        let now = point.now(setup.skin(), &pane.frame);
        on_screen(&cx.state.camera, rect, &now)
    };
    let problem = mark.problem(cx.snapshot);
    let others = problem.map_or(&[][..], |problem| &problem.places);
    for first in others.iter().filter_map(|place| place.points.first()) {
        if let Some(at) = at(first) {
            painter.circle(at, DOT_RADIUS, COLOR, Stroke::new(1.0, RIM));
        }
    }
    draw(&painter, &mark.place, at);
    let points: Vec<Pos2> = mark.place.points.iter().filter_map(at).collect();
    let Some(ring) = ring(&points) else {
        return;
    };
    painter.circle_stroke(ring.0, ring.1, Stroke::new(3.5, RIM.gamma_multiply(0.6)));
    painter.circle_stroke(ring.0, ring.1, Stroke::new(1.5, COLOR));
    let text = label(mark.what, others.len());
    beside(ui, &painter, ring.0, ring.1 + 2.0, &text);
}

/// Text of a mark: number of the place and number of places.
fn label(what: Marked, count: usize) -> String {
    match what {
        Marked::Place { place, .. } => format!("{} of {count}", place + 1),
        Marked::WorstElement(_) => "smallest angle".into(),
    }
}

/// Middle and radius of a circle around points in the picture; `None` without points.
fn ring(points: &[Pos2]) -> Option<(Pos2, f32)> {
    let bounds = Rect::from_points(points);
    let middle = bounds.is_finite().then(|| bounds.center())?;
    let reach = points.iter().map(|x| (*x - middle).length() + 6.0);
    Some((middle, reach.fold(MIN_RING_RADIUS, f32::max)))
}

/// Draws the points, edges or triangles of a place, without those that are partly behind the eye.
fn draw(painter: &Painter, place: &SkinPlace, at: impl Fn(&PlacePoint) -> Option<Pos2>) {
    let corners = place.shape.corners();
    let on_screen = |piece: &[PlacePoint]| piece.iter().map(&at).collect::<Option<Vec<Pos2>>>();
    let pieces = place.points.chunks_exact(corners);
    let pieces: Vec<Vec<Pos2>> = pieces.filter_map(on_screen).collect();
    // all rims are drawn before all colours
    for stroke in [Stroke::new(5.0, RIM), Stroke::new(2.5, COLOR)] {
        for piece in &pieces {
            match place.shape {
                PlaceShape::Points => {
                    painter.circle_filled(piece[0], 2.0 * stroke.width, stroke.color);
                }
                PlaceShape::Edges => {
                    painter.line_segment([piece[0], piece[1]], stroke);
                }
                PlaceShape::Triangles => {
                    painter.add(Shape::closed_line(piece.clone(), stroke));
                }
            }
        }
    }
    if place.shape == PlaceShape::Triangles {
        let fill = COLOR.gamma_multiply(0.25);
        for piece in pieces {
            painter.add(Shape::convex_polygon(piece, fill, Stroke::NONE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_holds_all_points_and_can_be_seen_around_a_single_one() {
        let single = Pos2::new(40.0, 30.0);
        assert_eq!(ring(&[single]), Some((single, MIN_RING_RADIUS)));
        assert_eq!(ring(&[]), None);
        let corners = [Pos2::ZERO, Pos2::new(80.0, 0.0), Pos2::new(80.0, 60.0)];
        let (middle, radius) = ring(&corners).expect("three points");
        assert_eq!((middle, radius), (Pos2::new(40.0, 30.0), 56.0));
    }
}
