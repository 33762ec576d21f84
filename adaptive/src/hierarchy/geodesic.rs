//! Distances through the body: which coarse nodes are near a fine node without leaving the body.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::{Aabb, Ray};
use pliant_core::mesh::adjacency::node_neighbours;
use pliant_core::mesh::{Csr, SurfaceMesh, TetMesh, TriangleTree};

use crate::hierarchy::locate::TetLocator;

/// Largest number of coarse nodes that are kept for a fine node.
const LABELS: usize = 4;
/// A coarse node is a candidate up to this multiple of the smallest distance through the body.
pub(super) const CANDIDATE_FACTOR: f64 = 1.3;
/// Heap entries between two checks of the cancel flag.
const BATCH: usize = 1 << 16;

/// A coarse node near a fine one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Label {
    /// distance along edges, m
    pub(super) cost: f64,
    pub(super) coarse: u32,
}

/// For each fine node its up to [`LABELS`] nearest coarse nodes by distance along edges, nearest first.
#[derive(Debug, Clone)]
pub(super) struct Labels {
    rows: Vec<[Label; LABELS]>,
    counts: Vec<u8>,
}

impl Labels {
    pub(super) fn row(&self, fine: usize) -> &[Label] {
        &self.rows[fine][..usize::from(self.counts[fine])]
    }

    /// The coarse nodes of [`Labels::row`] that count as near.
    pub(super) fn candidates(&self, fine: usize) -> impl Iterator<Item = u32> + '_ {
        let row = self.row(fine);
        let limit = row.first().map_or(0.0, |l| CANDIDATE_FACTOR * l.cost);
        row.iter()
            .filter(move |l| l.cost <= limit)
            .map(|l| l.coarse)
    }

    fn accepts(&self, fine: usize, coarse: u32) -> bool {
        let row = self.row(fine);
        row.len() < LABELS && row.iter().all(|l| l.coarse != coarse)
    }

    fn insert(&mut self, fine: usize, cost: f64, coarse: u32) -> bool {
        let is_accepted = self.accepts(fine, coarse);
        if is_accepted {
            let count = usize::from(self.counts[fine]);
            self.rows[fine][count] = Label { cost, coarse };
            self.counts[fine] += 1;
        }
        is_accepted
    }
}

/// An entry of the queue: smallest cost first, then lowest coarse node, then lowest fine node. The bits of costs are in the order of the costs.
type Entry = Reverse<(u64, u32, u32)>;

fn entry(cost: f64, coarse: u32, fine: u32) -> Entry {
    Reverse((cost.to_bits(), coarse, fine))
}

/// The edges of a fine mesh as a graph through the body, and where coarse nodes enter it.
pub(super) struct VolumeGraph<'a> {
    pub(super) mesh: &'a TetMesh,
    pub(super) neighbours: Csr,
    pub(super) skin: SurfaceMesh,
    tree: TriangleTree,
    /// for each coarse node the tetrahedron of the fine mesh that contains it, or the nearest one
    pub(super) seeds: Vec<u32>,
    /// end of the line of sight to each coarse node: the node, or the centre of that tetrahedron where the node lies outside of the body
    targets: Vec<Vec3>,
}

impl<'a> VolumeGraph<'a> {
    /// Locates all `coarse` nodes in `mesh`.
    pub(super) fn new(mesh: &'a TetMesh, coarse: &[Vec3]) -> Self {
        let boundary = mesh.boundary();
        let tree = TriangleTree::new(&boundary.surface.positions, &boundary.surface.triangles);
        let locator = TetLocator::new(mesh);
        let nearest = |x: &Vec3| {
            tree.closest(x)
                .map_or(0, |c| boundary.tet_of_triangle[c.triangle as usize])
        };
        let (seeds, targets) = coarse
            .iter()
            .map(|x| match locator.containing(x) {
                Some(tet) => (tet, *x),
                None => {
                    let tet = nearest(x);
                    let corners = mesh.corners(tet as usize);
                    (tet, corners.iter().sum::<Vec3>() / 4.0)
                }
            })
            .unzip();
        Self {
            mesh,
            neighbours: node_neighbours(mesh.nodes.len(), &mesh.tets),
            skin: boundary.surface,
            tree,
            seeds,
            targets,
        }
    }

    /// The first queue entries of coarse node `index` at `x`: the corners of its tetrahedron with their straight distances.
    fn entries(&self, index: usize, x: &Vec3) -> [Entry; 4] {
        self.mesh.tets[self.seeds[index] as usize].map(|fine| {
            let cost = (self.mesh.nodes[fine as usize] - x).norm();
            entry(cost, index as u32, fine)
        })
    }

    /// Dijkstra's algorithm from all coarse nodes at once, where each fine node is settled by its first [`LABELS`] visitors.
    ///
    /// Cost: O(4 edges log nodes).
    pub(super) fn labels(&self, coarse: &[Vec3], progress: &Progress) -> Result<Labels, Cancelled> {
        let none = Label {
            cost: f64::INFINITY,
            coarse: u32::MAX,
        };
        let mut labels = Labels {
            rows: vec![[none; LABELS]; self.mesh.nodes.len()],
            counts: vec![0; self.mesh.nodes.len()],
        };
        let mut queue: BinaryHeap<Entry> = coarse
            .iter()
            .enumerate()
            .flat_map(|(index, x)| self.entries(index, x))
            .collect();
        let mut popped = 0_usize;
        while let Some(Reverse((bits, coarse, fine))) = queue.pop() {
            let cost = f64::from_bits(bits);
            popped += 1;
            if popped.is_multiple_of(BATCH) {
                progress.check()?;
            }
            if !labels.insert(fine as usize, cost, coarse) {
                continue;
            }
            let x = &self.mesh.nodes[fine as usize];
            for &next in self.neighbours.row(fine as usize) {
                if labels.accepts(next as usize, coarse) {
                    let length = (self.mesh.nodes[next as usize] - x).norm();
                    queue.push(entry(cost + length, coarse, next));
                }
            }
        }
        Ok(labels)
    }

    /// Shortest-path traversal: visits fine nodes in the order of their distance from one coarse node along edges, until `visit` returns `true`.
    pub(super) fn visit_by_distance(
        &self,
        index: usize,
        x: &Vec3,
        mut visit: impl FnMut(f64, u32) -> bool,
    ) {
        let mut done = vec![false; self.mesh.nodes.len()];
        let mut queue: BinaryHeap<Entry> = self.entries(index, x).into_iter().collect();
        while let Some(Reverse((bits, coarse, fine))) = queue.pop() {
            let cost = f64::from_bits(bits);
            if std::mem::replace(&mut done[fine as usize], true) {
                continue;
            }
            if visit(cost, fine) {
                return;
            }
            let from = &self.mesh.nodes[fine as usize];
            for &next in self.neighbours.row(fine as usize) {
                if !done[next as usize] {
                    let length = (self.mesh.nodes[next as usize] - from).norm();
                    queue.push(entry(cost + length, coarse, next));
                }
            }
        }
    }

    /// Whether the straight line from a node at `from` to coarse node `index` never enters the body again after it has left it. Then no path through the body is shorter.
    ///
    /// Faces that the line only grazes do not count, so that a line along a flat side is inside. For a coarse node outside of the body, the centre of the nearest
    /// tetrahedron takes its place.
    pub(super) fn has_line_of_sight(&self, from: &Vec3, index: u32) -> bool {
        let to = &self.targets[index as usize];
        let direction = to - from;
        let length = direction.norm();
        if length == 0.0 {
            return true;
        }
        let ray = Ray {
            origin: *from,
            direction,
        };
        let mut is_clear = true;
        let bounds = Aabb::of_points(&[*from, *to]).inflated(1e-9 * length);
        self.tree.overlapping(&bounds, |triangle| {
            let corners = self.skin.corners(triangle as usize);
            let area = self.skin.area_vector(triangle as usize);
            let entering = area.dot(&direction) < -1e-6 * area.norm() * length;
            is_clear &= !(entering && crosses(&ray, corners));
        });
        is_clear
    }
}

/// Whether the segment meets the triangle after its start. The tolerance makes a hit on a common edge count for both triangles rather than for none.
fn crosses(ray: &Ray, [a, b, c]: [Vec3; 3]) -> bool {
    const TOLERANCE: f64 = 1e-9;
    let normal = (b - a).cross(&(c - a));
    let slope = normal.dot(&ray.direction);
    let t = normal.dot(&(a - ray.origin)) / slope;
    if !(t > TOLERANCE && t < 1.0 + TOLERANCE) {
        return false;
    }
    let x = ray.at(t);
    let scale = -TOLERANCE * normal.norm_squared();
    [(a, b), (b, c), (c, a)]
        .into_iter()
        .all(|(p, q)| (q - p).cross(&(x - p)).dot(&normal) >= scale)
}
