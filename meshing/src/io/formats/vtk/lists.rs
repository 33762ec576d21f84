//! Cells as VTK stores them: counts, corners and types.

use crate::io::assembly::cells::{Cells, Shape};
use crate::io::error::{Place, ReadError};

/// Cells as VTK stores them: all node numbers in a row, and where each cell ends.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) nodes: Vec<u32>,
    pub(crate) ends: Vec<u32>,
    /// line or byte of the array
    pub(crate) at: usize,
}

impl Lists {
    /// Adds every cell by its type number; `place` is that of the types.
    pub(crate) fn add_by_type(
        &self,
        types: &[u8],
        place: Place,
        cells: &mut Cells,
    ) -> Result<(), ReadError> {
        if types.len() != self.ends.len() {
            let what = format!("{} types for {} cells", types.len(), self.ends.len());
            return Err(ReadError::syntax(place, what));
        }
        self.add(|k| shape(types[k]), cells)
    }

    /// Adds every cell.
    pub(crate) fn add(
        &self,
        shape: impl Fn(usize) -> Shape,
        cells: &mut Cells,
    ) -> Result<(), ReadError> {
        let mut start = 0;
        for (k, &end) in self.ends.iter().enumerate() {
            let end = end as usize;
            let Some(nodes) = self.nodes.get(start..end) else {
                let what = format!(
                    "cell {k} ends at node {end} of {}, after {start}",
                    self.nodes.len()
                );
                return Err(ReadError::syntax(cells.surface.place(self.at as u32), what));
            };
            start = end;
            cells.cell(shape(k), nodes, self.at)?;
        }
        Ok(())
    }
}

/// What a cell type number of VTK means.
fn shape(kind: u8) -> Shape {
    match kind {
        5 | 7 | 9 => Shape::Polygon,
        6 => Shape::Strip,
        8 => Shape::Pixel,
        10 => Shape::Tet,
        22 | 34 | 69 => Shape::CurvedPolygon(3),
        23 | 28 | 30 | 70 => Shape::CurvedPolygon(4),
        24 | 71 => Shape::CurvedTet,
        0 => Shape::Other("empty cells"),
        1 | 2 => Shape::Other("points"),
        3 | 4 | 21 | 35 | 68 => Shape::Other("lines"),
        11 => Shape::Other("voxels"),
        12 | 25 | 29 | 33 | 72 => Shape::Other("hexahedra"),
        13 | 26 | 31 | 32 | 73 => Shape::Other("wedges"),
        14 | 27 | 37 | 74 => Shape::Other("pyramids"),
        42 => Shape::Other("polyhedra"),
        _ => Shape::Other("cells of unknown type"),
    }
}
