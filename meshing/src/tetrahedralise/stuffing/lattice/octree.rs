//! An octree around a body: small cells at its border, large ones inside, neighbours at most one size apart.

use std::collections::BTreeSet;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use rayon::prelude::*;

use crate::error::MeshingError;
use crate::geometry::solid::Solid;

/// Cell sizes above the one at the border.
const COARSER: u32 = 6;
/// The most cells.
const CELL_LIMIT: usize = 1 << 22;

/// A cell: its size as a power of two of the smallest one, and its place in units of its own size.
pub type Cell = (u32, [u32; 3]);

/// The cells of a balanced octree.
#[derive(Debug, Clone)]
pub struct Octree {
    /// Lowest corner of the tree, m.
    pub origin: Vec3,
    /// Edge of the smallest cell, m.
    pub finest: f64,
    /// Places of the cells of each size, in units of that size.
    leaves: Vec<BTreeSet<[u32; 3]>>,
}

/// What decides over the size of cells.
pub struct Sizing<'a, S: Solid> {
    /// The body.
    pub solid: &'a S,
    /// Edge of cells at the border, m.
    pub spacing: f64,
    /// Halvings allowed at the border where `needed` asks for smaller cells.
    pub halvings: u32,
    /// The largest edge (m) that a cell at the border may have that is centred at the given point.
    pub needed: &'a (dyn Fn(&Vec3) -> f64 + Sync),
}

impl Octree {
    /// The tree for a body.
    ///
    /// # Errors
    /// [`MeshingError::Cancelled`], [`MeshingError::GridTooLarge`], [`MeshingError::BadSize`] for a bad spacing or box.
    pub fn around<S: Solid>(
        sizing: &Sizing<'_, S>,
        progress: &Progress,
    ) -> Result<Self, MeshingError> {
        let bounds: Aabb = sizing.solid.bounds();
        let size = bounds.size().max();
        let spacing = sizing.spacing;
        if !(spacing.is_finite() && spacing > 0.0 && size.is_finite() && size > 0.0) {
            return Err(MeshingError::BadSize {
                what: "the lattice spacing",
                value: spacing,
            });
        }
        let top = sizing.halvings + COARSER;
        let finest = spacing / f64::from(1_u32 << sizing.halvings);
        let edge = finest * f64::from(1_u32 << top);
        // one layer of the largest cells to spare, but on the grid of the smallest: the lattice is centred on the body
        let count = (size / edge).ceil() + 2.0;
        if count > 1024.0 {
            return Err(MeshingError::GridTooLarge {
                sites: (count * f64::from(1_u32 << top)).powi(3) as u64,
                limit: CELL_LIMIT as u64,
                cell_that_fits: spacing * count / 1000.0,
            });
        }
        let origin = bounds.center() - Vec3::repeat(0.5 * edge * count);
        let mut tree = Self {
            origin,
            finest,
            leaves: vec![BTreeSet::new(); top as usize + 1],
        };
        let n = count as u32;
        let mut open: Vec<[u32; 3]> = (0..n)
            .flat_map(|k| (0..n).flat_map(move |j| (0..n).map(move |i| [i, j, k])))
            .collect();
        for level in (0..=top).rev() {
            progress.check()?;
            let splits: Vec<bool> = open
                .par_iter()
                .map(|&at| level > 0 && tree.must_split(sizing, (level, at)))
                .collect();
            let mut next = Vec::new();
            for (at, split) in open.into_iter().zip(splits) {
                if split {
                    next.extend(children(at));
                } else {
                    tree.leaves[level as usize].insert(at);
                }
            }
            open = next;
            if open.len() > CELL_LIMIT {
                return Err(MeshingError::GridTooLarge {
                    sites: open.len() as u64,
                    limit: CELL_LIMIT as u64,
                    cell_that_fits: 2.0 * spacing,
                });
            }
        }
        tree.balance(progress)?;
        Ok(tree)
    }

    /// Whether a cell is too large for its distance from the border or for what is there.
    fn must_split<S: Solid>(&self, sizing: &Sizing<'_, S>, cell: Cell) -> bool {
        let (center, edge) = (self.center(cell), self.edge(cell.0));
        let distance = sizing.solid.signed_distance(&center).abs();
        let reach = 0.5 * 3.0_f64.sqrt() * edge;
        if edge > 1.01 * sizing.spacing {
            // sites next to the border then belong to cells of the border's size
            return distance < reach + 0.6 * sizing.spacing;
        }
        distance < reach + 0.3 * edge && edge > 1.01 * (sizing.needed)(&center)
    }

    /// Splits cells until neighbours, also those that share an edge or a corner only, are at most one size apart.
    fn balance(&mut self, progress: &Progress) -> Result<(), MeshingError> {
        for level in 0..self.leaves.len().saturating_sub(2) {
            progress.check()?;
            let cells: Vec<[u32; 3]> = self.leaves[level].iter().copied().collect();
            // cells of the next size that must be there, whole or split
            let mut wanted: BTreeSet<[u32; 3]> = BTreeSet::new();
            for at in cells {
                for step in 0..27 {
                    let d = [step % 3, step / 3 % 3, step / 9];
                    if let Some(place) = moved(at, d.map(|x| x - 1)) {
                        wanted.insert(place.map(|x| x / 2));
                    }
                }
            }
            for place in wanted {
                self.refine_to(level + 1, place);
            }
        }
        Ok(())
    }

    /// Splits the leaf that covers a place until it is no larger than `level`.
    fn refine_to(&mut self, level: usize, place: [u32; 3]) {
        let covering = (level + 1..self.leaves.len())
            .find(|&l| self.leaves[l].contains(&place.map(|x| x >> (l - level))));
        let Some(mut at) = covering else { return };
        while at > level {
            let cell = place.map(|x| x >> (at - level));
            self.leaves[at].remove(&cell);
            at -= 1;
            self.leaves[at].extend(children(cell));
        }
    }

    /// Edge of cells of a level, m.
    pub fn edge(&self, level: u32) -> f64 {
        self.finest * f64::from(1_u32 << level)
    }

    /// Centre of a cell, m.
    pub fn center(&self, (level, at): Cell) -> Vec3 {
        self.origin + (Vec3::from(at.map(f64::from)) + Vec3::repeat(0.5)) * self.edge(level)
    }

    /// All cells, small ones first.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0_u32..)
            .zip(&self.leaves)
            .flat_map(|(level, leaves)| leaves.iter().map(move |&at| (level, at)))
    }

    /// Whether there is a cell of exactly this size and place.
    pub fn is_leaf(&self, (level, at): Cell) -> bool {
        let leaves = self.leaves.get(level as usize);
        leaves.is_some_and(|l| l.contains(&at))
    }
}

fn children(at: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..8).map(move |k| {
        [
            2 * at[0] + (k & 1),
            2 * at[1] + (k >> 1 & 1),
            2 * at[2] + (k >> 2),
        ]
    })
}

/// A place moved by a step; `None` below zero.
pub fn moved(at: [u32; 3], step: [i32; 3]) -> Option<[u32; 3]> {
    let x = at[0].checked_add_signed(step[0])?;
    let y = at[1].checked_add_signed(step[1])?;
    let z = at[2].checked_add_signed(step[2])?;
    Some([x, y, z])
}
