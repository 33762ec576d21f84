//! Forces in the order of the tree, the blocks that they load, and the coefficients of the terms.

use std::ops::Range;

use pliant_core::math::Vec3;

use super::kernels::dot_at;
use super::matrix::{Block, Form, HierarchicalMatrix};

/// Buffers of [`HierarchicalMatrix::add_columns`]; they grow at first, and belong to no matrix.
#[derive(Debug, Clone, Default)]
pub struct SumScratch {
    /// places with a force, ascending
    pub(super) loaded: Vec<u32>,
    /// force at each place, three numbers each; zero everywhere else
    pub(super) forces: Vec<f64>,
    /// clusters that the walk down the tree has yet to visit
    pub(super) pending: Vec<u32>,
    pub(super) loaded_blocks: Vec<LoadedBlock>,
    /// coefficients of terms
    pub(super) coefficients: Vec<f64>,
    /// displacements by place
    pub(super) sums: Vec<f64>,
}

/// A block with forces on its rows or columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadedBlock {
    pub(super) block: u32,
    /// Whether forces are on the rows, so that the columns move.
    pub(super) transposed: bool,
    /// offset of the coefficients of its terms
    pub(super) coefficients: u32,
}

/// Forces in the order of the tree, the places that have one, and the coefficients of the terms.
#[derive(Clone, Copy)]
pub(super) struct Loads<'a> {
    pub(super) loaded: &'a [u32],
    pub(super) forces: &'a [f64],
    pub(super) coefficients: &'a [f64],
}

impl<'a> Loads<'a> {
    /// Loaded places within a range of places.
    pub(super) fn within(&self, range: &Range<usize>) -> &'a [u32] {
        let begin = self.loaded.partition_point(|&p| (p as usize) < range.start);
        let end = self.loaded.partition_point(|&p| (p as usize) < range.end);
        &self.loaded[begin..end]
    }
}

impl HierarchicalMatrix {
    /// Lists the blocks that forces load, with the coefficients of their terms. Returns the number of multiplications to do.
    pub(super) fn prepare(&self, forces: &[(u32, Vec3)], scratch: &mut SumScratch) -> usize {
        let n = self.nodes();
        let SumScratch {
            loaded,
            forces: by_place,
            pending,
            loaded_blocks,
            coefficients,
            sums: _,
        } = scratch;
        by_place.resize(3 * n, 0.0);
        for list in [&mut *loaded, &mut *pending] {
            list.clear();
        }
        loaded_blocks.clear();
        coefficients.clear();
        for (node, force) in forces {
            let place = self.tree.place()[*node as usize];
            loaded.push(place);
            for axis in 0..3 {
                let scale = f64::from(self.inverse_factors[*node as usize]);
                by_place[3 * place as usize + axis] += scale * force[axis];
            }
        }
        loaded.sort_unstable();
        loaded.dedup();
        let mut work = 0;
        pending.push(0);
        while let Some(cluster) = pending.pop() {
            let loads = Loads {
                loaded,
                forces: by_place,
                coefficients: &[],
            };
            let cluster_places = loads.within(&self.tree.cluster(cluster).range());
            if cluster_places.is_empty() {
                continue;
            }
            let mut add = |block: u32, transposed: bool| {
                loaded_blocks.push(LoadedBlock {
                    block,
                    transposed,
                    coefficients: coefficients.len() as u32,
                });
                let block = &self.blocks[block as usize];
                work += self.add_coefficients(
                    block,
                    transposed,
                    cluster_places,
                    by_place,
                    coefficients,
                );
            };
            for k in self.blocks_of_row(cluster) {
                add(k as u32, true);
            }
            for &k in self.blocks_of_column(cluster) {
                add(k, false);
            }
            if let Some(children) = self.tree.cluster(cluster).children() {
                pending.extend(children);
            }
        }
        work
    }

    /// Appends the coefficients of a block's terms. Returns the number of multiplications that its columns then take.
    fn add_coefficients(
        &self,
        block: &Block,
        transposed: bool,
        loaded: &[u32],
        forces: &[f64],
        out: &mut Vec<f64>,
    ) -> usize {
        let [rows, columns] = self.clusters_of(block);
        let (source, moved, skip) = match transposed {
            true => (rows, columns, 0),
            false => (columns, rows, rows.size()),
        };
        let Form::LowRank { wide, narrow } = block.form else {
            return 3 * loaded.len() * moved.size();
        };
        let [s, w, v] = block.offsets.map(|x| x as usize);
        let (wide, narrow) = (usize::from(wide), usize::from(narrow));
        let length = rows.size() + columns.size();
        let first = source.range().start;
        for t in 0..wide {
            let vector = &self.wide[w + t * length + skip..];
            out.push(f64::from(self.scales[s + t]) * dot_at(vector, loaded, first, forces));
        }
        for t in 0..narrow {
            let vector = &self.narrow[v + t * length + skip..];
            let scale = f64::from(self.scales[s + wide + t]);
            out.push(scale * dot_at(vector, loaded, first, forces));
        }
        (wide + narrow) * moved.size()
    }
}
