//! Rigid velocities of many regions at once, in single precision (see [`crate::step::damping::region_average`]).

use pliant_core::math::Mat3;
use pulp::Simd;

use crate::kernels::vector::pack::{LINE, Pack};
use crate::numerics::inertia::pseudo_inverse;

/// Determinant of an inertia, as a share of the cube of its mean, below which an axis may be missing.
const FLAT: f32 = 1e-4;
/// Eigenvalue of an inertia, as a share of the largest, below which it is round-off.
const NOISE: f64 = 1e-4;

type Vector<S> = [Pack<S>; 3];

#[inline(always)]
fn cross<S: Simd>(a: &Vector<S>, b: &Vector<S>) -> Vector<S> {
    [
        a[2].times_from(b[1], a[1] * b[2]),
        a[0].times_from(b[2], a[2] * b[0]),
        a[1].times_from(b[0], a[0] * b[1]),
    ]
}

/// `v_r` at the origin and ω of regions with sums `m̃ v`, `m̃ x × v` and `m̃ x xᵀ` (xx, xy, xz, yy, yz, zz) in `s`, with centre `c`. Lanes with
/// zero `inverse_mass` may give anything but stop nothing.
#[inline(always)]
pub(crate) fn rigid_velocity<S: Simd>(
    s: &[Pack<S>; 12],
    inverse_mass: Pack<S>,
    c: &Vector<S>,
) -> (Vector<S>, Vector<S>) {
    let simd = inverse_mass.simd;
    let zero = Pack::splat(simd, 0.0);
    let one = Pack::splat(simd, 1.0);
    let occupied = simd.greater_than_f32s(inverse_mass.value, zero.value);
    let pick =
        |a: Pack<S>, b: Pack<S>| Pack::new(simd, simd.select_f32s(occupied, a.value, b.value));
    let mass = one.over(pick(inverse_mass, one));
    let (cx, cy, cz) = (c[0] * mass, c[1] * mass, c[2] * mass);
    // second moments about the centre
    let xx = cx.times_from(c[0], s[6]);
    let xy = cx.times_from(c[1], s[7]);
    let xz = cx.times_from(c[2], s[8]);
    let yy = cy.times_from(c[1], s[9]);
    let yz = cy.times_from(c[2], s[10]);
    let zz = cz.times_from(c[2], s[11]);
    // the inertia is tr(M) I − M; b, d, e are off its diagonal with the opposite sign
    let (i0, i1, i2) = (yy + zz, xx + zz, xx + yy);
    let (b, d, e) = (xy, xz, yz);
    let c00 = e.times_from(e, i1 * i2);
    let c01 = d.times_plus(e, b * i2);
    let c02 = b.times_plus(e, d * i1);
    let c11 = d.times_from(d, i0 * i2);
    let c12 = b.times_plus(d, i0 * e);
    let c22 = b.times_from(b, i0 * i1);
    let det = d.times_from(c02, b.times_from(c01, i0 * c00));
    let third = (i0 + i1 + i2) * Pack::splat(simd, 1.0 / 3.0);
    let room = det - third * third * third * Pack::splat(simd, FLAT);
    let momentum = [s[0], s[1], s[2]];
    let moment_of_momentum = cross(c, &momentum);
    let l = [
        s[3] - moment_of_momentum[0],
        s[4] - moment_of_momentum[1],
        s[5] - moment_of_momentum[2],
    ];
    let inverse = one.over(pick(det, one));
    let mut angular_velocity = [
        c00.times_plus(l[0], c01.times_plus(l[1], c02 * l[2])) * inverse,
        c01.times_plus(l[0], c11.times_plus(l[1], c12 * l[2])) * inverse,
        c02.times_plus(l[0], c12.times_plus(l[1], c22 * l[2])) * inverse,
    ];
    if pick(room, one).smallest() <= 0.0 {
        in_double_precision(&[i0, i1, i2, b, d, e], &l, &mut angular_velocity);
    }
    let rotation = cross(&angular_velocity, c);
    let velocity = [
        momentum[0].times_plus(inverse_mass, zero - rotation[0]),
        momentum[1].times_plus(inverse_mass, zero - rotation[1]),
        momentum[2].times_plus(inverse_mass, zero - rotation[2]),
    ];
    (velocity, angular_velocity)
}

/// All lanes with the null axes of their inertias left out.
#[cold]
#[inline(never)]
fn in_double_precision<S: Simd>(
    inertia: &[Pack<S>; 6],
    l: &Vector<S>,
    angular_velocity: &mut Vector<S>,
) {
    let entries = inertia.map(|e| e.numbers());
    let l = l.map(|e| e.numbers());
    let mut found = [[0.0_f32; LINE]; 3];
    for k in 0..S::F32_LANES {
        let [i0, i1, i2, b, d, e] = entries.map(|e| f64::from(e[k]));
        let matrix = Mat3::new(i0, -b, -d, -b, i1, -e, -d, -e, i2);
        let [xx, xy, xz, yy, yz, zz] = pseudo_inverse(&matrix, NOISE);
        let [x, y, z] = l.map(|l| f64::from(l[k]));
        found[0][k] = (xx * x + xy * y + xz * z) as f32;
        found[1][k] = (xy * x + yy * y + yz * z) as f32;
        found[2][k] = (xz * x + yz * y + zz * z) as f32;
    }
    for (pack, values) in angular_velocity.iter_mut().zip(&found) {
        pack.set_numbers(values);
    }
}
