//! The orientation of a block in slabs whose planes are folded into vectors.
//!
//! Slabs follow each other along z, like the numbers of the particles. Rows can run along x or y, and a plane can be folded in several
//! ways (see [`crate::kernels::memory::fold`]). Their costs differ by a tenth and more: patches leave places empty at the end of a plane, and windows
//! along short patches restart more often.

use crate::kernels::memory::fold::Fold;
use crate::kernels::memory::tiles::TripleOf;

/// Cost of reading a site for a window along rows and along columns, and of all other work at a place, in hundredths of a nanosecond: rounded
/// from profiles of half-widths 4 and 10 on a machine with vectors of 16 numbers.
const ROW_READ: usize = 60;
const COLUMN_READ: usize = 80;
const COST_PER_PLACE: usize = 850;

/// Axes of a lattice, and how its planes are folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Orientation {
    /// axes of the lattice along rows, along columns and across slabs
    pub axes: [usize; 3],
    pub fold: Fold,
}

impl Orientation {
    /// The cheapest orientation for a lattice of `dims` sites, windows of half-width `w` and vectors of `lanes` numbers.
    pub fn cheapest(dims: [usize; 3], w: usize, lanes: usize) -> Self {
        let orders = [[0, 1, 2], [1, 0, 2]];
        let all = orders.into_iter().flat_map(|axes| {
            let [rows, columns, _] = axes.map(|axis| dims[axis]);
            Fold::all(rows, columns, lanes).map(move |fold| Self { axes, fold })
        });
        let least = all.min_by_key(|orientation| orientation.cost(w));
        least.unwrap_or(Self {
            axes: [0, 1, 2],
            fold: Fold::default(),
        })
    }

    /// Cost of a step for a plane of vectors, in hundredths of a nanosecond.
    fn cost(&self, w: usize) -> usize {
        let [rows, columns] = [0, 1].map(|axis| self.fold.windows(axis, w).reads());
        let [across, along] = self.fold.sites;
        COST_PER_PLACE * across * along + ROW_READ * rows * along + COLUMN_READ * columns * across
    }

    /// The triple of a region's numbers for each axis of the lattice: after the plain triple come those of columns, rows and slabs.
    pub fn triples(&self) -> TripleOf {
        let [rows, columns, slabs] = self.axes;
        let mut triples = [0; 3];
        (triples[columns], triples[rows], triples[slabs]) = (1, 2, 3);
        triples
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const DIMS: [[usize; 3]; 7] = [
        [38, 38, 40],
        [5, 160, 60],
        [60, 5, 160],
        [160, 60, 5],
        [16, 19, 90],
        [7, 1, 30],
        [1, 2, 1],
    ];

    #[test]
    fn every_site_has_a_place_of_its_own_and_slabs_follow_the_numbers() {
        let mut found = HashSet::new();
        for dims in DIMS {
            for (w, lanes) in [2, 5, 10]
                .into_iter()
                .flat_map(|w| [4, 8, 16].map(|l| (w, l)))
            {
                let Orientation { axes, fold } = Orientation::cheapest(dims, w, lanes);
                let mut sorted = axes;
                sorted.sort_unstable();
                assert_eq!(sorted, [0, 1, 2]);
                assert_eq!(axes[2], 2);
                assert_eq!(fold.lanes(), lanes);
                let (nx, ny) = (dims[axes[0]], dims[axes[1]]);
                let sites = (0..nx).flat_map(|x| (0..ny).map(move |y| (x, y)));
                let places: HashSet<usize> = sites.map(|(x, y)| fold.place(x, y)).collect();
                assert_eq!(places.len(), nx * ny);
                assert!(places.iter().all(|&at| at < fold.places()));
                found.insert(axes);
            }
        }
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn a_plane_that_fits_leaves_no_place_empty() {
        let Orientation { fold, .. } = Orientation::cheapest([38, 40, 38], 10, 16);
        assert_eq!(fold.places(), 38 * 40);
    }
}
