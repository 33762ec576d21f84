//! One wrap on one grid, judged; and the better of two.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;

use super::field::contour::{Field, contour};
use super::field::grid::Grid;
use super::field::{flood, winding_field};
use super::input::Input;
use super::judge::{Verdict, judge};
use super::options::WrapOptions;
use super::small_components;

/// Components with less than this share of the volume are dropped.
pub(crate) const SMALL_COMPONENT: f64 = 1e-3;

/// A wrap that loses and adds less than this together needs no second opinion, and one that loses less no finer grid.
pub(crate) const GOOD: f64 = 0.01;

/// New area over the area of the input that is accepted for a compact body: one with this volume over area to the power 3/2 (0.094 for a ball, 0.068
/// for a cube, less than 0.01 for what a sheet encloses with its rim).
const MOST_NEW_COMPACT: f64 = 0.4;
const COMPACT: f64 = 0.03;

/// One attempt.
pub(crate) struct Candidate {
    pub(crate) surface: SurfaceMesh,
    pub(crate) verdict: Verdict,
    pub(crate) small_components: usize,
    pub(crate) by_flood: bool,
}

impl WrapOptions {
    /// Whether the new area of a wrap is not too much.
    pub(crate) fn accepts_new(&self, wrap: &Candidate) -> bool {
        wrap.verdict.new <= self.most_new
            || wrap.verdict.new <= MOST_NEW_COMPACT
                && wrap.surface.volume() >= COMPACT * wrap.surface.area().powf(1.5)
    }
}

/// The better of winding numbers and flood on one grid; `None` where nothing is inside.
pub(crate) fn best_on(
    grid: &Grid,
    input: &Input,
    options: &WrapOptions,
    progress: &Progress,
) -> Result<Option<Candidate>, Cancelled> {
    let field = winding_field::by_winding(grid, input, progress)?;
    let first = candidate(grid, field, input, false, progress)?;
    let score = |c: &Candidate| c.verdict.lost + c.verdict.new;
    let second = if first.as_ref().is_some_and(|c| score(c) < GOOD) {
        None
    } else {
        let field = flood::by_flood(grid, input, progress)?;
        candidate(grid, field, input, true, progress)?
    };
    let is_fine = |c: &Candidate| c.verdict.lost <= options.most_lost && options.accepts_new(c);
    Ok([first, second].into_iter().flatten().min_by(|a, b| {
        let fine = is_fine(b).cmp(&is_fine(a));
        fine.then(score(a).total_cmp(&score(b)))
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
    let small_components = small_components::drop_small_components(&mut surface, SMALL_COMPONENT);
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
