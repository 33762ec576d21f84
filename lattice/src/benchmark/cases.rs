//! Kernels of this crate that `pliant bench` times.

use pliant_core::bench::{BenchKernel, Quantity};

use crate::benchmark::blocks::BLOCK;
use crate::benchmark::breaking_block::{fracture, with_broken_links};
use crate::benchmark::region_sums::{region_sum, shared_sum};
use crate::benchmark::rotations::polar;
use crate::benchmark::skin::skin;
use crate::benchmark::steps::{bodies, step, step_of_shell, width, with_stiffness_weights};

/// Sums over regions, steps of one body and of many, rotations, the skin.
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
        prepare: |size| step(size, 1, 0.0),
    },
    BenchKernel {
        name: "lattice-step-damped",
        about: "the same with damping",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[57_760],
        parallel: true,
        prepare: |size| step(size, 1, 0.05),
    },
    BenchKernel {
        name: "lattice-width",
        about: "step of 57,760 particles, single precision, by half-width",
        quantity: Quantity::NanosecondsPer("particle"),
        sizes: &[1, 2, 3, 4, 5, 7, 10],
        parallel: true,
        prepare: width,
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
        prepare: step_of_shell,
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
    BenchKernel {
        name: "skin",
        about: "positions and exact normals of the skin of a bent block of 16 cells along each edge, by vertices",
        quantity: Quantity::NanosecondsPer("vertex"),
        sizes: &[20_000],
        parallel: false,
        prepare: skin,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::blocks::sides;

    #[test]
    fn every_kernel_can_be_prepared_and_run() {
        for kernel in KERNELS {
            let size = match kernel.name {
                "lattice-step" | "lattice-step-damped" => 2000,
                "lattice-shell" => 12,
                "region-sum" | "region-sum-shared" | "lattice-width" | "lattice-painted" => 1,
                "lattice-bodies" => 3,
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
