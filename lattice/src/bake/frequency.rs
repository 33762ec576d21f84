//! The lowest elastic mode of a lattice, for damping given as a ratio.
//!
//! At rest the stiffness is `K = (α/h²) M (I − S)` with the averaging operator S of [`crate::step::damping::region_average`]. Its lowest eigenvalue over M is found
//! by the Lanczos method in the mass product, on motions that supports allow and that are orthogonal to the rigid motions of unsupported
//! pieces. Without reorthogonalisation copies of converged eigenvalues appear, which do not affect the lowest one.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::step::damping::region_average::RegionAverage;
use crate::step::summation::Summation;

/// Most Lanczos steps.
const MAX_LANCZOS_STEPS: usize = 400;
/// Steps between checks of convergence.
const STEPS_PER_CHECK: usize = 10;
/// Relative change of the eigenvalue between checks at which the iteration stops.
const TOLERANCE: f64 = 2e-3;

/// Smallest eigenvalue of `I − ∂g/∂x` at rest over free motions: `ω₁² h²/α`. Zero if there is no elastic motion.
pub(crate) fn lowest_eigenvalue(
    asset: &LatticeAsset,
    progress: &Progress,
) -> Result<f64, Cancelled> {
    let count = asset.particle_count();
    let (held, rigid) = (asset.held_particles(), rigid_motions(asset));
    let dot = |a: &[Vec3], b: &[Vec3]| dot(&asset.mass, a, b);
    let restrict = |v: &mut [Vec3]| {
        for (v, held) in v.iter_mut().zip(&held) {
            if *held {
                *v = Vec3::zeros();
            }
        }
        for mode in &rigid {
            let share = dot(v, mode);
            for (v, m) in v.iter_mut().zip(mode) {
                *v -= m * share;
            }
        }
    };
    let summation = Summation::new(asset, None);
    let mut operator = RegionAverage::at_rest(asset, &summation);
    let at = (asset.rest.as_slice(), &Vec3::zeros());
    let mut current = smooth_start(asset);
    restrict(&mut current);
    let norm = dot(&current, &current).sqrt();
    if norm.is_nan() || norm <= 1e-12 * asset.mass.iter().sum::<f64>().sqrt() {
        return Ok(0.0);
    }
    current.iter_mut().for_each(|v| *v /= norm);
    let mut previous = vec![Vec3::zeros(); count];
    let (mut diagonal, mut off_diagonal) = (Vec::<f64>::new(), Vec::<f64>::new());
    let mut last = f64::INFINITY;
    for step in 0..MAX_LANCZOS_STEPS.min(3 * count) {
        progress.check()?;
        progress.set_fraction(step as f64 / MAX_LANCZOS_STEPS as f64);
        operator.apply(asset, &summation, at, &current, &asset.mass);
        let beta = off_diagonal.last().copied().unwrap_or(0.0);
        for (p, b) in previous.iter_mut().enumerate() {
            let scaled = current[p] * asset.pull_of(p);
            *b = scaled - operator.average(asset, p, &asset.rest[p]) - *b * beta;
        }
        let alpha = dot(&previous, &current);
        for (b, v) in previous.iter_mut().zip(&current) {
            *b -= v * alpha;
        }
        restrict(&mut previous);
        diagonal.push(alpha);
        let beta = dot(&previous, &previous).sqrt();
        let exhausted = beta < 1e-10;
        if exhausted || step % STEPS_PER_CHECK == STEPS_PER_CHECK - 1 {
            let value = smallest_of_tridiagonal(&diagonal, &off_diagonal);
            if exhausted || (last - value).abs() <= TOLERANCE * value {
                return Ok(value.max(0.0));
            }
            last = value;
        }
        off_diagonal.push(beta);
        previous.iter_mut().for_each(|b| *b /= beta);
        std::mem::swap(&mut previous, &mut current);
    }
    Ok(
        smallest_of_tridiagonal(&diagonal, &off_diagonal[..diagonal.len().saturating_sub(1)])
            .max(0.0),
    )
}

/// Product of two motions by mass.
fn dot(mass: &[f64], a: &[Vec3], b: &[Vec3]) -> f64 {
    let terms = a.iter().zip(b).zip(mass);
    terms.map(|((a, b), m)| m * a.dot(b)).sum()
}

/// Rigid motions of the pieces without a support, orthonormal in the mass product.
fn rigid_motions(asset: &LatticeAsset) -> Vec<Vec<Vec3>> {
    let held = asset.held_components();
    let mut modes: Vec<Vec<Vec3>> = Vec::new();
    // many unsupported pieces would need many vectors: the first ones are enough for an estimate
    for piece in (0..held.len()).filter(|&c| !held[c]).take(16) {
        let first = modes.len();
        for k in 0..6 {
            let axis = Vec3::ith(k % 3, 1.0);
            let motion = |p: usize| match asset.component[p] as usize == piece {
                true if k < 3 => axis,
                true => axis.cross(&asset.rest[p]),
                false => Vec3::zeros(),
            };
            let mut mode: Vec<Vec3> = (0..asset.particle_count()).map(motion).collect();
            for other in &modes[first..] {
                let share = dot(&asset.mass, &mode, other);
                mode.iter_mut()
                    .zip(other)
                    .for_each(|(m, o)| *m -= o * share);
            }
            let norm = dot(&asset.mass, &mode, &mode).sqrt();
            mode.iter_mut().for_each(|m| *m /= norm);
            modes.push(mode);
        }
    }
    modes
}

/// A smooth motion without symmetry: linear and quadratic in the coordinates, with a small irregular part.
fn smooth_start(asset: &LatticeAsset) -> Vec<Vec3> {
    let size = asset.rest.iter().map(|x| x.norm()).fold(0.0, f64::max);
    asset
        .rest
        .iter()
        .enumerate()
        .map(|(p, x)| {
            let y = x / size;
            let ripple = 1e-3 * ((p * 37 % 101) as f64 / 101.0 - 0.5);
            Vec3::new(
                0.9 + 0.7 * y.y - 0.4 * y.z + 1.1 * y.x * y.y + 0.6 * y.z * y.z + ripple,
                0.4 - 0.8 * y.z + 0.5 * y.x + 0.9 * y.y * y.z + 0.7 * y.x * y.x,
                0.7 + 0.3 * y.x + 0.6 * y.y + 0.8 * y.z * y.x + 0.9 * y.y * y.y - ripple,
            )
        })
        .collect()
}

/// Smallest eigenvalue of a symmetric tridiagonal matrix, by bisection with Sturm counts.
fn smallest_of_tridiagonal(diagonal: &[f64], off_diagonal: &[f64]) -> f64 {
    let bound = diagonal
        .iter()
        .chain(off_diagonal)
        .fold(0.0_f64, |a, b| a.max(b.abs()));
    let (mut low, mut high) = (-3.0 * bound, 3.0 * bound);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        let mut pivot = 1.0_f64;
        let mut below = false;
        for (k, d) in diagonal.iter().enumerate() {
            let coupling = k.checked_sub(1).map_or(0.0, |k| off_diagonal[k].powi(2));
            pivot = d - middle - coupling / pivot;
            if pivot == 0.0 {
                pivot = 1e-300;
            }
            if pivot < 0.0 {
                below = true;
                break;
            }
        }
        if below {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::{asset_of, grid_of};

    /// reference: eigenvalues of the assembled goal Jacobian of a 9×3×3 lattice with equal masses, by central differences and a dense solver
    #[test]
    fn the_lowest_mode_of_a_bar_is_that_of_the_assembled_matrix() {
        let expected = [
            (1, 0.024757477544963, 0.0010129633699138786),
            (2, 0.09844956767166978, 0.0023360615516596424),
            (3, 0.25992245003905134, 0.0028955007392511877),
        ];
        for (w, free, clamped) in expected {
            let mut asset = asset_of(&grid_of([8, 2, 2], |_| true), w);
            let progress = Progress::new();
            let found = lowest_eigenvalue(&asset, &progress).expect("not cancelled");
            assert!((found / free - 1.0).abs() < 5e-3, "free w={w}: {found}");
            let end = |p: &u32| asset.sites[*p as usize][0] == 0;
            asset.held = vec![(0..asset.particle_count() as u32).filter(end).collect()];
            let found = lowest_eigenvalue(&asset, &progress).expect("not cancelled");
            assert!(
                (found / clamped - 1.0).abs() < 5e-3,
                "clamped w={w}: {found}"
            );
        }
    }
}
