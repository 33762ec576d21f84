//! Semi-regular remeshing: bases are tried until one gives a good result.

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;

use super::attempt::mapped;
use super::base::decimation;
use super::base::parts::Parts;
use super::fallback::projected;
use super::input::crease::Creases;
use super::input::domain::Domain;
use super::input::refine;
use super::result::{SemiRegular, keep_better};
use super::spec::RemeshSpec;
use crate::remeshing::subdivide::SubdivideError;
use crate::remeshing::subdivide::levels::check_size;
use crate::remeshing::subdivide::require_closed_manifold;

/// Most bases that are tried, and the factor between their numbers of triangles.
const MAX_ATTEMPTS: usize = 5;
const BASE_GROWTH: f64 = 1.5;

/// Edges of the input longer than this times the target mean edge are split.
const MAX_EDGE_RATIO: f64 = 3.0;
/// Most triangles after splitting; at least four times those of the input are allowed.
const MAX_DOMAIN_TRIANGLES: usize = 150_000;

/// Remeshes a closed, oriented manifold of any genus and any number of components.
///
/// The best of up to five bases and the fallback is returned, so look at [`SemiRegular::is_good`]. The base has more triangles than requested where no more can be removed or
/// nothing smaller is good. The same input gives the same bits. Cost O(n log n): about 4 s an attempt for 70,000 triangles in and out.
///
/// # Errors
/// What is not a closed, oriented manifold; [`SubdivideError::TooManyTriangles`] above [`TRIANGLE_LIMIT`](crate::subdivide::TRIANGLE_LIMIT); [`SubdivideError::BaseTooSmall`];
/// [`SubdivideError::Cancelled`].
pub fn remesh(
    surface: &SurfaceMesh,
    spec: &RemeshSpec,
    progress: &Progress,
) -> Result<SemiRegular, SubdivideError> {
    progress.stage("checking");
    require_closed_manifold(surface, progress)?;
    let bounds = surface.bounds();
    let (center, diagonal) = (bounds.center(), bounds.diagonal());
    if !(diagonal > 0.0 && diagonal.is_finite()) {
        return Err(SubdivideError::BadExtent { diagonal });
    }
    if let Some(base_faces) = spec.base_faces.filter(|&n| n < 4) {
        return Err(SubdivideError::BaseTooSmall { base_faces });
    }
    let parts = Parts::of(surface);
    let first = spec.base_faces.unwrap_or_else(|| {
        let as_fine_as_input =
            surface.triangles.len() as f64 / 4.0_f64.powi(spec.levels.min(64) as i32);
        parts
            .total_min_triangles()
            .max(as_fine_as_input.round() as usize)
    });
    let mut unit_input = surface.clone();
    for x in &mut unit_input.positions {
        *x = (*x - center) / diagonal;
    }
    // as fine as the finest level, or as the input on average
    let finest =
        (first as f64 * 4.0_f64.powi(spec.levels.min(8) as i32)).min(MAX_DOMAIN_TRIANGLES as f64);
    let triangles = finest.max(surface.triangles.len() as f64);
    let edge = (4.0 * unit_input.area() / (3.0_f64.sqrt() * triangles)).sqrt();
    progress.stage("refining");
    let max_triangles = MAX_DOMAIN_TRIANGLES.max(4 * surface.triangles.len());
    let unit = refine::refined(&unit_input, MAX_EDGE_RATIO * edge, max_triangles);
    progress.check()?;
    let mut creases = Creases::of(&unit);
    if 2 * creases.corners() > first {
        // too many corners: no base of that size can keep all sharp lines
        creases = Creases::none(&unit);
    }
    let parts = match spec.base_faces {
        None => Parts::of(&unit),
        Some(_) => Parts::of(&unit).without_minimum(),
    };
    let domain = Domain::new(&unit, &creases);
    let mut best: Option<SemiRegular> = None;
    let mut attempts = 0;
    for k in 0..MAX_ATTEMPTS {
        let goal = (first as f64 * BASE_GROWTH.powi(k as i32)).round() as usize;
        progress.stage("decimating");
        let coarse = decimation::decimated(&unit, &creases, &parts, goal, progress)?;
        match check_size(coarse.mesh.live, spec.levels) {
            Err(_) if best.is_some() => break,
            too_many => too_many?,
        }
        attempts += 1;
        let found = mapped(&domain, &coarse, spec.levels, progress)?;
        keep_better(&mut best, found);
        let done = coarse.mesh.live == unit.triangles.len() || coarse.mesh.live > 2 * goal;
        if done || best.as_ref().is_some_and(|b| b.is_within(spec.distance)) {
            break;
        }
    }
    let needs_fallback =
        |b: &SemiRegular| b.defects() > 0 || (spec.base_faces.is_none() && !b.is_good());
    if best.as_ref().is_some_and(needs_fallback)
        && let Some(found) = projected(&domain, &unit_input, first, spec.levels, progress)?
    {
        keep_better(&mut best, found);
    }
    let Some(mut result) = best else {
        return Err(SubdivideError::EmptyMesh);
    };
    result.attempts = attempts;
    for x in result.levels.iter_mut().flat_map(|l| &mut l.positions) {
        *x = *x * diagonal + center;
    }
    Ok(result)
}
