//! A decimation under way: which edge collapses next, to where, and what it must respect.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::surface::VertexGroup;

use super::connectivity::Connectivity;
use super::nearby::FaceGrid;
use super::quadric::Quadric;
use super::target::Decimated;
use crate::remeshing::candidate::{Candidate, Queue};
use crate::remeshing::editable_surface::normal_and_quality;

/// Below this number of triangles collapses are tested for self-intersection at first.
pub(crate) const CAREFUL_BELOW: usize = 10_000;

/// What a collapse must respect. One that fails is tried again with the next limits, at a higher cost.
struct Limits {
    /// least cosine between the normals of a triangle before and after
    turn: f64,
    /// least quality of a triangle, unless the worst around was worse before
    quality: f64,
    /// how many places are tried: the best that keeps the volume, the best of all, the midpoint, the ends
    places: usize,
}

const LEVELS: [Limits; 3] = [
    Limits {
        turn: 0.5,
        quality: 0.3,
        places: 2,
    },
    Limits {
        turn: 0.3,
        quality: 0.1,
        places: 5,
    },
    Limits {
        turn: 0.1,
        quality: 0.02,
        places: 5,
    },
];
/// How much the points weigh against the planes in the cost of a collapse: keeps triangles of flat parts equal in size.
const UNIFORMITY: f64 = 2e-3;
/// How far from the middle of an edge its new vertex may lie, over the length of the edge.
const REACH: f64 = 1.5;
/// How far the place that keeps the volume may lie from the best one, over the length of the edge: at a tip it would grow a spike.
const VOLUME_REACH: f64 = 0.2;
/// Quality below which the normal of a triangle means nothing.
const NEEDLE: f64 = 1e-3;

/// An edge that is to collapse to a place; `level` is an index into [`LEVELS`].
type Collapse = Candidate<Vec3>;

/// A decimation under way, in the unit box.
pub(crate) struct Work {
    pub(crate) surface: Connectivity,
    quadrics: Vec<Quadric>,
    stamps: Vec<u32>,
    grid: Option<FaceGrid>,
    /// below this number of triangles collapses are tested for self-intersection
    careful_below: usize,
    /// the vertex at the place of each one, where collapses go to ends of edges alone
    end_at: Option<Vec<u32>>,
    pub(crate) collapses: usize,
    refused: usize,
}

impl Work {
    pub(crate) fn new(unit: &SurfaceMesh, careful_below: usize) -> Self {
        Self {
            surface: Connectivity::new(unit),
            // the floor keeps the best place unique where no triangle has an area
            quadrics: Quadric::of_vertices(unit, 1.0, 1e-12),
            stamps: vec![0; unit.vertex_count()],
            grid: None,
            careful_below,
            end_at: None,
            collapses: 0,
            refused: 0,
        }
    }

    /// A decimation whose collapses take one end of an edge to the other; crossings are not tested.
    pub(crate) fn to_ends(unit: &SurfaceMesh) -> Self {
        Self {
            end_at: Some((0..unit.vertex_count() as u32).collect()),
            ..Self::new(unit, 0)
        }
    }

    fn candidate(&self, a: u32, b: u32) -> Collapse {
        let ends = [a.min(b), a.max(b)];
        let [p, q] = ends.map(|v| self.surface.mesh.positions[v as usize]);
        let sum = self.quadrics[ends[0] as usize].sum(&self.quadrics[ends[1] as usize]);
        let middle = (p + q) * 0.5;
        let cheapest = |places: &[Vec3]| {
            let cost = |x: &Vec3| sum.at(x, UNIFORMITY);
            let cheapest = places.iter().min_by(|x, y| cost(x).total_cmp(&cost(y)));
            cheapest.copied().unwrap_or(middle)
        };
        let place = match self.end_at {
            Some(_) => cheapest(&[p, q]),
            None => sum
                .minimiser()
                .filter(|x| (x - middle).norm() <= REACH * (q - p).norm())
                .unwrap_or_else(|| cheapest(&[middle, p, q])),
        };
        Collapse {
            cost: sum.at(&place, UNIFORMITY),
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
            let Some(place) = self.legal_place(&next) else {
                self.refused += 1;
                queue.put_back(next, LEVELS.len());
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
        let is_free = |v: u32| !self.surface.locked[v as usize];
        // an edge is met once in each direction
        (self.surface.mesh.directed_edges())
            .filter(|&[p, q]| p < q && is_free(p) && is_free(q))
            .map(|[p, q]| self.candidate(p, q))
            .collect()
    }

    fn refresh_grid(&mut self) {
        let wanted = self.surface.mesh.live < self.careful_below;
        let stale = |g: &FaceGrid| g.is_stale(&self.surface.mesh);
        if wanted && self.grid.as_ref().is_none_or(stale) {
            self.grid = Some(FaceGrid::new(&self.surface.mesh));
        }
    }

    fn legal_place(&self, next: &Collapse) -> Option<Vec3> {
        let [a, b] = next.ends;
        if !self.surface.may_collapse(a, b) {
            return None;
        }
        let [p, q] = next.ends.map(|v| self.surface.mesh.positions[v as usize]);
        let (g, k) = self.surface.volume_plane(a, b);
        let keeping_volume = self.quadrics[a as usize]
            .sum(&self.quadrics[b as usize])
            .minimiser_in_plane(&g, k)
            .filter(|x| (x - next.details).norm() <= VOLUME_REACH * (q - p).norm())
            .unwrap_or(next.details);
        let anywhere = [keeping_volume, next.details, (p + q) * 0.5, p, q];
        let limits = &LEVELS[next.level];
        let places = match self.end_at {
            Some(_) => &[next.details][..],
            None => &anywhere[..limits.places],
        };
        places
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
        let mut ring = Vec3::zeros();
        let mut worst_before = f64::INFINITY;
        for v in [a, b] {
            for &face in &self.surface.mesh.around[v as usize] {
                let (normal, quality) = normal_and_quality(self.surface.mesh.corners(face));
                ring += normal;
                worst_before = worst_before.min(quality);
            }
        }
        let floor = limits.quality.min(worst_before).max(1e-9);
        self.surface.mesh.remaining(a, b).all(|face| {
            let (before, q0) = normal_and_quality(self.surface.mesh.corners(face));
            let (after, q1) =
                normal_and_quality(self.surface.mesh.corners_after(face, &[a, b], place));
            let (reference, turn) = if q0 > NEEDLE {
                (before, limits.turn)
            } else {
                (ring, 0.0)
            };
            q1 >= floor && reference.dot(&after) >= turn * reference.norm() * after.norm()
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
        if let Some(end_at) = &mut self.end_at
            && place == self.surface.mesh.positions[b as usize]
        {
            end_at[a as usize] = end_at[b as usize];
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
        self.collapses += 1;
    }

    /// The triangles that are left, as triples of vertices of the original.
    pub(crate) fn triangles_of_ends(&self) -> Vec<[u32; 3]> {
        let original = |v: u32| self.end_at.as_ref().map_or(v, |end_at| end_at[v as usize]);
        let mesh = &self.surface.mesh;
        (mesh.live_faces())
            .map(|f| mesh.faces[f as usize].map(original))
            .collect()
    }

    pub(crate) fn finish(self, original: &SurfaceMesh, center: Vec3, scale: f64) -> Decimated {
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
            let mut vertices: Vec<u32> = (group.vertices.iter())
                .map(|&v| number[self.surface.representative(v) as usize])
                .filter(|&v| is_left(v))
                .collect();
            vertices.sort_unstable();
            vertices.dedup();
            surface.groups.push(VertexGroup {
                name: group.name.clone(),
                vertices,
            });
        }
        Decimated {
            surface,
            collapses: self.collapses,
            refused: self.refused,
        }
    }
}
