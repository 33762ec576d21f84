//! Figure 16: how compression grows from one level of subdivision to the next.

use std::path::Path;

use pliant_compression::transform::MissingNeighbours;

use crate::body::{Body, Failure, linear_spec};
use crate::table::{Curve, Table, interpolate_log, write_curves};

const EPSILONS: [f64; 9] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4];
/// Errors at which two bodies are compared.
const ERRORS: [f64; 7] = [0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12];

/// Writes `figure-16`.
pub fn write(bodies: &[Body], folder: &Path, table: &mut Table) -> Result<(), Failure> {
    table.section("16: resolution");
    let mut by_error: Vec<(usize, Vec<[f64; 2]>, Vec<f64>)> = Vec::new();
    for body in bodies {
        let (mut points, mut kept) = (Vec::new(), Vec::new());
        for epsilon in EPSILONS {
            let spec = linear_spec(epsilon, MissingNeighbours::Renormalise);
            let (_, report) = body.compressed(&spec)?;
            points.push([report.rms_error, report.compression]);
            kept.push(report.kept_blocks as f64);
        }
        by_error.push((body.levels, points, kept));
    }
    let mut list: Vec<Curve> = Vec::new();
    for pair in by_error.windows(2) {
        let [(coarse, points, kept), (fine, finer, more)] = pair else {
            continue;
        };
        for (k, epsilon) in EPSILONS.iter().enumerate() {
            if [0.01, 0.05, 0.2].contains(epsilon) {
                let ratio = 16.0 * kept[k] / more[k];
                let what =
                    format!("{fine} over {coarse} levels, epsilon {epsilon}: 16 nnz(m) / nnz(4m)");
                table.row(&what, format!("{ratio:.2}"), "4 where nnz grows as m");
            }
        }
        let same_error = |&error: &f64| {
            Some([
                error,
                interpolate_log(finer, error)? / interpolate_log(points, error)?,
            ])
        };
        let curve: Vec<[f64; 2]> = ERRORS.iter().filter_map(same_error).collect();
        let values: Vec<String> = curve
            .iter()
            .map(|[error, ratio]| format!("{ratio:.2} at {error}"))
            .collect();
        let what =
            format!("{fine} over {coarse} levels: ratio of compressions at the same RMS error");
        table.row(&what, values.join("; "), "hardly grows beyond some error");
        list.push((format!("{fine} over {coarse} levels"), curve));
    }
    let title = "Figure 16: ratio of compressions of adjacent levels";
    write_curves(folder, "figure-16", title, ("RMS error", "ratio"), &list)
}
