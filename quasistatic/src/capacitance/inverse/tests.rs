use pulp::Arch;

use super::*;

/// Entries of a diagonally dominant compliance over 120 rows.
fn entry(i: usize, j: usize) -> f64 {
    let (i, j) = (i.min(j), i.max(j));
    let distance = (j - i) as f64;
    1.0 / (1.0 + distance) + if i == j { 1.0 } else { 0.0 } + 0.01 * ((i * 3 + j) % 5) as f64
}

fn residual(inverse: &UpdatedInverse) -> f64 {
    let m = inverse.len();
    let mut worst = 0.0_f64;
    for i in 0..m {
        for j in 0..m {
            let sum: f64 = (0..m)
                .map(|k| inverse.entry(i, k) * inverse.inverse_entry(k, j))
                .sum();
            worst = worst.max((sum - f64::from(u8::from(i == j))).abs());
        }
    }
    worst
}

#[test]
fn ten_thousand_random_adds_and_removes_do_not_drift() {
    let mut rows: Vec<usize> = Vec::new();
    let mut inverse = UpdatedInverse::default();
    let mut state = 7_u64;
    let mut random = |n: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let mut worst = 0.0_f64;
    for step in 0..10_000 {
        let grow = rows.len() < 12 || (rows.len() < 48 && random(2) == 0);
        if grow {
            let new = random(120);
            if rows.contains(&new) {
                continue;
            }
            let mut next: Vec<usize> = (0..3).map(|k| (new + 17 * k) % 120).collect();
            next.retain(|n| !rows.contains(n));
            let count = next.len();
            rows.extend(next);
            inverse
                .add(count, |i, j| entry(rows[i], rows[j]))
                .expect("regular");
        } else {
            let k = random(rows.len());
            inverse.remove(&[k]).expect("regular");
            rows.swap_remove(k);
        }
        if step % 250 == 0 {
            worst = worst.max(residual(&inverse));
        }
    }
    for (i, &a) in rows.iter().enumerate() {
        for (j, &b) in rows.iter().enumerate() {
            assert_eq!(inverse.entry(i, j), entry(a, b));
        }
    }
    assert!(worst < 1e-8, "{worst}");
    let refactorings = inverse.refactorings();
    assert!((30..=100).contains(&refactorings), "{refactorings}");
}

#[test]
fn an_updated_inverse_equals_a_fresh_one() {
    let mut updated = UpdatedInverse::default();
    updated.set(20, entry).expect("regular");
    for count in [1, 2, 3] {
        updated.add(count, entry).expect("regular");
    }
    let mut fresh = UpdatedInverse::default();
    fresh.set(26, entry).expect("regular");
    let right: Vec<f64> = (0..26).map(|k| f64::from(k) - 7.5).collect();
    let (mut a, mut b) = (vec![0.0; 26], vec![0.0; 26]);
    updated.apply(&right, &mut Vec::new(), &mut a);
    fresh.apply(&right, &mut Vec::new(), &mut b);
    assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-11));
    for (i, x) in a.iter().enumerate() {
        let row = (0..26).map(|j| updated.inverse_entry(i, j) * right[j]);
        assert!((row.sum::<f64>() - x).abs() < 1e-12);
    }
    let mut solved = Vec::new();
    updated.solve(&right, &mut solved);
    for (i, b) in right.iter().enumerate() {
        let row = (0..26).map(|j| entry(i, j) * solved[j]);
        assert!((row.sum::<f64>() - b).abs() < 1e-13 * 26.0, "{i}");
    }
}

#[test]
fn a_row_that_repeats_another_is_refused_and_nothing_changes() {
    let mut inverse = UpdatedInverse::default();
    inverse.set(5, entry).expect("regular");
    let copied = |k: usize| if k < 5 { k } else { 2 };
    let repeated = inverse.add(2, |i, j| entry(copied(i), copied(j)));
    assert!(repeated.is_err_and(|pivot| pivot.row >= 5));
    assert!(inverse.add(4, entry).is_err());
    assert_eq!(inverse.len(), 5);
    assert!(residual(&inverse) < 1e-13);
    assert!(inverse.remove(&[7]).is_err());
    for _ in 0..5 {
        inverse.remove(&[0]).expect("regular");
    }
    assert_eq!(inverse.len(), 0);
}

#[test]
fn several_rows_go_at_once_and_the_last_ones_fill_their_places() {
    let mut inverse = UpdatedInverse::default();
    let mut rows: Vec<usize> = (0..40).collect();
    inverse.set(40, entry).expect("regular");
    for removed in [&[39, 38, 37][..], &[36, 20, 3], &[33, 32], &[5, 1, 0], &[7]] {
        inverse.remove(removed).expect("regular");
        for &k in removed {
            rows.swap_remove(k);
        }
        assert_eq!(inverse.len(), rows.len());
        assert!(residual(&inverse) < 1e-12, "{removed:?}");
        for (i, &a) in rows.iter().enumerate() {
            for (j, &b) in rows.iter().enumerate() {
                assert_eq!(inverse.entry(i, j), entry(a, b), "{removed:?}");
            }
        }
    }
    for wrong in [&[][..], &[3, 4], &[4, 4], &[8, 6, 4, 2], &[100]] {
        assert!(inverse.remove(wrong).is_err(), "{wrong:?}");
    }
    // the same node in and out, over and over
    let refactorings = inverse.refactorings();
    for _ in 0..5_000 {
        let m = inverse.len();
        let index = |k: usize| if k < m { rows[k] } else { 100 + k - m };
        inverse
            .add(3, |i, j| entry(index(i), index(j)))
            .expect("regular");
        inverse.remove(&[m + 2, m + 1, m]).expect("regular");
    }
    assert!(residual(&inverse) < 1e-11);
    assert!(inverse.refactorings() - refactorings <= 50);
}

#[test]
fn without_vector_instructions_the_numbers_are_the_same_up_to_rounding() {
    let mut portable = UpdatedInverse {
        arch: Arch::Scalar,
        ..UpdatedInverse::default()
    };
    let mut vectors = UpdatedInverse::default();
    for inverse in [&mut portable, &mut vectors] {
        inverse.set(13, entry).expect("regular");
        for count in [3, 1, 3, 2] {
            inverse.add(count, entry).expect("regular");
        }
        inverse.remove(&[20, 9, 2]).expect("regular");
    }
    for i in 0..vectors.len() {
        for j in 0..vectors.len() {
            let error = vectors.inverse_entry(i, j) - portable.inverse_entry(i, j);
            assert!(error.abs() < 1e-13, "{i} {j} {error}");
        }
    }
    let right: Vec<f64> = (0..19).map(|k| f64::from(k) - 7.5).collect();
    let (mut a, mut b) = (Vec::new(), Vec::new());
    vectors.solve(&right, &mut a);
    portable.solve(&right, &mut b);
    assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-12));
}
