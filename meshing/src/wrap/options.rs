//! How to wrap.

/// How to wrap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrapOptions {
    /// Lattice cells along the longest side of the bounding box, taken between 8 and 256. Walls thinner than about 1.5 cells are lost: where that matters,
    /// twice and three times as many cells are tried. Cost grows with its square near the surface; 96 takes some seconds.
    pub cells_longest: usize,
    /// Refused above this share of the input's area that the wrap is far from (0 to 1).
    pub most_lost: f64,
    /// Refused above this new area over the area of the input that the wrap stands for.
    pub most_new: f64,
    /// Edge length to which the result is decimated, cells.
    pub edge_cells: f64,
    /// Makes everything nearer than half of this to the surface inside, in the unit of the input; sheets become walls. `None` refuses sheets.
    pub thickness: Option<f64>,
    /// With a thickness and a closed surface: hollows stay hollow. Otherwise what cannot be reached from outside is filled.
    pub keeps_cavities: bool,
}

impl Default for WrapOptions {
    fn default() -> Self {
        Self {
            cells_longest: 96,
            most_lost: 0.05,
            most_new: 0.25,
            edge_cells: 2.0,
            thickness: None,
            keeps_cavities: false,
        }
    }
}
