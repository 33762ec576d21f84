//! One wrap on one grid with its comparison to the input, and the better of two.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::sorted_set;

use super::field::contour::{Field, contour};
use super::field::grid::Grid;
use super::field::{flood, winding_field};
use super::input::Input;
use super::judge::{Verdict, judge};
use crate::geometry::component_volumes::{component_of_triangle, volumes_of_sets};
use crate::repair::steps::weld::drop_unreferenced;

/// Components with less than this share of the volume are dropped.
pub(crate) const MIN_COMPONENT_SHARE: f64 = 1e-3;

/// Below this score (lost plus new share) the flood fill is not tried; below this lost share no finer grid is tried.
pub(crate) const GOOD_SCORE: f64 = 0.01;

/// A wrap that loses more than this share of the area of the input is refused.
pub(crate) const MAX_LOST_SHARE: f64 = 0.05;

/// A wrap with more new area than this, over the area of the input that it represents, is refused unless the body is compact.
pub(crate) const MAX_NEW_SHARE: f64 = 0.25;

/// New area over the area of the input that is accepted for a compact body: one with at least [`MIN_COMPACTNESS`].
const MAX_NEW_SHARE_COMPACT: f64 = 0.4;
/// Volume over area to the power 3/2 from which on a body is compact (0.094 for a ball, 0.068 for a cube, less than 0.01 for what a sheet encloses
/// with its rim).
const MIN_COMPACTNESS: f64 = 0.03;

/// One attempt.
pub(crate) struct Candidate {
    pub(crate) surface: SurfaceMesh,
    pub(crate) verdict: Verdict,
    pub(crate) small_components: usize,
    pub(crate) by_flood: bool,
}

impl Candidate {
    /// Whether a wrap has too much new area.
    pub(crate) fn is_open(&self) -> bool {
        let accepted = self.verdict.new <= MAX_NEW_SHARE
            || self.verdict.new <= MAX_NEW_SHARE_COMPACT
                && self.surface.volume() >= MIN_COMPACTNESS * self.surface.area().powf(1.5);
        !accepted
    }
}

/// The better of winding numbers and flood on one grid; `None` where nothing is inside.
pub(crate) fn best_on(
    grid: &Grid,
    input: &Input,
    progress: &Progress,
) -> Result<Option<Candidate>, Cancelled> {
    let field = winding_field::by_winding(grid, input, progress)?;
    let first = candidate(grid, field, input, false, progress)?;
    let score = |c: &Candidate| c.verdict.lost + c.verdict.new;
    let second = if first.as_ref().is_some_and(|c| score(c) < GOOD_SCORE) {
        None
    } else {
        let field = flood::by_flood(grid, input, progress)?;
        candidate(grid, field, input, true, progress)?
    };
    let is_acceptable = |c: &Candidate| c.verdict.lost <= MAX_LOST_SHARE && !c.is_open();
    Ok([first, second].into_iter().flatten().min_by(|a, b| {
        let acceptable = is_acceptable(b).cmp(&is_acceptable(a));
        acceptable.then(score(a).total_cmp(&score(b)))
    }))
}

/// Contours and judges; `None` where nothing is inside.
pub(crate) fn candidate(
    grid: &Grid,
    field: Field,
    input: &Input,
    by_flood: bool,
    progress: &Progress,
) -> Result<Option<Candidate>, Cancelled> {
    let mut surface = contour(grid, &field, input, progress)?;
    let small_components = drop_small_components(&mut surface);
    if surface.triangles.is_empty() {
        return Ok(None);
    }
    progress.check()?;
    let verdict = judge(grid, &field, input, &surface);
    Ok(Some(Candidate {
        surface,
        verdict,
        small_components,
        by_flood,
    }))
}

/// Drops components whose enclosed volume is below [`MIN_COMPONENT_SHARE`] of the whole. The surface must be closed and oriented. Returns the number dropped.
fn drop_small_components(surface: &mut SurfaceMesh) -> usize {
    let component = component_of_triangle(surface);
    let volume = volumes_of_sets(surface, &component);
    let whole: f64 = volume.iter().sum();
    let is_small = |c: u32| volume[c as usize].abs() < MIN_COMPONENT_SHARE * whole;
    let small = sorted_set(component.iter().copied().filter(|&c| is_small(c)));
    let mut of_triangle = component.iter();
    surface
        .triangles
        .retain(|_| of_triangle.next().is_some_and(|&c| !is_small(c)));
    drop_unreferenced(surface);
    small.len()
}
