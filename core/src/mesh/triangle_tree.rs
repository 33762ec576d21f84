//! A bounding-box tree over triangles: closest point, ray and overlap queries in O(log n).

use crate::math::Vec3;
use crate::math::barycentric::closest_point_on_triangle;
use crate::math::bounds::{Aabb, Ray};
use crate::mesh::surface::SurfacePoint;

/// Most triangles of a leaf.
const LEAF_TRIANGLES: usize = 4;

/// Bounding-box tree over the triangles of one surface; owns copies of the corners.
///
/// Built by splitting at the median centre along the longest side; the same input gives the same tree.
#[derive(Debug, Clone)]
pub struct TriangleTree {
    nodes: Vec<Node>,
    /// triangle numbers in leaf order
    order: Vec<u32>,
    /// corners in leaf order
    corners: Vec<[Vec3; 3]>,
}

#[derive(Debug, Clone)]
struct Node {
    bounds: Aabb,
    /// leaf: first entry in `order`; inner node: index of the right child (the left one follows its parent)
    first: u32,
    /// number of triangles of a leaf, 0 for inner nodes
    count: u32,
}

/// Result of a closest-point query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoint {
    /// Triangle number in the input list.
    pub triangle: u32,
    /// The closest point, m.
    pub point: Vec3,
    /// Its barycentric coordinates in the triangle.
    pub weights: [f64; 3],
    /// Squared distance to the query, m².
    pub distance_squared: f64,
}

impl ClosestPoint {
    /// The closest point as a [`SurfacePoint`].
    pub fn surface_point(&self) -> SurfacePoint {
        SurfacePoint {
            triangle: self.triangle,
            weights: self.weights,
        }
    }
}

impl TriangleTree {
    /// Builds the tree. Cost O(n log² n).
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let all: Vec<[Vec3; 3]> = triangles
            .iter()
            .map(|t| t.map(|v| positions[v as usize]))
            .collect();
        let centers: Vec<Vec3> = all.iter().map(|c| (c[0] + c[1] + c[2]) / 3.0).collect();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        let mut nodes = Vec::with_capacity(all.len() / 2 + 1);
        if !order.is_empty() {
            let count = order.len();
            build(&all, &centers, &mut order, 0, count, &mut nodes);
        }
        let corners = order.iter().map(|&t| all[t as usize]).collect();
        Self {
            nodes,
            order,
            corners,
        }
    }

    /// Closest point over all triangles; ties go to the triangle found first (deterministic). `None` without triangles.
    pub fn closest(&self, point: &Vec3) -> Option<ClosestPoint> {
        self.closest_within(point, f64::INFINITY)
    }

    /// Closest point no farther than `radius` (m).
    pub fn closest_within(&self, point: &Vec3, radius: f64) -> Option<ClosestPoint> {
        let mut best: Option<ClosestPoint> = None;
        let mut limit = radius * radius;
        if self.nodes.is_empty() {
            return None;
        }
        let mut stack = [(0_u32, 0.0_f64); 64];
        stack[0] = (0, self.nodes[0].bounds.distance_squared(point));
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (index, distance) = stack[top];
            if distance > limit {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.count > 0 {
                for k in node.first as usize..(node.first + node.count) as usize {
                    let (closest, weights) = closest_point_on_triangle(point, self.corners[k]);
                    let d = (closest - point).norm_squared();
                    if d < limit || (best.is_none() && d <= limit) {
                        limit = d;
                        best = Some(ClosestPoint {
                            triangle: self.order[k],
                            point: closest,
                            weights,
                            distance_squared: d,
                        });
                    }
                }
            } else {
                let (left, right) = (index + 1, node.first);
                let dl = self.nodes[left as usize].bounds.distance_squared(point);
                let dr = self.nodes[right as usize].bounds.distance_squared(point);
                // the nearer child is visited first
                let (near, far) = if dl <= dr {
                    ((left, dl), (right, dr))
                } else {
                    ((right, dr), (left, dl))
                };
                stack[top] = far;
                stack[top + 1] = near;
                top += 2;
            }
        }
        best
    }

    /// Calls `visit` for every triangle whose box overlaps `bounds`, in tree order.
    pub fn overlapping(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        self.walk(
            &mut visit,
            |_, node| node.overlaps(bounds),
            |visit, k| {
                if Aabb::of_points(&self.corners[k]).overlaps(bounds) {
                    visit(self.order[k]);
                }
                Some(())
            },
        );
    }

    /// The box around all triangles.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or_else(Aabb::empty, |n| n.bounds)
    }

    /// Traverses the nodes whose boxes `enters` accepts, in tree order, and calls `visit` with the corners of their triangles. Ends with the first `None` of `visit`.
    pub fn visit(
        &self,
        enters: impl Fn(&Aabb) -> bool,
        mut visit: impl FnMut(&[Vec3; 3]) -> Option<()>,
    ) -> Option<()> {
        self.walk(
            &mut visit,
            |_, node| enters(node),
            |visit, k| visit(&self.corners[k]),
        )
    }

    /// First hit of a ray: the parameter along its direction and the point.
    pub fn first_hit(&self, ray: &Ray) -> Option<(f64, SurfacePoint)> {
        self.first_hit_within(ray, f64::INFINITY)
    }

    /// First hit of a ray before the parameter `limit`.
    pub fn first_hit_within(&self, ray: &Ray, limit: f64) -> Option<(f64, SurfacePoint)> {
        let mut best: Option<(f64, SurfacePoint)> = None;
        let limit = |best: &Option<(f64, SurfacePoint)>| best.map_or(limit, |(t, _)| t);
        self.walk(
            &mut best,
            |best, node| {
                let hit = node.intersect_ray(ray);
                hit.is_some_and(|(enter, _)| enter <= limit(best))
            },
            |best, k| {
                if let Some((t, weights)) = ray.intersect_triangle(self.corners[k])
                    && t < limit(best)
                {
                    let triangle = self.order[k];
                    *best = Some((t, SurfacePoint { triangle, weights }));
                }
                Some(())
            },
        );
        best
    }

    /// Traverses the nodes whose boxes `enters` accepts, in tree order, and calls `leaf` with the indices in leaf order of their triangles. Both get the `state`. Ends with the first `None`
    /// of `leaf`.
    #[inline(always)]
    fn walk<S>(
        &self,
        state: &mut S,
        enters: impl Fn(&S, &Aabb) -> bool,
        leaf: impl Fn(&mut S, usize) -> Option<()>,
    ) -> Option<()> {
        if self.nodes.is_empty() {
            return Some(());
        }
        let mut stack = [0_u32; 64];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let index = stack[top];
            let node = &self.nodes[index as usize];
            if !enters(state, &node.bounds) {
                continue;
            }
            if node.count > 0 {
                for k in node.first as usize..(node.first + node.count) as usize {
                    leaf(state, k)?;
                }
            } else {
                stack[top] = node.first;
                stack[top + 1] = index + 1;
                top += 2;
            }
        }
        Some(())
    }
}

/// Builds the node of the triangles `order[from..to]` and its descendants.
fn build(
    all: &[[Vec3; 3]],
    centers: &[Vec3],
    order: &mut [u32],
    from: usize,
    to: usize,
    nodes: &mut Vec<Node>,
) {
    let slice = &mut order[from..to];
    let mut bounds = Aabb::empty();
    let mut center_bounds = Aabb::empty();
    for &t in slice.iter() {
        for x in &all[t as usize] {
            bounds.grow(x);
        }
        center_bounds.grow(&centers[t as usize]);
    }
    let index = nodes.len();
    let count = slice.len();
    nodes.push(Node {
        bounds,
        first: from as u32,
        count: count as u32,
    });
    if count <= LEAF_TRIANGLES {
        return;
    }
    let axis = center_bounds.size().imax();
    let half = count / 2;
    slice.select_nth_unstable_by(half, |a, b| {
        centers[*a as usize][axis]
            .total_cmp(&centers[*b as usize][axis])
            .then(a.cmp(b))
    });
    build(all, centers, order, from, from + half, nodes);
    let right = nodes.len() as u32;
    build(all, centers, order, from + half, to, nodes);
    nodes[index].first = right;
    nodes[index].count = 0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn tree_answers_equal_the_exhaustive_search() {
        let surface = box_surface(Vec3::new(1.0, 0.5, 0.7), [7, 5, 6], CellStyle::Kuhn);
        let tree = TriangleTree::new(&surface.positions, &surface.triangles);
        for k in 0..100 {
            let t = k as f64;
            let p = Vec3::new((t * 0.7).sin(), (t * 1.3).sin(), (t * 2.1).cos());
            let best = (0..surface.triangles.len())
                .map(|f| (closest_point_on_triangle(&p, surface.corners(f)).0 - p).norm_squared())
                .fold(f64::INFINITY, f64::min);
            let found = tree.closest(&p).expect("triangles");
            assert_eq!(found.distance_squared, best);
            assert!(
                tree.closest_within(&p, best.sqrt() * 0.999)
                    .is_none_or(|c| c.distance_squared < best)
            );
            let ray = Ray {
                origin: p * 3.0,
                direction: -p,
            };
            let direct = (0..surface.triangles.len())
                .filter_map(|f| ray.intersect_triangle(surface.corners(f)))
                .map(|(t, _)| t)
                .fold(f64::INFINITY, f64::min);
            let first = |limit: f64| {
                let hit = tree.first_hit_within(&ray, limit);
                hit.map_or(f64::INFINITY, |(t, _)| t)
            };
            assert_eq!(
                tree.first_hit(&ray).map_or(f64::INFINITY, |(t, _)| t),
                direct
            );
            assert_eq!(first(1.001 * direct), direct);
            assert_eq!(first(0.999 * direct), f64::INFINITY, "it lies beyond");
        }
        let mut found = Vec::new();
        tree.overlapping(&surface.bounds(), |t| found.push(t));
        assert_eq!(found.len(), surface.triangles.len());
        assert_eq!(tree.bounds(), surface.bounds());
    }
}
