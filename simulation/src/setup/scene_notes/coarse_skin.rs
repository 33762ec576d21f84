//! Whether the skin is fine enough under the tools that press it.
//!
//! Contact is found at skin vertices. With few of them under a tool, the force depends on where they happen to lie. It is wrong in all methods alike, so that
//! comparing them does not show it.

use pliant_core::contact::ToolShape;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::{MeshSource, SceneDescription};

use super::note::{NoteSubject, SceneNote};
use crate::setup::scene_setup::SetupTool;

/// Mean edge of the touched skin over the tool's radius above which there is a note.
///
/// Measured with balls of 45 mm on a pad and on a ball of 0.2 m, against skins with edges of 0.10 and 0.14 radii: with edges of 0.56 radii forces were 39 to 74 %
/// off, with 0.39 radii 14 to 27 %, with 0.28 radii 1 to 15 %, and with 0.2 radii up to 4 %.
pub(in crate::setup) const MAX_EDGE_RATIO: f64 = 1.0 / 3.0;

/// The ratio that the remedy asks for.
const REMEDY_EDGE_RATIO: f64 = 0.25;

/// Distance within which a tool counts as touching the skin, over its radius.
const TOUCH_DISTANCE: f64 = 0.25;

/// Most pairs of a vertex and a time that are tested for a tool.
const MAX_PAIRS: usize = 5_000_000;

/// A note for each tool that presses a skin too coarse for it. Cost: at most [`MAX_PAIRS`] signed distances a tool.
pub(in crate::setup) fn notes(
    description: &SceneDescription,
    tools: &[SetupTool],
    skin: &SurfaceMesh,
) -> Vec<SceneNote> {
    let found = tools.iter().filter_map(|tool| {
        let radius = radius_of_curvature(&tool.shape)?;
        let edge = pressed_edge(tool, radius, description.duration, skin)?;
        (edge > MAX_EDGE_RATIO * radius).then(|| {
            let text = format!(
                "SkinTooCoarse: the skin is too coarse for `{}`: its edges are {} there, {:.2} of the tool's radius, so that forces may be off by 15 % and more in all methods alike\n  remedy: {}",
                tool.name,
                in_mm(edge),
                edge / radius,
                remedy(description, REMEDY_EDGE_RATIO * radius)
            );
            SceneNote::warning(NoteSubject::Tool(tool.name.clone()), text)
        })
    });
    found.collect()
}

/// A length in millimetres with two or three digits.
pub(super) fn in_mm(metres: f64) -> String {
    match metres * 1e3 {
        large if large >= 100.0 => format!("{large:.0} mm"),
        length if length >= 1.0 => format!("{length:.1} mm"),
        small => format!("{small:.3} mm"),
    }
}

/// What to do for edges of at most `edge` metres.
pub(in crate::setup) fn remedy(description: &SceneDescription, edge: f64) -> String {
    // two digits, rounded down
    let decimals = (1.0 - edge.log10().floor()).clamp(0.0, 12.0);
    let scale = 10_f64.powf(decimals);
    let edge = (edge * scale).floor() / scale;
    match description.body.mesh {
        MeshSource::Procedural { .. } => format!("mesh.edge = {edge} or less"),
        MeshSource::File { .. } => format!(
            "a mesh with edges of {} or less there (subdivide it, or `pliant remesh`)",
            in_mm(edge)
        ),
    }
}

/// Radius of what touches, m; `None` for a plane, and for a blade, which does not push.
pub(in crate::setup) fn radius_of_curvature(shape: &ToolShape) -> Option<f64> {
    let radius = match *shape {
        // its flat end is round
        ToolShape::Cylinder { radius, .. } => radius,
        ToolShape::Blade { .. } => return None,
        _ => shape.inner_radius(),
    };
    (radius.is_finite() && radius > 0.0).then_some(radius)
}

/// Mean edge of the triangles that the tool's script presses, m. A tool in the user's hand that touches nothing on its own may touch any.
pub(in crate::setup) fn pressed_edge(
    tool: &SetupTool,
    radius: f64,
    duration: f64,
    skin: &SurfaceMesh,
) -> Option<f64> {
    let pressed = pressed_vertices(tool, radius, duration, skin);
    match mean_edge(skin, |t| t.iter().any(|&v| pressed[v as usize])) {
        None if tool.follows_pointer => mean_edge(skin, |_| true),
        found => found,
    }
}

/// For each vertex whether the tool's script presses it within `duration` seconds, or while it lasts where that is 0.
pub(in crate::setup) fn pressed_vertices(
    tool: &SetupTool,
    radius: f64,
    duration: f64,
    skin: &SurfaceMesh,
) -> Vec<bool> {
    let end = match duration > 0.0 {
        true => duration,
        false => tool.path.duration(),
    };
    let moments = (MAX_PAIRS / skin.vertex_count().max(1)).clamp(8, 240);
    let reach = tool.shape.outer_radius() + TOUCH_DISTANCE * radius;
    let mut pressed = vec![false; skin.vertex_count()];
    for k in 0..=moments {
        let pose = tool.path.pose(end * k as f64 / moments as f64);
        for (x, pressed) in skin.positions.iter().zip(&mut pressed) {
            if !*pressed && (x - pose.position).norm_squared() < reach * reach {
                let distance = tool.shape.signed_distance(&pose.to_local(x)).0;
                *pressed = distance < TOUCH_DISTANCE * radius;
            }
        }
    }
    pressed
}

/// Lengths of the sides of a triangle, m.
pub(in crate::setup) fn sides(skin: &SurfaceMesh, triangle: usize) -> [f64; 3] {
    let [a, b, c] = skin.corners(triangle);
    [(b - a).norm(), (c - b).norm(), (a - c).norm()]
}

/// Mean edge of some triangles, m; `None` without any.
pub(super) fn mean_edge(skin: &SurfaceMesh, counts: impl Fn(&[u32; 3]) -> bool) -> Option<f64> {
    let (mut sum, mut edges) = (0.0, 0_u32);
    for (t, triangle) in skin.triangles.iter().enumerate() {
        if counts(triangle) {
            let [ab, bc, ca] = sides(skin, t);
            sum += ab + bc + ca;
            edges += 3;
        }
    }
    (edges > 0).then(|| sum / f64::from(edges))
}
