//! Vectors shifted to other patches of a folded plane.

use std::any::Any;

use pulp::Simd;

use crate::kernels::memory::fold::Shift;
use crate::kernels::memory::tiles::Triple;
use crate::kernels::vector::pack::Pack;

/// A shift between patches, in the form that permutes the lanes of vectors.
#[derive(Clone, Copy)]
pub(crate) struct LaneShift<S: Simd> {
    from: S::u32s,
    mask: S::u32s,
    bits: u16,
    /// Whether no lane moves.
    is_identity: bool,
}

impl<S: Simd> LaneShift<S> {
    #[inline(always)]
    pub fn new(simd: S, shift: &Shift) -> Self {
        let load = |numbers: &[u32]| {
            let mut out = simd.splat_u32s(0);
            let lanes: &mut [u32] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut out));
            lanes.copy_from_slice(&numbers[..S::F32_LANES]);
            out
        };
        Self {
            from: load(&shift.from),
            mask: load(&shift.mask),
            bits: shift.bits,
            is_identity: shift.is_identity,
        }
    }

    #[inline(always)]
    pub fn get(&self, values: Triple<S>) -> Triple<S> {
        [
            self.one(values[0].simd, values[0].value),
            self.one(values[1].simd, values[1].value),
            self.one(values[2].simd, values[2].value),
        ]
    }

    #[inline(always)]
    fn one(&self, simd: S, value: S::f32s) -> Pack<S> {
        #[cfg(target_arch = "x86_64")]
        {
            // resolved when compiled
            if let Some(v4) = (&simd as &dyn Any).downcast_ref::<pulp::x86::V4>() {
                let (value, from) = (bytemuck::cast(value), bytemuck::cast(self.from));
                let moved = (v4.avx512f)._mm512_maskz_permutexvar_ps(self.bits, from, value);
                return Pack::new(simd, bytemuck::cast(moved));
            }
            if let Some(v3) = (&simd as &dyn Any).downcast_ref::<pulp::x86::V3>() {
                let (value, from) = (bytemuck::cast(value), bytemuck::cast(self.from));
                let moved = v3.avx2._mm256_permutevar8x32_ps(value, from);
                let moved = v3.avx._mm256_and_ps(moved, bytemuck::cast(self.mask));
                return Pack::new(simd, bytemuck::cast(moved));
            }
        }
        if self.is_identity {
            return Pack::new(simd, value);
        }
        // one number after the other
        let mut out = simd.splat_f32s(0.0);
        let moved: &mut [f32] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut out));
        let numbers: &[f32] = bytemuck::cast_slice(std::slice::from_ref(&value));
        let from: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&self.from));
        let mask: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&self.mask));
        for lane in 0..S::F32_LANES {
            if mask[lane] != 0 {
                moved[lane] = numbers[from[lane] as usize];
            }
        }
        Pack::new(simd, out)
    }
}
