//! Goal positions and the pull towards them: `g = R̄ x⁰ + t̄`, `v += α (g − x)/h` (Rivers and James 2007, Eq. 12 and 1).

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill_two};
use crate::step::matching::Transform;

/// Goal of particle `p`, times `κ` where regions have stiffness weights, relative to the body's centre, m, from the sums of transforms over its regions.
///
/// The mean of rotations is used as it is and is not projected to a rotation, because that would not conserve momentum.
#[inline(always)]
pub(crate) fn goal(asset: &LatticeAsset, transform_sums: &[Transform], p: usize) -> Vec3 {
    let region = asset.region_of[p] as usize;
    let t = &transform_sums[region];
    let x = &asset.rest[p];
    let share = 1.0 / f64::from(asset.region_size[region]);
    Vec3::new(
        (t[0] * x.x + t[1] * x.y + t[2] * x.z + t[9]) * share,
        (t[3] * x.x + t[4] * x.y + t[5] * x.z + t[10]) * share,
        (t[6] * x.x + t[7] * x.y + t[8] * x.z + t[11]) * share,
    )
}

/// Changes velocities `v` (m/s) by `rate (g − x) + change`, where `rate` is α/h (1/s); writes `g − x` (m) to `offsets`. Step D.
pub(crate) fn pull(
    asset: &LatticeAsset,
    transform_sums: &[Transform],
    (x, center): (&[Vec3], &Vec3),
    (rate, change): (f64, &Vec3),
    v: &mut [Vec3],
    offsets: &mut [Vec3],
) {
    let parallel = x.len() > PARALLEL_THRESHOLD;
    fill_two(parallel, v, offsets, |start, v, offsets| {
        for (k, (v, offset)) in v.iter_mut().zip(offsets).enumerate() {
            let p = start + k;
            *offset = goal(asset, transform_sums, p) - (x[p] - center) * asset.pull_of(p);
            *v += *offset * rate + change;
        }
    });
}
