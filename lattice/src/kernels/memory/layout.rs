//! The layout of a lattice as slabs of numbers.

use std::sync::Arc;

use crate::kernels::memory::orientation::Orientation;
use crate::kernels::memory::slab_groups::goals_group_size;
use crate::kernels::memory::tiles::{IN_ORDER, Places, TripleOf};
use crate::kernels::vector::pack::Numbers;

/// The layout of the numbers of particles: planes, a few of each kind for a slab.
///
/// A block has a slab for each layer of constant z, a flat plane of rows along x. After each row there are as many empty places as a short window
/// reads beyond it. After the plane come the particles that share their site with another one. With long windows the plane is folded into vectors, and rows
/// may run along another axis (see [`crate::kernels::memory::orientation`]). A small block is one slab with empty rows after each layer. A list has the particles in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Layout {
    pub slabs: usize,
    /// Places of a slab, whole lines.
    pub plane: usize,
    /// Zeros before and after a plane that windows along x and y run over.
    pub margin: usize,
    /// Places from one row of a block to the next; 0 for a list and for folded planes.
    pub pitch: usize,
    /// Places from one layer of a small block to the next; 0 for others.
    pub layer: usize,
    pub half_width: usize,
    /// Orientation of a block whose window sums have a cost that does not depend on the half-width.
    pub(crate) orientation: Option<Orientation>,
    /// Particles of a block that are not the first of their site, ascending, with their places in their slabs.
    pub(crate) others: Arc<[[u32; 2]]>,
}

impl Layout {
    pub fn is_list(&self) -> bool {
        self.pitch == 0 && self.orientation.is_none()
    }

    pub fn is_small(&self) -> bool {
        self.layer > 0
    }

    /// Whether the cost of window sums does not depend on the half-width.
    pub fn is_long(&self) -> bool {
        self.orientation.is_some()
    }

    /// The triple of a region's numbers for each axis.
    pub fn triples(&self) -> TripleOf {
        self.orientation
            .map_or(IN_ORDER, |orientation| orientation.triples())
    }

    /// Slabs of a ring.
    pub fn ring_slabs(&self) -> usize {
        match self {
            _ if self.is_list() || self.is_small() => 0,
            _ if self.is_long() => 2 * self.half_width + goals_group_size(self.half_width),
            _ => 2 * self.half_width + 1,
        }
    }

    /// Places of the moments of regions.
    pub fn moments(&self) -> Places {
        self.region_places(self.plane, 0)
    }

    /// Places of the transforms of regions.
    pub fn transforms(&self) -> Places {
        self.region_places(self.padded(), self.margin)
    }

    fn region_places(&self, step: usize, first: usize) -> Places {
        match &self.orientation {
            Some(orientation) => Places::Tiles {
                lanes: orientation.fold.lanes(),
                triples: orientation.triples(),
            },
            None => Places::Planes { step, first },
        }
    }

    /// Length of a plane with both margins.
    pub fn padded(&self) -> usize {
        self.plane + 2 * self.margin
    }

    /// Slab of a particle and its place there.
    pub fn place(&self, p: usize, site: &[u16; 3]) -> (usize, usize) {
        if self.is_list() {
            return (p / self.plane, p % self.plane);
        }
        if let Some(Orientation { axes, fold }) = &self.orientation {
            let [row, column, slab] = axes.map(|axis| usize::from(site[axis]));
            return (slab, fold.place(row, column));
        }
        let [x, y, z] = site.map(usize::from);
        if self.is_small() {
            return (0, z * self.layer + y * self.pitch + x);
        }
        let other = self.others.binary_search_by_key(&(p as u32), |[p, _]| *p);
        let first = y * self.pitch + x;
        (z, other.map_or(first, |k| self.others[k][1] as usize))
    }

    /// Numbers of `count` planes a slab.
    pub fn planes(&self, count: usize) -> Numbers {
        Numbers::zeros(self.slabs * count * self.plane)
    }
}

/// Neighbouring regions of a slab.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// places of a slab: from plane to plane of constants, centres and rotations
    pub plane: usize,
    /// place of the first region, and how many there are
    pub at: usize,
    pub count: usize,
}

impl Part {
    /// All regions of a slab.
    pub fn whole(layout: &Layout) -> Self {
        Self {
            plane: layout.plane,
            at: 0,
            count: layout.plane,
        }
    }
}
