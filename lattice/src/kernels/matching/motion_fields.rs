//! The fields that the damping operator sums over the particles of a region: momentum, angular momentum and second moments.

use pulp::Simd;

use crate::kernels::irregular::group::Group;
use crate::kernels::memory::channels::SUMS;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::{Pack, packs, packs_mut};

/// The sums of one particle of position `x` and velocity `v`.
#[inline(always)]
pub(crate) fn field_of(share: f32, x: [f32; 3], v: [f32; 3]) -> Group {
    let a = v.map(|v| v * share);
    let b = x.map(|x| x * share);
    [
        [a[0], a[1], a[2], x[1] * a[2] - x[2] * a[1]],
        [
            x[2] * a[0] - x[0] * a[2],
            x[0] * a[1] - x[1] * a[0],
            b[0] * x[0],
            b[0] * x[1],
        ],
        [b[0] * x[2], b[1] * x[1], b[1] * x[2], b[2] * x[2]],
        [0.0; 4],
    ]
}

/// The sums of single particles of one slab, in padded planes.
#[inline(always)]
pub(crate) fn write_fields<S: Simd>(
    simd: S,
    layout: &Layout,
    (positions, velocities): (&[f32], &[f32]),
    share: &[f32],
    fields: &mut [f32],
) {
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let share = packs::<S>(share, 0, plane);
    let x: [&[S::f32s]; 3] = [0, 1, 2].map(|c| packs::<S>(positions, c * plane, plane));
    let v: [&[S::f32s]; 3] = [0, 1, 2].map(|c| packs::<S>(velocities, c * plane, plane));
    let mut targets = fields.chunks_exact_mut(padded);
    let out: [&mut [S::f32s]; SUMS] = [(); SUMS].map(|()| {
        let padded = targets.next().unwrap_or_default();
        packs_mut::<S>(padded, margin, plane)
    });
    for j in 0..share.len() {
        let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
        let position = [load(x[0]), load(x[1]), load(x[2])];
        let fields = fields_of(load(share), position, [load(v[0]), load(v[1]), load(v[2])]);
        for c in 0..SUMS {
            out[c][j] = fields[c].value;
        }
    }
}

/// The sums of single particles.
#[inline(always)]
pub(crate) fn fields_of<S: Simd>(
    m: Pack<S>,
    [x, y, z]: [Pack<S>; 3],
    [vx, vy, vz]: [Pack<S>; 3],
) -> [Pack<S>; SUMS] {
    let (ax, ay, az) = (vx * m, vy * m, vz * m);
    let (bx, by, bz) = (x * m, y * m, z * m);
    [
        ax,
        ay,
        az,
        z.times_from(ay, y * az),
        x.times_from(az, z * ax),
        y.times_from(ax, x * ay),
        bx * x,
        bx * y,
        bx * z,
        by * y,
        by * z,
        bz * z,
    ]
}
