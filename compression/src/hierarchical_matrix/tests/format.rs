//! Bytes and back.

use super::{Body, forces, spec};
use crate::hierarchical_matrix::{HierarchicalMatrix, SumScratch};

/// With blocks of all forms.
fn small() -> HierarchicalMatrix {
    let mut spec = spec(0.003);
    spec.leaf_size = 6;
    Body::ellipsoid(40).compress(&spec).0
}

#[test]
fn a_matrix_comes_back_to_the_bit() {
    for matrix in [small(), Body::ellipsoid(400).compress(&spec(0.01)).0] {
        let bytes = matrix.to_bytes();
        assert_eq!(HierarchicalMatrix::from_bytes(&bytes).as_ref(), Ok(&matrix));
        assert!(bytes.len() <= matrix.bytes() + 64);
    }
}

#[test]
fn every_truncation_is_an_error() {
    let mut bytes = small().to_bytes();
    for cut in 0..bytes.len() {
        assert!(
            HierarchicalMatrix::from_bytes(&bytes[..cut]).is_err(),
            "{cut}"
        );
    }
    bytes.push(0);
    assert!(HierarchicalMatrix::from_bytes(&bytes).is_err());
}

#[test]
fn damaged_bytes_are_an_error_or_a_matrix_that_works() {
    let bytes = small().to_bytes();
    let mut scratch = SumScratch::default();
    let mut accepted = 0;
    let mut state = 12_345_u64;
    for round in 0..4000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + round % 3 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // half of them where lengths and blocks are
            let range = if round % 2 == 0 {
                1000.min(bytes.len())
            } else {
                bytes.len()
            };
            let at = (state >> 33) as usize % range;
            damaged[at] ^= 1 << ((state >> 20) & 7);
        }
        if let Ok(matrix) = HierarchicalMatrix::from_bytes(&damaged) {
            accepted += 1;
            let n = matrix.nodes();
            let mut field = vec![0.0; 3 * n];
            matrix.add_columns(&forces(n, 9), &mut field, &mut scratch);
            matrix.block(n - 1, 0);
        }
    }
    assert!(accepted > 500 && accepted < 3500, "{accepted}");
}

#[test]
fn errors_have_a_remedy() {
    let wrong = HierarchicalMatrix::from_bytes(b"PLNTSOMETHING").expect_err("no matrix");
    assert_eq!(wrong.code(), "WrongMagic");
    let mut bytes = small().to_bytes();
    bytes[8] = 9;
    let wrong = HierarchicalMatrix::from_bytes(&bytes).expect_err("a version");
    assert!(wrong.to_string().contains("version 9") && wrong.to_string().contains("remedy"));
}
