//! Unusual positions and matrices.

use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};

use super::{Body, spec};
use crate::hierarchical_matrix::{HierarchicalMatrix, HierarchicalMatrixError, SumScratch};

fn error_of(
    positions: &[Vec3],
    block: impl Fn(usize, usize) -> Mat3 + Sync,
) -> HierarchicalMatrixError {
    HierarchicalMatrix::compress(positions, block, &spec(0.01), &Progress::new())
        .expect_err("an error")
}

#[test]
fn one_node_has_one_block() {
    let exact = Mat3::new(3.0, 1.0, 0.0, 1.0, 2.0, 0.5, 0.0, 0.5, 1.0) * 1e-5;
    let positions = [Vec3::new(1.0, 2.0, 3.0)];
    let (matrix, report) =
        HierarchicalMatrix::compress(&positions, |_, _| exact, &spec(0.01), &Progress::new())
            .expect("compresses");
    assert!((matrix.block(0, 0) - exact).norm() < 0.01 * exact.norm());
    assert_eq!((report.dense_blocks, report.low_rank_blocks), (1, 0));
}

#[test]
fn coincident_nodes_and_nodes_on_a_line_do_no_harm() {
    let mut on_a_line = Body {
        positions: (0..300)
            .map(|k| Vec3::new(0.0, 3e-4 * f64::from(k), 0.0))
            .collect(),
    };
    on_a_line.positions[17] = on_a_line.positions[201];
    let coincident = Body {
        positions: vec![Vec3::new(0.1, 0.0, 0.2); 70],
    };
    let two = Body {
        positions: vec![Vec3::zeros(); 2],
    };
    for body in [on_a_line, coincident, two] {
        let (matrix, report) = body.compress(&spec(0.01));
        assert!(report.rms_error <= 0.01, "{report:?}");
        assert_eq!(matrix.nodes(), body.positions.len());
    }
}

#[test]
fn a_matrix_of_noise_is_stored_though_it_has_no_low_rank() {
    let positions = Body::ellipsoid(120).positions;
    let number =
        |a: usize, b: usize| ((a * a * 31 + b * b * 17 + a * b * 7919) % 1009) as f64 - 504.0;
    let block = |i: usize, j: usize| {
        Mat3::from_fn(|r, c| {
            let (a, b) = (3 * i + r, 3 * j + c);
            number(a.min(b), a.max(b))
        })
    };
    let (_, report) =
        HierarchicalMatrix::compress(&positions, block, &spec(0.01), &Progress::new())
            .expect("compresses");
    assert!(
        report.rms_error <= 0.01 && report.compression > 3.0,
        "{report:?}"
    );
}

#[test]
fn zeros_stay_zero() {
    let positions = Body::ellipsoid(100).positions;
    let (matrix, report) = HierarchicalMatrix::compress(
        &positions,
        |_, _| Mat3::zeros(),
        &spec(0.01),
        &Progress::new(),
    )
    .expect("compresses");
    assert_eq!((report.rms_error, report.max_error), (0.0, 0.0));
    let mut field = vec![0.0; 300];
    matrix.add_columns(&[(3, Vec3::x())], &mut field, &mut SumScratch::default());
    assert!(field.iter().all(|x| *x == 0.0));
}

#[test]
fn rounding_may_be_unsymmetric_and_more_may_not() {
    let body = Body::ellipsoid(200);
    let noisy = |size: f64| {
        let body = &body;
        move |i: usize, j: usize| {
            let noise = ((i * 7919 + j * 104_729) % 1013) as f64 / 1013.0 - 0.5;
            body.block(i, j) * (1.0 + size * noise)
        }
    };
    let (_, report) =
        HierarchicalMatrix::compress(&body.positions, noisy(1e-7), &spec(0.001), &Progress::new())
            .expect("compresses");
    assert!(report.rms_error <= 0.001 && report.asymmetry > 1e-9);
    let error = error_of(&body.positions, noisy(0.2));
    assert!(
        matches!(error, HierarchicalMatrixError::NotSymmetric { .. }),
        "{error}"
    );
}

#[test]
fn bad_input_is_named() {
    let body = Body::ellipsoid(60);
    let block = |i: usize, j: usize| body.block(i, j);
    assert_eq!(error_of(&[], block), HierarchicalMatrixError::NoNodes);
    let mut positions = body.positions.clone();
    positions[7].y = f64::NAN;
    assert_eq!(
        error_of(&positions, block),
        HierarchicalMatrixError::PositionNotFinite { node: 7 }
    );
    let hole = |i: usize, j: usize| match (i, j) {
        (9, 4) => Mat3::repeat(f64::NAN),
        _ => body.block(i, j),
    };
    let error = error_of(&body.positions, hole);
    assert_eq!(
        error,
        HierarchicalMatrixError::EntryNotFinite { row: 9, column: 4 }
    );
    assert!(error.to_string().contains("node 4 at node 9"));
    for wrong in [0.0, 0.9, f64::NAN] {
        let made =
            HierarchicalMatrix::compress(&body.positions, block, &spec(wrong), &Progress::new());
        assert_eq!(made.expect_err("out of range").code(), "OutOfRange");
    }
}

#[test]
fn a_cancelled_job_ends_early() {
    let body = Body::ellipsoid(300);
    let progress = Progress::new();
    let calls = AtomicUsize::new(0);
    let block = |i: usize, j: usize| {
        if calls.fetch_add(1, Ordering::Relaxed) == 200_000 {
            progress.cancel();
        }
        body.block(i, j)
    };
    let error = HierarchicalMatrix::compress(&body.positions, block, &spec(0.01), &progress);
    assert_eq!(error.expect_err("cancelled").code(), "Cancelled");
}
