//! What touches the bodies and what is measured on them: tools and their paths, grabs, probes.

use std::ops::Range;

use pliant_core::contact::{Pose, PosePath, ToolShape};
use pliant_core::inspect::Probe;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::{MotionDescription, SceneDescription, Selection};

use super::bodies::part_of;
use super::scene_notes::note::SceneNote;
use super::scene_setup::{Carrier, SetupGrab, SetupTool, follow_carriers};
use super::scripted_motion::{random_pokes, scripted_poke};
use crate::error::BuildError;

/// Largest radius of a tool that moves, in diagonals of the skin: a larger one is probably in a wrong unit.
const MAX_TOOL_RADIUS: f64 = 10.0;

/// The skin of all bodies, as tools, grabs and probes refer to it.
pub(super) struct SceneSkin<'a> {
    /// The skin.
    pub skin: &'a SurfaceMesh,
    /// For each vertex whether a support holds it.
    pub held: &'a [bool],
    /// Vertices of each kind of bodies.
    pub of_kind: &'a [Range<u32>],
    /// Whether the scene has several kinds.
    pub several: bool,
    /// Whether edges stayed longer than its tools need, because it would have too many vertices with all of them halved.
    pub has_long_edges: bool,
}

/// The tools of a scene, whose `shapes` come in the same order; scripted motions become paths.
///
/// # Errors
/// [`BuildError::ToolTooSharp`], [`BuildError::ToolTooLarge`].
pub(super) fn tools(
    description: &SceneDescription,
    shapes: &[ToolShape],
    scene_skin: &SceneSkin<'_>,
) -> Result<Vec<SetupTool>, BuildError> {
    let (skin, held) = (scene_skin.skin, scene_skin.held);
    let (edge, size) = (skin.mean_edge(), skin.bounds().diagonal());
    // a skin with as many vertices as it may have need not be halved once more: a note says that it is too coarse
    let allowed_edge = match scene_skin.has_long_edges {
        true => 0.5 * edge,
        false => edge,
    };
    let mut tools = Vec::new();
    for (tool, shape) in description.tools.iter().zip(shapes) {
        let radius = shape.inner_radius();
        let pushes = !shape.is_blade();
        // half a percent of slack: a radius of exactly 1.5 edges is meant to pass
        if pushes && tool.motion != MotionDescription::Fixed && radius < 1.49 * allowed_edge {
            return Err(BuildError::ToolTooSharp {
                tool: tool.name.clone(),
                radius,
                edge,
                needed: 1.5 * edge,
            });
        }
        let moves = tool.motion != MotionDescription::Fixed;
        if moves && radius.is_finite() && radius > MAX_TOOL_RADIUS * size {
            return Err(BuildError::ToolTooLarge {
                tool: tool.name.clone(),
                radius,
                size,
            });
        }
        tools.push(SetupTool {
            name: tool.name.clone(),
            shape: shape.clone(),
            friction: tool.friction,
            adhesion: tool.adhesion,
            path: match &tool.motion {
                MotionDescription::Fixed => PosePath::still(Pose::at(Vec3::zeros())),
                MotionDescription::Path(path) => path.clone(),
                MotionDescription::ScriptedPoke => scripted_poke(skin, held, shape),
                MotionDescription::RandomPokes => random_pokes(skin, held, shape, description.seed),
                // it follows once all tools have their paths
                MotionDescription::Carried { place, .. } => place.clone(),
            },
            follows_pointer: tool.follows_pointer,
            carrier: carrier(&tool.motion, description),
        });
    }
    follow_carriers(&mut tools);
    Ok(tools)
}

/// What carries a tool of this `motion`; `None` also where `description` has no such tool: a further kind of bodies has only the blades of the scene, and their motion does not matter there.
fn carrier(motion: &MotionDescription, description: &SceneDescription) -> Option<Carrier> {
    let MotionDescription::Carried { by, place } = motion else {
        return None;
    };
    let mut tools = description.tools.iter();
    let tool = tools.position(|tool| tool.name == *by)?;
    Some(Carrier {
        tool,
        place: place.clone(),
    })
}

/// The grabs of a scene with their skin vertices.
///
/// # Errors
/// [`BuildError::SelectionEmpty`], [`BuildError::NoSuchVertex`].
pub(super) fn grabs(
    description: &SceneDescription,
    scene_skin: &SceneSkin<'_>,
    notes: &mut Vec<SceneNote>,
) -> Result<Vec<SetupGrab>, BuildError> {
    let mut grabs = Vec::new();
    for (k, grab) in description.grabs.iter().enumerate() {
        let mut vertices = grab.select.skin_vertices(scene_skin.skin);
        if let Some(kind) = grab.body {
            vertices.retain(|v| scene_skin.of_kind[kind].contains(v));
        }
        let path = format!("grab[{k}].select");
        if vertices.is_empty() {
            return Err(empty_selection(path, &grab.select, scene_skin.skin));
        }
        refuse_missing_vertex(path, &grab.select, scene_skin.skin)?;
        if let Selection::List(ids) = &grab.select
            && ids.len() > vertices.len()
        {
            let name = &grab.name;
            let text = format!(
                "grab `{name}`: some listed vertices are listed twice, or belong to another body"
            );
            notes.push(text.into());
        }
        grabs.push(SetupGrab {
            name: grab.name.clone(),
            vertices,
            path: grab.path.clone(),
            directions: grab.directions,
            frames: None,
        });
    }
    Ok(grabs)
}

/// The error of a selection, at the key `path`, that holds no vertex of `skin`.
pub(super) fn empty_selection(path: String, select: &Selection, skin: &SurfaceMesh) -> BuildError {
    let groups: Vec<&str> = skin.groups.iter().map(|g| g.name.as_str()).collect();
    let reason = match select {
        Selection::Group(group) if !groups.contains(&group.as_str()) => match groups[..] {
            [] => format!(
                ": it has no group `{group}`, and no other\n  remedy: select by place, for example {{ lowest = 0.1 }}"
            ),
            _ => format!(
                ": it has no group `{group}`\n  remedy: name one that it has: {}",
                groups.join(", ")
            ),
        },
        Selection::List(_) => format!(
            "\n  remedy: list vertices from 0 to {}",
            skin.vertex_count().saturating_sub(1)
        ),
        _ => {
            let Aabb { min, max } = skin.bounds();
            format!(
                "\n  remedy: enlarge it; the skin spans ({:.4}, {:.4}, {:.4}) to ({:.4}, {:.4}, {:.4}) m",
                min.x, min.y, min.z, max.x, max.y, max.z
            )
        }
    };
    BuildError::SelectionEmpty { path, reason }
}

/// Refuses a selection, at the key `path`, that lists a vertex that `skin` does not have.
pub(super) fn refuse_missing_vertex(
    path: String,
    select: &Selection,
    skin: &SurfaceMesh,
) -> Result<(), BuildError> {
    let count = skin.vertex_count();
    let Selection::List(listed) = select else {
        return Ok(());
    };
    match listed.iter().find(|&&v| v as usize >= count) {
        Some(&vertex) => Err(BuildError::NoSuchVertex {
            path,
            vertex,
            count,
        }),
        None => Ok(()),
    }
}

/// The probes of a scene at the skin points nearest to what it asks for.
pub(super) fn probes(description: &SceneDescription, scene_skin: &SceneSkin<'_>) -> Vec<Probe> {
    let skin = scene_skin.skin;
    let probes = description.probes.iter().filter_map(|probe| {
        Some(Probe {
            name: probe.name.clone(),
            at: match probe.body {
                Some(kind) if scene_skin.several => {
                    let (part, first) = part_of(skin, &scene_skin.of_kind[kind]);
                    let mut at = part.nearest_point(&probe.nearest_surface_point)?;
                    at.triangle += first;
                    at
                }
                _ => skin.nearest_point(&probe.nearest_surface_point)?,
            },
            quantity: probe.quantity,
        })
    });
    probes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::testing::{BALL, pad, setup_of};

    #[test]
    fn a_tool_may_be_twice_as_sharp_for_a_skin_that_cannot_be_halved_again() {
        // edges of 0.057 m
        let setup = setup_of(pad("", "") + BALL);
        let is_refused = |radius: f64, has_long_edges: bool| {
            let all = 0..setup.scene_skin.vertex_count() as u32;
            let scene_skin = SceneSkin {
                skin: &setup.scene_skin,
                held: &setup.held,
                of_kind: &[all],
                several: false,
                has_long_edges,
            };
            let shapes = [ToolShape::Sphere { radius }];
            let made = tools(&setup.description, &shapes, &scene_skin);
            matches!(made, Err(BuildError::ToolTooSharp { .. }))
        };
        assert!(!is_refused(0.09, false));
        assert!(is_refused(0.06, false) && !is_refused(0.06, true));
        assert!(is_refused(0.04, true));
    }
}
