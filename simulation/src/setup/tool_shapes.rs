//! The shapes of a scene's tools: meshes are read, put around the origin and their distances sampled.

use std::path::Path;

use pliant_core::asset::Progress;
use pliant_core::contact::{MeshShape, ToolShape};
use pliant_core::math::numbers::decimal;
use pliant_core::scene::{MeshSource, SceneDescription, ShapeDescription, ToolDescription};
use pliant_meshing::error::MeshingError;
use pliant_meshing::repair::RepairError;
use pliant_meshing::voxelise::distance_grid;

use super::body::build_body;
use super::scene_notes::note::{NoteSubject, SceneNote};
use crate::error::BuildError;
use crate::scenes::LoadedScene;

/// Share of the surface in parts thinner than a cell above which there is a note.
const MAX_THIN_SHARE: f64 = 0.05;

/// The shapes of the tools of `description`, in their order.
///
/// # Errors
/// [`BuildError::ToolNotWatertight`]; [`BuildError`] of the file, the generator or the grid, with the tool's key.
pub(super) fn tool_shapes(
    scene: &LoadedScene,
    description: &SceneDescription,
    progress: &Progress,
    notes: &mut Vec<SceneNote>,
) -> Result<Vec<ToolShape>, BuildError> {
    let mut shapes = Vec::with_capacity(description.tools.len());
    for (k, tool) in description.tools.iter().enumerate() {
        shapes.push(match &tool.shape {
            ShapeDescription::Given(shape) => shape.clone(),
            ShapeDescription::Mesh { source, cell } => {
                let mut own = Vec::new();
                let path = format!("tool[{k}].shape.mesh");
                let shape = mesh_shape(&path, source, *cell, &scene.folder, progress, &mut own)
                    .map_err(|error| tool_error(error, tool, &path, scene))?;
                for note in &mut own {
                    *note = format!("tool `{}`: {note}", tool.name);
                }
                let about = || NoteSubject::Tool(tool.name.clone());
                notes.extend(own.into_iter().map(|note| SceneNote::new(about(), note)));
                let thin = thin_parts(&shape, &tool.name);
                notes.extend(thin.map(|note| SceneNote::warning(about(), note)));
                ToolShape::Mesh(shape)
            }
        });
    }
    Ok(shapes)
}

/// The mesh at the key `path` with the middle of its box at the origin, and its distances.
fn mesh_shape(
    path: &str,
    source: &MeshSource,
    cell: Option<f64>,
    folder: &Path,
    progress: &Progress,
    notes: &mut Vec<String>,
) -> Result<MeshShape, BuildError> {
    progress.stage("reading the mesh of a tool");
    let mut surface = build_body(path, source, &[], folder, progress, notes)?.skin;
    let middle = surface.bounds().center();
    surface.positions.iter_mut().for_each(|x| *x -= middle);
    let grid = distance_grid(&surface, cell, progress).map_err(|source| BuildError::ToolMesh {
        path: path.to_string(),
        source,
    })?;
    Ok(MeshShape::new(surface, grid))
}

/// The error of a mesh as that of a tool, whose mesh stands at the key `path`.
fn tool_error(
    error: BuildError,
    tool: &ToolDescription,
    path: &str,
    scene: &LoadedScene,
) -> BuildError {
    match error {
        BuildError::Mesh { file, source, .. } => BuildError::Mesh {
            key: Some(format!("{}: {path}.file", scene.origin.display())),
            file,
            source,
        },
        BuildError::Repair {
            source: RepairError::Cancelled(_),
            ..
        }
        | BuildError::ToolMesh {
            source: MeshingError::Cancelled(_),
            ..
        } => BuildError::Cancelled,
        BuildError::Repair { file, source } => match open_edges(&source) {
            Some(open_edges) => BuildError::ToolNotWatertight {
                tool: tool.name.clone(),
                file,
                open_edges,
                reason: first_line(&source),
            },
            None => BuildError::Repair { file, source },
        },
        other => other,
    }
}

/// Edges with one triangle only; `None` where the surface has another fault than where its triangles meet.
fn open_edges(error: &RepairError) -> Option<usize> {
    match error {
        RepairError::SkinOpen { edges, .. } => Some(*edges),
        RepairError::NonManifold { .. }
        | RepairError::NotOrientable { .. }
        | RepairError::Misoriented { .. }
        | RepairError::Pinched { .. } => Some(0),
        RepairError::NotSolid { first, .. } => open_edges(first),
        _ => None,
    }
}

/// A message without its remedy, which is another one for tools.
fn first_line(error: &RepairError) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_string()
}

/// A sentence where much of the surface belongs to parts that are thinner than a cell.
fn thin_parts(shape: &MeshShape, tool: &str) -> Option<String> {
    let surface = shape.surface();
    let (mut thin, mut all) = (0.0, 0.0);
    for t in 0..surface.triangles.len() {
        let area = surface.area_vector(t);
        let Some(normal) = area.try_normalize(0.0) else {
            continue;
        };
        let [a, b, c] = surface.corners(t);
        let below = (a + b + c) / 3.0 - normal * shape.cell();
        all += area.norm();
        if shape.signed_distance(&below).0 >= 0.0 {
            thin += area.norm();
        }
    }
    (thin > MAX_THIN_SHARE * all).then(|| {
        format!(
            "ToolThinParts: {:.0} % of the surface of `{tool}` belongs to parts thinner than {} m, the cells in which its distance is sampled: they may touch nothing\n  remedy: a smaller `cell` in its mesh, or thicker parts",
            100.0 * thin / all,
            decimal(shape.cell())
        )
    })
}
