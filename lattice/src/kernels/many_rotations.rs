//! Many rotations at once, as benchmarks time them.

use nalgebra::{Rotation3, UnitQuaternion};
use pliant_core::math::polar::nearest_rotation;
use pliant_core::math::{Mat3, Vec3};
use pulp::{Simd, WithSimd};

use crate::kernels::matching::polar::refine_rotations;
use crate::kernels::vector::level::Level;
use crate::kernels::vector::pack::{LINE, Numbers, Pack, packs, packs_mut};

/// Matrices of deformed regions, each with a rotation to begin from.
#[derive(Debug, Clone)]
pub(crate) struct ManyRotations {
    level: Level,
    count: usize,
    matrices: Numbers,
    start: Numbers,
    found: Numbers,
}

impl ManyRotations {
    /// At least `count` regions that have rotated by 0.2 rad since the last step and are stretched by up to 30 %.
    pub fn deformed(count: usize, level: Level) -> Self {
        let count = count.max(1).next_multiple_of(LINE);
        let mut many = Self {
            level,
            count,
            matrices: Numbers::zeros(9 * count),
            start: Numbers::zeros(4 * count),
            found: Numbers::zeros(4 * count),
        };
        for k in 0..count {
            let wave = |c: usize| (0.37 * k as f64 + 2.1 * c as f64).sin();
            let old = UnitQuaternion::from_scaled_axis(Vec3::new(wave(0), wave(1), wave(2)));
            let axis = Vec3::new(wave(3), wave(4), 1.5).normalize();
            let new = UnitQuaternion::from_scaled_axis(axis * 0.2) * old;
            let stretch = Mat3::from_fn(|i, j| {
                f64::from(u8::from(i == j)) + 0.15 * (wave(5 + i + j) + wave(9 + i * j))
            });
            let matrix = new.to_rotation_matrix().matrix() * (stretch + stretch.transpose());
            let size: f64 = matrix.iter().map(|e| e.abs()).sum();
            for c in 0..9 {
                many.matrices[c * count + k] = (matrix[(c / 3, c % 3)] / size) as f32;
            }
            for (c, value) in [old.w, old.i, old.j, old.k].into_iter().enumerate() {
                many.start[c * count + k] = value as f32;
            }
        }
        many
    }

    /// Number of matrices.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Finds the nearest rotation of every matrix from its starting rotation: two iterations, more where the second is not small.
    pub fn find(&mut self) {
        self.found.copy_from_slice(&self.start);
        self.level.run(Improve {
            count: self.count,
            matrices: &self.matrices,
            quaternions: &mut self.found,
        });
    }

    /// The same in double precision, of the first matrix only: the readable reference.
    pub fn reference(&self, k: usize) -> Mat3 {
        nearest_rotation(&self.matrix(k))
    }

    /// Largest entry by which a found rotation differs from singular values in double precision.
    pub fn error(&self) -> f64 {
        let off = |k: usize| {
            let q = UnitQuaternion::from_quaternion(self.quaternion(k));
            let found: Rotation3<f64> = q.to_rotation_matrix();
            (found.matrix() - self.reference(k)).amax()
        };
        (0..self.count).map(off).fold(0.0, f64::max)
    }

    fn quaternion(&self, k: usize) -> nalgebra::Quaternion<f64> {
        let number = |c: usize| f64::from(self.found[c * self.count + k]);
        nalgebra::Quaternion::new(number(0), number(1), number(2), number(3))
    }

    fn matrix(&self, k: usize) -> Mat3 {
        Mat3::from_fn(|i, j| f64::from(self.matrices[(3 * i + j) * self.count + k]))
    }
}

struct Improve<'a> {
    count: usize,
    matrices: &'a [f32],
    quaternions: &'a mut [f32],
}

impl WithSimd for Improve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self {
            count,
            matrices,
            quaternions,
        } = self;
        let a: [&[S::f32s]; 9] = std::array::from_fn(|c| packs::<S>(matrices, c * count, count));
        let mut planes = quaternions.chunks_exact_mut(count);
        let mut q: [&mut [S::f32s]; 4] =
            [(); 4].map(|()| packs_mut::<S>(planes.next().unwrap_or_default(), 0, count));
        let mut j = 0;
        while S::F32_LANES < 16 && j + 2 <= q[0].len() {
            find::<S, 2>(simd, &a, &mut q, j);
            j += 2;
        }
        while j < q[0].len() {
            find::<S, 1>(simd, &a, &mut q, j);
            j += 1;
        }
    }
}

/// The rotations in the vectors `j .. j + N`.
#[inline(always)]
fn find<S: Simd, const N: usize>(
    simd: S,
    matrices: &[&[S::f32s]; 9],
    quaternions: &mut [&mut [S::f32s]; 4],
    j: usize,
) {
    let zero = Pack::splat(simd, 0.0);
    let (mut a, mut q) = ([[zero; 9]; N], [[zero; 4]; N]);
    for n in 0..N {
        for c in 0..9 {
            a[n][c].value = matrices[c][j + n];
        }
        for c in 0..4 {
            q[n][c].value = quaternions[c][j + n];
        }
    }
    let _ = refine_rotations(&a, &mut q);
    for n in 0..N {
        for c in 0..4 {
            quaternions[c][j + n] = q[n][c].value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::Random;

    /// Lively, mirrored, far from the start, flat, straight and collapsed regions side by side.
    fn awkward(level: Level) -> ManyRotations {
        let mut many = ManyRotations::deformed(96, level);
        let mut random = Random(11);
        let count = many.count;
        for k in 0..count {
            let rotation = UnitQuaternion::from_scaled_axis(random.vector() * 3.0);
            let sizes = match k % 6 {
                0 => continue,
                1 => Vec3::new(1.0, 0.7, -0.4),
                2 => Vec3::new(1.0, 0.8, 0.5),
                3 => Vec3::new(1.0, 0.6, 0.0),
                4 => Vec3::new(1.0, 0.0, 0.0),
                _ => Vec3::zeros(),
            };
            let axes = UnitQuaternion::from_scaled_axis(random.vector() * 3.0).to_rotation_matrix();
            let stretch = axes.matrix() * Mat3::from_diagonal(&sizes) * axes.matrix().transpose();
            let matrix = rotation.to_rotation_matrix().matrix() * stretch;
            let size = matrix.iter().map(|e| e.abs()).sum::<f64>().max(1e-30);
            for c in 0..9 {
                many.matrices[c * count + k] = (matrix[(c / 3, c % 3)] / size) as f32;
            }
        }
        many
    }

    #[test]
    fn regions_that_are_hard_do_not_keep_others_from_their_rotation() {
        for level in [Level::Portable, Level::Avx2, Level::Avx512] {
            let mut many = awkward(level);
            // kept from step to step
            for _ in 0..3 {
                many.find();
                many.start.copy_from_slice(&many.found);
            }
            for k in 0..many.count {
                let q = many.quaternion(k);
                assert!((q.norm() - 1.0).abs() < 1e-5, "{level:?} {k}");
                let (a, best) = (many.matrix(k), many.reference(k));
                let found = UnitQuaternion::from_quaternion(q).to_rotation_matrix();
                let short =
                    (best.transpose() * a).trace() - (found.matrix().transpose() * a).trace();
                assert!(short < 1e-5, "{level:?} {k}: {short:e}");
                if k % 6 < 3 {
                    let off = (found.matrix() - best).amax();
                    assert!(off < 2e-5, "{level:?} {k}: {off:e}");
                }
            }
        }
    }

    #[test]
    fn a_region_has_the_same_rotation_whichever_others_are_hard() {
        let mut alone = ManyRotations::deformed(96, Level::Auto);
        let mut beside = awkward(Level::Auto);
        alone.find();
        beside.find();
        for k in (0..alone.count).step_by(6) {
            let off = (alone.quaternion(k).coords - beside.quaternion(k).coords).amax();
            assert!(off < 1e-6, "{k}: {off:e}");
        }
    }
}
