//! The result where no map is free of folds: a decimated mesh subdivided at its midpoints, with every vertex moved to the surface where that makes no fold or crossing.
//!
//! The decimated mesh is close and does not cross itself, so neither does its subdivision; the vertices that would fold or cross stay on it.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::surface::SurfacePoint;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::attempt::measured;
use super::input::crease::SHARP_DEG;
use super::input::domain::Domain;
use super::result::{Origin, SemiRegular, keep_better};
use super::spec::GOOD_DISTANCE;
use crate::error::MeshingError;
use crate::geometry::distance::hausdorff;
use crate::geometry::self_intersection::crossing_pairs;
use crate::remeshing::decimate::decimate;
use crate::remeshing::decimate::target::DecimateTarget;
use crate::remeshing::subdivide::levels::{Scheme, check_size, subdivide};
use crate::remeshing::subdivide::{SharpEdges, SubdivideError};

/// Largest distance of the decimated mesh, as a share of [`GOOD_DISTANCE`].
const DECIMATION_SHARE: f64 = 0.8;
/// Rounds in which vertices of folds and crossings are moved back.
const CORRECTION_ROUNDS: usize = 12;
/// Least cosine between a triangle's normal and that of the triangle of the base that it is part of.
const MIN_BASE_COSINE: f64 = 0.3;
/// Least cosine between the normals of the surface at the closest point and of the base.
const MIN_SURFACE_COSINE: f64 = 0.5;

/// The fallback for `unit`, of which `domain` is a finer version, on a decimated mesh of `first` triangles or as many as it takes; on `unit` itself
/// where no fewer do.
pub(crate) fn projected(
    domain: &Domain<'_>,
    unit: &SurfaceMesh,
    first: usize,
    levels: usize,
    progress: &Progress,
) -> Result<Option<SemiRegular>, SubdivideError> {
    let mut best: Option<SemiRegular> = None;
    let mut goal = first;
    while check_size(goal.min(unit.triangles.len()), levels).is_ok() {
        progress.stage("decimating");
        let is_undecimated = goal >= unit.triangles.len();
        let base = if is_undecimated {
            unit.clone()
        } else {
            match decimate(unit, DecimateTarget::Triangles(goal), progress) {
                Ok(found) => found,
                Err(MeshingError::Cancelled(cancelled)) => return Err(cancelled.into()),
                Err(_) => break,
            }
        };
        if is_undecimated || hausdorff(unit, &base) <= DECIMATION_SHARE * GOOD_DISTANCE {
            keep_better(&mut best, on_base(domain, &base, levels, progress)?);
            // close enough, but not good: many more triangles are needed
            goal *= 2;
        }
        if is_undecimated || best.as_ref().is_some_and(SemiRegular::is_good) {
            break;
        }
        goal += goal / 2 + 2;
    }
    Ok(best)
}

fn on_base(
    domain: &Domain<'_>,
    base: &SurfaceMesh,
    levels: usize,
    progress: &Progress,
) -> Result<SemiRegular, SubdivideError> {
    let sharp = SharpEdges::from_angle(base, SHARP_DEG);
    let tree = subdivide(base, levels, Scheme::Midpoint, &sharp, progress)?;
    progress.stage("projecting");
    let (points, positions) = pulled(domain, base, &tree.levels[levels], progress)?;
    measured(
        domain,
        tree,
        &positions,
        &points,
        Origin::Projected,
        progress,
    )
}

/// The vertices of `level` at their closest points of the surface, except where that folds a triangle or lets two cross.
fn pulled(
    domain: &Domain<'_>,
    base: &SurfaceMesh,
    level: &SurfaceMesh,
    progress: &Progress,
) -> Result<(Vec<SurfacePoint>, Vec<Vec3>), SubdivideError> {
    let tree = TriangleTree::new(&domain.surface.positions, &domain.surface.triangles);
    let normals = level.vertex_normals();
    let placeholder = SurfacePoint {
        triangle: 0,
        weights: [1.0, 0.0, 0.0],
    };
    let found: Vec<(SurfacePoint, Vec3, bool)> = (level.positions.par_iter().zip(&normals))
        .map(|(x, normal)| {
            tree.closest(x).map_or((placeholder, *x, false), |c| {
                let point = c.surface_point();
                let faces_same_way = domain.normal(&point).dot(normal) > MIN_SURFACE_COSINE;
                (point, c.point, faces_same_way)
            })
        })
        .collect();
    progress.check()?;
    let mut moved: Vec<bool> = found.iter().map(|f| f.2).collect();
    let mut result = level.clone();
    let parts = level.triangles.len() / base.triangles.len().max(1);
    for round in 0..2 * CORRECTION_ROUNDS {
        progress.check()?;
        // vertices of remaining defects go back in the last round
        let is_last_round = round + 1 == 2 * CORRECTION_ROUNDS;
        for (v, x) in result.positions.iter_mut().enumerate() {
            *x = if moved[v] && !is_last_round {
                found[v].1
            } else {
                level.positions[v]
            };
        }
        let is_folded = |t: &usize| {
            let (now, then) = (result.area_vector(*t), base.area_vector(*t / parts));
            now.dot(&then) < MIN_BASE_COSINE * now.norm() * then.norm()
        };
        let mut defects: Vec<usize> = (0..level.triangles.len()).filter(is_folded).collect();
        if defects.is_empty() {
            let pairs = crossing_pairs(&result, progress)?;
            defects = pairs.iter().flatten().map(|&t| t as usize).collect();
        }
        let mut changed = false;
        for &v in defects.iter().flat_map(|&t| &level.triangles[t]) {
            changed |= std::mem::replace(&mut moved[v as usize], false);
        }
        if !changed {
            break;
        }
    }
    Ok((found.into_iter().map(|f| f.0).collect(), result.positions))
}
