//! From the chosen wrap to the result: decimation, vertex groups, notes.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::numbers::counted;
use pliant_core::mesh::SurfaceMesh;

use super::candidate::{Candidate, MIN_COMPONENT_SHARE};
use super::error::WrapError;
use super::input::Input;
use crate::geometry::self_intersection::crossings;
use crate::remeshing::decimate::decimate;
use crate::remeshing::decimate::target::DecimateTarget;
use crate::remeshing::groups::groups_at;

/// The result of [`wrap`](super::wrapping::wrap).
#[derive(Debug, Clone, PartialEq)]
pub struct Wrapped {
    /// Closed, edge-manifold, counter-clockwise from outside, with the input's vertex groups by nearest vertex.
    pub surface: SurfaceMesh,
    /// Share of the input's area that is outside the wrap and farther than 1 % of the diagonal (on coarse grids 1.5 cells) from it.
    pub lost_area_share: f64,
    /// Area of the wrap that is farther than a cell from the input, over the area of the input that the wrap represents.
    pub new_area_share: f64,
    /// Largest distance of the input to the wrap, in the unit of the input, without what lies inside the wrap; sampled about every second cell.
    pub max_distance: f64,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
}

/// Decimates the wrap and adds groups and notes.
pub(crate) fn finished(
    input: &Input,
    best: Candidate,
    edge: f64,
    progress: &Progress,
) -> Result<Wrapped, WrapError> {
    let mut surface = fewer_triangles(best.surface, edge, progress)?;
    let nearest = |p| Some(input.tree.closest(p)?.surface_point());
    surface.groups = groups_at(&input.surface, surface.positions.iter().map(nearest));
    let mut notes = Vec::new();
    if best.by_flood {
        notes.push(
            "the orientation of the triangles does not show what is inside: everything that cannot be reached from outside counts as inside, and cavities are filled"
                .to_string(),
        );
    }
    if best.small_components > 0 {
        notes.push(format!(
            "{} with less than {} % of the volume: dropped",
            counted(best.small_components, "component"),
            100.0 * MIN_COMPONENT_SHARE
        ));
    }
    if best.verdict.swallowed > 1e-3 {
        notes.push(format!(
            "{:.1} % of the surface lay inside and was removed",
            100.0 * best.verdict.swallowed
        ));
    }
    Ok(Wrapped {
        surface,
        lost_area_share: best.verdict.lost,
        new_area_share: best.verdict.new,
        max_distance: best.verdict.distance,
        notes,
    })
}

/// Decimates to `edge`, or to a shorter one where that makes the surface cross itself. The contour does not cross itself.
fn fewer_triangles(
    fine: SurfaceMesh,
    edge: f64,
    progress: &Progress,
) -> Result<SurfaceMesh, Cancelled> {
    let mut best: Option<(usize, SurfaceMesh)> = None;
    for share in [1.0, 0.7] {
        let target = DecimateTarget::Edge(share * edge);
        let Ok(coarse) = decimate(&fine, target, progress) else {
            progress.check()?;
            continue;
        };
        let (pairs, _) = crossings(&coarse, progress)?;
        if best.as_ref().is_none_or(|(fewest, _)| pairs < *fewest) {
            best = Some((pairs, coarse));
        }
        if pairs == 0 {
            break;
        }
    }
    Ok(best.map_or(fine, |(_, coarse)| coarse))
}
