//! Puts boundary nodes onto the corners, sharp edges and tips of the input.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_core::mesh::TriangleTree;
use pliant_core::mesh::adjacency::sorted_set;
use rayon::prelude::*;

use super::fitted_mesh::{Bond, Fitting};
use crate::error::MeshingError;
use crate::geometry::sharp_features::thinned;

/// Farthest node that is moved onto a corner, as a share of the mean edge.
const MAX_CORNER_DISTANCE: f64 = 0.9;
/// Farthest node that is moved onto a tip, as a share of the mean edge.
const MAX_TIP_DISTANCE: f64 = 1.5;
/// Nodes closer to a sharp edge than this share of the mean edge are put onto it.
const MAX_CREASE_DISTANCE: f64 = 0.4;
/// Tips whose distance from the boundary lies between these shares of the mean edge may get a node and a tetrahedron of their own.
const MIN_TIP_HEIGHT: f64 = 0.4;
const MAX_TIP_HEIGHT: f64 = 2.5;
/// Shares of the distance to a tip that are tried.
const TIP_SHARES: [f64; 3] = [1.0, 0.8, 0.6];
/// Nodes tried for a corner, a point on a sharp edge or a tip.
const MAX_CANDIDATES: usize = 3;
/// Distance between the sample points on sharp edges, as a share of the mean edge.
const SAMPLE_SPACING: f64 = 0.4;
/// Rounds in which sample points of sharp edges that are off the boundary get a node.
const MAX_CREASE_ROUNDS: usize = 3;
/// Features farther from the boundary than this share of the mean edge do not count as matched.
const MATCH_TOLERANCE: f64 = 0.02;
/// Corners within this share of the mean edge have their node.
const EXACT_TOLERANCE: f64 = 1e-6;
/// Other points of the input farther from the boundary than this share of the mean edge are tips.
const MIN_TIP_DISTANCE: f64 = 0.25;
/// Rounds in which tips are searched.
const MAX_TIP_ROUNDS: usize = 3;

/// Matches corners, sharp edges and tips, and flips boundary edges so that they follow the sharp ones. Returns how many
/// features were refused, see `Matched`.
///
/// # Errors
/// [`MeshingError::Cancelled`].
pub fn match_features(
    fitting: &mut Fitting<'_>,
    progress: &Progress,
) -> Result<usize, MeshingError> {
    if !fitting.features.segments.is_empty() {
        match_corners(fitting, progress)?;
        match_creases(fitting, progress)?;
    }
    let refused_tips = match_tips(fitting, progress)?;
    fitting.polish();
    fitting.flip_edges();
    let tree = boundary_tree(fitting);
    let corners = fitting.features.corners.clone();
    let points = crease_samples(fitting).into_iter().chain(corners);
    let missed = points.filter(|x| is_off(&tree, x, MATCH_TOLERANCE * fitting.edge));
    Ok(missed.count() + refused_tips)
}

fn match_corners(fitting: &mut Fitting<'_>, progress: &Progress) -> Result<(), MeshingError> {
    let tree = boundary_tree(fitting);
    for corner in fitting.features.corners.clone() {
        progress.check()?;
        if is_off(&tree, &corner, EXACT_TOLERANCE * fitting.edge) {
            match_point(fitting, &tree, &corner, MAX_CORNER_DISTANCE, Bond::Point);
        }
    }
    fitting.update_surface();
    Ok(())
}

fn match_creases(fitting: &mut Fitting<'_>, progress: &Progress) -> Result<(), MeshingError> {
    let reach = MAX_CREASE_DISTANCE * fitting.edge;
    let crease_at = |fitting: &Fitting<'_>, node: u32, reach: f64| {
        let x = fitting.at(node);
        let (p, _) = fitting.features.closest_on_crease(&x, reach)?;
        Some(((p - x).norm(), p))
    };
    let mut near: Vec<(f64, u32)> = fitting
        .nodes
        .par_iter()
        .filter_map(|&node| Some((crease_at(fitting, node, reach)?.0, node)))
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (_, node) in near {
        progress.check()?;
        // the matching of other nodes may have moved it
        if let Some((_, p)) = crease_at(fitting, node, fitting.edge)
            && fitting.bond(node) == Bond::Surface
            && !fitting.is_out_of_budget()
        {
            let distance = (p - fitting.at(node)).norm();
            fitting.match_node(node, p, distance, Bond::Crease);
        }
    }
    fitting.flip_edges();
    let samples = crease_samples(fitting);
    for _ in 0..MAX_CREASE_ROUNDS {
        let tree = boundary_tree(fitting);
        let mut placed = false;
        for x in &samples {
            progress.check()?;
            if is_off(&tree, x, MATCH_TOLERANCE * fitting.edge) {
                placed |= match_point(fitting, &tree, x, MAX_CORNER_DISTANCE, Bond::Crease);
            }
        }
        fitting.update_surface();
        if fitting.flip_edges() == 0 && !placed {
            break;
        }
    }
    Ok(())
}

/// Points on the sharp edges, [`SAMPLE_SPACING`] mean edges apart.
fn crease_samples(fitting: &Fitting<'_>) -> Vec<Vec3> {
    let step = SAMPLE_SPACING * fitting.edge;
    let along = fitting.features.segments.iter().flat_map(|[a, b]| {
        let count = ((b - a).norm() / step).ceil().max(1.0) as usize;
        (0..count).map(move |k| a + (b - a) * ((k as f64 + 0.5) / count as f64))
    });
    thinned(along, step)
}

/// Matches points of the input that stick out of the mesh: tips that no lattice edge crosses. Returns how many were refused.
fn match_tips(fitting: &mut Fitting<'_>, progress: &Progress) -> Result<usize, MeshingError> {
    let mut refused = 0;
    for _ in 0..MAX_TIP_ROUNDS {
        progress.check()?;
        let tree = boundary_tree(fitting);
        let (nearest, farthest) = (
            MIN_TIP_DISTANCE * fitting.edge,
            MAX_TIP_HEIGHT * fitting.edge,
        );
        let mut far: Vec<(f64, Vec3)> = fitting
            .solid
            .features
            .places
            .par_iter()
            .filter_map(|x| {
                let distance = tree.closest(x)?.distance_squared.sqrt();
                let is_far = distance > nearest && distance < farthest;
                (is_far && fitting.solid.is_border(x, 0.1 * fitting.edge)).then_some((distance, *x))
            })
            .collect();
        far.sort_by(|a, b| b.0.total_cmp(&a.0));
        let tips = thinned(far.into_iter().map(|(_, x)| x), fitting.edge);
        refused = 0;
        for tip in &tips {
            progress.check()?;
            if !add_tip_at(fitting, &tree, tip)
                && !match_point(fitting, &tree, tip, MAX_TIP_DISTANCE, Bond::Point)
            {
                refused += 1;
            }
        }
        fitting.flip_edges();
        if refused == tips.len() {
            break;
        }
    }
    Ok(refused)
}

/// Adds a node at a thin tip; whether that succeeded.
fn add_tip_at(fitting: &mut Fitting<'_>, tree: &TriangleTree, tip: &Vec3) -> bool {
    let Some(found) = tree.closest(tip) else {
        return false;
    };
    let corners = fitting.surface.triangles[found.triangle as usize];
    let is_far = found.distance_squared.sqrt() > MIN_TIP_HEIGHT * fitting.edge;
    let face = corners.map(|v| fitting.nodes[v as usize]);
    // a slender tip is matched in part rather than not at all
    is_far
        && TIP_SHARES
            .iter()
            .any(|s| fitting.add_tip(face, found.point, found.point + (tip - found.point) * *s))
}

fn boundary_tree(fitting: &Fitting<'_>) -> TriangleTree {
    TriangleTree::new(&fitting.surface.positions, &fitting.surface.triangles)
}

fn is_off(tree: &TriangleTree, x: &Vec3, distance: f64) -> bool {
    tree.closest_within(x, distance).is_none()
}

/// Puts one of the nearest free boundary nodes onto `target`; whether that succeeded.
fn match_point(
    fitting: &mut Fitting<'_>,
    tree: &TriangleTree,
    target: &Vec3,
    reach: f64,
    bond: Bond,
) -> bool {
    if fitting.is_out_of_budget() {
        return false;
    }
    let reach = reach * fitting.edge;
    let mut nodes: Vec<u32> = Vec::new();
    let bounds = Aabb {
        min: *target,
        max: *target,
    };
    tree.overlapping(&bounds.inflated(reach), |t| {
        nodes.extend(fitting.surface.triangles[t as usize].map(|v| fitting.nodes[v as usize]));
    });
    let is_free = |node: u32| match bond {
        Bond::Point => !matches!(fitting.bond(node), Bond::Point | Bond::Held),
        _ => fitting.bond(node) == Bond::Surface,
    };
    let mut near: Vec<(f64, u32)> = sorted_set(nodes)
        .into_iter()
        .filter(|&node| is_free(node))
        .map(|node| ((fitting.at(node) - target).norm(), node))
        .filter(|(distance, _)| *distance < reach)
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    near.truncate(MAX_CANDIDATES);
    let closest = tree.closest(target);
    let distance = closest.map_or(0.0, |c| c.distance_squared.sqrt());
    near.iter()
        .any(|&(_, node)| fitting.match_node(node, *target, distance, bond))
}
