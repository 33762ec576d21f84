//! Contact points of one body that never touch each other.

use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::Csr;

use crate::surface::point_grid::PointGrid;
use crate::surface::shortest_paths::{Queue, shorten_distances};

/// Number of search radii within which a point that lies behind another one at rest never touches it: they are two sides of one wall.
const WALL_RADII: f64 = 4.0;

/// For each point, the points that it never touches: near along the skin, or on the other side of a wall.
pub(crate) fn exempt_points(surface: &SurfaceMesh, exclusion: f64, reach: f64) -> Csr {
    let around = surface.vertex_neighbours();
    let normals = surface.vertex_normals();
    let x = &surface.positions;
    let mut grid = PointGrid::default();
    grid.build(x, WALL_RADII * reach);
    let mut pairs = Vec::new();
    let mut distance = vec![f64::INFINITY; x.len()];
    let mut met: Vec<u32> = Vec::new();
    let mut queue = Queue::new();
    for i in 0..x.len() {
        let graph = (&around, x.as_slice());
        let meet = |u: u32, before: f64| met.extend((before == f64::INFINITY).then_some(u));
        shorten_distances(i as u32, graph, exclusion, &mut distance, &mut queue, meet);
        for &u in &met {
            pairs.push((i as u32, u));
            distance[u as usize] = f64::INFINITY;
        }
        met.clear();
        grid.visit(&x[i], |j, to| {
            let apart = x[i] - to;
            let wall = apart.norm() < WALL_RADII * reach && normals[j as usize].dot(&apart) <= 0.0;
            if wall {
                pairs.push((i as u32, j));
            }
        });
    }
    pairs.sort_unstable();
    pairs.dedup();
    Csr::from_pairs(x.len(), pairs.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn two_sides_of_a_plate_never_touch_each_other() {
        let skin = box_surface(Vec3::new(1.0, 0.1, 1.0), [10, 1, 10], CellStyle::Kuhn);
        let lists = exempt_points(&skin, 0.25, 0.15);
        let at = |x: f64, y: f64, z: f64| {
            let wanted = Vec3::new(x, y, z);
            let found = skin
                .positions
                .iter()
                .position(|p| (p - wanted).norm() < 1e-9);
            found.expect("a vertex") as u32
        };
        let (top, bottom) = (at(0.0, 0.05, 0.0), at(0.0, -0.05, 0.0));
        assert!(lists.row(top as usize).contains(&bottom));
        assert!(
            lists.row(top as usize).contains(&at(0.2, 0.05, 0.0)),
            "near along the skin"
        );
        let far = at(0.5, 0.05, 0.5);
        assert!(!lists.row(top as usize).contains(&far));
    }
}
