//! A skin that is fine enough for the tools and the blades of its scene. Vertices are added, none is moved.

use std::collections::HashSet;

use pliant_core::contact::ToolShape;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::{MeshSource, Method, MotionDescription, SceneDescription};
use pliant_meshing::refine::{split_edges, split_long_edges};

use super::bodies::places;
use super::scene_notes::coarse_skin::{
    MAX_EDGE_RATIO, pressed_edge, pressed_vertices, radius_of_curvature, remedy, sides,
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

/// Longest edge over that of a cell without a note, of a skin that keeps its triangles, and of one that would become too heavy if all long ones were halved.
const MAX_KEPT_EDGE_RATIO: f64 = 1.5;
const MAX_LEFT_EDGE_RATIO: f64 = 2.0 * MAX_CUT_EDGE_RATIO;

/// Longest edge of a generated skin over its `mesh.edge`, with a margin: 1.4 for boxes; a liver has one of 1.7 mean edges.
const LONGEST_EDGE_RATIO: f64 = 1.8;

/// Fewest and most cells along the longest side where the program chooses them for a body that is not too stiff, as in `build::geometry`, which depends on this folder.
const FEWEST_CELLS: f64 = 24.0;
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
    let is_long = |t: usize| sides(skin, t).iter().any(|side| *side > longest);
    (0..skin.triangles.len()).any(is_long)
}

/// Halves the triangles of a skin that are longer than a cell, where the scene has blades. The lattice gives each triangle to one side of a cut, so that long ones would become fins. A generated body
/// whose scene gives an edge keeps to it. A note tells where long triangles are left. `several_kinds` tells that the scene has other kinds of bodies.
pub(super) fn halve_for_blades(
    skin: &mut SurfaceMesh,
    description: &SceneDescription,
    several_kinds: bool,
    notes: &mut Vec<String>,
) {
    if description.blades().next().is_none() {
        return;
    }
    let is_kept = has_own_edge(description);
    let lattice = &description.body.lattice;
    let longest = skin.bounds().size().max();
    // bodies of a group get the fewest cells
    let is_group = !places(description, several_kinds, longest).is_empty();
    // cells that the program chooses are known later: small ones where triangles are halved, large ones where only a note is given
    let automatic = match is_kept || is_group {
        true => FEWEST_CELLS,
        false => MOST_CELLS,
    };
    let cells = lattice.cells_longest.map_or(automatic, |n| n as f64);
    let cell = lattice.cell.unwrap_or(longest / cells);
    if !is_kept {
        halve_for_cells(skin, cell, notes);
    }
    let allowed = match is_kept {
        true => MAX_KEPT_EDGE_RATIO,
        false => MAX_LEFT_EDGE_RATIO,
    };
    let shows_lattice = description.methods.contains(&Method::Lattice);
    if shows_lattice && has_edge_above(skin, allowed * cell) {
        let longest_over_edge = match description.body.mesh {
            MeshSource::Procedural { .. } => LONGEST_EDGE_RATIO,
            MeshSource::File { .. } => 1.0,
        };
        let edge = MAX_CUT_EDGE_RATIO * cell / longest_over_edge;
        notes.push(format!(
            "the skin has triangles that may be longer than {allowed:.1} cells of the lattice: the lips are ragged where a blade goes through them\n  remedy: {}, or larger cells",
            remedy(description, edge)
        ));
    }
}

/// Halves the edges that are too long for cells of this edge (m), or the longest ones where the skin would become too heavy with all of them.
fn halve_for_cells(skin: &mut SurfaceMesh, cell: f64, notes: &mut Vec<String>) {
    let before = skin.vertex_count();
    let max_triangles = skin.triangles.len() + 2 * MAX_ADDED_FOR_BLADES;
    for ratio in [MAX_CUT_EDGE_RATIO, MAX_LEFT_EDGE_RATIO] {
        let longest = ratio * cell;
        while split_edges(skin, max_triangles, |_, length| length > longest) > 0 {}
    }
    let added = skin.vertex_count() - before;
    if added > 0 {
        notes.push(format!(
            "long triangles of the skin were halved so that blades leave clean lips: {added} vertices were added, none was moved"
        ));
    }
}

/// Whether the body is generated, and its scene gives the edge.
fn has_own_edge(description: &SceneDescription) -> bool {
    matches!(
        description.body.mesh,
        MeshSource::Procedural { edge: Some(_), .. }
    )
}

/// Refines the skin of a body that is alone in its scene where it is too coarse for a tool: everywhere for a tool in the user's hand if the skin stays light, otherwise where the
/// tool's script presses. A generated body whose scene gives an edge keeps to it. `has_long_edges` tells that [`halve_long_triangles`] left some. Returns the tools: their scripts are made
/// from the skin as it came.
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
    if !is_alone || has_own_edge(description) {
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
