//! Sums over quadrature points from which the blocks of an element follow.
//!
//! On a flat element the normal and the distance of its plane are constant, so that both kernels are combinations of fifteen sums for each shape
//! function: `1/R`, `r r/R³`, `1/R³`, `r/R³` and `r r/R⁵`, where the traces repeat two of them. Vector lanes sum many numbers side by side:
//! either for many source points of one element, or for many points of one rule.

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

    /// Adds a point at `r` from the source point; `weights` are the shape functions times the share of the area.
    #[inline(always)]
    pub fn add(&mut self, simd: S, r: [S::f64s; 3], weights: [S::f64s; N]) {
        let (terms, inverse) = terms(simd, r);
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

/// The terms of the sums at `r` from the source point, and `1/R`.
#[inline(always)]
pub(super) fn terms<S: Simd>(simd: S, r: [S::f64s; 3]) -> ([S::f64s; SUMS], S::f64s) {
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
    (terms, inverse)
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
    let share = simd.mul_f64s(simd.splat_f64s(3.0 - 4.0 * poisson), factor);
    let diagonal = simd.mul_f64s(share, inverse);
    let whole = |k: usize| simd.mul_add_f64s(sums[k], factor, diagonal);
    let odd = |k: usize| simd.mul_f64s(sums[k], factor);
    [whole(4), odd(5), odd(6), whole(7), odd(8), whole(9)]
}

/// Factors of the tractions of an element that all its shape functions share.
#[derive(Clone, Copy)]
pub(super) struct TractionFactors<S: Simd> {
    /// `3 h f` for `r r/R⁵`.
    along: S::f64s,
    /// `(1 − 2ν) h f` for `1/R³` on the diagonal.
    diagonal: S::f64s,
    /// `(1 − 2ν) f n` for `r/R³`.
    across: [S::f64s; 3],
}

impl<S: Simd> TractionFactors<S> {
    /// `factor` is minus the area and the factor of T; `height` the distance of the element's plane from the source points along its `normal`, m.
    #[inline(always)]
    pub fn new(
        simd: S,
        poisson: f64,
        normal: [S::f64s; 3],
        height: S::f64s,
        factor: S::f64s,
    ) -> Self {
        let shear = simd.mul_f64s(simd.splat_f64s(1.0 - 2.0 * poisson), factor);
        let along = simd.mul_f64s(simd.mul_f64s(simd.splat_f64s(3.0), height), factor);
        Self {
            along,
            diagonal: simd.mul_f64s(shear, height),
            across: normal.map(|n| simd.mul_f64s(n, shear)),
        }
    }

    /// `∫ φ T dΓ` of one shape function, row by row.
    #[inline(always)]
    pub fn entries(&self, simd: S, sums: &[S::f64s; SUMS]) -> [S::f64s; 9] {
        let [nx, ny, nz] = self.across;
        let diagonal = simd.mul_f64s(self.diagonal, sums[0]);
        let whole = |k: usize| simd.mul_add_f64s(self.along, sums[k], diagonal);
        let even = |k: usize| simd.mul_f64s(self.along, sums[k]);
        // the antisymmetric part
        let turn = |a: usize, na: S::f64s, b: usize, nb: S::f64s| {
            simd.sub_f64s(
                simd.mul_f64s(sums[1 + a], nb),
                simd.mul_f64s(na, sums[1 + b]),
            )
        };
        let (xy, xz, yz) = (even(11), even(12), even(14));
        let (ab, ac, bc) = (turn(0, nx, 1, ny), turn(0, nx, 2, nz), turn(1, ny, 2, nz));
        [
            whole(10),
            simd.sub_f64s(xy, ab),
            simd.sub_f64s(xz, ac),
            simd.add_f64s(xy, ab),
            whole(13),
            simd.sub_f64s(yz, bc),
            simd.add_f64s(xz, ac),
            simd.add_f64s(yz, bc),
            whole(15),
        ]
    }
}
