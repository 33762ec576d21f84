//! The kernels that `pliant bench` times, of all solvers.

mod scene_bodies;
mod stacked_bodies;

use pliant_core::bench::BenchKernel;

/// All kernels, by crate.
pub fn kernels() -> Vec<BenchKernel> {
    [
        pliant_adaptive::benchmark::KERNELS,
        pliant_quasistatic::benchmark::KERNELS,
        pliant_lattice::benchmark::cases::KERNELS,
        pliant_meshing::bench_cases::KERNELS,
        scene_bodies::KERNELS,
    ]
    .concat()
}
