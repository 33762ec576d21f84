//! Figures 9 and 18 to 21: columns of coarse constraints, which are combined from fine ones by the hats of their level.

use std::collections::BTreeSet;
use std::path::Path;

use pliant_compression::transform::MissingNeighbours;
use pliant_compression::wavelet::CompressionReport;
use pliant_core::asset::Progress;
use pliant_quasistatic::greens::wavelets::combine_hats;

use crate::body::{Body, Failure, linear_spec};
use crate::table::{Curve, Table, format_optional, interpolate_log, write_curves};

const EPSILONS: [f64; 4] = [0.01, 0.05, 0.1, 0.2];
/// Errors at which levels are compared.
const ERRORS: [f64; 4] = [0.01, 0.02, 0.04, 0.05];
/// Kept blocks of the paper's figure 9, finest constraints first.
const PAPER_KEPT_BLOCKS: [usize; 3] = [4444, 1599, 671];

/// Writes `figure-18` and `figure-19` of the largest body, and the sparsity of the smallest.
pub fn write(bodies: &[Body], folder: &Path, table: &mut Table) -> Result<(), Failure> {
    let (Some(small), Some(body)) = (bodies.first(), bodies.last()) else {
        return Ok(());
    };
    table.section("9: blocks of coarse constraints, epsilon 0.1");
    sparsity(small, table)?;
    table.section("18, 19: columns of coarse constraints");
    by_level(body, 18, "alike, coarser slightly better", folder, table)
}

/// Writes `figure-20` and `figure-21`, those of the dragon.
pub fn write_dragon(body: &Body, folder: &Path, table: &mut Table) -> Result<(), Failure> {
    table.section("20, 21: columns of coarse constraints of a dragon");
    let paper = "level 0 of 9,920 vertices: about 100 at RMS 0.05";
    by_level(body, 20, paper, folder, table)
}

/// Error against compression as the figure of that number, and against epsilon as the next, for each level of constraints.
fn by_level(
    body: &Body,
    number: usize,
    paper: &str,
    folder: &Path,
    table: &mut Table,
) -> Result<(), Failure> {
    let spec = linear_spec(0.1, MissingNeighbours::Renormalise);
    let transform = body.boundary().transform(&spec.transform)?;
    let (mut by_compression, mut by_epsilon) = (Vec::<Curve>::new(), Vec::<Curve>::new());
    for level in (0..=body.levels).rev() {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for epsilon in EPSILONS {
            let report = thresholded(body, level, epsilon)?;
            left.push([report.compression, report.rms_error]);
            right.push([epsilon, report.rms_error]);
        }
        let by_error: Vec<[f64; 2]> = left.iter().map(|[x, y]| [*y, *x]).collect();
        let at_errors = ERRORS.map(|error| format_optional(interpolate_log(&by_error, error)));
        let largest = left.last().copied().unwrap_or_default();
        let ours = format!(
            "{}; at epsilon 0.2 {:.1} with RMS {:.4}",
            at_errors.join(", "),
            largest[0],
            largest[1]
        );
        let name = format!("level {level}");
        let count = transform.domain().rows_to(level);
        let what = format!(
            "{} nodes, {name}, {count} columns: compression at RMS 0.01, 0.02, 0.04, 0.05",
            body.matrix.nodes()
        );
        table.row(&what, ours, paper);
        by_compression.push((name.clone(), left));
        by_epsilon.push((name, right));
    }
    let nodes = body.matrix.nodes();
    let figure = |number, axes: (&str, &str), curves_of: &[Curve]| {
        let (x, y) = axes;
        let title =
            format!("Figure {number}: {y} against {x} by level of constraints, {nodes} nodes");
        write_curves(folder, &format!("figure-{number}"), &title, axes, curves_of)
    };
    figure(number, ("compression", "RMS error"), &by_compression)?;
    figure(number + 1, ("epsilon", "RMS error"), &by_epsilon)
}

/// Traction columns of `level`.
fn thresholded(body: &Body, level: usize, epsilon: f64) -> Result<CompressionReport, Failure> {
    let spec = linear_spec(epsilon, MissingNeighbours::Renormalise);
    let (boundary, progress) = (body.boundary(), Progress::new());
    let (_, report) = combine_hats(&body.matrix, level, &boundary, &spec, &progress)?;
    Ok(report)
}

/// Blocks of coarse columns that are combined from thresholded fine ones, and of those that are thresholded afterwards.
fn sparsity(body: &Body, table: &mut Table) -> Result<(), Failure> {
    let spec = linear_spec(0.1, MissingNeighbours::Renormalise);
    let (matrix, _) = body.compressed(&spec)?;
    let transform = matrix.transform();
    for (level, paper) in (0..=body.levels).rev().zip(PAPER_KEPT_BLOCKS) {
        let mut combined = 0;
        for fine in transform.hats(level) {
            let rows = fine
                .iter()
                .flat_map(|(row, _)| matrix.column(*row as usize).0);
            combined += rows.collect::<BTreeSet<_>>().len();
        }
        let rethresholded = thresholded(body, level, 0.1)?.kept_blocks;
        let what = format!(
            "{} nodes, constraints of level {level}: kept blocks",
            body.matrix.nodes()
        );
        table.row(
            &what,
            format!("{combined} combined, {rethresholded} thresholded anew"),
            &paper.to_string(),
        );
    }
    Ok(())
}
