//! What is wanted of a voxelisation.

/// Which cells are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Cells of the surface and everything it encloses; cavities bounded by inward shells stay empty.
    Solid,
    /// Cells of the surface only. Material between two sheets in one cell still holds them together, if the surface is closed.
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

/// What is wanted of a voxelisation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VoxelOptions {
    /// Edge of a cell.
    pub size: CellSize,
    /// Which cells are kept.
    pub fill: Fill,
    /// Whether cells are copied and corners not shared where a gap runs between.
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
pub(crate) const OPEN_SHARE: f64 = 0.05;
