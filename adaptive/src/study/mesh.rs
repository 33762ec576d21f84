//! Meshes of a box with a given approximate number of nodes, for studies that compare resolutions.

use std::ops::RangeInclusive;

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

/// Relative error of the number of nodes that is accepted for better shaped cells.
pub(super) const COUNT_TOLERANCE: f64 = 0.15;
/// Cost of an axis with one cell, in logarithms of the cells' proportions.
pub(super) const SINGLE_CELL: f64 = 1.0;
/// Boxes whose numbers of nodes are tested, m.
#[cfg(test)]
pub(super) const TESTED_SIZES: [Vec3; 5] = [
    Vec3::new(2.0, 0.7, 1.1),
    Vec3::new(0.5, 1.0, 0.8),
    Vec3::new(3.0, 1.0, 1.0),
    Vec3::new(0.4, 1.3, 1.3),
    Vec3::new(0.03, 0.03, 0.03),
];

/// A mesh of the box of `size` (m), centred at the origin, with about `nodes` nodes, all corners among them.
///
/// A grid of cells as near to cubes as the proportions allow, cut into tetrahedra with mirrored neighbours: without a preferred diagonal such meshes
/// behave like good unstructured ones of the same size, while the plain Kuhn cut is stiff along its diagonal. A single cell across a thin axis
/// hardly bends, so two are preferred to cubic cells. The count is within 15 % where such a grid exists, otherwise as near as one comes.
pub fn box_with_about(size: Vec3, nodes: usize) -> TetMesh {
    box_tets(size, cells_for(size, nodes), CellStyle::Alternating)
}

/// Cells an axis of [`box_with_about`].
pub fn cells_for(size: Vec3, nodes: usize) -> [usize; 3] {
    let target = nodes.max(8) as f64;
    let edge = (size.x * size.y * size.z / target).cbrt();
    let [along_x, along_y] = [0, 1].map(|axis| window(size[axis] / edge));
    let mut best = ((true, f64::INFINITY), [1, 1, 1]);
    for x in along_x {
        for y in along_y.clone() {
            // the third number of cells that comes nearest to the count, and its neighbours
            let third = target / ((x + 1) * (y + 1)) as f64 - 1.0;
            for z in [third.floor(), third.ceil()] {
                let z = (z.max(1.0)) as usize;
                let cells = [x, y, z];
                let cost = cost_of(size, cells, target);
                if cost < best.0 {
                    best = (cost, cells);
                }
            }
        }
    }
    best.1
}

/// Numbers of cells that are tried along an axis, where cubes would be `ideal` many: nothing outside of this wide window can have better cells.
pub(super) fn window(ideal: f64) -> RangeInclusive<usize> {
    let low = ((0.4 * ideal) as usize).saturating_sub(1).max(1);
    let high = ((1.3 * ideal) as usize + 2).max(low);
    low..=high
}

/// Logarithm of the longest over the shortest edge of the cells of a box.
pub(super) fn elongation(size: Vec3, cells: [usize; 3]) -> f64 {
    let edges = [0, 1, 2].map(|axis| size[axis] / cells[axis] as f64);
    let longest = edges.into_iter().fold(0.0, f64::max);
    let shortest = edges.into_iter().fold(f64::INFINITY, f64::min);
    (longest / shortest).ln()
}

/// Outside of the tolerance only the count matters; inside, the shape of the cells and the count.
fn cost_of(size: Vec3, cells: [usize; 3], target: f64) -> (bool, f64) {
    let count: usize = cells.iter().map(|c| c + 1).product();
    let miss = (count as f64 / target - 1.0).abs();
    if miss > COUNT_TOLERANCE {
        return (true, miss);
    }
    let single = cells.iter().filter(|&&c| c == 1).count() as f64;
    let cost = elongation(size, cells) + miss + SINGLE_CELL * single;
    (false, cost)
}

/// Nodes of a mesh of the box of `size` (m), centred at the origin, on its face at the smallest x: the wall of the study.
pub fn wall_nodes(mesh: &TetMesh, size: Vec3) -> Vec<u32> {
    let slack = 1e-6 * size.norm();
    (0..mesh.nodes.len() as u32)
        .filter(|&n| mesh.nodes[n as usize].x < -0.5 * size.x + slack)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_gets_the_grids_of_the_study() {
        let cube = Vec3::repeat(1.0);
        assert_eq!(cells_for(cube, 27), [2, 2, 2]);
        assert_eq!(cells_for(cube, 57), [3, 3, 3]);
        assert_eq!(cells_for(cube, 137), [4, 4, 4]);
        assert_eq!(cells_for(Vec3::new(1.5, 0.8, 1.0), 27), [2, 2, 2]);
        assert_eq!(cells_for(Vec3::new(1.5, 0.8, 1.0), 137), [6, 3, 4]);
    }

    #[test]
    fn any_proportion_gets_its_corners_and_about_the_count() {
        for size in TESTED_SIZES {
            for nodes in [27, 57, 137, 1000, 10_000] {
                let mesh = box_with_about(size, nodes);
                let miss = mesh.nodes.len() as f64 / nodes as f64 - 1.0;
                assert!(miss.abs() <= 0.15, "{size:?} {nodes}: {miss}");
                let corner = Vec3::new(size.x, -size.y, size.z) / 2.0;
                assert!(
                    mesh.nodes
                        .iter()
                        .any(|x| (x - corner).norm() < 1e-12 * size.norm())
                );
                assert!((mesh.volume() / (size.x * size.y * size.z) - 1.0).abs() < 1e-12);
            }
        }
    }
}
