//! Errors and sizes.

use super::{Body, spec};
use crate::hierarchical_matrix::HierarchicalSpec;

#[test]
fn the_error_is_at_most_the_one_asked_for_and_the_report_says_the_truth() {
    let body = Body::ellipsoid(400);
    let mut last = 0;
    for equilibrate in [true, false] {
        for tolerance in [0.1, 0.01, 0.001, 2e-4] {
            let (matrix, report) = body.compress(&HierarchicalSpec {
                equilibrate,
                ..spec(tolerance)
            });
            assert!(report.rms_error <= tolerance, "{report:?}");
            assert!(report.rms_error > 0.3 * tolerance, "{report:?}");
            let n = body.positions.len();
            let dense = matrix.to_dense();
            let (mut error, mut norm) = (0.0, 0.0);
            for i in 0..n {
                for j in 0..n {
                    let exact = body.block(i, j);
                    error += (dense[i * n + j] - exact).norm_squared();
                    norm += exact.norm_squared();
                }
            }
            assert!(((error / norm).sqrt() - report.rms_error).abs() < 1e-9);
            assert_eq!(report.bytes, matrix.bytes());
            assert!(tolerance == 0.1 || report.bytes > last, "{report:?}");
            last = report.bytes;
        }
    }
}

#[test]
fn a_body_of_1500_nodes_takes_less_than_a_twelfth() {
    let (_, report) = Body::ellipsoid(1500).compress(&spec(0.01));
    assert!(report.compression > 12.0, "{report:?}");
    assert!(report.column_rms_error < 0.03, "{report:?}");
}

#[test]
fn scaling_gives_stiff_columns_the_error_of_soft_ones() {
    let body = Body::ellipsoid(500);
    let worst = |equilibrate| {
        let spec = HierarchicalSpec {
            equilibrate,
            ..spec(0.02)
        };
        body.compress(&spec).1.column_rms_error
    };
    let (with, without) = (worst(true), worst(false));
    assert!(with < 0.06, "{with}");
    assert!(without > 1.5 * with, "{without} {with}");
}
