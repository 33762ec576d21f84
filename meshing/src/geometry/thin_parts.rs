//! Where a body is thinner than the elements of a mesh, and the body with such parts as thick as elements can show.

use pliant_core::math::Vec3;
use pliant_core::math::bounds::{Aabb, Ray};
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::border::SIDE_OFFSET;
use super::solid::{MeshSolid, Solid};

/// Offsets of the border of thin parts: (largest wall thickness, offset outwards), in spacings of the lattice. A lattice has a site in every ball of 0.56
/// spacings: a pin of zero to 1.4 spacings becomes one of 1.3 to 2.1.
const OFFSETS: [(f64, f64); 2] = [(0.7, 0.65), (1.4, 0.35)];
/// Longest edge of the pieces of the border that are tested for thickness, spacings.
const MAX_PIECE_EDGE: f64 = 1.0;
/// Most bisections of a triangle of the border; its pieces are then taken as they are.
const MAX_BISECTIONS: usize = 16;

/// A solid whose thin parts are thickened; the rest of it stays as it is.
pub(crate) struct ThickenedThinParts<'a> {
    solid: &'a MeshSolid,
    /// pieces of the border that have the opposite border close behind them, and how far they are moved, m
    thin: Vec<(TriangleTree, f64)>,
}

impl<'a> ThickenedThinParts<'a> {
    /// Looks for walls, pins and edges that a lattice of `spacing` (m) may miss; `border` is that of `solid`. `None` where there are none.
    /// Cost: a ray for each piece of the border of the size of a cell.
    pub(crate) fn new(solid: &'a MeshSolid, border: &SurfaceMesh, spacing: f64) -> Option<Self> {
        let side_offset = SIDE_OFFSET * solid.bounds().diagonal();
        let wall_at = |[a, b, c]: &[Vec3; 3], outward: &Vec3| {
            let ray = Ray {
                origin: (a + b + c) / 3.0 - outward * side_offset,
                direction: -outward,
            };
            let hit = solid.tree.first_hit(&ray);
            hit.map_or(f64::INFINITY, |(length, _)| length / spacing)
        };
        let pieces: Vec<([Vec3; 3], f64)> = (0..border.triangles.len())
            .into_par_iter()
            .flat_map_iter(|t| {
                let mut thin = Vec::new();
                let outward = solid.outward_normals[t];
                let mut todo = vec![(border.corners(t), 0)];
                while let Some((piece, depth)) = todo.pop() {
                    match bisected(&piece, MAX_PIECE_EDGE * spacing)
                        .filter(|_| depth < MAX_BISECTIONS)
                    {
                        Some(halves) => todo.extend(halves.map(|half| (half, depth + 1))),
                        None => {
                            let wall = wall_at(&piece, &outward);
                            let class = OFFSETS.iter().find(|(max_wall, _)| wall < *max_wall);
                            thin.extend(class.map(|(_, offset)| (piece, offset * spacing)));
                        }
                    }
                }
                thin
            })
            .collect();
        let class = |(_, in_spacings): &(f64, f64)| {
            let offset = in_spacings * spacing;
            let mine = pieces.iter().filter(|(_, own)| *own == offset);
            let corners: Vec<Vec3> = mine.flat_map(|(piece, _)| *piece).collect();
            let numbers = 0..corners.len() as u32 / 3;
            let triangles: Vec<[u32; 3]> = numbers.map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
            (TriangleTree::new(&corners, &triangles), offset)
        };
        (!pieces.is_empty()).then(|| Self {
            solid,
            thin: OFFSETS.iter().map(class).collect(),
        })
    }

    /// The farthest that the border of thin parts is moved outwards, m.
    pub(crate) fn max_offset(&self) -> f64 {
        self.thin
            .iter()
            .map(|(_, offset)| *offset)
            .fold(0.0, f64::max)
    }
}

/// A triangle bisected at the middle of its longest edge; `None` where that is no longer than `max_edge`.
fn bisected(corners: &[Vec3; 3], max_edge: f64) -> Option<[[Vec3; 3]; 2]> {
    let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).norm();
    let longest = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    let [a, b, c] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
    let middle = (a + b) * 0.5;
    (length(longest) > max_edge).then_some([[a, middle, c], [middle, b, c]])
}

impl Solid for ThickenedThinParts<'_> {
    fn bounds(&self) -> Aabb {
        self.solid.bounds().inflated(self.max_offset())
    }

    fn signed_distance(&self, point: &Vec3) -> f64 {
        let mut distance = self.solid.signed_distance(point);
        for (thin, offset) in &self.thin {
            let reach = distance + offset;
            let found = (reach > 0.0).then(|| thin.closest_within(point, reach));
            if let Some(closest) = found.flatten() {
                distance = distance.min(closest.distance_squared.sqrt() - offset);
            }
        }
        distance
    }

    fn part_at(&self, point: &Vec3) -> Option<u32> {
        self.solid.part_at(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::joined;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn a_pin_is_thickened_and_the_block_beside_it_is_not() {
        let block = box_surface(Vec3::repeat(1.0), [4; 3], CellStyle::Kuhn);
        let solid = MeshSolid::new(&block).expect("closed");
        assert!(ThickenedThinParts::new(&solid, &block, 0.2).is_none());
        let pin = box_surface(Vec3::new(0.02, 0.02, 1.0), [1, 1, 1], CellStyle::Kuhn);
        let both = joined(&block, &pin, Vec3::new(0.0, 0.0, 0.8));
        let solid = MeshSolid::new(&both).expect("closed");
        let border = solid.border().expect("they cross").clone();
        let thick = ThickenedThinParts::new(&solid, &border, 0.2).expect("a thin pin");
        // around the pin
        for z in [0.7, 0.9, 1.2] {
            let at = |x: f64| thick.signed_distance(&Vec3::new(x, 0.0, z));
            assert!((at(0.2) - (0.19 - thick.max_offset())).abs() < 0.01);
            assert!(at(0.13) < 0.0 && at(0.15) > 0.0);
        }
        // beside the block
        for x in [0.48, 0.52, 0.7] {
            let point = Vec3::new(x, 0.1, -0.2);
            assert_eq!(thick.signed_distance(&point), solid.signed_distance(&point));
        }
        // a foil's faces are thin whatever the size of its triangles
        let foil = box_surface(Vec3::new(1.0, 0.01, 1.0), [1; 3], CellStyle::Kuhn);
        let solid = MeshSolid::new(&foil).expect("closed");
        let thick = ThickenedThinParts::new(&solid, &foil, 0.1).expect("a thin foil");
        assert!(thick.is_inside(&Vec3::new(0.21, 0.06, -0.37)));
    }
}
