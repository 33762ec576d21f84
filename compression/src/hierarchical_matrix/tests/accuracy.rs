//! Errors and sizes.

use super::{Body, spec};
use crate::hierarchical_matrix::ErrorMeasure::{EveryColumn, Matrix, ScaledMatrix};
use crate::hierarchical_matrix::HierarchicalSpec;

#[test]
fn the_error_is_at_most_the_one_asked_for_and_the_report_says_the_truth() {
    let body = Body::ellipsoid(250);
    let n = body.positions.len();
    for measure in [Matrix, ScaledMatrix, EveryColumn] {
        let mut last = 0;
        for tolerance in [0.1, 0.01, 0.001, 2e-4] {
            let (matrix, report) = body.compress(&HierarchicalSpec {
                measure,
                ..spec(tolerance)
            });
            let measured = match measure {
                Matrix => report.rms_error,
                ScaledMatrix => report.scaled_rms_error,
                EveryColumn => report.column_rms_error,
            };
            // and no smaller error is paid for than is asked for
            assert!(
                measured <= tolerance && measured > 0.5 * tolerance,
                "{report:?}"
            );
            assert!(report.rms_error <= tolerance, "{report:?}");
            let (mut error, mut norm, mut worst) = (0.0, 0.0, 0.0_f64);
            for j in 0..n {
                let (mut of_column, mut size) = (0.0, 0.0);
                for i in 0..n {
                    let exact = body.block(i, j);
                    of_column += (matrix.block(i, j) - exact).norm_squared();
                    size += exact.norm_squared();
                }
                worst = worst.max((of_column / size).sqrt());
                (error, norm) = (error + of_column, norm + size);
            }
            assert!(((error / norm).sqrt() - report.rms_error).abs() < 1e-9);
            assert!((worst - report.column_rms_error).abs() < 1e-9);
            assert_eq!(report.bytes, matrix.bytes());
            assert!(report.bytes > last, "{report:?}");
            last = report.bytes;
        }
    }
}

#[test]
fn a_body_of_1200_nodes_takes_less_than_a_twelfth() {
    let (_, report) = Body::ellipsoid(1200).compress(&spec(0.01));
    assert!(report.compression > 12.0, "{report:?}");
    assert!(report.column_rms_error <= 0.01, "{report:?}");
}

#[test]
fn scaling_gives_stiff_columns_the_error_of_soft_ones() {
    let body = Body::ellipsoid(500);
    let worst = |measure| {
        let spec = HierarchicalSpec {
            measure,
            ..spec(0.02)
        };
        body.compress(&spec).1.column_rms_error
    };
    let (with, without) = (worst(ScaledMatrix), worst(Matrix));
    assert!(with < 0.06, "{with}");
    assert!(without > 1.5 * with, "{without} {with}");
}
