//! Rotations nearest to matrices.

use std::hint::black_box;

use pliant_core::bench::{BenchCase, Work};

use crate::kernels::{Level, ManyRotations};

/// Largest error of an entry of a rotation.
const ROTATION_TOLERANCE: f64 = 1e-5;

pub(crate) fn polar(count: usize) -> Result<BenchCase, String> {
    let mut many = ManyRotations::deformed(count, Level::Auto);
    many.find();
    let error = many.error();
    if error > ROTATION_TOLERANCE {
        return Err(format!("a rotation is off by {error:e}"));
    }
    let count = many.count();
    let slow = many.clone();
    let work = Work {
        bytes: 0.0,
        flops: (count * 240) as f64,
        double: false,
    };
    let case = BenchCase::new(count, count as f64, work, move || many.find());
    Ok(case.with_reference(64.0, move || {
        for k in 0..64.min(slow.count()) {
            black_box(slow.reference(k));
        }
    }))
}
