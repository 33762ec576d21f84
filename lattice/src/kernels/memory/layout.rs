//! A lattice as slabs of numbers: where particles lie in memory and what never changes about them.

use std::sync::Arc;

use crate::asset::lattice_asset::LatticeAsset;
use crate::kernels::memory::orientation::{Across, Orientation};
use crate::kernels::memory::tiles::{IN_ORDER, Places, TripleOf};
use crate::kernels::vector::pack::{LINE, Numbers};
use crate::kernels::windows::along_z::goals_group_size;

/// Longest half-width of a block whose windows are added up site by site.
const SHORT: usize = 1;

/// Particles of a slab of a list.
const LISTED: usize = 1024;

/// Where the numbers of particles lie: in planes, a few planes of each kind to a slab.
///
/// A block has a slab for each layer of constant z, a flat plane of rows along x. Rows are followed by as many empty places as a short window
/// reads beyond them. With long windows the plane is folded into vectors, and slabs may lie along another axis (see [`crate::kernels::memory::orientation`]). A
/// small block is one slab, in which layers are followed by empty rows as well. A list has the particles in their order.
#[derive(Debug, Clone, PartialEq)]
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
    /// How a block lies whose windows are summed at a cost that does not depend on their length.
    orientation: Option<Orientation>,
    /// Particles of a small block that are not the first of their site, and the place of the first of them.
    others: Arc<[u32]>,
    others_at: usize,
}

impl Layout {
    /// All sites of the block, empty or not, for vectors of `lanes` numbers.
    pub fn block(asset: &LatticeAsset, lanes: usize, across: Across) -> Self {
        if asset.half_width > SHORT {
            return Self::steady(asset, lanes, across);
        }
        let [nx, ny, nz] = asset.dims;
        let w = asset.half_width;
        let pitch = nx + w;
        Self {
            slabs: nz,
            plane: (ny * pitch).next_multiple_of(LINE),
            margin: (w * (pitch + 1)).next_multiple_of(LINE),
            pitch,
            layer: 0,
            half_width: w,
            orientation: None,
            others: Arc::default(),
            others_at: 0,
        }
    }

    /// The same for windows at a cost that does not depend on their length, however short they are.
    pub fn steady(asset: &LatticeAsset, lanes: usize, across: Across) -> Self {
        let orientation = Orientation::of(asset.dims, asset.half_width, lanes, across);
        Self {
            slabs: asset.dims[orientation.axes[2]],
            plane: orientation.fold.places().next_multiple_of(LINE),
            margin: 0,
            pitch: 0,
            layer: 0,
            half_width: asset.half_width,
            orientation: Some(orientation),
            others: Arc::default(),
            others_at: 0,
        }
    }

    /// All sites of the block in one slab, then what shares a site with another particle.
    pub fn small_block(asset: &LatticeAsset) -> Self {
        let [nx, ny, nz] = asset.dims;
        let w = asset.half_width;
        let pitch = nx + w;
        let layer = pitch * (ny + w);
        let sites = &asset.sites;
        let others: Arc<[u32]> = (1..sites.len())
            .filter(|&p| sites[p] == sites[p - 1])
            .map(|p| p as u32)
            .collect();
        // beyond what windows read
        let others_at = nz * layer + w * (layer + pitch + 1);
        let places = match others.len() {
            0 => nz * layer,
            count => others_at + count,
        };
        Self {
            slabs: 1,
            plane: places.next_multiple_of(LINE),
            margin: (w * (layer + pitch + 1)).next_multiple_of(LINE),
            pitch,
            layer,
            half_width: w,
            orientation: None,
            others,
            others_at,
        }
    }

    /// Particles only.
    pub fn list(asset: &LatticeAsset) -> Self {
        let count = asset.particle_count();
        let plane = LISTED.min(count.next_multiple_of(LINE));
        Self {
            slabs: count.div_ceil(plane),
            plane,
            margin: 0,
            pitch: 0,
            layer: 0,
            half_width: asset.half_width,
            orientation: None,
            others: Arc::default(),
            others_at: 0,
        }
    }

    pub fn is_list(&self) -> bool {
        self.pitch == 0 && self.orientation.is_none()
    }

    pub fn is_small(&self) -> bool {
        self.layer > 0
    }

    /// Whether windows are summed at a cost that does not depend on their length.
    pub fn is_long(&self) -> bool {
        self.orientation.is_some()
    }

    /// How a block lies whose planes are folded.
    pub fn orientation(&self) -> Option<&Orientation> {
        self.orientation.as_ref()
    }

    /// Which triple of what belongs to a region is that of each axis.
    pub fn triples(&self) -> TripleOf {
        self.orientation
            .map_or(IN_ORDER, |orientation| orientation.triples())
    }

    /// Slabs that rings hold.
    pub fn ring_slabs(&self) -> usize {
        match self {
            _ if self.is_list() || self.is_small() => 0,
            _ if self.is_long() => 2 * self.half_width + goals_group_size(self.half_width),
            _ => 2 * self.half_width + 1,
        }
    }

    /// Where moments of regions are.
    pub fn moments(&self) -> Places {
        self.region_places(self.plane, 0)
    }

    /// Where transforms of regions are.
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
            if let Ok(k) = self.others.binary_search(&(p as u32)) {
                return (0, self.others_at + k);
            }
            return (0, z * self.layer + y * self.pitch + x);
        }
        (z, y * self.pitch + x)
    }

    /// Numbers of `count` planes a slab.
    pub fn planes(&self, count: usize) -> Numbers {
        Numbers::zeros(self.slabs * count * self.plane)
    }
}

/// What a region and its particle need in a step, each a plane: share, one over region mass, centre of the region's mass from the particle in
/// cells (x, y, z), one over the number of regions. Masses are in units of the mean particle mass. Zero at empty sites.
pub(crate) const CONSTANTS: usize = 6;

/// The constants of all slabs.
pub(crate) fn constants(asset: &LatticeAsset, layout: &Layout) -> Numbers {
    let mut out = layout.planes(CONSTANTS);
    let mean = asset.mass.iter().sum::<f64>() / asset.particle_count() as f64;
    for (p, site) in asset.sites.iter().enumerate() {
        let values = constants_of(asset, p, mean);
        let (slab, at) = layout.place(p, site);
        for (c, value) in values.iter().enumerate() {
            out[(slab * CONSTANTS + c) * layout.plane + at] = *value as f32;
        }
    }
    out
}

/// The constants of particle `p`; `mean` is the mean mass of a particle, kg.
pub(crate) fn constants_of(asset: &LatticeAsset, p: usize, mean: f64) -> [f64; CONSTANTS] {
    let region = asset.region_of[p] as usize;
    let center = (asset.region_center[region] - asset.rest[p]) / asset.cell;
    [
        asset.share[p] / mean,
        mean / asset.region_mass[region],
        center.x,
        center.y,
        center.z,
        1.0 / f64::from(asset.region_size[region]),
    ]
}
