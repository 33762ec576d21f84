//! Position and size of the grid around a body, before any cell is allocated.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;

use crate::error::MeshingError;

/// Largest number of grid sites (cells plus one along each axis, multiplied) that is allocated.
pub const MAX_SITES: u64 = 1 << 27;

/// Origin, cell edge and size of a grid.
pub(crate) struct GridFrame {
    pub(crate) origin: Vec3,
    pub(crate) cell: f64,
    pub(crate) dims: [usize; 3],
}

impl GridFrame {
    /// A grid of cubes of edge `cell` (m) with at least one empty layer around `bounds`.
    ///
    /// Along an axis on which the body is a whole number of cells long the grid starts one cell before the body; on all others grid planes are at
    /// multiples of the cell edge, so that cells do not move when geometry is added far away.
    pub(crate) fn around(bounds: &Aabb, cell: f64) -> Result<Self, MeshingError> {
        let sites = sites(bounds, cell);
        if sites.is_nan() || sites > MAX_SITES as f64 {
            let mut fits = cell;
            while self::sites(bounds, fits) > MAX_SITES as f64 {
                fits *= (self::sites(bounds, fits) / MAX_SITES as f64)
                    .cbrt()
                    .max(1.001);
            }
            return Err(MeshingError::GridTooLarge {
                sites: sites as u64,
                limit: MAX_SITES,
                min_cell: fits,
            });
        }
        let mut origin = Vec3::zeros();
        let mut dims = [0; 3];
        for axis in 0..3 {
            let (start, count) = axis_range(bounds, cell, axis);
            origin[axis] = start;
            dims[axis] = count as usize;
        }
        Ok(Self { origin, cell, dims })
    }

    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        self.dims[0] * self.dims[1] * self.dims[2]
    }

    /// Flat index, x fastest.
    pub(crate) fn index(&self, at: [usize; 3]) -> usize {
        (at[2] * self.dims[1] + at[1]) * self.dims[0] + at[0]
    }

    /// Steps of the flat index along x, y, z.
    pub(crate) fn strides(&self) -> [usize; 3] {
        [1, self.dims[0], self.dims[0] * self.dims[1]]
    }

    /// Flat index among the sites, one more than the cells along each axis, of corner `b` of a cell: bit k of `b` is its offset along axis k.
    pub(crate) fn site_index(&self, cell: [usize; 3], b: usize) -> usize {
        let [nx, ny, _] = self.dims;
        let at = [0, 1, 2].map(|k| cell[k] + (b >> k & 1));
        (at[2] * (ny + 1) + at[1]) * (nx + 1) + at[0]
    }

    /// Centre of a cell, m.
    pub(crate) fn center(&self, at: [usize; 3]) -> Vec3 {
        self.origin
            + Vec3::new(at[0] as f64 + 0.5, at[1] as f64 + 0.5, at[2] as f64 + 0.5) * self.cell
    }

    /// The cell of a flat index.
    pub(crate) fn cell_at(&self, index: usize) -> [usize; 3] {
        let [nx, ny, _] = self.dims;
        [index % nx, (index / nx) % ny, index / (nx * ny)]
    }
}

/// Start of the grid and number of cells along one axis.
fn axis_range(bounds: &Aabb, cell: f64, axis: usize) -> (f64, f64) {
    const TOLERANCE: f64 = 1e-6;
    let (lo, hi) = (bounds.min[axis], bounds.max[axis]);
    let length = (hi - lo) / cell;
    if length.round() >= 1.0 && (length - length.round()).abs() < TOLERANCE {
        return (lo - cell, length.round() + 2.0);
    }
    let first = (lo / cell + TOLERANCE).floor();
    let last = (hi / cell - TOLERANCE).ceil().max(first + 1.0);
    ((first - 1.0) * cell, last - first + 2.0)
}

/// Sites of the grid, as a float that cannot overflow.
fn sites(bounds: &Aabb, cell: f64) -> f64 {
    (0..3)
        .map(|axis| axis_range(bounds, cell, axis).1 + 1.0)
        .product()
}
