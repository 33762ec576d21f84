//! Kernels of this crate that `pliant bench` times.

use pliant_core::bench::{BenchKernel, Quantity};

use super::bake::{bem_assembly, bem_columns, fem_columns, held_cube};
use super::capacitance::{factor, solve, update};

/// Numbers of contact nodes at which the small systems are timed.
const CONTACT_NODES: &[usize] = &[10, 20, 40, 100, 300];

/// Tables of dense columns, of 170 MB at 2,562 vertices: together they are as large as that of `gf-sum-dense`, and larger than caches of half a gigabyte.
const DENSE_TABLES: usize = 4;

/// The kernels: sums of dense columns, the capacitance matrix, and the columns themselves.
pub const KERNELS: &[BenchKernel] = &[
    BenchKernel {
        name: "gf-sum-dense",
        about: "sum of scattered columns of Green's functions, single precision, by contact nodes; bytes of the columns and of the field that they are added to",
        quantity: Quantity::GigabytesPerSecond,
        sizes: &[10, 20, 40, 100],
        parallel: true,
        prepare: super::column_sum::column_sum,
    },
    BenchKernel {
        name: "gf-sum-wavelet",
        about: "sum of 40 scattered columns compressed by wavelets (epsilon 0.05) on one thread, by vertices (reference: the same columns stored dense)",
        quantity: Quantity::MicrosecondsPer("column"),
        sizes: &[642, 2562],
        parallel: false,
        prepare: super::wavelet_sum::wavelet_sum,
    },
    BenchKernel {
        name: "gf-wavelet-cached",
        about: "the same sum against that of dense columns that fit the last cache (11 MB), by vertices; the limit is the compression",
        quantity: Quantity::SpeedUp,
        sizes: &[642],
        parallel: false,
        prepare: |vertices| super::wavelet_sum::speed_up(vertices, 1),
    },
    BenchKernel {
        name: "gf-wavelet-memory",
        about: "the same against dense columns that no cache holds (four tables of 170 MB, in each sum other columns), by vertices; the limit is the compression",
        quantity: Quantity::SpeedUp,
        sizes: &[2562],
        parallel: false,
        prepare: |vertices| super::wavelet_sum::speed_up(vertices, DENSE_TABLES),
    },
    BenchKernel {
        name: "capacitance-factor",
        about: "LU of the capacitance matrix, by contact nodes",
        quantity: Quantity::MicrosecondsPer("factor"),
        sizes: CONTACT_NODES,
        parallel: false,
        prepare: factor,
    },
    BenchKernel {
        name: "capacitance-update",
        about: "adding a node to the inverse of the capacitance matrix, by contact nodes (reference: a fresh LU)",
        quantity: Quantity::MicrosecondsPer("node"),
        sizes: CONTACT_NODES,
        parallel: false,
        prepare: update,
    },
    BenchKernel {
        name: "capacitance-solve",
        about: "forces from displacements by the inverse of the capacitance matrix, by contact nodes (reference: by LU)",
        quantity: Quantity::MicrosecondsPer("solve"),
        sizes: CONTACT_NODES,
        parallel: false,
        prepare: solve,
    },
    BenchKernel {
        name: "friction-discs",
        about: "tangential forces of contacts under a finger that partly slides, by contacts (reference: by sweeps alone)",
        quantity: Quantity::MicrosecondsPer("solve"),
        sizes: &[20, 100, 200],
        parallel: false,
        prepare: super::friction::discs,
    },
    BenchKernel {
        name: "haptic-point",
        about: "deformation of a whole body under a masked point contact, by vertices (reference: sum over the mask)",
        quantity: Quantity::MicrosecondsPer("response"),
        sizes: &[620, 2500],
        parallel: false,
        prepare: |vertices| super::haptics::point_response(&held_cube(vertices)),
    },
    BenchKernel {
        name: "servo-tick",
        about: "one tick of the servo loop, sliding with friction, by vertices",
        quantity: Quantity::MicrosecondsPer("tick"),
        sizes: &[620, 2500],
        parallel: false,
        prepare: |vertices| super::haptics::servo_tick(&held_cube(vertices)),
    },
    BenchKernel {
        name: "fem-gf",
        about: "all columns of a clamped block by finite elements, by boundary nodes",
        quantity: Quantity::Seconds,
        sizes: &[640, 1585],
        parallel: true,
        prepare: fem_columns,
    },
    BenchKernel {
        name: "bem-assemble",
        about: "boundary element system of a block, linear elements, by vertices (reference: kernels point by point)",
        quantity: Quantity::Seconds,
        sizes: &[642, 2562],
        parallel: true,
        prepare: bem_assembly,
    },
    BenchKernel {
        name: "bem-gf",
        about: "all columns of a clamped block by boundary elements, by vertices",
        quantity: Quantity::Seconds,
        sizes: &[642, 2562],
        parallel: true,
        prepare: bem_columns,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases_run_and_agree_with_their_references() {
        for kernel in KERNELS {
            if kernel.name == "gf-sum-dense" {
                continue; // its table takes 700 MB
            }
            let size = if kernel.sizes[0] >= 620 { 60 } else { 6 };
            let mut case = (kernel.prepare)(size).expect(kernel.name);
            (case.run)();
            if let Some((_, reference)) = &mut case.reference {
                reference();
            }
            assert!(case.work.flops > 0.0);
        }
    }
}
