//! Square blocks of numbers in registers, transposed: rows become columns.

use std::any::Any;

use pulp::Simd;

use crate::kernels::vector::pack::LINE;

/// The first [`Simd::F32_LANES`] vectors of `block`, transposed.
#[inline(always)]
pub(crate) fn transpose<S: Simd>(simd: S, block: [S::f32s; LINE]) -> [S::f32s; LINE] {
    let mut out = block;
    #[cfg(target_arch = "x86_64")]
    {
        // resolved when compiled
        if let Some(simd) = (&simd as &dyn Any).downcast_ref::<pulp::x86::V4>() {
            let mut vectors = [bytemuck::Zeroable::zeroed(); LINE];
            for k in 0..LINE {
                vectors[k] = bytemuck::cast(block[k]);
            }
            let vectors = sixteen(*simd, vectors);
            for k in 0..LINE {
                out[k] = bytemuck::cast(vectors[k]);
            }
            return out;
        }
        if let Some(simd) = (&simd as &dyn Any).downcast_ref::<pulp::x86::V3>() {
            let mut vectors = [bytemuck::Zeroable::zeroed(); 8];
            for k in 0..8 {
                vectors[k] = bytemuck::cast(block[k]);
            }
            let vectors = eight(*simd, vectors);
            for k in 0..8 {
                out[k] = bytemuck::cast(vectors[k]);
            }
            return out;
        }
    }
    // one number after the other
    let lanes = S::F32_LANES;
    let numbers: &mut [f32] = bytemuck::cast_slice_mut(&mut out[..lanes]);
    for row in 1..lanes {
        for column in 0..row {
            numbers.swap(row * lanes + column, column * lanes + row);
        }
    }
    out
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn sixteen(
    simd: pulp::x86::V4,
    r: [std::arch::x86_64::__m512; 16],
) -> [std::arch::x86_64::__m512; 16] {
    let f = simd.avx512f;
    // four numbers of four rows each, in quarters
    let mut quarters = r;
    let mut out = r;
    for k in 0..4 {
        let [a, b, c, d] = [r[4 * k], r[4 * k + 1], r[4 * k + 2], r[4 * k + 3]];
        let (ab, cd) = (f._mm512_unpacklo_ps(a, b), f._mm512_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (f._mm512_unpackhi_ps(a, b), f._mm512_unpackhi_ps(c, d));
        quarters[4 * k] = f._mm512_shuffle_ps::<0x44>(ab, cd);
        quarters[4 * k + 1] = f._mm512_shuffle_ps::<0xee>(ab, cd);
        quarters[4 * k + 2] = f._mm512_shuffle_ps::<0x44>(ab_high, cd_high);
        quarters[4 * k + 3] = f._mm512_shuffle_ps::<0xee>(ab_high, cd_high);
    }
    for c in 0..4 {
        let [q0, q1, q2, q3] = [
            quarters[c],
            quarters[4 + c],
            quarters[8 + c],
            quarters[12 + c],
        ];
        let even = f._mm512_shuffle_f32x4::<0x88>(q0, q1);
        let odd = f._mm512_shuffle_f32x4::<0xdd>(q0, q1);
        let even_last = f._mm512_shuffle_f32x4::<0x88>(q2, q3);
        let odd_last = f._mm512_shuffle_f32x4::<0xdd>(q2, q3);
        out[c] = f._mm512_shuffle_f32x4::<0x88>(even, even_last);
        out[4 + c] = f._mm512_shuffle_f32x4::<0x88>(odd, odd_last);
        out[8 + c] = f._mm512_shuffle_f32x4::<0xdd>(even, even_last);
        out[12 + c] = f._mm512_shuffle_f32x4::<0xdd>(odd, odd_last);
    }
    out
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn eight(simd: pulp::x86::V3, r: [std::arch::x86_64::__m256; 8]) -> [std::arch::x86_64::__m256; 8] {
    let f = simd.avx;
    let mut halves = r;
    let mut out = r;
    for k in 0..2 {
        let [a, b, c, d] = [r[4 * k], r[4 * k + 1], r[4 * k + 2], r[4 * k + 3]];
        let (ab, cd) = (f._mm256_unpacklo_ps(a, b), f._mm256_unpacklo_ps(c, d));
        let (ab_high, cd_high) = (f._mm256_unpackhi_ps(a, b), f._mm256_unpackhi_ps(c, d));
        halves[4 * k] = f._mm256_shuffle_ps::<0x44>(ab, cd);
        halves[4 * k + 1] = f._mm256_shuffle_ps::<0xee>(ab, cd);
        halves[4 * k + 2] = f._mm256_shuffle_ps::<0x44>(ab_high, cd_high);
        halves[4 * k + 3] = f._mm256_shuffle_ps::<0xee>(ab_high, cd_high);
    }
    for c in 0..4 {
        out[c] = f._mm256_permute2f128_ps::<0x20>(halves[c], halves[4 + c]);
        out[4 + c] = f._mm256_permute2f128_ps::<0x31>(halves[c], halves[4 + c]);
    }
    out
}
