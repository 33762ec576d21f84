//! Makes a procedural body: structured boxes, and skins of signed distance functions.

use pliant_core::asset::Progress;
use pliant_core::diagnostics::nearest_name;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_cells, box_surface};

use super::bodies::table::{BODIES, Shape, names};
use super::error::ProceduralError;
use super::model::Model;
use super::spec::ProceduralSpec;
use super::{march, skin};

/// Triangles of a body whose edge is not given, about.
const DEFAULT_TRIANGLES: f64 = 8_000.0;
/// The most triangles of a body.
const TRIANGLE_LIMIT: u64 = 400_000;
/// The most cells of a structured box or bar, which is filled before its surface is taken.
const CELL_LIMIT: u64 = 500_000;
/// Longest side where none is given, m.
const DEFAULT_LONGEST: f64 = 0.3;
/// Smallest and largest side that is allowed, m.
const SIDE_RANGE: (f64, f64) = (1e-6, 1e6);

/// Makes the body that `spec` asks for: a closed, manifold, outward oriented surface with its groups (`handle` of the spatula,
/// `rails` of the banana seat, `ligament` of the liver, `nail` of the fingertip, `feet` of the animals and the
/// infant, `base` of the buddha, the octahedron and the torso).
///
/// Cost: under a second at the default edge.
///
/// # Errors
/// [`ProceduralError`] names a body that does not exist, lengths that are not usable, and an edge that is too coarse for the shape or too fine
/// for the limit of 400,000 triangles.
pub fn body(spec: &ProceduralSpec, progress: &Progress) -> Result<SurfaceMesh, ProceduralError> {
    let known = BODIES.into_iter().find(|(name, _)| *name == spec.name);
    let Some((name, shape)) = known else {
        return Err(ProceduralError::UnknownBody {
            name: spec.name.clone(),
            did_you_mean: nearest_name(&spec.name, names().iter().copied()),
        });
    };
    progress.stage("shaping");
    let check = |what: &'static str, value: f64| {
        if value >= SIDE_RANGE.0 && value <= SIDE_RANGE.1 {
            Ok(value)
        } else {
            Err(ProceduralError::BadSize {
                body: name,
                what,
                value,
                smallest: SIDE_RANGE.0,
                largest: SIDE_RANGE.1,
            })
        }
    };
    let longest = spec.longest.map(|l| check("longest", l)).transpose()?;
    // an edge far from the longest side has errors of its own
    let edge = spec.edge.map(|e| check("edge", e)).transpose()?;
    if let Some(size) = spec.size {
        for side in size {
            check("size", side)?;
        }
    }
    let sides = match (shape, spec.size) {
        (Shape::Cells(sides), size) => Vec3::from(size.unwrap_or(sides)),
        (Shape::Skin(_), Some(_)) => return Err(ProceduralError::SizeNotUsed { body: name }),
        (Shape::Skin(model), None) => {
            let longest = longest.unwrap_or(DEFAULT_LONGEST);
            return skinned(name, &model(), longest, edge, progress);
        }
    };
    let longest = longest.or((spec.size.is_none()).then_some(DEFAULT_LONGEST));
    structured(
        name,
        sides * longest.map_or(1.0, |l| l / sides.max()),
        edge,
        progress,
    )
}

fn structured(
    name: &'static str,
    size: Vec3,
    edge: Option<f64>,
    progress: &Progress,
) -> Result<SurfaceMesh, ProceduralError> {
    progress.check()?;
    let faces = size.x * size.y + size.y * size.z + size.z * size.x;
    let fitting = |limit: f64| (4.0 * faces / limit).sqrt();
    let edge = edge.unwrap_or_else(|| fitting(DEFAULT_TRIANGLES).min(size.min()));
    let too_fine = |amount: f64, edge_that_fits: f64| ProceduralError::EdgeTooFine {
        body: name,
        edge,
        triangles: amount as u64,
        limit: TRIANGLE_LIMIT,
        edge_that_fits,
    };
    let cells = size.map(|side| (side / edge).round().max(1.0));
    let triangles = 4.0 * (cells.x * cells.y + cells.y * cells.z + cells.z * cells.x);
    let volume_edge = (size.x * size.y * size.z / CELL_LIMIT as f64).cbrt();
    if triangles > TRIANGLE_LIMIT as f64 || cells.product() > CELL_LIMIT as f64 {
        let fits = fitting(0.9 * TRIANGLE_LIMIT as f64).max(1.05 * volume_edge);
        return Err(too_fine(triangles, fits));
    }
    if edge > 2.0 * size.max() {
        return Err(ProceduralError::EdgeTooCoarse {
            body: name,
            edge,
            edge_that_works: size.max(),
        });
    }
    Ok(box_surface(
        size,
        box_cells(size, edge),
        CellStyle::Alternating,
    ))
}

/// Skins `model` in its own unit and scales the result, so that scale changes nothing but the positions.
fn skinned(
    name: &'static str,
    model: &Model,
    longest: f64,
    edge: Option<f64>,
    progress: &Progress,
) -> Result<SurfaceMesh, ProceduralError> {
    let rough_cell = model.bounds.size().max() / 48.0;
    let rough = march::march(&*model.distance, &model.bounds, rough_cell, progress)?;
    let (bounds, area) = (rough.bounds(), rough.area());
    let unit = longest / bounds.size().max();
    let default_edge = skin::edge_for(area, DEFAULT_TRIANGLES / model.detail);
    let model_edge = match edge {
        // rounded, so that requests that differ only in scale give the same bits
        Some(edge) => ((edge / unit) * 1e9).round() * 1e-9,
        None => default_edge,
    };
    let triangles = skin::triangles_for(area, model_edge.max(1e-9)) * model.detail;
    if triangles > TRIANGLE_LIMIT as f64 {
        return Err(ProceduralError::EdgeTooFine {
            body: name,
            edge: model_edge * unit,
            triangles: triangles as u64,
            limit: TRIANGLE_LIMIT,
            edge_that_fits: skin::edge_for(area, 0.95 * TRIANGLE_LIMIT as f64 / model.detail)
                * unit,
        });
    }
    let too_coarse = || ProceduralError::EdgeTooCoarse {
        body: name,
        edge: model_edge * unit,
        edge_that_works: (default_edge * model.coarsest).min(0.5 * model_edge) * unit,
    };
    if model_edge > 1.0001 * default_edge * model.coarsest {
        return Err(too_coarse());
    }
    let around = bounds.inflated(rough_cell);
    let finest = 0.65 * default_edge;
    let mut surface = skin::skin(&*model.distance, &around, model_edge, finest, progress)?;
    let topology = pliant_core::mesh::validate::topology(&surface);
    if topology.components != 1 || topology.genus() != Some(model.genus) {
        return Err(too_coarse());
    }
    for (group, belongs) in model.groups {
        surface
            .groups
            .push(pliant_core::mesh::surface::VertexGroup {
                name: (*group).to_string(),
                vertices: (0..surface.positions.len() as u32)
                    .filter(|&v| belongs(&surface.positions[v as usize]))
                    .collect(),
            });
    }
    let bounds = surface.bounds();
    let (center, scale) = (bounds.center(), longest / bounds.size().max());
    let base = Vec3::new(center.x, bounds.min.y, center.z);
    for x in &mut surface.positions {
        *x = (*x - base) * scale;
    }
    Ok(surface)
}
