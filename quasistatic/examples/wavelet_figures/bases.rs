//! Figures 14 and 15: error against compression and against epsilon for each kind of wavelets.

use std::path::Path;

use pliant_compression::transform::{MissingNeighbours, WaveletBasis};

use crate::body::{Body, Failure, wavelet_spec};
use crate::table::{Curve, Table, format_optional, interpolate_log, write_curves};

const EPSILONS: [f64; 8] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4];
const KINDS: [(&str, WaveletBasis, bool); 5] = [
    ("lifted linear", WaveletBasis::Linear, true),
    ("unlifted linear", WaveletBasis::Linear, false),
    ("lifted butterfly", WaveletBasis::Butterfly, true),
    ("unlifted butterfly", WaveletBasis::Butterfly, false),
    (
        "lifted modified butterfly",
        WaveletBasis::ModifiedButterfly,
        true,
    ),
];

/// Writes `figure-14-rms`, `figure-14-max` and `figure-15`.
pub fn write(body: &Body, folder: &Path, table: &mut Table) -> Result<(), Failure> {
    table.section("14, 15: kinds of wavelets");
    let mut lists: [Vec<Curve>; 3] = Default::default();
    for (name, basis, lifted) in KINDS {
        let mut points: [Vec<[f64; 2]>; 4] = Default::default();
        for epsilon in EPSILONS {
            let spec = wavelet_spec(basis, lifted, MissingNeighbours::Renormalise, epsilon);
            let (_, report) = body.compressed(&spec)?;
            points[0].push([report.compression, report.rms_error]);
            points[1].push([report.compression, report.max_error]);
            points[2].push([epsilon, report.rms_error]);
            points[3].push([report.rms_error, report.compression]);
        }
        let [rms, max, epsilon, by_error] = points;
        let ours =
            [0.01, 0.03, 0.06].map(|error| format_optional(interpolate_log(&by_error, error)));
        table.row(
            &format!("{name}: compression at RMS 0.01, 0.03, 0.06"),
            ours.join(", "),
            "lifting better, butterfly like linear",
        );
        let list = [rms, max, epsilon];
        for (curves, points) in lists.iter_mut().zip(list) {
            curves.push((name.into(), points));
        }
    }
    let rabbit = format!("rabbit of {} levels", body.levels);
    for (list, name, x, y) in [
        (&lists[0], "figure-14-rms", "compression", "RMS error"),
        (&lists[1], "figure-14-max", "compression", "MAX error"),
        (&lists[2], "figure-15", "epsilon", "RMS error"),
    ] {
        let title = format!("{y} against {x}, {rabbit}");
        write_curves(folder, name, &title, (x, y), list)?;
    }
    Ok(())
}
