//! Whether enough vertices of a skin carry a body that stands on a tool.
//!
//! Tools touch at skin vertices. A body that few of them carry sinks in between them, in all methods alike.

use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;

use super::coarse_skin::{in_mm, mean_edge, remedy};
use super::note::{NoteSubject, SceneNote};
use crate::setup::scene_setup::{Setup, SetupTool};

/// Fewest vertices that carry a body well.
///
/// Within a distance h of a plane a ball of radius R has an area of 2πR h. With h a quarter of the edge e and an area of √3/2 e² for each vertex, 1.8 R / e vertices are there: five where
/// the edge is 0.36 of the radius, about as for a ball that is the tool.
const MIN_VERTICES: usize = 5;

/// Distance from the tool within which a vertex carries the body, over the mean edge.
const CARRYING_DISTANCE: f64 = 0.25;

/// Mean edge over the diagonal of a body below which there is no note: a fine skin stands on a tip for a moment only.
const FINE_EDGE: f64 = 0.05;

/// Least cosine between the normal of the tool and the direction against gravity: what is steeper carries nothing.
const MIN_COSINE: f64 = 0.5;

/// Distance at which the nearest vertex has arrived, over the mean edge.
const ARRIVED: f64 = 0.02;

/// Most steps of a fall, and its longest way in diagonals of the body.
const MAX_STEPS: usize = 64;
const LONGEST_FALL: f64 = 100.0;

/// The vertices that carry a body on a tool.
struct Carrying {
    count: usize,
    /// of the triangles around the lowest one, m
    mean_edge: f64,
}

/// A note for each tool at rest and each kind of bodies that few vertices carry on it. Bodies with supports and bodies that begin turned are left out: those do not stand, and these may land otherwise.
///
/// Cost for coarse skins: at most 64 signed distances for each vertex and tool; others cost nothing.
pub(in crate::setup) fn notes(setup: &Setup) -> Vec<SceneNote> {
    let Some(down) = setup.description.gravity.try_normalize(0.0) else {
        return Vec::new();
    };
    let subject = |tool: &SetupTool| NoteSubject::Tool(tool.name.clone());
    let is_known = |tool: &SetupTool| {
        let mut coarse = setup
            .notes
            .iter()
            .filter(|n| n.code() == Some("SkinTooCoarse"));
        coarse.any(|note| note.subject == subject(tool))
    };
    let tools = setup.tools.iter().filter(|tool| {
        !tool.shape.is_blade() && !tool.follows_pointer && tool.path.is_still() && !is_known(tool)
    });
    let mut found = Vec::new();
    for tool in tools {
        for kind in setup.kinds().filter(|kind| may_stand(kind)) {
            let skin = &kind.geometry.skin;
            let place = kind.places.first().map_or(Vec3::zeros(), |p| p.position);
            let Some(carrying) = carrying_vertices(skin, place, kind.diagonal, tool, &down) else {
                continue;
            };
            if carrying.count >= MIN_VERTICES || carrying.mean_edge < FINE_EDGE * kind.diagonal {
                continue;
            }
            let vertices = match carrying.count {
                1 => "one vertex".to_string(),
                count => format!("{count} vertices"),
            };
            let text = format!(
                "SkinTooCoarse: the skin is too coarse for `{}`: `{}` stands on it with {vertices} and edges of {}, so that it may sink in between them, and forces may be off in all methods alike\n  remedy: {}",
                tool.name,
                kind.description.body.name,
                in_mm(carrying.mean_edge),
                remedy(&kind.description, 0.5 * carrying.mean_edge)
            );
            found.push(SceneNote::warning(subject(tool), text));
        }
    }
    found
}

/// Whether a body may stand on a tool as it is, and has a coarse skin.
fn may_stand(kind: &Setup) -> bool {
    let is_turned = |place: &Pose| place.orientation.angle() > 1e-9;
    kind.geometry.supports.is_empty()
        && !kind.places.first().is_some_and(is_turned)
        && kind.geometry.skin.mean_edge() > FINE_EDGE * kind.diagonal
}

/// The vertices that carry a body at `place` (m) after it has fallen along `down` onto the tool. `None` where it misses the tool, passes along it or begins inside.
fn carrying_vertices(
    skin: &SurfaceMesh,
    place: Vec3,
    diagonal: f64,
    tool: &SetupTool,
    down: &Vec3,
) -> Option<Carrying> {
    let pose = tool.path.pose(0.0);
    let edge = skin.mean_edge();
    let mut fallen = 0.0;
    for _ in 0..MAX_STEPS {
        let offset = place + down * fallen;
        let local = |x: &Vec3| pose.to_local(&(x + offset));
        let distance = |x: &Vec3| tool.shape.signed_distance(&local(x)).0;
        let distances: Vec<f64> = skin.positions.iter().map(distance).collect();
        let (lowest, nearest) =
            (distances.iter().copied().enumerate()).min_by(|a, b| a.1.total_cmp(&b.1))?;
        if nearest > ARRIVED * edge {
            // no vertex reaches the tool on this way
            fallen += nearest;
            if fallen > LONGEST_FALL * diagonal {
                return None;
            }
            continue;
        }
        let normal = tool
            .shape
            .signed_distance(&local(&skin.positions[lowest]))
            .1;
        let carries = (pose.orientation * normal).dot(down) < -MIN_COSINE;
        let mean_edge = mean_edge(skin, |t| t.contains(&(lowest as u32)))?;
        let reach = CARRYING_DISTANCE * mean_edge;
        let carried_by = distances.iter().filter(|d| **d < nearest.max(0.0) + reach);
        return (carries && nearest > -reach).then(|| Carrying {
            count: carried_by.count(),
            mean_edge,
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::setup::Setup;
    use crate::world::testing::{notes_with, setup_of};

    const FLOOR: &str = "half_space = { point = [0.0, -0.2, 0.0], normal = [0.0, 1.0, 0.0] }";

    /// A box of 0.1 m with these edges over a tool of this shape; `keys` are keys of the scene, `body_keys` those of the body.
    fn above(shape: &str, edge: f64, keys: &str, body_keys: &str) -> Setup {
        setup_of(format!(
            "{keys}\n[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = {edge} }}\n{body_keys}\n\
             [[tool]]\nname = 'base'\nshape = {{ {shape} }}\nmotion = 'fixed'\n"
        ))
    }

    fn notes(setup: &Setup) -> Vec<String> {
        notes_with(setup, "SkinTooCoarse")
    }

    #[test]
    fn a_body_that_falls_onto_a_floor_with_its_corners_alone_is_told_with_the_edge_that_it_needs() {
        // the mean of two sides and a diagonal
        assert_eq!(
            notes(&above(FLOOR, 0.1, "", "")),
            [
                "SkinTooCoarse: the skin is too coarse for `base`: `block` stands on it with 4 vertices and edges of 114 mm, so that it may sink in between them, and forces may be off in all methods alike\n  remedy: mesh.edge = 0.056 or less"
            ]
        );
        assert_eq!(notes(&above(FLOOR, 0.05, "", "")).len(), 0, "nine vertices");
    }

    #[test]
    fn a_fixed_tool_that_a_body_falls_onto_needs_more_than_one_vertex() {
        // it arrives under the middle of a face, where the skin has a vertex
        let ball = |edge: f64| {
            let place = "layout = { grid = [1, 1, 1], origin = [0.0, 0.0, 0.3] }";
            let gravity = "gravity = [0.0, 0.0, -9.81]";
            above("sphere = { radius = 0.05 }", edge, gravity, place)
        };
        let coarse = ball(0.05);
        let found = notes(&coarse);
        assert_eq!(found.len(), 1, "{found:?}");
        let words = "for `base`: `block` stands on it with one vertex";
        assert!(found[0].contains(words), "{found:?}");
        assert_eq!(notes(&ball(0.0125)).len(), 0);
    }

    #[test]
    fn what_does_not_stand_on_a_tool_is_not_told() {
        for (shape, keys, body_keys) in [
            (FLOOR, "gravity = [0.0, 0.0, 0.0]", ""),
            (
                FLOOR,
                "",
                "support = [{ name = 'top', select = { half_space = { point = [0.0, 0.049, 0.0], normal = [0.0, 1.0, 0.0] } } }]",
            ),
            (FLOOR, "", "layout = { grid = [1, 1, 1], turn = 40.0 }"),
            // a ceiling, a wall that the body touches, and a tool beside its way
            (
                "half_space = { point = [0.0, 0.05, 0.0], normal = [0.0, -1.0, 0.0] }",
                "",
                "",
            ),
            (
                "half_space = { point = [0.05, 0.0, 0.0], normal = [-1.0, 0.0, 0.0] }",
                "",
                "",
            ),
            (
                "box = { size = [0.1, 0.1, 0.1] }",
                "",
                "layout = { grid = [1, 1, 1], origin = [0.5, 0.5, 0.0] }",
            ),
        ] {
            let found = above(shape, 0.1, keys, body_keys);
            assert_eq!(notes(&found).len(), 0, "{shape} {keys} {body_keys}");
        }
    }
}
