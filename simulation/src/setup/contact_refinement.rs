//! A skin that is fine enough for the tools of its scene. Vertices are added, none is moved.

use std::collections::HashSet;

use pliant_core::contact::ToolShape;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::{MeshSource, MotionDescription, SceneDescription};
use pliant_meshing::refine::{split_edges, split_long_edges};

use super::bodies::places;
use super::scene_notes::coarse_skin::{
    MAX_EDGE_RATIO, pressed_edge, pressed_vertices, radius_of_curvature,
};
use super::scene_setup::SetupTool;
use super::touch::{SceneSkin, tools};
use crate::error::BuildError;

/// Longest edge of an imported skin over its diagonal.
const MAX_EDGE_SHARE: f64 = 0.06;

/// Most vertices of a skin that is refined everywhere for a tool: about as many as those of most bundled scenes have.
const MAX_LIGHT_VERTICES: usize = 5_000;

/// Most vertices that are added where tools press.
const MAX_ADDED_VERTICES: usize = 5_000;

/// Most rounds of halving.
const MAX_ROUNDS: usize = 6;

/// Halves the long triangles of an imported skin. Drawing programs make such triangles of flat faces; they cannot bend around a tool. Returns whether long ones are left, because the
/// skin would have too many vertices.
pub(super) fn halve_long_triangles(
    skin: &mut SurfaceMesh,
    description: &SceneDescription,
    shapes: &[ToolShape],
    notes: &mut Vec<String>,
) -> bool {
    if !matches!(description.body.mesh, MeshSource::File { .. }) {
        return false;
    }
    let tools = description.tools.iter().zip(shapes);
    let smallest = tools
        .filter(|(tool, shape)| tool.motion != MotionDescription::Fixed && !shape.is_blade())
        .map(|(_, shape)| shape.inner_radius())
        .fold(f64::INFINITY, f64::min);
    // with this the mean edge suits every tool, see `ToolTooSharp`
    let longest = (MAX_EDGE_SHARE * skin.bounds().diagonal()).min(smallest / 1.5);
    let added = split_long_edges(skin, longest);
    if added > 0 {
        notes.push(format!(
            "long triangles of the skin were halved so that it can bend: {added} vertices were added, none was moved"
        ));
    }
    let is_long = |[a, b, c]: [Vec3; 3]| {
        let longest_side = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        longest_side > longest
    };
    (0..skin.triangles.len()).any(|t| is_long(skin.corners(t)))
}

/// Refines the skin of a body that is alone in its scene where it is too coarse for a tool: everywhere for a tool in the user's hand if the skin stays light, otherwise where the
/// tool's script presses. A generated body whose scene gives an edge keeps to it. `has_long_edges` tells that [`halve_long_triangles`] left some. Returns the tools: their scripts are made
/// from the skin as it came.
///
/// # Errors
/// Those of [`tools`].
pub(super) fn refine_for_tools(
    skin: &mut SurfaceMesh,
    description: &SceneDescription,
    shapes: &[ToolShape],
    held: &[bool],
    has_long_edges: bool,
    notes: &mut Vec<String>,
) -> Result<Option<Vec<SetupTool>>, BuildError> {
    let longest = skin.bounds().size().max();
    let is_alone = description.others.is_empty() && places(description, false, longest).is_empty();
    let has_own_edge = matches!(
        description.body.mesh,
        MeshSource::Procedural { edge: Some(_), .. }
    );
    if !is_alone || has_own_edge {
        return Ok(None);
    }
    let all = 0..skin.vertex_count() as u32;
    let scene_skin = SceneSkin {
        skin,
        held,
        of_kind: &[all],
        several: false,
        has_long_edges,
    };
    let tools = tools(description, shapes, &scene_skin)?;
    for tool in &tools {
        let before = skin.vertex_count();
        refine_for_tool(skin, tool, description.duration);
        let added = skin.vertex_count() - before;
        if added > 0 {
            notes.push(format!(
                "the skin was refined for `{}`: {added} vertices were added, none was moved",
                tool.name
            ));
        }
    }
    Ok(Some(tools))
}

fn refine_for_tool(skin: &mut SurfaceMesh, tool: &SetupTool, duration: f64) {
    let Some(radius) = radius_of_curvature(&tool.shape) else {
        return;
    };
    let longest = MAX_EDGE_RATIO * radius;
    if pressed_edge(tool, radius, duration, skin).is_none_or(|edge| edge <= longest) {
        return;
    }
    if tool.follows_pointer
        && let Some(refined) = refined_everywhere(skin, longest)
    {
        *skin = refined;
        return;
    }
    let max_triangles = skin.triangles.len() + 2 * MAX_ADDED_VERTICES;
    for _ in 0..MAX_ROUNDS {
        let pressed = pressed_vertices(tool, radius, duration, skin);
        let is_pressed = |t: &&[u32; 3]| t.iter().any(|&v| pressed[v as usize]);
        let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
        let pressed = skin.triangles.iter().filter(is_pressed);
        let edges: HashSet<[u32; 2]> = pressed.flat_map(sides).map(sorted).collect();
        let is_split = |ends, length: f64| length > longest && edges.contains(&sorted(ends));
        if split_edges(skin, max_triangles, is_split) == 0 {
            break;
        }
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The skin without edges longer than `longest` (m); `None` where it would not be light.
fn refined_everywhere(skin: &SurfaceMesh, longest: f64) -> Option<SurfaceMesh> {
    let mut fine = skin.clone();
    for _ in 0..MAX_ROUNDS {
        if fine.vertex_count() > MAX_LIGHT_VERTICES {
            return None;
        }
        if split_edges(&mut fine, usize::MAX, |_, length| length > longest) == 0 {
            return Some(fine);
        }
    }
    None
}
