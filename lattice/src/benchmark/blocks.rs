//! The bodies that are timed: full, strongly deformed blocks, and the work of their steps.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::bench::Work;
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;

use crate::asset::LatticeAsset;
use crate::bake::assemble::assemble;
use crate::bake::particles::find;
use crate::benchmark::stepped_body::Pace;
use crate::error::LatticeError;

/// Particles along x, y, z of the block that sums are timed on.
pub(crate) const BLOCK: [usize; 3] = [38, 38, 40];
/// And of the smaller one for sums particle by particle.
pub(crate) const SMALL_BLOCK: [usize; 3] = [20, 20, 20];
/// Particles of each of many bodies.
pub(crate) const BODY: [usize; 3] = [5, 5, 6];
/// Largest number of particles of a body that fits into the caches.
const MAX_PARTICLES_IN_CACHE: usize = 200_000;

/// The steps of all bodies; `gain` is that of their damping, 0 (none) to 1.
pub fn pace(gain: f64) -> Pace {
    // small steps: a deformed body stays in motion
    Pace {
        step: 1e-3,
        alpha: 0.5,
        gain,
    }
}

/// A full block of `particles` along x, y, z with unit cells and masses.
///
/// # Errors
/// [`LatticeError::TooFewParticles`], [`LatticeError::GridTooLarge`].
pub fn block(particles: [usize; 3], half_width: usize) -> Result<Arc<LatticeAsset>, LatticeError> {
    let dims = particles.map(|n| n.saturating_sub(1));
    bake_grid(dims, vec![true; dims.iter().product()], half_width)
}

/// The cells of a sphere's surface, `diameter` unit cells across, with unit masses.
///
/// # Errors
/// As [`block`].
pub fn shell(diameter: usize, half_width: usize) -> Result<Arc<LatticeAsset>, LatticeError> {
    let radius = 0.5 * diameter as f64;
    let kept = |at: usize| {
        let cell = [
            at % diameter,
            at / diameter % diameter,
            at / diameter / diameter,
        ];
        let square: f64 = cell
            .iter()
            .map(|&i| (i as f64 + 0.5 - radius).powi(2))
            .sum();
        square <= radius * radius && square >= (radius - 1.0).powi(2)
    };
    let kept = (0..diameter.pow(3)).map(kept).collect();
    bake_grid([diameter; 3], kept, half_width)
}

fn bake_grid(
    dims: [usize; 3],
    kept: Vec<bool>,
    half_width: usize,
) -> Result<Arc<LatticeAsset>, LatticeError> {
    let grid = VoxelGrid::new(Vec3::zeros(), 1.0, dims, kept);
    let (sites, block) = find(&grid)?;
    let mass = vec![1.0; sites.len()];
    let asset = assemble(&grid, sites, &block, half_width, mass, &Progress::new());
    asset.map(Arc::new)
}

/// Particles along the axes of a nearly cubic block of about `count`.
pub(crate) fn sides(count: usize) -> [usize; 3] {
    let side = (count as f64).cbrt();
    let x = (side + 1e-9).floor().max(2.0);
    let last = (count as f64 / (x * x)).round().max(2.0);
    [x as usize, x as usize, last as usize]
}

/// Maps a position at rest (cells from the centre) to one with waves of nearly half a cell: regions rotate by about 0.2 rad.
pub fn wave(x: [f64; 3]) -> [f64; 3] {
    let bend = |along: f64, phase: f64| 0.4 * (0.5 * along + phase).sin();
    [
        x[0] + bend(x[1], 0.3),
        x[1] + bend(x[2], 1.1),
        x[2] + bend(x[0], 2.0),
    ]
}

/// Work of one step of `count` particles with half-width `w`.
pub(crate) fn step_work(count: usize, damped: bool) -> Work {
    // window sums and ramps, two iterations for a rotation, transforms, goal, motion
    let flops = 27.0 * 3.0 + 2.0 * 120.0 + 120.0;
    let damping = if damped { 54.0 * 2.0 + 120.0 } else { 0.0 };
    // positions, velocities and rotations twice, constants, offsets
    let bytes = 128.0 + if damped { 100.0 } else { 0.0 };
    Work {
        bytes: if count > MAX_PARTICLES_IN_CACHE {
            bytes * count as f64
        } else {
            0.0
        },
        flops: (flops + damping) * count as f64,
        double: false,
    }
}
