//! Sums of columns, single blocks, threads.

use super::{Body, forces, spec};
use crate::hierarchical_matrix::{HierarchicalMatrix, SumScratch};

use pliant_core::math::Vec3;
use pliant_fuzzing::on_threads;

#[test]
fn sums_of_columns_equal_sums_of_blocks() {
    let body = Body::ellipsoid(333);
    for tolerance in [0.05, 0.001] {
        let (matrix, _) = body.compress(&spec(tolerance));
        let mut scratch = SumScratch::default();
        for count in [0, 1, 5, 200, 400] {
            let mut forces = forces(333, count);
            if count > 1 {
                // a node may come twice
                forces.push(forces[0]);
            }
            let mut field = vec![1.0; 3 * 333];
            matrix.add_columns(&forces, &mut field, &mut scratch);
            for i in 0..333 {
                let (mut sum, mut size) = (Vec3::repeat(1.0), 1.0);
                for (j, f) in &forces {
                    let part = matrix.block(i, *j as usize) * f;
                    sum += part;
                    size += part.norm();
                }
                for axis in 0..3 {
                    let error = field[3 * i + axis] - sum[axis];
                    assert!(error.abs() < 1e-12 * size, "{i} {axis} {error}");
                }
            }
        }
    }
}

#[test]
fn blocks_are_mirrored() {
    let body = Body::ellipsoid(150);
    let (matrix, _) = body.compress(&spec(0.01));
    for i in 0..150 {
        for j in 0..150 {
            assert_eq!(matrix.block(i, j), matrix.block(j, i).transpose());
        }
    }
}

#[test]
fn matrices_and_sums_have_the_same_bits_on_any_number_of_threads() {
    let body = Body::ellipsoid(700);
    let forces = forces(700, 650);
    let run = |threads: usize| -> (HierarchicalMatrix, Vec<u64>) {
        on_threads(threads, || {
            let (matrix, _) = body.compress(&spec(0.005));
            let mut field = vec![0.5; 3 * 700];
            let mut scratch = SumScratch::default();
            matrix.add_columns(&forces, &mut field, &mut scratch);
            let mut alone = vec![0.5; 3 * 700];
            matrix.add_columns_on_one_thread(&forces, &mut alone, &mut scratch);
            assert_eq!(field, alone);
            (matrix, field.iter().map(|x| x.to_bits()).collect())
        })
    };
    let one = run(1);
    assert!(one.0.to_bytes().len() > 200_000, "enough work for threads");
    for threads in [2, 8] {
        let other = run(threads);
        assert!(other.0 == one.0 && other.1 == one.1, "{threads} threads");
    }
}

#[test]
fn sums_have_the_same_bits_in_any_parts() {
    let body = Body::ellipsoid(210);
    let (matrix, _) = body.compress(&spec(0.003));
    let mut scratch = SumScratch::default();
    for count in [3, 210] {
        let forces = forces(210, count);
        let mut in_parts = |parts: usize| {
            let mut field = vec![0.25; 3 * 210];
            matrix.prepare(&forces, &mut scratch);
            matrix.apply(&mut field, &mut scratch, parts);
            field
        };
        let whole = in_parts(1);
        assert!(whole.iter().all(|x| *x != 0.25));
        for parts in [2, 3, 7, 50] {
            assert_eq!(in_parts(parts), whole, "{parts}");
        }
    }
}

#[test]
fn a_scratch_serves_matrices_of_any_size() {
    let mut shared = SumScratch::default();
    for n in [90, 40, 120] {
        let (matrix, _) = Body::ellipsoid(n).compress(&spec(0.01));
        let (mut field, mut fresh) = (vec![0.0; 3 * n], vec![0.0; 3 * n]);
        matrix.add_columns(&forces(n, 30), &mut field, &mut shared);
        matrix.add_columns(&forces(n, 30), &mut fresh, &mut SumScratch::default());
        assert_eq!(field, fresh);
    }
}
