//! Finds the lattice spacing that gives the requested number of nodes.

use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::error::MeshingError;

/// Refinements tried while no site of the lattice is inside.
const MAX_REFINEMENTS: usize = 24;
const REFINEMENT_FACTOR: f64 = 0.8;
/// Spacings tried by [`search`].
const MAX_TRIALS: usize = 11;

/// Boundary nodes on a patch of the surface as large as a face of a lattice cell: a rocker arm and a bunny have 2.02.
const BOUNDARY_NODES_OF_FACE: f64 = 2.0;

/// Sites that a lattice may have when it is refined because no site is inside.
const MAX_REFINED_SITES: f64 = 4e6;
/// The finest spacing tried, relative to the first.
const MIN_REFINED_SPACING: f64 = 0.06;

/// The finest spacing worth trying for a search that begins at `start`, m: it bounds the work on bodies so thin that
/// lattices miss them.
pub fn finest_spacing(surface: &SurfaceMesh, start: f64) -> f64 {
    let size = surface.bounds().size();
    let box_limit = (2.0 * size.x * size.y * size.z / MAX_REFINED_SITES).cbrt();
    // a flat box: the lattice is a few cells thick, whatever the spacing
    let area = size.x * size.y + size.y * size.z + size.z * size.x;
    let flat_limit = (6.0 * area / MAX_REFINED_SITES).sqrt();
    box_limit
        .max(flat_limit)
        .max(MIN_REFINED_SPACING * start)
        .min(start)
}

/// A first guess of the spacing for `nodes` nodes: two nodes per cell inside and about three per face-sized patch on the
/// surface, m.
pub fn spacing_guess(surface: &SurfaceMesh, nodes: f64) -> f64 {
    let (volume, area) = (surface.volume().abs(), surface.area());
    let count = |h: f64| count_guess(volume, area, h);
    let (mut low, mut high) = (0.0, surface.bounds().diagonal());
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if count(middle) > nodes {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// A first guess of the spacing for `nodes` nodes on the boundary, m.
pub fn boundary_spacing_guess(surface: &SurfaceMesh, nodes: f64) -> f64 {
    (BOUNDARY_NODES_OF_FACE * surface.area() / nodes).sqrt()
}

/// About as many nodes as a lattice of `spacing` (m) gives a body of this volume (m³) and area (m²).
pub fn count_guess(volume: f64, area: f64, spacing: f64) -> f64 {
    2.0 * volume / spacing.powi(3) + 1.8 * area / spacing.powi(2)
}

/// The first mesh that is not empty, from `spacing` down to `finest`, and its spacing.
///
/// # Errors
/// Those of `mesh_at`; [`MeshingError::NoVolume`] when every lattice tried is empty or the next would not fit.
pub fn first_not_empty(
    spacing: f64,
    finest: f64,
    mut mesh_at: impl FnMut(f64) -> Result<Option<TetMesh>, MeshingError>,
) -> Result<(TetMesh, f64), MeshingError> {
    let mut spacing = spacing;
    for trial in 0..MAX_REFINEMENTS {
        if trial > 0 && spacing < finest {
            break;
        }
        match mesh_at(spacing) {
            Ok(Some(mesh)) => return Ok((mesh, spacing)),
            Ok(None) => spacing *= REFINEMENT_FACTOR,
            Err(MeshingError::GridTooLarge { .. }) if trial > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Err(MeshingError::NoVolume)
}

/// The mesh whose `measure` comes closest to `target` and its spacing, by a bracketed secant search on the logarithms
/// of spacing and measure, no finer than [`finest_spacing`] of `surface`. Counts jump between spacings, so the search stops within 7 % of the
/// target, or takes the best of its trials.
///
/// # Errors
/// As [`first_not_empty`].
pub fn search(
    surface: &SurfaceMesh,
    start: f64,
    target: f64,
    measure: impl Fn(&TetMesh) -> usize,
    mut mesh_at: impl FnMut(f64) -> Result<Option<TetMesh>, MeshingError>,
) -> Result<(TetMesh, f64), MeshingError> {
    let finest = finest_spacing(surface, start);
    let mut best: Option<(f64, TetMesh, f64)> = None;
    // spacings known to be too fine (too many nodes) and too coarse, with the logarithm of measure over target
    let mut fine: Option<(f64, f64)> = None;
    let mut coarse: Option<(f64, f64)> = None;
    let mut spacing = start;
    for trial in 0..MAX_TRIALS {
        if trial > 0 && spacing < finest {
            break;
        }
        let excess = match mesh_at(spacing) {
            Ok(Some(mesh)) => {
                let excess = (measure(&mesh).max(1) as f64 / target).ln();
                if best.as_ref().is_none_or(|(e, ..)| excess.abs() < e.abs()) {
                    best = Some((excess, mesh, spacing));
                }
                excess
            }
            // an empty mesh counts as far too coarse
            Ok(None) => -1.5,
            Err(MeshingError::GridTooLarge { .. }) if trial > 0 => 3.0,
            Err(error) => return Err(error),
        };
        if excess.abs() < 0.07 {
            break;
        }
        if excess > 0.0 {
            fine = Some((spacing, excess));
        } else {
            coarse = Some((spacing, excess));
        }
        spacing = match (fine, coarse) {
            (Some((hf, ef)), Some((hc, ec))) => {
                // stay away from the ends: the count is piecewise constant
                let t = (ef / (ef - ec)).clamp(0.2, 0.8);
                hf * (hc / hf).powf(t)
            }
            _ => spacing * (excess / 2.6).clamp(-0.6, 0.6).exp(),
        };
    }
    match best {
        Some((_, mesh, spacing)) => Ok((mesh, spacing)),
        None => first_not_empty(spacing.min(start).max(finest), finest, mesh_at),
    }
}
