//! Embedding of the skin: eight trilinear weights a skin vertex (Rivers and James 2007, section 2), in the order of the cell's corners.

use pliant_core::math::Vec3;
use pliant_core::mesh::skin_binding::trilinear;
use pliant_core::mesh::{SkinEmbedding, VoxelGrid};

use crate::asset::sites::Sites;
use crate::bake::particles::Block;

/// Attaches each vertex to its cell copy, or, if the grid does not name one, to the nearest kept cell. Outside of a cell the
/// weights extrapolate, so that they reproduce the rest position exactly, and the distance is recorded.
pub(crate) fn embed(
    vertices: &[Vec3],
    grid: &VoxelGrid,
    sites: &Sites,
    block: &Block,
) -> SkinEmbedding {
    let grid_names_cells = grid.skin.len() == vertices.len();
    SkinEmbedding::from_rows(vertices.iter().enumerate().map(|(v, x)| {
        let owner = grid
            .skin
            .get(v)
            .filter(|s| grid_names_cells && (s.cell as usize) < grid.kept.len());
        let (cell, distance) = match owner {
            Some(s) => nearest(x, grid, std::iter::once(cell_coordinates(grid, s.cell))),
            None => nearest_kept_cell(x, grid),
        };
        let copies = grid.copies_of(flat_index(grid, cell));
        let copy = owner.map_or(0, |s| usize::from(s.copy));
        let corners = copies.get(copy).map_or([0; 8], |c| c.corners);
        let r = (x - grid.origin) / grid.cell;
        let t = r - Vec3::from(cell.map(|i| i as f64));
        let mut row = Vec::with_capacity(8);
        for (corner, &number) in corners.iter().enumerate() {
            let bit = [corner & 1, (corner >> 1) & 1, corner >> 2];
            let (weight, _) = trilinear(corner, &t);
            let site = [0, 1, 2].map(|k| cell[k] + bit[k] as i64 - block.first[k] as i64);
            if let Some(p) = sites.particles(site).nth(usize::from(number)) {
                // weights from round-off would attach a vertex on a face to particles behind it
                row.push((p, if weight.abs() > 1e-12 { weight } else { 0.0 }));
            }
        }
        (row, distance)
    }))
}

/// Cell coordinates of a flat index.
fn cell_coordinates(grid: &VoxelGrid, cell: u32) -> [i64; 3] {
    grid.cell_at(cell as usize).map(|i| i as i64)
}

/// Flat index of a kept cell.
fn flat_index(grid: &VoxelGrid, cell: [i64; 3]) -> usize {
    let [i, j, k] = cell.map(|c| c.max(0) as usize);
    grid.index(i, j, k)
}

/// The kept cell that contains `x` or is nearest to it, and its distance (m).
fn nearest_kept_cell(x: &Vec3, grid: &VoxelGrid) -> ([i64; 3], f64) {
    let cell = grid.cell_of(x);
    if grid.is_kept(cell[0], cell[1], cell[2]) {
        return (cell, 0.0);
    }
    let around =
        (-1..=1).flat_map(|k| (-1..=1).flat_map(move |j| (-1..=1).map(move |i| [i, j, k])));
    let near = around
        .map(|o| [0, 1, 2].map(|k| cell[k] + o[k]))
        .filter(|c| grid.is_kept(c[0], c[1], c[2]));
    let found = nearest(x, grid, near);
    if found.1 <= grid.cell {
        return found;
    }
    nearest(x, grid, grid.kept_cells().map(|c| c.map(|i| i as i64)))
}

/// The cell of `cells` nearest to `x`, and its distance (m).
fn nearest(x: &Vec3, grid: &VoxelGrid, cells: impl Iterator<Item = [i64; 3]>) -> ([i64; 3], f64) {
    let mut best = ([0; 3], f64::INFINITY);
    for cell in cells {
        let low = grid.origin + Vec3::from(cell.map(|i| i as f64)) * grid.cell;
        let gap = |k: usize| (low[k] - x[k]).max(x[k] - low[k] - grid.cell).max(0.0);
        let distance = Vec3::new(gap(0), gap(1), gap(2)).norm();
        if distance < best.1 {
            best = (cell, distance);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::particles::find;
    use crate::testing::bodies::{grid_of, slit_bar};
    use pliant_core::mesh::SkinCell;

    #[test]
    fn affine_maps_are_reproduced_on_faces_and_outside() {
        let grid = grid_of([3, 2, 2], |c| c != [2, 1, 1]);
        let (sites, block) = find(&grid).expect("particles");
        let points = [
            Vec3::new(0.01, 0.02, -0.03),
            Vec3::new(-0.075, 0.05, 0.05),
            Vec3::new(0.025, 0.0, 0.0),
            Vec3::new(0.05, 0.03, 0.02),
            Vec3::new(0.5, 0.0, 0.0),
        ];
        let embedding = embed(&points, &grid, &sites, &block);
        let rest: Vec<Vec3> = sites
            .of_particle
            .iter()
            .map(|s| grid.origin + (Vec3::from(s.map(f64::from)) + Vec3::repeat(1.0)) * grid.cell)
            .collect();
        for (v, x) in points.iter().enumerate() {
            assert!((embedding.interpolate(v, &rest) - x).norm() < 1e-12);
        }
        assert_eq!(embedding.farthest_vertex, 4);
        assert!((embedding.max_distance - 0.425).abs() < 1e-12);
    }
    #[test]
    fn a_vertex_moves_with_its_own_side_of_the_slit() {
        let mut grid = slit_bar();
        let (sites, block) = find(&grid).expect("particles");
        let cell = grid.index(5, 2, 1) as u32;
        let inside = grid.origin + Vec3::new(5.5, 2.4, 1.5) * grid.cell;
        grid.skin = vec![SkinCell { cell, copy: 0 }, SkinCell { cell, copy: 1 }];
        let embedding = embed(&[inside, inside], &grid, &sites, &block);
        // the upper prong is lifted
        let mut moved = Vec::new();
        for p in 0..sites.len() as u32 {
            let s = sites.of_particle[p as usize];
            let second = sites.particles(s.map(i64::from)).start < p;
            let upper = s[1] > 2 || s[1] == 2 && !second || s[1] == 1 && second;
            let x = grid.origin + (Vec3::from(s.map(f64::from)) + Vec3::repeat(1.0)) * grid.cell;
            moved.push(x + Vec3::y() * if upper { 1.0 } else { 0.0 });
        }
        assert!((embedding.interpolate(0, &moved) - inside).norm() < 1e-12);
        assert!((embedding.interpolate(1, &moved) - inside - Vec3::y()).norm() < 1e-12);
    }
}
