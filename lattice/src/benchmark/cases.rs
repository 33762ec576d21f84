//! Kernels of this crate that `pliant bench` times.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::bench::{BenchCase, BenchKernel, Quantity, Work};
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use rayon::prelude::*;

use crate::asset::lattice_asset::LatticeAsset;
use crate::bake::assemble::assemble;
use crate::bake::particles::find;
use crate::bake::stiffness_weights::find_pull;
use crate::benchmark::breaking_block::BreakingBlock;
use crate::kernels::{FastBody, Level, ManyRotations};
use crate::params::Sums;
use crate::step::goal::pull;
use crate::step::matching::Matching;
use crate::step::summation::region_sums::Summation;
use crate::step::summation::scratch::Scratch;

/// Particles along x, y, z of the block that sums are timed on.
const BLOCK: [usize; 3] = [38, 38, 40];
/// And of the smaller one for sums particle by particle.
const SMALL_BLOCK: [usize; 3] = [20, 20, 20];
/// Particles of each of many bodies.
const BODY: [usize; 3] = [5, 5, 6];
/// Particles of a body that uses the memory beyond the caches.
const IN_CACHE: usize = 200_000;
/// Goal share and step, s: a body in lively motion stays so.
const ALPHA: f64 = 0.5;
const STEP: f64 = 1e-3;
/// Largest difference from double precision over half the body's longest side, both in cells: some roundings (6e-8) of the largest position.
const TOLERANCE: f64 = 5e-7;
/// Largest error of an entry of a rotation.
const ROTATION_TOLERANCE: f64 = 1e-5;

/// Sums over regions, steps of one body and of many, rotations.
pub const KERNELS: &[BenchKernel] = &[
    BenchKernel {
        name: "region-sum",
        about: "sliding sums of 12 numbers over all regions of 57,760 particles, double precision, by half-width (reference: particle by particle, 8,000 particles)",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[1, 2, 3, 5, 10],
        parallel: true,
        prepare: region_sum,
    },
    BenchKernel {
        name: "region-sum-shared",
        about: "sums of 12 numbers over all regions of 8,000 particles from shared bars, plates and cubes, double precision, by half-width",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[1, 2, 3, 5],
        parallel: true,
        prepare: shared_sum,
    },
    BenchKernel {
        name: "lattice-step",
        about: "step of a solid block in lively motion, half-width 1, single precision, by particles (reference: double)",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[8_000, 57_760],
        parallel: true,
        prepare: |size| step(size, 1, 0.0, false),
    },
    BenchKernel {
        name: "lattice-step-damped",
        about: "the same with damping",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[57_760],
        parallel: true,
        prepare: |size| step(size, 1, 0.05, false),
    },
    BenchKernel {
        name: "lattice-width",
        about: "step of 57,760 particles, single precision, by half-width",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[1, 2, 3, 4, 5, 7, 10],
        parallel: true,
        prepare: |half_width| width(half_width, false),
    },
    BenchKernel {
        name: "lattice-width-steady",
        about: "the same with sums at constant cost for all half-widths, short ones too",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[1, 2, 3, 4, 5, 7, 10],
        parallel: true,
        prepare: |half_width| width(half_width, true),
    },
    BenchKernel {
        name: "lattice-painted",
        about: "step of 57,760 particles of painted stiffness, single precision, by half-width (reference: the same body of one stiffness)",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[1, 4],
        parallel: true,
        prepare: with_stiffness_weights,
    },
    BenchKernel {
        name: "lattice-shell",
        about: "step of the surface cells of a ball, half-width 1, single precision, by cells across (51: 20,000 particles)",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[51],
        parallel: true,
        prepare: shell,
    },
    BenchKernel {
        name: "lattice-bodies",
        about: "step of many bodies of 150 particles, half-width 2, single precision, by bodies",
        quantity: Quantity::MillisecondsPer("step"),
        sizes: &[150],
        parallel: true,
        prepare: bodies,
    },
    BenchKernel {
        name: "lattice-crowd",
        about: "frame of one step of many bodies of 150 particles in a pile, contact and friction between all, nothing asleep, with skins, by bodies (reference: the same without contact between them)",
        quantity: Quantity::MillisecondsPer("step"),
        sizes: &[150],
        parallel: true,
        prepare: crate::benchmark::stacked_bodies::crowd,
    },
    BenchKernel {
        name: "lattice-fracture",
        about: "a frame that breaks links of a block of 57,760 particles, half-width 1: finding them, regions, sums, cut skin, pieces; steps are not counted, by links",
        quantity: Quantity::MillisecondsPer("frame"),
        sizes: &[0, 20, 200],
        parallel: true,
        prepare: |breaks| fracture(BLOCK, breaks),
    },
    BenchKernel {
        name: "lattice-cracked",
        about: "step of a block of 57,760 particles, half-width 1, single precision, by broken links",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[0, 2_000, 20_000],
        parallel: true,
        prepare: |breaks| with_broken_links(BLOCK, breaks),
    },
    BenchKernel {
        name: "polar",
        about: "rotations nearest to matrices 0.2 rad away, by matrices (reference: singular values)",
        quantity: Quantity::NanosecondsPer("matrix"),
        sizes: &[4096],
        parallel: false,
        prepare: polar,
    },
];

/// A full block with unit cells and masses.
fn block(particles: [usize; 3], half_width: usize) -> Result<Arc<LatticeAsset>, String> {
    let dims = particles.map(|n| n.saturating_sub(1));
    let kept = vec![true; dims.iter().product()];
    let grid = VoxelGrid::new(Vec3::zeros(), 1.0, dims, kept);
    let (sites, block) = find(&grid).map_err(|e| e.to_string())?;
    let mass = vec![1.0; sites.len()];
    let asset = assemble(&grid, sites, &block, half_width, mass, &Progress::new());
    asset.map(Arc::new).map_err(|e| e.to_string())
}

/// Particles along the axes of a nearly cubic block of about `count`.
fn sides(count: usize) -> [usize; 3] {
    let side = (count as f64).cbrt();
    let x = (side + 1e-9).floor().max(2.0);
    let last = (count as f64 / (x * x)).round().max(2.0);
    [x as usize, x as usize, last as usize]
}

/// Waves of nearly half a cell: regions rotate by about 0.2 rad.
fn wave(x: [f64; 3]) -> [f64; 3] {
    let bend = |along: f64, phase: f64| 0.4 * (0.5 * along + phase).sin();
    [
        x[0] + bend(x[1], 0.3),
        x[1] + bend(x[2], 1.1),
        x[2] + bend(x[0], 2.0),
    ]
}

/// Sums over the regions of a block, and its particles; the sum's largest number tells whether it is right.
fn sums_of(
    particles: [usize; 3],
    half_width: usize,
    way: Sums,
) -> Result<(usize, impl FnMut() -> f64 + Send), String> {
    let asset = block(particles, half_width)?;
    let summation = Summation::new(&asset, Some(way));
    let field: Vec<[f64; 12]> = (0..asset.particle_count())
        .map(|p| std::array::from_fn(|c| ((p * 7 + c) as f64).sin()))
        .collect();
    let mut out = vec![[0.0; 12]; asset.region_count()];
    let mut scratch = Scratch::default();
    let count = asset.particle_count();
    let run = move || {
        summation.sum(&asset.plan, &field, &mut scratch, &mut out);
        black_box(&out);
        out.iter().flatten().map(|x| x.abs()).fold(0.0, f64::max)
    };
    Ok((count, run))
}

fn shared_sum(half_width: usize) -> Result<BenchCase, String> {
    let (count, mut run) = sums_of(SMALL_BLOCK, half_width, Sums::BarPlateCube)?;
    let work = Work {
        bytes: 0.0,
        // bars, plates and cubes of twice the half-width and one
        flops: (count * 12 * 3 * 2 * half_width) as f64,
        double: true,
    };
    Ok(BenchCase::new(half_width, count as f64, work, move || {
        black_box(run());
    }))
}

fn region_sum(half_width: usize) -> Result<BenchCase, String> {
    let sums_of = |particles, way| sums_of(particles, half_width, way);
    let (_, mut fast) = sums_of(SMALL_BLOCK, Sums::Running)?;
    let (slow_count, mut slow) = sums_of(SMALL_BLOCK, Sums::Naive)?;
    let (a, b) = (fast(), slow());
    if (a - b).abs() > 1e-10 * b {
        return Err(format!(
            "sliding sums reach {a}, sums particle by particle {b}"
        ));
    }
    let (count, mut fast) = sums_of(BLOCK, Sums::Running)?;
    let work = Work {
        bytes: 0.0,
        // two additions an axis and number
        flops: (count * 12 * 6) as f64,
        double: true,
    };
    let case = BenchCase::new(half_width, count as f64, work, move || {
        black_box(fast());
    });
    Ok(case.with_reference(slow_count as f64, move || {
        black_box(slow());
    }))
}

/// Work of one step of `count` particles with half-width `w`.
fn step_work(count: usize, damped: bool) -> Work {
    // window sums and ramps, two iterations for a rotation, transforms, goal, motion
    let flops = 27.0 * 3.0 + 2.0 * 120.0 + 120.0;
    let damping = if damped { 54.0 * 2.0 + 120.0 } else { 0.0 };
    // positions, velocities and rotations twice, constants, offsets
    let bytes = 128.0 + if damped { 100.0 } else { 0.0 };
    Work {
        bytes: if count > IN_CACHE {
            bytes * count as f64
        } else {
            0.0
        },
        flops: (flops + damping) * count as f64,
        double: false,
    }
}

/// A step of the large block, named after its half-width.
fn width(half_width: usize, steady: bool) -> Result<BenchCase, String> {
    // from there on every region is the whole block
    let most = BLOCK.iter().max().copied().unwrap_or(0);
    if half_width > most {
        return Err(format!("half-widths of 1 to {most}"));
    }
    let mut case = step(BLOCK.iter().product(), half_width, 0.0, steady)?;
    case.size = half_width;
    Ok(case)
}

fn step(particles: usize, half_width: usize, gain: f64, steady: bool) -> Result<BenchCase, String> {
    let asset = block(sides(particles), half_width)?;
    let count = asset.particle_count();
    let mut body = match steady {
        false => FastBody::new(Arc::clone(&asset), Level::Auto),
        true => FastBody::steady(&asset, Level::Auto),
    };
    body.deform(wave);
    let mut reference = Reference::new(Arc::clone(&asset));
    reference.check(&mut body)?;
    let case = BenchCase::new(
        count,
        count as f64,
        step_work(count, gain > 0.0),
        move || {
            body.step(ALPHA, STEP, gain);
        },
    );
    Ok(case.with_reference(count as f64, move || reference.step()))
}

fn with_stiffness_weights(half_width: usize) -> Result<BenchCase, String> {
    let plain = block(sides(BLOCK.iter().product()), half_width)?;
    let mut asset = (*plain).clone();
    let weight = |region: usize| 0.6 + 0.4 * (0.01 * region as f64).sin();
    asset.stiffness_weights = (0..asset.region_count()).map(weight).collect();
    find_pull(&mut asset);
    let (asset, count) = (Arc::new(asset), plain.particle_count());
    let [mut body, mut other] = [&asset, &plain].map(|asset| {
        let mut body = FastBody::new(Arc::clone(asset), Level::Auto);
        body.deform(wave);
        body
    });
    Reference::new(asset).check(&mut body)?;
    let case = BenchCase::new(
        half_width,
        count as f64,
        step_work(count, false),
        move || body.step(ALPHA, STEP, 0.0),
    );
    Ok(case.with_reference(count as f64, move || other.step(ALPHA, STEP, 0.0)))
}

/// The step in double precision.
struct Reference {
    asset: Arc<LatticeAsset>,
    summation: Summation,
    matching: Matching,
    q: Vec<[f64; 4]>,
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    offsets: Vec<Vec3>,
}

impl Reference {
    fn new(asset: Arc<LatticeAsset>) -> Self {
        let place = |x: &Vec3| Vec3::from(wave((*x).into()));
        Self {
            summation: Summation::new(&asset, None),
            matching: Matching::new(&asset),
            q: vec![[1.0, 0.0, 0.0, 0.0]; asset.region_count()],
            x: asset.rest.iter().map(place).collect(),
            v: vec![Vec3::zeros(); asset.particle_count()],
            offsets: vec![Vec3::zeros(); asset.particle_count()],
            asset,
        }
    }

    fn find_goals(&mut self) {
        let center = Vec3::zeros();
        self.matching
            .moments(&self.asset, &self.summation, &self.x, &center);
        self.matching.fit(&self.asset, &mut self.q, true);
        self.matching.spread(&self.asset, &self.summation);
        pull(
            &self.asset,
            &self.matching.transform_sums,
            (&self.x, &center),
            (ALPHA / STEP, &Vec3::zeros()),
            &mut self.v,
            &mut self.offsets,
        );
    }

    fn step(&mut self) {
        self.find_goals();
        for (x, v) in self.x.iter_mut().zip(&self.v) {
            *x += v * STEP;
        }
    }

    /// Compares the goals of `body`, which is where this is.
    fn check(&mut self, body: &mut FastBody) -> Result<(), String> {
        self.find_goals();
        body.find_goals();
        let longest = self.asset.dims.iter().copied().max().unwrap_or(0);
        let tolerance = TOLERANCE * 0.5 * longest as f64;
        for (p, offset) in self.offsets.iter().enumerate() {
            let off = (body.offset(p) - offset).amax();
            if off > tolerance {
                return Err(format!(
                    "the goal of particle {p} is {off:e} cells off in single precision"
                ));
            }
        }
        self.v.fill(Vec3::zeros());
        Ok(())
    }
}

fn shell(diameter: usize) -> Result<BenchCase, String> {
    let mut body = crate::kernels::shell(diameter, 1, Level::Auto).map_err(|e| e.to_string())?;
    body.deform(wave);
    let count = body.particle_count();
    let work = step_work(count, false);
    Ok(BenchCase::new(count, count as f64, work, move || {
        body.step(ALPHA, STEP, 0.0);
    }))
}

fn bodies(count: usize) -> Result<BenchCase, String> {
    let asset = block(BODY, 2)?;
    let mut body = FastBody::new(Arc::clone(&asset), Level::Auto);
    body.deform(wave);
    Reference::new(Arc::clone(&asset)).check(&mut body)?;
    let particles = count * asset.particle_count();
    let mut bodies = vec![body; count];
    Ok(BenchCase::new(
        count,
        1.0,
        step_work(particles, false),
        move || {
            bodies
                .par_iter_mut()
                .for_each(|body| body.step(ALPHA, STEP, 0.0));
        },
    ))
}

fn fracture(particles: [usize; 3], breaks: usize) -> Result<BenchCase, String> {
    let mut block = BreakingBlock::new(particles, 1).map_err(|e| e.to_string())?;
    let links = (13 * block.particle_count()) as f64;
    let work = Work {
        // ends of all links
        bytes: 8.0 * links,
        flops: 9.0 * links,
        double: true,
    };
    Ok(BenchCase::new(breaks, 1.0, work, move || {
        black_box(block.frame(breaks));
    }))
}

fn with_broken_links(particles: [usize; 3], breaks: usize) -> Result<BenchCase, String> {
    let mut block = BreakingBlock::new(particles, 1).map_err(|e| e.to_string())?;
    block.frame(breaks);
    let count = block.particle_count();
    let work = step_work(count, false);
    Ok(BenchCase::new(breaks, count as f64, work, move || {
        block.step(ALPHA, STEP);
    }))
}

fn polar(count: usize) -> Result<BenchCase, String> {
    let mut many = ManyRotations::lively(count, Level::Auto);
    many.find();
    let error = many.error();
    if error > ROTATION_TOLERANCE {
        return Err(format!("a rotation is off by {error:e}"));
    }
    let count = many.count();
    let slow = many.clone();
    let work = Work {
        bytes: 0.0,
        flops: (count * 240) as f64,
        double: false,
    };
    let case = BenchCase::new(count, count as f64, work, move || many.find());
    Ok(case.with_reference(64.0, move || {
        for k in 0..64.min(slow.count()) {
            black_box(slow.reference(k));
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_can_be_prepared_and_run() {
        for kernel in KERNELS {
            let size = match kernel.name {
                "lattice-step" | "lattice-step-damped" => 2000,
                "lattice-shell" => 12,
                "region-sum"
                | "region-sum-shared"
                | "lattice-width"
                | "lattice-width-steady"
                | "lattice-painted" => 1,
                "lattice-bodies" => 3,
                "lattice-crowd" => 30,
                "lattice-fracture" | "lattice-cracked" => 20,
                _ => 100,
            };
            let mut case = (kernel.prepare)(size).expect(kernel.name);
            (case.run)();
            if let Some((_, reference)) = &mut case.reference {
                reference();
            }
        }
    }

    #[test]
    fn blocks_have_about_the_particles_asked_for() {
        assert_eq!(sides(57_760), [38, 38, 40]);
        assert_eq!(sides(1_000_000), [100, 100, 100]);
        assert_eq!(sides(8000), [20, 20, 20]);
    }
}
