//! Bodies that lie inside each other when a scene begins.
//!
//! Contact pushes out of each other what overlaps by less than one and a half distances of contact points. Bodies that overlap more deeply stay as they are, see decision 008.

use std::cell::OnceCell;

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

use super::coarse_skin::in_mm;
use super::move_apart::{motion_words, rounded_up};
use super::placed_body::PlacedBody;
use crate::setup::scene_setup::Setup;

/// Depth of a vertex inside another body, over the diagonal of that body, from which there is a note. A body with more than sixty cells along its diagonal takes no deeper overlap back.
const MAX_DEPTH: f64 = 0.025;

/// The deepest vertex of `one` inside `other`, bodies by number.
struct Overlap {
    one: usize,
    other: usize,
    /// over the diagonal of `other`
    share: f64,
    /// the motion of `one` that takes the vertex out of `other`, m; its length is the depth
    way_out: Vec3,
}

/// A note on the two bodies that overlap most deeply when the scene begins, if any do.
///
/// Cost: about a microsecond for each vertex in the bounding box of another body.
pub(in crate::setup) fn note(setup: &Setup) -> Option<String> {
    if setup.body_count() < 2 {
        return None;
    }
    let trees = vec![OnceCell::new(); setup.kinds().count()];
    let bodies = PlacedBody::all(setup, &trees);
    let bounds: Vec<Aabb> = bodies.iter().map(bounds_of).collect();
    let mut deepest: Option<Overlap> = None;
    for (a, one) in bodies.iter().enumerate() {
        for (b, other) in bodies.iter().enumerate() {
            if a != b && bounds[a].overlaps(&bounds[b]) {
                let way_out = way_out_of(one, other, &bounds[b]);
                let share = way_out.norm() / other.skin().bounds().diagonal();
                if share > deepest.as_ref().map_or(MAX_DEPTH, |known| known.share) {
                    deepest = Some(Overlap {
                        one: a,
                        other: b,
                        share,
                        way_out,
                    });
                }
            }
        }
    }
    let deepest = deepest?;
    let (first, second) = (
        deepest.one.min(deepest.other),
        deepest.one.max(deepest.other),
    );
    Some(format!(
        "BodiesOverlap: bodies {} (`{}`) and {} (`{}`) overlap by {}, {:.1} % of their size, at the start, and may stay inside each other\n  remedy: {}",
        first + 1,
        bodies[first].name(),
        second + 1,
        bodies[second].name(),
        in_mm(deepest.way_out.norm()),
        100.0 * deepest.share,
        remedy(&bodies, &deepest),
    ))
}

/// How to place two bodies apart: the one that has to go up goes.
fn remedy(bodies: &[PlacedBody<'_>], overlap: &Overlap) -> String {
    let (one, other) = (&bodies[overlap.one], &bodies[overlap.other]);
    if std::ptr::eq(one.kind, other.kind) {
        let depth = overlap.way_out.norm();
        let more = rounded_up(depth, depth);
        return format!("place the copies farther apart: a layout.spacing larger by {more} m");
    }
    let (moved, motion) = match overlap.way_out.y < 0.0 {
        true => (other, -overlap.way_out),
        false => (one, overlap.way_out),
    };
    let motion = motion_words(&motion);
    format!(
        "move `{}` {motion} or more, with its layout.origin",
        moved.name()
    )
}

/// The box around a body, in the world, m.
fn bounds_of(body: &PlacedBody<'_>) -> Aabb {
    let mut bounds = Aabb::empty();
    for x in &body.skin().positions {
        bounds.grow(&body.place.to_world(x));
    }
    bounds
}

/// The motion (m) that takes the deepest vertex of `one` inside `other` out of it; zero where none is inside. `bounds` is the box around `other`.
fn way_out_of(one: &PlacedBody<'_>, other: &PlacedBody<'_>, bounds: &Aabb) -> Vec3 {
    let size = other.skin().bounds().diagonal();
    let vertices = &one.skin().positions;
    let is_on_surface = |x: &Vec3| {
        let local = other.place.to_local(&one.place.to_world(x));
        let closest = other.tree().closest(&local);
        closest.is_some_and(|c| c.distance_squared < (1e-6 * size).powi(2))
    };
    // two bodies in one place have no vertex inside each other
    if vertices.len() == other.skin().vertex_count() && vertices.iter().all(is_on_surface) {
        return Vec3::y() * size;
    }
    let mut way_out = Vec3::zeros();
    for x in vertices {
        let world = one.place.to_world(x);
        if !bounds.contains(&world) {
            continue;
        }
        let local = other.place.to_local(&world);
        if let Some(closest) = other.tree().closest(&local)
            && closest.distance_squared > way_out.norm_squared()
            && other.contains(&local)
        {
            way_out = other.place.orientation * (closest.point - local);
        }
    }
    way_out
}

#[cfg(test)]
mod tests {
    use crate::world::testing::{notes_with, setup_of};

    fn notes(text: &str) -> Vec<String> {
        notes_with(&setup_of(text), "BodiesOverlap")
    }

    #[test]
    fn copies_that_overlap_deeply_are_told_and_touching_ones_are_not() {
        let found = [0.05, 0.1, 0.12].map(|spacing| {
            notes(&format!(
                "[[body]]\nname = \"b\"\nmesh = {{ procedural = \"box\", size = [0.1, 0.1, 0.1], edge = 0.025 }}\n\
                 layout = {{ grid = [2, 1, 1], spacing = {spacing} }}\n"
            ))
        });
        assert_eq!(found.each_ref().map(Vec::len), [1, 0, 0]);
        let note = &found[0][0];
        assert!(
            note.contains("1 (`b`) and 2 (`b`) overlap by 50.0 mm"),
            "{note}"
        );
        assert!(
            note.ends_with("a layout.spacing larger by 0.05 m"),
            "{note}"
        );
    }

    #[test]
    fn the_upper_one_of_two_bodies_is_to_be_moved_up_by_the_depth() {
        let body = |name: &str, size: f64, height: f64| {
            format!(
                "[[body]]\nname = \"{name}\"\nmesh = {{ procedural = \"box\", size = [{size}, {size}, {size}], edge = 0.025 }}\n\
                 layout = {{ grid = [1, 1, 1], origin = [0.0, {height}, 0.0] }}\n"
            )
        };
        let (low, high) = (body("low", 0.2, 0.0), body("high", 0.1, 0.13));
        for text in [low.clone() + &high, high + &low] {
            let found = notes(&text);
            assert_eq!(found.len(), 1);
            let remedy = "remedy: move `high` up by 0.02 m or more, with its layout.origin";
            assert!(found[0].ends_with(remedy), "{found:?}");
        }
    }
}
