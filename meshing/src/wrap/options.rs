//! Options of a wrap.

/// Options of a wrap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrapOptions {
    /// Lattice cells along the longest side of the bounding box, one or more. Walls thinner than about 1.5 cells are lost. Where that matters,
    /// twice and three times as many cells are tried. Cost grows with its square near the surface; 96 takes some seconds.
    pub cells_longest: usize,
    /// Edge length to which the result is decimated, cells.
    pub edge_cells: f64,
    /// Thickness of walls made from sheets, in the unit of the input: everything closer to the surface than half of this is inside. `None` refuses sheets.
    pub thickness: Option<f64>,
    /// With a thickness and a closed surface: whether cavities stay. Otherwise everything that cannot be reached from outside is filled.
    pub keeps_cavities: bool,
}

impl Default for WrapOptions {
    fn default() -> Self {
        Self {
            cells_longest: 96,
            edge_cells: 2.0,
            thickness: None,
            keeps_cavities: false,
        }
    }
}
