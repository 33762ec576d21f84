//! Tools and floors in which bodies lie when a scene begins, and tools inside bodies.
//!
//! Contact pushes out what faces a tool. What lies deep in a tool, or around it, may stay there.

use std::cell::OnceCell;

use pliant_core::contact::ToolShape;
use pliant_core::math::Vec3;

use super::coarse_skin::in_mm;
use super::move_apart::motion_words;
use super::note::{NoteSubject, SceneNote};
use super::placed_body::PlacedBody;
use crate::setup::scene_setup::{Setup, SetupTool};

/// Depth of a skin vertex inside a tool, over the diagonal of the body, from which there is a note.
const MAX_DEPTH: f64 = 0.025;

/// How deep a body lies in a tool, and the motion that takes it out, both in m.
struct Overlap {
    depth: f64,
    way_out: Vec3,
}

/// A sentence for each tool, with the body that overlaps it most deeply when the scene begins. What a support holds may lie in a tool.
///
/// Cost: at most a signed distance for each vertex and tool; and a tree of the skin for each kind of bodies with a tool inside its bounding box.
pub(in crate::setup) fn notes(setup: &Setup) -> Vec<SceneNote> {
    let trees = vec![OnceCell::new(); setup.kinds().count()];
    let bodies = PlacedBody::all(setup, &trees);
    let mut found = Vec::new();
    for tool in setup.tools.iter().filter(|tool| !tool.shape.is_blade()) {
        let mut deepest: Option<(&PlacedBody<'_>, Overlap)> = None;
        for body in &bodies {
            // around a tool in a body, single vertices may lie in the tool, less deep
            let overlaps = [skin_inside(body, tool), tool_inside(body, tool)];
            for overlap in overlaps.into_iter().flatten() {
                let known = deepest.as_ref().map(|(_, known)| known.depth);
                if known.is_none_or(|known| overlap.depth > known) {
                    deepest = Some((body, overlap));
                }
            }
        }
        let Some((body, overlap)) = deepest else {
            continue;
        };
        let name = body.name();
        let body_words = match bodies.len() {
            1 => format!("`{name}`"),
            _ => format!("body {} (`{name}`)", body.number),
        };
        let text = format!(
            "ToolOverlaps: `{}` and {body_words} overlap by {} at the start: contact may push the body out at once, or leave it there\n  remedy: {}",
            tool.name,
            in_mm(overlap.depth),
            remedy(body, tool, &overlap.way_out),
        );
        let subject = NoteSubject::Tool(tool.name.clone());
        found.push(SceneNote::warning(subject, text));
    }
    found
}

/// What to move by `way_out` (m), or by as much in the other direction.
fn remedy(body: &PlacedBody<'_>, tool: &SetupTool, way_out: &Vec3) -> String {
    if !body.kind.places.is_empty() {
        let (name, motion) = (body.name(), motion_words(way_out));
        return format!("move `{name}` {motion} or more, with layout.origin");
    }
    // a lone body with a layout would be a scene of several bodies
    let key = match tool.shape {
        ToolShape::HalfSpace { .. } => "shape.half_space.point",
        _ if tool.carrier.is_some() => "the tool that carries it",
        _ => "the keys of a path",
    };
    let motion = motion_words(&-way_out);
    format!("move `{}` {motion} or more, with {key}", tool.name)
}

/// The deepest vertex of a body in a tool, if it lies deep enough for a note.
fn skin_inside(body: &PlacedBody<'_>, tool: &SetupTool) -> Option<Overlap> {
    let (pose, kind) = (tool.path.pose(0.0), body.kind);
    let reach = tool.shape.outer_radius();
    let is_held = |v: usize| kind.held.get(v).is_some_and(|held| *held);
    let mut deepest: Option<Overlap> = None;
    for (v, x) in kind.geometry.skin.positions.iter().enumerate() {
        let world = body.place.to_world(x);
        if (world - pose.position).norm_squared() > reach * reach || is_held(v) {
            continue;
        }
        let (distance, gradient) = tool.shape.signed_distance(&pose.to_local(&world));
        let depth = -distance;
        let known = deepest.as_ref().map(|overlap| overlap.depth);
        if depth > known.unwrap_or(MAX_DEPTH * kind.diagonal) {
            deepest = Some(Overlap {
                depth,
                way_out: pose.orientation * gradient * depth,
            });
        }
    }
    deepest
}

/// The overlap with a tool whose middle lies inside the body.
fn tool_inside(body: &PlacedBody<'_>, tool: &SetupTool) -> Option<Overlap> {
    let radius = tool.shape.inner_radius();
    let middle = body.place.to_local(&tool.path.pose(0.0).position);
    let may_be_inside = radius.is_finite()
        && tool.shape.signed_distance(&Vec3::zeros()).0 < 0.0
        && body.skin().bounds().contains(&middle);
    if !may_be_inside {
        return None;
    }
    let closest = body.tree().closest(&middle)?;
    if !body.contains(&middle) {
        return None;
    }
    let out_of_body = (closest.point - middle).try_normalize(0.0)?;
    let depth = closest.distance_squared.sqrt() + radius;
    Some(Overlap {
        depth,
        way_out: body.place.orientation * out_of_body * -depth,
    })
}

#[cfg(test)]
mod tests {
    use crate::world::testing::{notes_with, setup_of};

    /// Notes on a box of 0.1 m around the origin that overlaps a tool of this shape; `keys` are keys of the body.
    fn notes(shape: &str, keys: &str) -> Vec<String> {
        let setup = setup_of(format!(
            "[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.025 }}\n{keys}\n\
             [[tool]]\nname = 'base'\nshape = {{ {shape} }}\nmotion = 'fixed'\n"
        ));
        notes_with(&setup, "ToolOverlaps")
    }

    fn floor(height: f64) -> String {
        format!("half_space = {{ point = [0.0, {height}, 0.0], normal = [0.0, 1.0, 0.0] }}")
    }

    #[test]
    fn a_body_in_a_floor_is_told_with_the_depth_and_the_way_out() {
        assert_eq!(
            notes(&floor(-0.03), ""),
            [
                "ToolOverlaps: `base` and `block` overlap by 20.0 mm at the start: contact may push the body out at once, or leave it there\n  remedy: move `base` down by 0.02 m or more, with shape.half_space.point"
            ]
        );
        let found = notes(&floor(-0.03), "layout = { grid = [1, 1, 1] }");
        let remedy = "remedy: move `block` up by 0.02 m or more, with layout.origin";
        assert!(found.len() == 1 && found[0].ends_with(remedy), "{found:?}");
    }

    #[test]
    fn a_tool_inside_a_body_is_told() {
        let found = notes("sphere = { radius = 0.02 }", "");
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("overlap by 70.0 mm"), "{found:?}");
        // it reaches out of the body on all sides, and has to go all the way
        let found = notes("sphere = { radius = 0.06 }", "");
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("overlap by 110 mm"), "{found:?}");
    }

    #[test]
    fn what_touches_and_what_is_held_is_not_told() {
        let held = "support = [{ name = 'base', select = { lowest = 0.1 } }]";
        for (height, keys) in [(-0.05, ""), (-0.06, ""), (-0.03, held)] {
            let found = notes(&floor(height), keys);
            assert!(found.is_empty(), "{height} {keys} {found:?}");
        }
    }
}
