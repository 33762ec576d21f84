//! Displacements under nodal forces: the part of the matrix-vector product that the forces touch.

use pliant_core::math::Vec3;
use rayon::prelude::*;

use super::kernels::{add_column, add_columns, dot_at, dot_tail};
use super::loads::{LoadedBlock, Loads, SumScratch};
use super::matrix::{Form, HierarchicalMatrix, packed_offset};

/// Number of multiplications below which one thread is faster than several.
const MIN_PARALLEL_PRODUCTS: usize = 400_000;

impl HierarchicalMatrix {
    /// Adds the displacements (m) under `forces` (node, N) to `field`, three numbers a node.
    ///
    /// `field` has `3n` numbers. The forces of a node that comes twice add up. The bits do not depend on the number of threads, nor on the machine. Nothing is
    /// allocated once `scratch` has grown. Cost: `3n` multiplications for each term of the blocks of all clusters with a force. Several nodes that lie close together cost little more than
    /// one.
    ///
    /// # Panics
    /// For numbers that are no nodes, and where `field` has another length.
    pub fn add_columns(&self, forces: &[(u32, Vec3)], field: &mut [f64], scratch: &mut SumScratch) {
        assert_eq!(field.len(), 3 * self.nodes(), "three numbers a node");
        let work = self.prepare(forces, scratch);
        let parts = match work < MIN_PARALLEL_PRODUCTS {
            true => 1,
            false => rayon::current_num_threads(),
        };
        self.apply(field, scratch, parts);
    }

    /// As [`Self::add_columns`] on the calling thread alone, for callers that run in parallel already.
    ///
    /// # Panics
    /// As [`HierarchicalMatrix::add_columns`].
    pub fn add_columns_on_one_thread(
        &self,
        forces: &[(u32, Vec3)],
        field: &mut [f64],
        scratch: &mut SumScratch,
    ) {
        assert_eq!(field.len(), 3 * self.nodes(), "three numbers a node");
        self.prepare(forces, scratch);
        self.apply(field, scratch, 1);
    }

    /// Adds the displacements of all loaded blocks to the field, a range of places on each thread, and clears the forces.
    pub(super) fn apply(&self, field: &mut [f64], scratch: &mut SumScratch, parts: usize) {
        let SumScratch {
            loaded,
            forces,
            loaded_blocks,
            coefficients,
            sums,
            ..
        } = scratch;
        sums.clear();
        sums.resize(field.len(), 0.0);
        let loads = Loads {
            loaded,
            forces,
            coefficients,
        };
        let length = field.len().div_ceil(parts).max(1);
        let add = |(k, out): (usize, &mut [f64])| {
            self.add_blocks(loaded_blocks, loads, k * length, out);
        };
        match parts {
            1 => sums.chunks_mut(length).enumerate().for_each(add),
            _ => sums.par_chunks_mut(length).enumerate().for_each(add),
        }
        for (&node, sum) in self.tree.order().iter().zip(sums.as_chunks::<3>().0) {
            let scale = f64::from(self.inverse_factors[node as usize]);
            let at = 3 * node as usize;
            for axis in 0..3 {
                field[at + axis] += scale * sum[axis];
            }
        }
        for &place in loaded.iter() {
            forces[3 * place as usize..][..3].fill(0.0);
        }
    }

    /// Adds all loaded blocks, one after the other, to the sums of scalars from `begin` on.
    fn add_blocks(
        &self,
        loaded_blocks: &[LoadedBlock],
        loads: Loads<'_>,
        begin: usize,
        out: &mut [f64],
    ) {
        for load in loaded_blocks {
            let block = &self.blocks[load.block as usize];
            let [rows, columns] = self.clusters_of(block);
            let moved = if load.transposed { columns } else { rows }.scalars();
            let (low, high) = (moved.start.max(begin), moved.end.min(begin + out.len()));
            if low >= high {
                continue;
            }
            let target = &mut out[low - begin..high - begin];
            let from = low - moved.start;
            let [_, wide, narrow] = block.offsets.map(|x| x as usize);
            match block.form {
                Form::LowRank {
                    wide: wides,
                    narrow: narrows,
                } => {
                    let factors = &loads.coefficients[load.coefficients as usize..];
                    let (first, rest) = factors.split_at(usize::from(wides));
                    let rest = &rest[..usize::from(narrows)];
                    let length = rows.size() + columns.size();
                    let skip = from + if load.transposed { rows.size() } else { 0 };
                    add_columns(&self.wide[wide..], length, skip, first, target);
                    add_columns(&self.narrow[narrow..], length, skip, rest, target);
                }
                Form::Dense { wide: true } => {
                    self.add_dense(&self.wide[wide..], load, loads, from, target);
                }
                Form::Dense { wide: false } => {
                    self.add_dense(&self.narrow[narrow..], load, loads, from, target);
                }
            }
        }
    }

    /// Adds a dense block to the sums from the `from`-th of its rows on, or of its columns where it is transposed.
    fn add_dense<T: Copy + Into<f64>>(
        &self,
        numbers: &[T],
        load: &LoadedBlock,
        loads: Loads<'_>,
        from: usize,
        out: &mut [f64],
    ) {
        let (block, transposed) = (&self.blocks[load.block as usize], load.transposed);
        let [rows, columns] = self.clusters_of(block);
        let scales = &self.scales[block.offsets[0] as usize..][..columns.size()];
        let source = if transposed { rows } else { columns };
        let first = source.range().start;
        let loaded = loads.within(&source.range());
        let scalars = || {
            let three = |&p: &u32| [0, 1, 2].map(|k| 3 * p as usize + k);
            loaded.iter().flat_map(three)
        };
        let height = rows.size();
        if block.row == block.column {
            for at in scalars() {
                // below the diagonal
                let c = at - 3 * first;
                let column = &numbers[packed_offset(height, c)..packed_offset(height, c + 1)];
                let factor = loads.forces[at] * f64::from(scales[c]);
                let (skip, past) = (from.max(c), from + out.len());
                if skip < past {
                    add_column(&column[skip - c..past - c], factor, &mut out[skip - from..]);
                }
            }
            for (k, sum) in out.iter_mut().enumerate() {
                // above it
                let c = from + k;
                let column = &numbers[packed_offset(height, c)..packed_offset(height, c + 1)];
                let part = dot_tail(column, loaded, first, c, loads.forces);
                *sum += part * f64::from(scales[c]);
            }
        } else if transposed {
            for (k, sum) in out.iter_mut().enumerate() {
                let c = from + k;
                let part = dot_at(&numbers[c * height..], loaded, first, loads.forces);
                *sum += part * f64::from(scales[c]);
            }
        } else {
            for at in scalars() {
                let c = at - 3 * first;
                let factor = loads.forces[at] * f64::from(scales[c]);
                add_column(&numbers[c * height + from..][..out.len()], factor, out);
            }
        }
    }
}
