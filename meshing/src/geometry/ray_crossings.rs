//! Exact winding numbers of closed surfaces by counting signed crossings of a ray; grazing rays are detected.

use nalgebra::Rotation3;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::TriangleTree;

/// The triangles in a rotated frame (u, v, w). Rays run along u.
///
/// The frame is in general position, so that axis-aligned models and lattices do not make rays meet edges.
#[derive(Debug, Clone)]
pub struct CrossingCounter {
    /// rows are the axes of the rotated frame
    frame: Mat3,
    /// in the rotated frame
    tree: TriangleTree,
}

impl CrossingCounter {
    /// Builds the tree; vertex numbers must be in range. Cost O(n log² n).
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let frame = Rotation3::from_euler_angles(0.6917, 0.3823, 1.1439).into_inner();
        let rotated: Vec<Vec3> = positions.iter().map(|x| frame * x).collect();
        let tree = TriangleTree::new(&rotated, triangles);
        Self { frame, tree }
    }

    /// Winding number of a closed, oriented surface at `point`; `None` when the ray meets an edge within rounding.
    pub fn winding(&self, point: &Vec3) -> Option<i32> {
        let p = self.frame * point;
        let mut winding = 0;
        self.tree.visit(
            |node| {
                let (low, high) = (&node.min, &node.max);
                p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z
            },
            |corners| {
                winding += crossing(&p, corners)?;
                Some(())
            },
        )?;
        Some(winding)
    }

    /// The lowest and highest (v, w) of the surface; `None` without triangles.
    pub fn cross_section(&self) -> Option<[[f64; 2]; 2]> {
        let bounds = self.tree.bounds();
        (!bounds.is_empty()).then(|| [bounds.min, bounds.max].map(|x| [x.y, x.z]))
    }

    /// Where the line at (`v`, `w`) crosses the surface, along u and in no order, with the sign as for [`Self::winding`]; `None` when it meets an edge within rounding.
    pub fn crossings(&self, v: f64, w: f64) -> Option<Vec<(f64, i32)>> {
        let mut found = Vec::new();
        self.tree.visit(
            |node| {
                let (low, high) = (&node.min, &node.max);
                v >= low.y && v <= high.y && w >= low.z && w <= high.z
            },
            |corners| {
                let start = Vec3::new(corners.iter().map(|x| x.x).fold(0.0, f64::min) - 1.0, v, w);
                let sign = crossing(&start, corners)?;
                if sign != 0 {
                    let [a, b, c] = corners;
                    let normal = (b - a).cross(&(c - a));
                    let from_a = start - a;
                    found.push((start.x - normal.dot(&from_a) / normal.x, sign));
                }
                Some(())
            },
        )?;
        Some(found)
    }
}

/// +1 where the ray from `p` along u leaves through the triangle, -1 where it enters, 0 when it misses, `None` on an edge.
fn crossing(p: &Vec3, corners: &[Vec3; 3]) -> Option<i32> {
    let [a, b, c] = corners.map(|x| x - p);
    let (mut positive, mut negative, mut uncertain) = (0, 0, 0);
    let mut weights = [0.0; 3];
    for (slot, (q, r)) in [(b, c), (c, a), (a, b)].into_iter().enumerate() {
        let (one, two) = (q.y * r.z, q.z * r.y);
        let area = one - two;
        weights[slot] = area;
        if area.abs() <= 8.0 * f64::EPSILON * (one.abs() + two.abs()) {
            uncertain += 1;
        } else if area > 0.0 {
            positive += 1;
        } else {
            negative += 1;
        }
    }
    if positive > 0 && negative > 0 {
        return Some(0);
    }
    let [wa, wb, wc] = weights;
    let along = wa * a.x + wb * b.x + wc * c.x;
    match (positive, negative, uncertain) {
        (3, ..) => Some(i32::from(along > 0.0)),
        (_, 3, _) => Some(-i32::from(along < 0.0)),
        // the uncertain edge is behind the point
        _ if a.x < 0.0 && b.x < 0.0 && c.x < 0.0 => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::winding::WindingNumber;
    use crate::test_bodies::{join, mapped};
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn crossings_agree_with_solid_angles_also_where_shells_overlap() {
        let first = box_surface(Vec3::new(1.0, 0.5, 0.7), [6, 3, 5], CellStyle::Kuhn);
        let second = mapped(first.clone(), |x| x * 0.8 + Vec3::repeat(0.2));
        let surface = join(first, &second);
        let counter = CrossingCounter::new(&surface.positions, &surface.triangles);
        let angles = WindingNumber::new(&surface.positions, &surface.triangles);
        let mut seen = [0; 3];
        for k in 0..500 {
            let t = k as f64;
            let p = Vec3::new((t * 0.7).sin(), (t * 1.3).sin(), (t * 2.1).cos()) * 0.45;
            if let Some(winding) = counter.winding(&p) {
                assert_eq!(winding, angles.at(&p).round() as i32);
                seen[winding as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&s| s > 15), "{seen:?}");
        assert!(seen.iter().sum::<i32>() > 495);
    }

    #[test]
    fn a_ray_through_a_vertex_or_an_edge_is_noticed() {
        let corners = [
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(1.5, 1.0, 0.0),
            Vec3::new(1.0, 0.0, 1.0),
        ];
        let from = |y: f64, z: f64| crossing(&Vec3::new(0.0, y, z), &corners);
        assert_eq!(from(0.25, 0.25), Some(1));
        assert_eq!(from(-0.25, 0.25), Some(0));
        assert_eq!(from(0.0, 0.0), None);
        assert_eq!(from(0.5, 0.0), None);
        // behind the triangle nothing is met
        assert_eq!(crossing(&Vec3::new(2.0, 0.0, 0.0), &corners), Some(0));
    }
}
