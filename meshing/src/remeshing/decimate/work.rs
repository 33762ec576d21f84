//! A decimation in progress: the next edge to collapse, its new position, and the limits of the collapse.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::sorted_set;
use pliant_core::mesh::surface::VertexGroup;

use super::connectivity::Connectivity;
use super::nearby::FaceGrid;
use super::quadric::Quadric;
use crate::remeshing::candidate::{Candidate, Queue};
use crate::remeshing::editable_surface::normal_and_quality;

/// Below this number of triangles collapses are tested for self-intersection at first.
pub(crate) const INTERSECTION_TESTS_BELOW: usize = 10_000;

/// Limits of a collapse. One that fails is tried again with the next limits, at a higher cost.
struct Limits {
    /// least cosine between the normals of a triangle before and after
    min_normal_cosine: f64,
    /// least quality of a triangle, unless the worst around was worse before
    min_quality: f64,
    /// how many positions are tried, of: the best that keeps the volume, the best of all, the midpoint, the ends
    positions: usize,
}

const LIMITS: [Limits; 3] = [
    Limits {
        min_normal_cosine: 0.5,
        min_quality: 0.3,
        positions: 2,
    },
    Limits {
        min_normal_cosine: 0.3,
        min_quality: 0.1,
        positions: 5,
    },
    Limits {
        min_normal_cosine: 0.1,
        min_quality: 0.02,
        positions: 5,
    },
];
/// Weight of the point quadrics against the plane quadrics in the cost of a collapse: keeps triangles of flat parts equal in size.
const POINT_WEIGHT: f64 = 2e-3;
/// Largest distance of the new vertex from the middle of its edge, over the length of the edge.
const MAX_SHIFT: f64 = 1.5;
/// Largest distance of the position that keeps the volume from the best one, over the length of the edge: at a tip it would make a spike.
const MAX_VOLUME_SHIFT: f64 = 0.2;
/// Quality below which a triangle has no reliable normal.
const NEEDLE_QUALITY: f64 = 1e-3;

/// An edge that is to collapse to a position; `level` is an index into [`LIMITS`].
type Collapse = Candidate<Vec3>;

/// A decimation in progress, in the unit box.
pub(crate) struct Work {
    pub(crate) surface: Connectivity,
    quadrics: Vec<Quadric>,
    stamps: Vec<u32>,
    grid: Option<FaceGrid>,
    /// below this number of triangles collapses are tested for self-intersection
    intersection_tests_below: usize,
    /// the original vertex at the position of each vertex; only where collapses move to an end of their edge
    original_vertex: Option<Vec<u32>>,
}

impl Work {
    pub(crate) fn new(unit: &SurfaceMesh, intersection_tests_below: usize) -> Self {
        Self {
            surface: Connectivity::new(unit),
            // the floor makes the best position unique where no triangle has an area
            quadrics: Quadric::of_vertices(unit, 1.0, 1e-12),
            stamps: vec![0; unit.vertex_count()],
            grid: None,
            intersection_tests_below,
            original_vertex: None,
        }
    }

    /// A decimation whose collapses move one end of an edge to the other; intersections are not tested.
    pub(crate) fn to_end_vertices(unit: &SurfaceMesh) -> Self {
        Self {
            original_vertex: Some((0..unit.vertex_count() as u32).collect()),
            ..Self::new(unit, 0)
        }
    }

    fn candidate(&self, a: u32, b: u32) -> Collapse {
        let ends = [a.min(b), a.max(b)];
        let [p, q] = ends.map(|v| self.surface.mesh.positions[v as usize]);
        let sum = self.quadrics[ends[0] as usize].sum(&self.quadrics[ends[1] as usize]);
        let middle = (p + q) * 0.5;
        let cheapest = |places: &[Vec3]| {
            let cost = |x: &Vec3| sum.at(x, POINT_WEIGHT);
            let cheapest = places.iter().min_by(|x, y| cost(x).total_cmp(&cost(y)));
            cheapest.copied().unwrap_or(middle)
        };
        let place = match self.original_vertex {
            Some(_) => cheapest(&[p, q]),
            None => sum
                .minimiser()
                .filter(|x| (x - middle).norm() <= MAX_SHIFT * (q - p).norm())
                .unwrap_or_else(|| cheapest(&[middle, p, q])),
        };
        Collapse {
            cost: sum.at(&place, POINT_WEIGHT),
            ends,
            stamps: ends.map(|v| self.stamps[v as usize]),
            level: 0,
            details: place,
        }
    }

    /// Collapses the cheapest legal edge until `goal` triangles are left or the queue is empty.
    pub(crate) fn round<E>(
        &mut self,
        goal: usize,
        mut report: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut queue = Queue::new(self.all_candidates(), self.surface.mesh.live);
        let mut steps = 0_usize;
        while self.surface.mesh.live > goal {
            let Some(next) = queue.pop(&self.surface.mesh, &self.stamps) else {
                break;
            };
            steps += 1;
            if steps.is_multiple_of(4096) {
                report(self.surface.mesh.live)?;
            }
            self.refresh_grid();
            let [a, b] = next.ends;
            let Some(place) = self.legal_position(&next) else {
                queue.put_back(next, LIMITS.len());
                continue;
            };
            self.collapse(a, b, place);
            for neighbour in self.surface.mesh.neighbours(a) {
                if !self.surface.locked[neighbour as usize] {
                    queue.push(self.candidate(a, neighbour));
                }
            }
        }
        report(self.surface.mesh.live)
    }

    fn all_candidates(&self) -> Vec<Collapse> {
        let is_unlocked = |v: u32| !self.surface.locked[v as usize];
        // each edge appears once in each direction
        (self.surface.mesh.directed_edges())
            .filter(|&[p, q]| p < q && is_unlocked(p) && is_unlocked(q))
            .map(|[p, q]| self.candidate(p, q))
            .collect()
    }

    fn refresh_grid(&mut self) {
        let is_needed = self.surface.mesh.live < self.intersection_tests_below;
        let stale = |g: &FaceGrid| g.is_stale(&self.surface.mesh);
        if is_needed && self.grid.as_ref().is_none_or(stale) {
            self.grid = Some(FaceGrid::new(&self.surface.mesh));
        }
    }

    fn legal_position(&self, next: &Collapse) -> Option<Vec3> {
        let [a, b] = next.ends;
        if !self.surface.may_collapse(a, b) {
            return None;
        }
        let [p, q] = next.ends.map(|v| self.surface.mesh.positions[v as usize]);
        let (g, k) = self.surface.volume_plane(a, b);
        let keeping_volume = self.quadrics[a as usize]
            .sum(&self.quadrics[b as usize])
            .minimiser_in_plane(&g, k)
            .filter(|x| (x - next.details).norm() <= MAX_VOLUME_SHIFT * (q - p).norm())
            .unwrap_or(next.details);
        let positions = [keeping_volume, next.details, (p + q) * 0.5, p, q];
        let limits = &LIMITS[next.level];
        let candidates = match self.original_vertex {
            Some(_) => &[next.details][..],
            None => &positions[..limits.positions],
        };
        candidates
            .iter()
            .find(|place| {
                self.keeps_shape(a, b, place, limits)
                    && (self.grid.as_ref())
                        .is_none_or(|grid| !grid.would_intersect(&self.surface.mesh, a, b, place))
            })
            .copied()
    }

    /// Whether no remaining triangle turns over or becomes a needle.
    fn keeps_shape(&self, a: u32, b: u32, place: &Vec3, limits: &Limits) -> bool {
        let mut normal_sum = Vec3::zeros();
        let mut worst_before = f64::INFINITY;
        for v in [a, b] {
            for &face in &self.surface.mesh.around[v as usize] {
                let (normal, quality) = normal_and_quality(self.surface.mesh.corners(face));
                normal_sum += normal;
                worst_before = worst_before.min(quality);
            }
        }
        let floor = limits.min_quality.min(worst_before).max(1e-9);
        self.surface.mesh.remaining(a, b).all(|face| {
            let (before, q0) = normal_and_quality(self.surface.mesh.corners(face));
            let (after, q1) =
                normal_and_quality(self.surface.mesh.corners_after(face, &[a, b], place));
            let (reference, min_cosine) = if q0 > NEEDLE_QUALITY {
                (before, limits.min_normal_cosine)
            } else {
                (normal_sum, 0.0)
            };
            q1 >= floor && reference.dot(&after) >= min_cosine * reference.norm() * after.norm()
        })
    }

    fn collapse(&mut self, a: u32, b: u32, place: Vec3) {
        if let Some(grid) = &mut self.grid {
            for v in [a, b] {
                for &face in &self.surface.mesh.around[v as usize] {
                    grid.remove(face, self.surface.mesh.corners(face));
                }
            }
        }
        if let Some(original_vertex) = &mut self.original_vertex
            && place == self.surface.mesh.positions[b as usize]
        {
            original_vertex[a as usize] = original_vertex[b as usize];
        }
        self.surface.collapse(a, b, place);
        if let Some(grid) = &mut self.grid {
            for &face in &self.surface.mesh.around[a as usize] {
                grid.insert(face, self.surface.mesh.corners(face));
            }
        }
        self.quadrics[a as usize] = self.quadrics[a as usize].sum(&self.quadrics[b as usize]);
        self.stamps[a as usize] += 1;
        self.stamps[b as usize] += 1;
    }

    /// The remaining triangles, as triples of vertices of the original.
    pub(crate) fn original_triangles(&self) -> Vec<[u32; 3]> {
        let original = |v: u32| {
            self.original_vertex
                .as_ref()
                .map_or(v, |original_vertex| original_vertex[v as usize])
        };
        let mesh = &self.surface.mesh;
        (mesh.live_faces())
            .map(|f| mesh.faces[f as usize].map(original))
            .collect()
    }

    pub(crate) fn finish(self, original: &SurfaceMesh, center: Vec3, scale: f64) -> SurfaceMesh {
        let (mut surface, number) = self.surface.mesh.compacted();
        let is_left = |number: u32| number != u32::MAX;
        for (v, &new) in number.iter().enumerate().filter(|(_, n)| is_left(**n)) {
            let x = &mut surface.positions[new as usize];
            // vertices that never moved keep their exact coordinates
            *x = if self.stamps[v] == 0 {
                original.positions[v]
            } else {
                *x * scale + center
            };
        }
        for group in &original.groups {
            let vertices = (group.vertices.iter())
                .map(|&v| number[self.surface.representative(v) as usize])
                .filter(|&v| is_left(v));
            surface.groups.push(VertexGroup {
                name: group.name.clone(),
                vertices: sorted_set(vertices),
            });
        }
        surface
    }
}
