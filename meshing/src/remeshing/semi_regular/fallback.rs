//! What is returned where no map is free of folds: a decimated mesh subdivided at its midpoints, every vertex taken to the surface where that harms nothing.
//!
//! The decimated mesh is close and does not cross itself, so neither does its subdivision; the vertices that would fold or cross stay on it.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::surface::SurfacePoint;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::attempt::measured;
use super::input::crease::SHARP;
use super::input::domain::Domain;
use super::result::{Origin, SemiRegular, keep_better};
use super::spec::CLOSE;
use crate::error::MeshingError;
use crate::geometry::distance::hausdorff;
use crate::geometry::self_intersection::crossing_pairs;
use crate::remeshing::decimate::decimate;
use crate::remeshing::decimate::target::DecimateTarget;
use crate::remeshing::subdivide::levels::{Scheme, check_size, subdivide};
use crate::remeshing::subdivide::{SharpEdges, SubdivideError};

/// Share of the distance that is good enough which the decimated mesh may use up.
const SHARE: f64 = 0.8;
/// Rounds of taking back what folds, and of what crosses.
const ROUNDS: usize = 12;
/// Least cosine between a triangle's normal and that of the triangle of the base that it is part of.
const TURN: f64 = 0.3;
/// Least cosine between the surface at the closest point and the base there.
const AGREE: f64 = 0.5;

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
        let whole = goal >= unit.triangles.len();
        let base = if whole {
            unit.clone()
        } else {
            match decimate(unit, DecimateTarget::Triangles(goal), progress) {
                Ok(found) => found.surface,
                Err(MeshingError::Cancelled) => return Err(SubdivideError::Cancelled),
                Err(_) => break,
            }
        };
        if whole || hausdorff(unit, &base) <= SHARE * CLOSE {
            keep_better(&mut best, on_base(domain, &base, levels, progress)?);
            // near enough, but not good: many more triangles are needed
            goal *= 2;
        }
        if whole || best.as_ref().is_some_and(SemiRegular::is_good) {
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
    let sharp = SharpEdges::from_angle(base, SHARP);
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

/// The vertices of `flat` at their closest points of the surface, but where that folds a triangle or lets two cross.
fn pulled(
    domain: &Domain<'_>,
    base: &SurfaceMesh,
    flat: &SurfaceMesh,
    progress: &Progress,
) -> Result<(Vec<SurfacePoint>, Vec<Vec3>), SubdivideError> {
    let tree = TriangleTree::new(&domain.surface.positions, &domain.surface.triangles);
    let normals = flat.vertex_normals();
    let nowhere = SurfacePoint {
        triangle: 0,
        weights: [1.0, 0.0, 0.0],
    };
    let found: Vec<(SurfacePoint, Vec3, bool)> = (flat.positions.par_iter().zip(&normals))
        .map(|(x, normal)| {
            tree.closest(x).map_or((nowhere, *x, false), |c| {
                let point = c.surface_point();
                let agrees = domain.normal(&point).dot(normal) > AGREE;
                (point, c.point, agrees)
            })
        })
        .collect();
    progress.check()?;
    let mut moved: Vec<bool> = found.iter().map(|f| f.2).collect();
    let mut bent = flat.clone();
    let parts = flat.triangles.len() / base.triangles.len().max(1);
    for round in 0..2 * ROUNDS {
        progress.check()?;
        // what could not be mended in the last rounds goes back as a whole
        let give_up = round + 1 == 2 * ROUNDS;
        for (v, x) in bent.positions.iter_mut().enumerate() {
            *x = if moved[v] && !give_up {
                found[v].1
            } else {
                flat.positions[v]
            };
        }
        let folds = |t: &usize| {
            let (now, then) = (bent.area_vector(*t), base.area_vector(*t / parts));
            now.dot(&then) < TURN * now.norm() * then.norm()
        };
        let mut harm: Vec<usize> = (0..flat.triangles.len()).filter(folds).collect();
        if harm.is_empty() {
            let pairs = crossing_pairs(&bent, progress)?;
            harm = pairs.iter().flatten().map(|&t| t as usize).collect();
        }
        let mut changed = false;
        for &v in harm.iter().flat_map(|&t| &flat.triangles[t]) {
            changed |= std::mem::replace(&mut moved[v as usize], false);
        }
        if !changed {
            break;
        }
    }
    Ok((found.into_iter().map(|f| f.0).collect(), bent.positions))
}
