//! Sums particle by particle: the reference in tests of the fast algorithms.

use crate::asset::sum_plan::SumPlan;

/// Writes the sum of `field` (one entry a particle) over every distinct region to `out`.
///
/// Cost: the sizes of all regions, cubic in the half-width.
pub(crate) fn sum<const C: usize>(plan: &SumPlan, field: &[[f64; C]], out: &mut [[f64; C]]) {
    for (cube, total) in out.iter_mut().enumerate() {
        *total = add(plan.runs(cube), field);
    }
}

/// The sum of `field` over runs of particles.
#[inline(always)]
pub(crate) fn add<const C: usize>(
    runs: impl Iterator<Item = [u32; 2]>,
    field: &[[f64; C]],
) -> [f64; C] {
    let mut total = [0.0; C];
    for [first, count] in runs {
        for value in &field[first as usize..(first + count) as usize] {
            for (t, v) in total.iter_mut().zip(value) {
                *t += v;
            }
        }
    }
    total
}
