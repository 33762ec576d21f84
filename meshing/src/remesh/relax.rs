//! Vertices slide along the surface until triangles are even and none is folded.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::adjacency::{Csr, vertex_neighbours, vertex_triangles};
use pliant_core::mesh::surface::SurfacePoint;
use pliant_core::mesh::triangle_tree::ClosestPoint;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use rayon::prelude::*;

use super::domain::Domain;

/// Shares of the way to the mean of the neighbours that are tried.
const STEPS: [f64; 3] = [0.8, 0.4, 0.1];
/// A triangle better than this may become worse, down to it.
const GOOD: f64 = 0.4;
/// A triangle worse than this is unfolded.
const BAD: f64 = 0.15;
/// Rounds of pulling vertices to what the mesh cuts off.
const ATTRACTIONS: usize = 12;
/// Every so many rounds all places are looked at, else only those that were not near.
const ALL_AGAIN: usize = 6;
/// Shares of the way there that are tried.
const PULLS: [f64; 3] = [1.0, 0.5, 0.2];
/// Rounds of unfolding.
const UNFOLDING: usize = 30;

/// Whether a vertex goes where its neighbours want it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    Free,
    /// on its way to a tip or ridge
    Pulled,
    /// at a tip or ridge
    Pinned,
}

/// A mesh whose vertices lie on a surface.
pub(super) struct Relaxation<'a> {
    domain: &'a Domain<'a>,
    triangles: &'a [[u32; 3]],
    around: Csr,
    neighbours: Csr,
    points: &'a mut [SurfacePoint],
    pub(super) positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// vertices that do not follow their neighbours
    hold: Vec<Hold>,
}

impl<'a> Relaxation<'a> {
    pub(super) fn new(
        domain: &'a Domain<'a>,
        triangles: &'a [[u32; 3]],
        points: &'a mut [SurfacePoint],
    ) -> Self {
        Self {
            around: vertex_triangles(points.len(), triangles),
            neighbours: vertex_neighbours(points.len(), triangles),
            positions: points.iter().map(|p| domain.surface.point(p)).collect(),
            normals: points.iter().map(|p| domain.normal(p)).collect(),
            hold: vec![Hold::Free; points.len()],
            domain,
            triangles,
            points,
        }
    }

    /// Moves every vertex in turn towards the mean of its neighbours along the surface where that harms no triangle.
    pub(super) fn sweep(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        for v in 0..self.points.len() {
            if v % 4096 == 0 {
                progress.check()?;
            }
            if self.hold[v] != Hold::Free {
                continue;
            }
            let arm = self.mean_arm(v);
            let floor = self.worst(v);
            for share in STEPS {
                if self.try_move(v, arm * share, floor.min(GOOD)) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Pulls vertices to the tips and ridges that the mesh cuts off by more than `tolerance`, farthest first, and evens out the others.
    pub(super) fn attract(&mut self, tolerance: f64, progress: &Progress) -> Result<(), Cancelled> {
        let surface = self.domain.surface;
        let centers =
            (0..surface.triangles.len()).map(|t| surface.corners(t).iter().sum::<Vec3>() / 3.0);
        let places: Vec<Vec3> = (surface.positions.iter().copied()).chain(centers).collect();
        let mut suspects: Vec<usize> = Vec::new();
        for round in 0..ATTRACTIONS {
            progress.check()?;
            for hold in &mut self.hold {
                if *hold == Hold::Pulled {
                    *hold = Hold::Free;
                }
            }
            if round % ALL_AGAIN == 0 {
                suspects = (0..places.len()).collect();
            }
            let tree = TriangleTree::new(&self.positions, self.triangles);
            let found: Vec<(usize, ClosestPoint)> = (suspects.par_iter())
                .filter_map(|&k| tree.closest(&places[k]).map(|c| (k, c)))
                .filter(|(_, c)| c.distance_squared > 0.25 * tolerance * tolerance)
                .collect();
            suspects = found.iter().map(|f| f.0).collect();
            let mut far: Vec<(u64, usize, ClosestPoint)> = (found.into_iter())
                .filter(|(_, c)| c.distance_squared > tolerance * tolerance)
                // not negative, so the bits are in order
                .map(|(k, c)| (c.distance_squared.to_bits(), k, c))
                .collect();
            far.sort_unstable_by_key(|&(distance, k, _)| (std::cmp::Reverse(distance), k));
            let mut busy = vec![false; self.points.len()];
            let mut moved = false;
            for (_, k, nearest) in far {
                let corners = self.triangles[nearest.triangle as usize].map(|v| v as usize);
                if let Some(v) = self.pull(corners, &busy, places[k]) {
                    moved = true;
                    busy[v] = true;
                    for &w in self.neighbours.row(v) {
                        busy[w as usize] = true;
                    }
                }
            }
            if !moved {
                break;
            }
            self.sweep(progress)?;
            self.sweep(progress)?;
        }
        Ok(())
    }

    /// Moves one of three vertices to a place or as far towards it as it gets without harm: the one whose triangles stay best.
    fn pull(&mut self, corners: [usize; 3], busy: &[bool], to: Vec3) -> Option<usize> {
        for share in PULLS {
            let mut best: Option<(f64, usize)> = None;
            for v in corners {
                if busy[v] || self.hold[v] == Hold::Pinned {
                    continue;
                }
                let kept = (self.points[v], self.positions[v], self.normals[v]);
                if self.try_move(v, (to - self.positions[v]) * share, BAD) {
                    let score = self.worst(v);
                    (self.points[v], self.positions[v], self.normals[v]) = kept;
                    if best.is_none_or(|(most, _)| score > most) {
                        best = Some((score, v));
                    }
                }
            }
            if let Some((_, v)) = best {
                self.try_move(v, (to - self.positions[v]) * share, BAD);
                self.hold[v] = if share == 1.0 {
                    Hold::Pinned
                } else {
                    Hold::Pulled
                };
                return Some(v);
            }
        }
        None
    }

    /// Pulls folded and bad triangles open: their vertices go where the worst triangle around is best, among the mean and eight directions.
    pub(super) fn unfold(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let mut last = usize::MAX;
        for round in 0..UNFOLDING {
            progress.check()?;
            let mut marked = vec![false; self.points.len()];
            let mut bad = 0;
            for t in 0..self.triangles.len() {
                if self.score(t as u32) < BAD {
                    bad += 1;
                    for v in self.triangles[t] {
                        marked[v as usize] = true;
                        for &w in self.neighbours.row(v as usize) {
                            marked[w as usize] = true;
                        }
                    }
                }
            }
            // stops when nothing is left or nothing helps any more
            if bad == 0 || (round >= 4 && bad * 20 > last * 19) {
                break;
            }
            last = bad;
            for v in (0..self.points.len()).filter(|&v| marked[v]) {
                if self.hold[v] == Hold::Free || self.worst(v) <= 0.0 {
                    self.improve(v);
                }
            }
        }
        Ok(())
    }

    fn improve(&mut self, v: usize) {
        let arm = self.mean_arm(v);
        let row = self.neighbours.row(v);
        let x = self.positions[v];
        let reach = (row.iter())
            .map(|&w| (self.positions[w as usize] - x).norm())
            .sum::<f64>()
            / row.len().max(1) as f64;
        let normal = self.normals[v];
        let side = (0..3)
            .map(|k| normal.cross(&Vec3::ith(k, 1.0)))
            .max_by(|p, q| p.norm().total_cmp(&q.norm()))
            .and_then(|p| p.try_normalize(1e-9))
            .unwrap_or_else(Vec3::zeros);
        let other = normal.cross(&side);
        for share in STEPS {
            let floor = self.worst(v);
            self.try_move(v, arm * share, floor);
        }
        for share in [0.5, 0.2, 0.05] {
            for k in 0..8 {
                let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
                let floor = self.worst(v);
                self.try_move(v, (side * cos + other * sin) * (share * reach), floor);
            }
        }
    }

    /// From a vertex to the mean of its neighbours, along the surface.
    fn mean_arm(&self, v: usize) -> Vec3 {
        let row = self.neighbours.row(v);
        let sum: Vec3 = row.iter().map(|&w| self.positions[w as usize]).sum();
        let arm = sum / row.len().max(1) as f64 - self.positions[v];
        arm - self.normals[v] * self.normals[v].dot(&arm)
    }

    /// Moves a vertex and walks back to the surface, unless a triangle around would then score `floor` or less.
    fn try_move(&mut self, v: usize, arm: Vec3, floor: f64) -> bool {
        let (point, position) =
            (self.domain).nearest_from(&self.points[v], &(self.positions[v] + arm));
        let normal = self.domain.normal(&point);
        let kept = (self.points[v], self.positions[v], self.normals[v]);
        (self.points[v], self.positions[v], self.normals[v]) = (point, position, normal);
        let fits = self.worst(v) > floor;
        if !fits {
            (self.points[v], self.positions[v], self.normals[v]) = kept;
        }
        fits
    }

    fn worst(&self, v: usize) -> f64 {
        (self.around.row(v).iter())
            .map(|&t| self.score(t))
            .fold(f64::INFINITY, f64::min)
    }

    /// Quality of a triangle times the cosine between its normal and that of the surface at its corners: 1 at best, negative when folded.
    fn score(&self, t: u32) -> f64 {
        let ids = self.triangles[t as usize].map(|v| v as usize);
        let [a, b, c] = ids.map(|v| self.positions[v]);
        let normal = (b - a).cross(&(c - a));
        let lengths = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
        let surface = self.normals[ids[0]] + self.normals[ids[1]] + self.normals[ids[2]];
        let size = lengths * surface.norm();
        if size > 0.0 {
            2.0 * 3.0_f64.sqrt() * normal.dot(&surface) / size
        } else {
            -1.0
        }
    }
}

/// Triangles whose normal is more than a right angle both from the smooth normal of the surface near their centre and from that of its nearest triangle.
pub(super) fn folded(domain: &Domain<'_>, mesh: &SurfaceMesh, points: &[SurfacePoint]) -> usize {
    (0..mesh.triangles.len())
        .filter(|&t| {
            let center = mesh.corners(t).iter().sum::<Vec3>() / 3.0;
            let nearest = (mesh.triangles[t].iter())
                .map(|&v| domain.nearest_from(&points[v as usize], &center))
                .min_by(|p, q| {
                    (p.1 - center)
                        .norm_squared()
                        .total_cmp(&(q.1 - center).norm_squared())
                });
            let normal = mesh.area_vector(t);
            nearest.is_none_or(|(at, _)| {
                let flat = domain.surface.area_vector(at.triangle as usize);
                normal.dot(&domain.normal(&at)) <= 0.0 && normal.dot(&flat) <= 0.0
            })
        })
        .count()
}
