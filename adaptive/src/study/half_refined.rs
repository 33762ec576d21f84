//! A box whose half at the free end is one level finer, with a given approximate number of active nodes.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use crate::study::mesh::{COUNT_TOLERANCE, SINGLE_CELL, elongation, window};

/// Active nodes of the smallest half-refined box: one coarse cell, refined to 3 × 2 × 2.
pub const MIN_NODES: usize = 22;

/// Active nodes of a large half-refined box for each node of its coarser level: half of the eight finer ones, and half of the node itself.
const ACTIVE_PER_COARSE: f64 = 4.5;
/// Shift of the inner layers of the coarser mesh, in cells: see [`HalfRefinedBox::levels`].
const SHIFT: f64 = 1e-6;
/// Cost of a relative error of the number of nodes, in logarithms of the cells' proportions.
const MISS: f64 = 2.0;
/// Most numbers of cells that are tried along an axis.
const MAX_TRIED: usize = 64;

/// A box of `size`, centred at the origin, on two levels.
#[derive(Debug, Clone)]
pub struct HalfRefinedBox {
    /// Edges, m.
    pub size: Vec3,
    /// The coarser mesh, and the finer one, each of the whole box with all its corners. The coarser nodes at x > 0 belong to the finer half: on the cut, their children take their place.
    ///
    /// The inner layers of the coarser mesh are shifted towards the free end by a millionth of a cell. So a layer in the middle is at x > 0, and of finer nodes halfway between two
    /// coarser layers those on the wall's side of the middle stay on that side.
    pub levels: [TetMesh; 2],
    /// Factors on Young's modulus of both levels; 1 for plain elements.
    pub stiffness: [f64; 2],
}

impl HalfRefinedBox {
    /// A box of plain elements with about `nodes` active nodes; within 15 % where such grids exist (see [`cells_for`]), otherwise as near as they come.
    pub fn with_about(size: Vec3, nodes: usize) -> Self {
        let [coarse, fine] = cells_for(size, nodes);
        let mut coarser = box_tets(size, coarse, CellStyle::Alternating);
        let cell = size.x / coarse[0] as f64;
        for x in &mut coarser.nodes {
            if x.x.abs() < 0.5 * (size.x - cell) {
                x.x += SHIFT * cell;
            }
        }
        Self {
            size,
            levels: [coarser, box_tets(size, fine, CellStyle::Alternating)],
            stiffness: [1.0; 2],
        }
    }
}

/// Cells an axis of the coarser and of the finer level of [`HalfRefinedBox::with_about`].
///
/// Along x both numbers are even, the finer twice the coarser one, or both are odd: then no layer of nodes of one level lies in the half of the other. Along y and z the finer number is
/// twice the coarser one, or one off, so that there are enough counts to choose from.
pub fn cells_for(size: Vec3, nodes: usize) -> [[usize; 3]; 2] {
    let target = nodes.max(MIN_NODES) as f64;
    let edge = cell_edge(size, target / ACTIVE_PER_COARSE);
    let [along_x, along_y] = [0, 1].map(|axis| {
        let all = window(size[axis] / edge);
        let stride = (all.end() - all.start()) / MAX_TRIED + 1;
        all.step_by(stride)
    });
    let along_x = along_x.flat_map(|x| finer_along_x(x).into_iter().map(move |fine| [x, fine]));
    let along_y = along_y.flat_map(|y| finer_across(y).map(move |fine| [y, fine]));
    let mut best = ((true, f64::INFINITY), [[1, 1, 1], [3, 2, 2]]);
    for x in along_x {
        for y in along_y.clone() {
            for z in along_z(x, y, target) {
                let cells = [0, 1].map(|level| [x[level], y[level], z[level]]);
                let cost = cost_of(size, cells, target);
                if cost < best.0 {
                    best = (cost, cells);
                }
            }
        }
    }
    best.1
}

/// Cells of both levels along z that may be the best ones with these along x and y: for each way to refine, the two numbers around that of `target` active nodes.
fn along_z(x: [usize; 2], y: [usize; 2], target: f64) -> impl Iterator<Item = [usize; 2]> {
    // active nodes: `fine` (fine_z + 1) + `coarse` (z + 1)
    let fine = (finer_layers(x[1]) * (y[1] + 1)) as f64;
    let coarse = (coarser_layers(x[0]) * (y[0] + 1)) as f64;
    let tried = [-1.0_f64, 0.0, 1.0].into_iter().flat_map(move |off| {
        let third = (target - fine * (off + 1.0) - coarse) / (2.0 * fine + coarse);
        [third.floor(), third.ceil()].map(|z| {
            let z = z.max(1.0);
            [z as usize, (2.0 * z + off) as usize]
        })
    });
    tried.filter(|[coarse, fine]| fine > coarse)
}

/// Edge of about so many cubic `cells` in a box, m; an axis that is shorter than it has one cell.
fn cell_edge(size: Vec3, cells: f64) -> f64 {
    let mut edge = (size.x * size.y * size.z / cells).cbrt();
    // each round finds axes that are too short for the edge before it
    for _ in 0..3 {
        let previous = edge;
        let along = size.iter().filter(|s| **s > previous);
        let count: f64 = along.clone().map(|s| s / previous).product();
        edge = previous * (count / cells).powf(1.0 / along.count().max(1) as f64);
    }
    edge
}

/// Numbers of cells along x with which a level of `coarse` cells may be refined.
fn finer_along_x(coarse: usize) -> Vec<usize> {
    match coarse {
        1 => vec![3],
        _ if coarse.is_multiple_of(2) => vec![2 * coarse],
        _ => vec![2 * coarse - 1, 2 * coarse + 1],
    }
}

/// The same along y and z.
fn finer_across(coarse: usize) -> impl Iterator<Item = usize> + Clone {
    (2 * coarse - 1..=2 * coarse + 1).filter(move |&fine| fine > coarse)
}

/// Layers of active nodes of the finer level: those beyond the middle, and the one in the middle.
fn finer_layers(cells: usize) -> usize {
    cells / 2 + 1
}

/// Layers of active nodes of the coarser level: those before the middle.
fn coarser_layers(cells: usize) -> usize {
    cells.div_ceil(2)
}

/// Active nodes of a box of these cells.
fn active_nodes([coarse, fine]: [[usize; 3]; 2]) -> usize {
    let across = |cells: [usize; 3]| (cells[1] + 1) * (cells[2] + 1);
    finer_layers(fine[0]) * across(fine) + coarser_layers(coarse[0]) * across(coarse)
}

/// Outside of the tolerance only the count matters; inside, the shape of the cells, how far the refinement is from halves, and the count.
fn cost_of(size: Vec3, cells: [[usize; 3]; 2], target: f64) -> (bool, f64) {
    let miss = (active_nodes(cells) as f64 / target - 1.0).abs();
    if miss > COUNT_TOLERANCE {
        return (true, miss);
    }
    let [coarse, fine] = cells;
    let halves = |axis: usize| (fine[axis] as f64 / (2 * coarse[axis]) as f64).ln().abs();
    let single = coarse.iter().filter(|&&c| c == 1).count() as f64;
    let shape = 0.5 * (elongation(size, coarse) + elongation(size, fine));
    let refinement: f64 = [0, 1, 2].map(halves).into_iter().sum();
    let cost = shape + refinement + MISS * miss + SINGLE_CELL * single;
    (false, cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::mesh::TESTED_SIZES;

    #[test]
    fn the_cube_gets_cells_that_are_refined_about_twice() {
        let cube = Vec3::repeat(1.0);
        assert_eq!(cells_for(cube, 27), [[2, 1, 1], [4, 2, 2]]);
        assert_eq!(cells_for(cube, 57), [[2, 2, 2], [4, 3, 3]]);
        assert_eq!(cells_for(cube, 137), [[3, 3, 3], [5, 5, 5]]);
        assert_eq!(cells_for(cube, 8), [[1, 1, 1], [3, 2, 2]]);
        assert_eq!(active_nodes(cells_for(cube, 8)), MIN_NODES);
    }

    #[test]
    fn any_proportion_gets_about_the_count() {
        for size in TESTED_SIZES {
            for nodes in [27, 57, 137, 1000, 10_000] {
                let cells = cells_for(size, nodes);
                let miss = active_nodes(cells) as f64 / nodes as f64 - 1.0;
                assert!(miss.abs() <= 0.15, "{size:?} {nodes}: {cells:?}, {miss}");
            }
        }
    }
}
