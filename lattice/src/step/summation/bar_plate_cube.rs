//! Sums of shared bars, of shared plates of bars, and of plates (Rivers and James 2007, section 3.1, Eq. 3 and 4).
//!
//! All channels of a particle are contiguous, so that one lookup adds them all.

use crate::asset::lists::Lists;
use crate::asset::sum_plan::SumPlan;
use crate::numerics::parallel::fill;
use crate::step::summation::scratch::Scratch;

/// Writes the sum of `field` over every distinct region to `out`. Cost: linear in the half-width.
pub(crate) fn sum<const C: usize>(
    plan: &SumPlan,
    field: &[[f64; C]],
    scratch: &mut Scratch<C>,
    out: &mut [[f64; C]],
    parallel: bool,
) {
    let Scratch { bars, plates, .. } = scratch;
    bars.resize(plan.bars.len(), [0.0; C]);
    plates.resize(plan.plates.len(), [0.0; C]);
    fill(parallel, bars, |start, part| {
        for (total, &[first, count]) in part.iter_mut().zip(&plan.bars[start..]) {
            *total = add(&field[first as usize..(first + count) as usize]);
        }
    });
    gather(&plan.plates, bars, plates, parallel);
    gather(&plan.cubes, plates, out, parallel);
}

/// Sums of consecutive entries.
#[inline(always)]
fn add<const C: usize>(values: &[[f64; C]]) -> [f64; C] {
    let Some((first, rest)) = values.split_first() else {
        return [0.0; C];
    };
    let mut total = *first;
    for value in rest {
        for c in 0..C {
            total[c] += value[c];
        }
    }
    total
}

/// Sums of listed entries.
fn gather<const C: usize>(lists: &Lists, from: &[[f64; C]], to: &mut [[f64; C]], parallel: bool) {
    fill(parallel, to, |start, part| {
        for (total, ends) in part.iter_mut().zip(lists.offsets[start..].windows(2)) {
            let list = &lists.items[ends[0] as usize..ends[1] as usize];
            let Some((&first, rest)) = list.split_first() else {
                continue;
            };
            let mut sum = from[first as usize];
            for &at in rest {
                let value = &from[at as usize];
                for c in 0..C {
                    sum[c] += value[c];
                }
            }
            *total = sum;
        }
    });
}
