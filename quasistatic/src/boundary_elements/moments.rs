//! Sums over quadrature points from which the blocks of an element follow.
//!
//! On a flat element the distance of its plane and its normal are constants, so that both kernels are combinations of fifteen sums for each shape
//! function: `1/R`, `r r/R³`, `1/R³`, `r/R³` and `r r/R⁵`, where the traces repeat two of them. Many numbers are summed side by side in vector
//! lanes: either many points of view of one element, or many points of one rule.

use pulp::Simd;

/// Number of sums for each shape function: `1/R³`, `r/R³` (3), `r r/R³` (6), `r r/R⁵` (6).
pub(super) const SUMS: usize = 16;

/// The sums of `N` shape functions (three linear ones, or a constant), one number in each lane.
#[derive(Clone, Copy)]
pub(super) struct Moments<S: Simd, const N: usize = 3> {
    pub sums: [[S::f64s; SUMS]; N],
    /// `r/R` with the whole weight, for body forces.
    pub directions: [S::f64s; 3],
}

impl<S: Simd, const N: usize> Moments<S, N> {
    #[inline(always)]
    pub fn zero(simd: S) -> Self {
        let zero = simd.splat_f64s(0.0);
        Self {
            sums: [[zero; SUMS]; N],
            directions: [zero; 3],
        }
    }

    /// Adds a point at `r` from the point of view; `weights` are the shape functions times the share of the area.
    #[inline(always)]
    pub fn add(&mut self, simd: S, r: [S::f64s; 3], weights: [S::f64s; N]) {
        let [x, y, z] = r;
        let square = simd.mul_add_f64s(x, x, simd.mul_add_f64s(y, y, simd.mul_f64s(z, z)));
        let root = simd.sqrt_f64s(square);
        let inverse = simd.div_f64s(simd.splat_f64s(1.0), root);
        let inverse_square = simd.mul_f64s(inverse, inverse);
        let cube = simd.mul_f64s(inverse, inverse_square);
        let (ax, ay, az) = (
            simd.mul_f64s(x, cube),
            simd.mul_f64s(y, cube),
            simd.mul_f64s(z, cube),
        );
        let even = [
            simd.mul_f64s(ax, x),
            simd.mul_f64s(ax, y),
            simd.mul_f64s(ax, z),
            simd.mul_f64s(ay, y),
            simd.mul_f64s(ay, z),
            simd.mul_f64s(az, z),
        ];
        let terms = [
            cube,
            ax,
            ay,
            az,
            even[0],
            even[1],
            even[2],
            even[3],
            even[4],
            even[5],
            simd.mul_f64s(even[0], inverse_square),
            simd.mul_f64s(even[1], inverse_square),
            simd.mul_f64s(even[2], inverse_square),
            simd.mul_f64s(even[3], inverse_square),
            simd.mul_f64s(even[4], inverse_square),
            simd.mul_f64s(even[5], inverse_square),
        ];
        let [first, rest @ ..] = &weights[..] else {
            return;
        };
        let add = |sum, weight: &S::f64s| simd.add_f64s(sum, *weight);
        let all = rest.iter().fold(*first, add);
        let scaled = simd.mul_f64s(all, inverse);
        for (sum, c) in self.directions.iter_mut().zip(r) {
            *sum = simd.mul_add_f64s(scaled, c, *sum);
        }
        for (sums, weight) in self.sums.iter_mut().zip(weights) {
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum = simd.mul_add_f64s(term, weight, *sum);
            }
        }
    }
}

/// `∫ φ U dΓ` (times μ) of one shape function, the six different entries, times `factor`: the area and the factor of U.
#[inline(always)]
pub(super) fn displacement_entries<S: Simd>(
    simd: S,
    poisson: f64,
    sums: &[S::f64s; SUMS],
    factor: S::f64s,
) -> [S::f64s; 6] {
    let inverse = simd.add_f64s(sums[4], simd.add_f64s(sums[7], sums[9]));
    let diagonal = simd.mul_f64s(simd.splat_f64s(3.0 - 4.0 * poisson), inverse);
    let mut out = [sums[4], sums[5], sums[6], sums[7], sums[8], sums[9]];
    for k in [0, 3, 5] {
        out[k] = simd.add_f64s(out[k], diagonal);
    }
    for entry in &mut out {
        *entry = simd.mul_f64s(*entry, factor);
    }
    out
}

/// `∫ φ T dΓ` of one shape function, row by row, times `factor`: minus the area and the factor of T. `height` is the distance of the element's plane
/// from the points of view along its `normal`, m.
#[inline(always)]
pub(super) fn traction_entries<S: Simd>(
    simd: S,
    poisson: f64,
    sums: &[S::f64s; SUMS],
    normal: [S::f64s; 3],
    height: S::f64s,
    factor: S::f64s,
) -> [S::f64s; 9] {
    let k = simd.splat_f64s(1.0 - 2.0 * poisson);
    let three = simd.splat_f64s(3.0);
    let diagonal = simd.mul_f64s(k, sums[0]);
    let fifth = [[10, 11, 12], [11, 13, 14], [12, 14, 15]];
    let mut out = [diagonal; 9];
    for i in 0..3 {
        for j in 0..3 {
            let mut even = simd.mul_f64s(three, sums[fifth[i][j]]);
            if i == j {
                even = simd.add_f64s(even, diagonal);
            }
            let even = simd.mul_f64s(even, height);
            let forth = simd.mul_f64s(sums[1 + i], normal[j]);
            let back = simd.mul_f64s(normal[i], sums[1 + j]);
            let odd = simd.mul_f64s(k, simd.sub_f64s(forth, back));
            out[3 * i + j] = simd.mul_f64s(factor, simd.sub_f64s(even, odd));
        }
    }
    out
}
