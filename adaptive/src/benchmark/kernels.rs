//! The list of kernels.

use pliant_core::bench::{BenchKernel, Quantity};
use pliant_core::material::DampingParameters;

use crate::benchmark::cube_second::cube_second;
use crate::benchmark::frame::frame;
use crate::benchmark::level::{forces, step};
use crate::benchmark::poke::poke;
use crate::params::ForceKernel;

/// The kernels: forces and steps of St. Venant–Kirchhoff tetrahedra.
pub const KERNELS: &[BenchKernel] = &[
    BenchKernel {
        name: "fem-force",
        about: "elastic forces of Green-strain tetrahedra on a level, single precision, by tetrahedra (reference: the readable loop in double)",
        quantity: Quantity::NanosecondsPer("tet"),
        sizes: &[100_000],
        parallel: true,
        prepare: |size| forces(size, DampingParameters::default(), ForceKernel::Reference),
    },
    BenchKernel {
        name: "fem-step",
        about: "one explicit step of the same level (reference: with the readable loop)",
        quantity: Quantity::NanosecondsPer("tet"),
        sizes: &[100_000],
        parallel: true,
        prepare: step,
    },
    BenchKernel {
        name: "fem-force-model",
        about: "the forces of `fem-force` (reference: the fast kernel in double)",
        quantity: Quantity::NanosecondsPer("tet"),
        sizes: &[100_000],
        parallel: true,
        prepare: |size| forces(size, DampingParameters::default(), ForceKernel::Fast),
    },
    BenchKernel {
        name: "fem-force-damped",
        about: "the same with viscous forces (reference: the fast kernel in double)",
        quantity: Quantity::NanosecondsPer("tet"),
        sizes: &[100_000],
        parallel: true,
        prepare: |size| {
            let (phi, psi) = (50.0, 50.0);
            forces(size, DampingParameters { phi, psi }, ForceKernel::Fast)
        },
    },
    BenchKernel {
        name: "fem-cube",
        about: "one second of a clamped cube under gravity, 1 m, 5e5 Pa, in frames of 1/60 s, by nodes (reference: with the readable loop)",
        quantity: Quantity::MillisecondsPer("second"),
        sizes: &[1000],
        parallel: false,
        prepare: cube_second,
    },
    BenchKernel {
        name: "adaptive-frame",
        about: "a frame of 1/60 s of a cube of 3 cm elements, 2e4 Pa, all nodes moving, by nodes; with how many have time in a frame",
        quantity: Quantity::MillisecondsPer("frame"),
        sizes: &[2197],
        parallel: true,
        prepare: frame,
    },
    BenchKernel {
        name: "adaptive-poke",
        about: "a frame of a held poke on a cut, times faster than on the finest level, by its nodes; with the ratios and differences of the whole poke",
        quantity: Quantity::SpeedUp,
        sizes: &[35_301],
        parallel: false,
        prepare: poke,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_right_at_a_small_size() {
        for kernel in KERNELS {
            let size = if kernel.name == "fem-cube" { 216 } else { 3000 };
            let mut case = (kernel.prepare)(size).expect("agrees with double precision");
            (case.run)();
            assert!((kernel.prepare)(usize::MAX).is_err());
        }
    }
}
