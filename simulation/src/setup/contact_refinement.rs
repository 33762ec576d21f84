//! A skin that is fine enough for the tools and the blades of its scene. Vertices are added, none is moved.

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

/// Longest edge of a skin that blades cut, over the edge of a cell. Measured on a cube: lips were clean with edges up to 1.06 cells, had gaps with 1.5, and were torn to fins with 2.1.
const MAX_CUT_EDGE_RATIO: f64 = 1.25;

/// Most cells along the longest side where the program chooses them, as in `build::geometry`, which depends on this folder.
const MOST_CELLS: f64 = 48.0;

/// Most vertices that are added for blades: a cube with 24 cells along its side gets 6,000.
const MAX_ADDED_FOR_BLADES: usize = 10_000;

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
    has_edge_above(skin, longest)
}

fn has_edge_above(skin: &SurfaceMesh, longest: f64) -> bool {
    let is_long = |[a, b, c]: [Vec3; 3]| {
        let longest_side = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        longest_side > longest
    };
    (0..skin.triangles.len()).any(|t| is_long(skin.corners(t)))
}

/// Halves the triangles of an imported skin that are longer than a cell, where the scene has blades. The lattice gives each triangle to one side of a cut, so that long ones would become fins.
pub(super) fn halve_for_blades(
    skin: &mut SurfaceMesh,
    description: &SceneDescription,
    notes: &mut Vec<String>,
) {
    let is_cut = description.blades().next().is_some();
    if !is_cut || !matches!(description.body.mesh, MeshSource::File { .. }) {
        return;
    }
    let lattice = &description.body.lattice;
    let cells = lattice
        .cells_longest
        .map_or(MOST_CELLS, |cells| cells as f64);
    let of_longest_side = skin.bounds().size().max() / cells;
    let longest = MAX_CUT_EDGE_RATIO * lattice.cell.unwrap_or(of_longest_side);
    let before = skin.vertex_count();
    let max_triangles = skin.triangles.len() + 2 * MAX_ADDED_FOR_BLADES;
    while split_edges(skin, max_triangles, |_, length| length > longest) > 0 {}
    let added = skin.vertex_count() - before;
    if added > 0 {
        notes.push(format!(
            "long triangles of the skin were halved so that blades leave clean lips: {added} vertices were added, none was moved"
        ));
    }
    // one round more would have made the skin too heavy
    if has_edge_above(skin, 2.0 * longest) {
        notes.push("the skin has triangles that may be longer than two cells of the lattice: where a blade goes through them, its lips are ragged then\n  remedy: a finer mesh (`pliant remesh`), or larger cells".to_string());
    }
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
