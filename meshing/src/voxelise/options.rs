//! Options of a voxelisation.

/// Which cells are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Cells of the surface and everything it encloses; cavities bounded by inward shells stay empty.
    Solid,
    /// Cells of the surface only. If the surface is closed, material between two sheets in one cell still connects them.
    Shell,
}

/// How the edge of a cell is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellSize {
    /// This edge length, m.
    Edge(f64),
    /// This many cells along the longest side of the body's box.
    Longest(usize),
}

/// Options of a voxelisation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelOptions {
    /// Edge of a cell.
    pub size: CellSize,
    /// Which cells are kept.
    pub fill: Fill,
    /// Whether cells are copied, without shared corners, where a gap runs through them.
    pub split_cells: bool,
}

impl VoxelOptions {
    /// Solid, with split cells.
    pub fn new(size: CellSize) -> Self {
        Self {
            size,
            fill: Fill::Solid,
            split_cells: true,
        }
    }
}

/// Share of grid lines with an unpaired crossing above which the surface counts as open.
pub(crate) const MAX_OPEN_SHARE: f64 = 0.05;
