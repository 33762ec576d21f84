//! The common part of the assembly of linear and constant elements: checks of triangles, points of the far rule, and rows in batches.

use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pulp::bytemuck::cast_slice_mut;
use rayon::prelude::*;

use super::element::Triangle;
use super::far::{BATCH, POINTS};
use super::quadrature::Rule;
use super::system::BoundarySystem;
use crate::error::BakeError;
use crate::greens::table::Table;
use crate::team::Team;

/// Progress of an assembly, and the processes that share it.
#[derive(Clone, Copy)]
pub struct AssemblyControl<'a> {
    /// Fraction and cancellation.
    pub progress: &'a Progress,
    /// Processes that assemble the same system. Each computes a part of the rows, and all have the whole system in the end.
    pub team: Option<&'a Team<'a>>,
}

impl<'a> From<&'a Progress> for AssemblyControl<'a> {
    fn from(progress: &'a Progress) -> Self {
        Self {
            progress,
            team: None,
        }
    }
}

/// A triangle with its points of the far rule.
pub(super) struct Element {
    pub triangle: Triangle,
    pub center: Vec3,
    pub points: [Vec3; POINTS],
}

/// The elements of a surface.
///
/// # Errors
/// [`BakeError::DegenerateTriangle`] for a triangle without area.
pub(super) fn elements(surface: &SurfaceMesh) -> Result<Vec<Element>, BakeError> {
    let diagonal = surface.bounds().diagonal();
    let far = Rule::seven_points();
    (0..surface.triangles.len())
        .map(|t| {
            let triangle = Triangle::new(surface.corners(t));
            if triangle.area.is_nan() || triangle.area <= 1e-12 * diagonal * diagonal {
                return Err(BakeError::DegenerateTriangle { triangle: t as u32 });
            }
            let [a, b, c] = triangle.corners;
            let point = |at: [f64; 3]| a * at[0] + b * at[1] + c * at[2];
            Ok(Element {
                triangle,
                center: triangle.corners.iter().sum::<Vec3>() / 3.0,
                points: std::array::from_fn(|k| point(far.points[k].0)),
            })
        })
        .collect()
}

/// Rows of one batch of nodes, three for each.
pub(super) struct BatchRows<'a> {
    /// First node.
    pub first: usize,
    /// Numbers of a row of `h` and of `g`.
    pub width: usize,
    pub h: &'a mut [f64],
    pub g: &'a mut [f64],
    pub body_force: &'a mut [f64],
}

/// Fills the system of nodes with these areas batch by batch, in parallel. `fill` gets working memory of its thread.
///
/// # Errors
/// The first error of `fill`, cancellation, or the failure of another process.
pub(super) fn assemble_in_batches<W: Default>(
    areas: Vec<f64>,
    control: &AssemblyControl<'_>,
    fill: impl Fn(&mut W, BatchRows<'_>) -> Result<(), BakeError> + Sync,
) -> Result<BoundarySystem, BakeError> {
    let n = areas.len();
    let width = 3 * n;
    let mut system = BoundarySystem {
        nodes: n,
        h: Table::zeroed(width * width),
        g: Table::zeroed(width * width),
        body_force: vec![0.0; width * 3],
        areas,
    };
    let done = AtomicUsize::new(0);
    let chunk = 3 * BATCH * width;
    let batches = n.div_ceil(BATCH);
    let piece = |rank: usize| control.team.map_or(0..batches, |t| t.piece(rank, batches));
    let own = piece(control.team.map_or(0, Team::rank));
    let parts = system.h.par_chunks_mut(chunk.max(1));
    let outcome = parts
        .zip(system.g.par_chunks_mut(chunk.max(1)))
        .zip(system.body_force.par_chunks_mut(9 * BATCH))
        .enumerate()
        .filter(|(batch, _)| own.contains(batch))
        .try_for_each_init(W::default, |working, (batch, ((h, g), body_force))| {
            control.progress.check()?;
            let rows = BatchRows {
                first: batch * BATCH,
                width,
                h,
                g,
                body_force,
            };
            fill(working, rows)?;
            let finished = done.fetch_add(BATCH, Ordering::Relaxed) + BATCH;
            let all = BATCH * own.len().max(1);
            control
                .progress
                .set_fraction((finished as f64 / all as f64).min(1.0));
            Ok::<(), BakeError>(())
        });
    if let Some(team) = control.team {
        let agreed = team.agree(outcome.is_ok());
        outcome?;
        agreed.map_err(|process| BakeError::TeamFailed { process })?;
        for rank in 0..team.size() {
            let batches = piece(rank);
            let rows = |numbers: usize| {
                (batches.start * numbers).min(n * numbers / BATCH)
                    ..(batches.end * numbers).min(n * numbers / BATCH)
            };
            let all: [(&mut [f64], usize); 3] = [
                (&mut system.h, chunk),
                (&mut system.g, chunk),
                (&mut system.body_force, 9 * BATCH),
            ];
            for (values, numbers) in all {
                team.broadcast(rank, cast_slice_mut(&mut values[rows(numbers)]));
            }
        }
    } else {
        outcome?;
    }
    Ok(system)
}
