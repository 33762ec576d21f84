//! Vertices slide along the surface until triangles are even and none is folded.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::{Csr, vertex_neighbours, vertex_triangles};
use pliant_core::mesh::surface::SurfacePoint;
use rayon::prelude::*;

use super::samples::{Samples, Track};
use crate::remeshing::semi_regular::input::domain::Domain;

/// Shares of the way to the mean of the neighbours that are tried.
const STEPS: [f64; 3] = [0.8, 0.4, 0.1];
/// A triangle better than this may become worse, down to it.
const GOOD: f64 = 0.4;
/// A triangle worse than this is unfolded.
pub(crate) const BAD: f64 = 0.15;
/// Rounds of unfolding.
const UNFOLDING: usize = 30;
/// Rings around a harmful triangle that are let go, and how often they are moved.
const LOOSE_RINGS: usize = 5;
const LOOSE_SWEEPS: usize = 40;

/// Whether a vertex goes where its neighbours want it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    Free,
    /// on its way to a tip or ridge
    Pulled,
    /// at a tip or ridge
    Pinned,
}

/// Where a vertex is on the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    pub(crate) point: SurfacePoint,
    pub(crate) position: Vec3,
    normal: Vec3,
    /// edge of the sharp line that it lies on, if it does
    edge: [u32; 2],
}

/// A mesh whose vertices lie on a surface.
pub(crate) struct Relaxation<'a> {
    pub(crate) domain: &'a Domain<'a>,
    pub(crate) triangles: &'a [[u32; 3]],
    around: Csr,
    pub(crate) neighbours: Csr,
    pub(crate) spots: Vec<Spot>,
    track: Vec<Track>,
    /// vertices that do not follow their neighbours
    pub(crate) hold: Vec<Hold>,
    /// vertices in sets without neighbours in them, each of which moves at once
    independent: Vec<Vec<u32>>,
}

impl<'a> Relaxation<'a> {
    pub(crate) fn new(domain: &'a Domain<'a>, triangles: &'a [[u32; 3]], samples: Samples) -> Self {
        let count = samples.points.len();
        let neighbours = vertex_neighbours(count, triangles);
        let mut track = samples.track;
        let spots = (samples.points.iter().zip(&mut track))
            .map(|(point, track)| spot(domain, point, track))
            .collect();
        Self {
            around: vertex_triangles(count, triangles),
            independent: independent_sets(&neighbours),
            neighbours,
            spots,
            track,
            hold: vec![Hold::Free; count],
            domain,
            triangles,
        }
    }

    /// Moves every vertex towards the mean of its neighbours along the surface where that harms no triangle; those of `only` where it is given.
    pub(crate) fn sweep(
        &mut self,
        only: Option<&[bool]>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        self.each(progress, |all, v| {
            if all.hold[v] != Hold::Free || only.is_some_and(|only| !only[v]) {
                return None;
            }
            let from = &all.spots[v];
            let arm = all.mean_arm(v, from);
            let floor = all.worst(v, from).min(GOOD);
            (STEPS.iter()).find_map(|share| all.moved(v, from, arm * *share, floor))
        })
    }

    /// Asks every vertex where to go, set after set; the results do not depend on the number of threads.
    fn each(
        &mut self,
        progress: &Progress,
        place: impl Fn(&Self, usize) -> Option<Spot> + Sync,
    ) -> Result<(), Cancelled> {
        for k in 0..self.independent.len() {
            progress.check()?;
            let moves: Vec<(u32, Spot)> = (self.independent[k].par_iter())
                .with_min_len(256)
                .filter_map(|&v| place(self, v as usize).map(|spot| (v, spot)))
                .collect();
            for (v, spot) in moves {
                self.spots[v as usize] = spot;
            }
        }
        Ok(())
    }

    /// Pulls folded and bad triangles open: their vertices go where the worst triangle around is best, among the mean and eight directions.
    pub(crate) fn unfold(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let mut last = usize::MAX;
        for round in 0..UNFOLDING {
            let mut marked = vec![false; self.spots.len()];
            let mut bad = 0;
            for t in 0..self.triangles.len() {
                let first = self.triangles[t][0] as usize;
                if self.score(t as u32, first, &self.spots[first]) < BAD {
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
            self.each(progress, |all, v| {
                let may = all.hold[v] == Hold::Free || all.worst(v, &all.spots[v]) <= 0.0;
                (marked[v] && may).then(|| all.improved(v)).flatten()
            })?;
        }
        Ok(())
    }

    /// Lets the vertices within some rings of harmful triangles go to the mean of their neighbours, whatever that does to the triangles on the way: a tangle
    /// spreads out as a Tutte embedding does (1963). Then evens out with care again.
    pub(crate) fn loosen(
        &mut self,
        harmful: &[usize],
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let front = (harmful.iter().flat_map(|&t| self.triangles[t])).collect();
        let around = self.rings(front, LOOSE_RINGS);
        for (hold, _) in (self.hold.iter_mut().zip(&around)).filter(|(_, inside)| **inside) {
            *hold = Hold::Free;
        }
        for _ in 0..LOOSE_SWEEPS {
            self.each(progress, |all, v| {
                let from = &all.spots[v];
                (around[v])
                    .then(|| all.moved(v, from, all.mean_arm(v, from), f64::NEG_INFINITY))
                    .flatten()
            })?;
        }
        self.sweep(Some(&around), progress)?;
        self.unfold(progress)
    }

    fn improved(&self, v: usize) -> Option<Spot> {
        let mut spot = self.spots[v];
        let arm = self.mean_arm(v, &spot);
        let row = self.neighbours.row(v);
        let x = spot.position;
        let reach = (row.iter())
            .map(|&w| (self.spots[w as usize].position - x).norm())
            .sum::<f64>()
            / row.len().max(1) as f64;
        let normal = spot.normal;
        let side = (0..3)
            .map(|k| normal.cross(&Vec3::ith(k, 1.0)))
            .max_by(|p, q| p.norm().total_cmp(&q.norm()))
            .and_then(|p| p.try_normalize(1e-9))
            .unwrap_or_else(Vec3::zeros);
        let other = normal.cross(&side);
        let around = [0.5, 0.2, 0.05].into_iter().flat_map(|share| {
            (0..8).map(move |k| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
                (side * cos + other * sin) * (share * reach)
            })
        });
        let mut better = false;
        for arm in STEPS.map(|share| arm * share).into_iter().chain(around) {
            let floor = self.worst(v, &spot);
            if let Some(found) = self.moved(v, &spot, arm, floor) {
                spot = found;
                better = true;
            }
        }
        better.then_some(spot)
    }

    /// From a vertex to the mean of its neighbours, along the surface or its sharp line.
    fn mean_arm(&self, v: usize, from: &Spot) -> Vec3 {
        let mean = |row: &[u32]| {
            let sum: Vec3 = row.iter().map(|&w| self.spots[w as usize].position).sum();
            sum / row.len().max(1) as f64
        };
        match self.track[v] {
            Track::Free => {
                let arm = mean(self.neighbours.row(v)) - from.position;
                arm - from.normal * from.normal.dot(&arm)
            }
            Track::Line(ends) => mean(&ends) - from.position,
            Track::Corner => Vec3::zeros(),
        }
    }

    /// Where a vertex comes to lie that moves by `arm` and walks back to the surface or its sharp line, unless a triangle around then scores `floor` or less.
    pub(crate) fn moved(&self, v: usize, from: &Spot, arm: Vec3, floor: f64) -> Option<Spot> {
        let x = from.position + arm;
        let spot = match self.track[v] {
            Track::Free => {
                let (point, position) = self.domain.nearest_from(&from.point, &x);
                Spot {
                    point,
                    position,
                    normal: self.domain.normal(&point),
                    edge: from.edge,
                }
            }
            Track::Line(_) => on_line(self.domain, from.edge, &x)?,
            Track::Corner => return None,
        };
        (self.worst(v, &spot) > floor).then_some(spot)
    }

    /// Least score around a vertex when it is at `spot`.
    pub(crate) fn worst(&self, v: usize, spot: &Spot) -> f64 {
        (self.around.row(v).iter())
            .map(|&t| self.score(t, v, spot))
            .fold(f64::INFINITY, f64::min)
    }

    /// Quality of a triangle times the cosine between its normal and that of the surface at its corners: 1 at best, negative when folded. Vertex `v` is at `spot`.
    fn score(&self, t: u32, v: usize, spot: &Spot) -> f64 {
        let ids = self.triangles[t as usize].map(|w| w as usize);
        let spots = ids.map(|w| if w == v { spot } else { &self.spots[w] });
        let [a, b, c] = spots.map(|s| s.position);
        let normal = (b - a).cross(&(c - a));
        let lengths = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
        let sum = |lines: bool| -> Vec3 {
            (ids.iter().zip(&spots))
                .filter(|(w, _)| lines || matches!(self.track[**w], Track::Free))
                .map(|(_, s)| s.normal)
                .sum()
        };
        let mut surface = sum(false);
        if surface == Vec3::zeros() {
            // all corners lie on sharp lines, where the normal is between both sides
            surface = sum(true);
        }
        let size = lengths * surface.norm();
        if size > 0.0 {
            2.0 * 3.0_f64.sqrt() * normal.dot(&surface) / size
        } else {
            -1.0
        }
    }

    /// Places of the vertices on the surface.
    pub(crate) fn points(&self) -> Vec<SurfacePoint> {
        self.spots.iter().map(|s| s.point).collect()
    }

    /// Places of the vertices in space.
    pub(crate) fn positions(&self) -> Vec<Vec3> {
        self.spots.iter().map(|s| s.position).collect()
    }
}

/// The spot at a place; one that should be on a sharp line where there is none is let go.
fn spot(domain: &Domain<'_>, point: &SurfacePoint, track: &mut Track) -> Spot {
    let free = Spot {
        point: *point,
        position: domain.surface.point(point),
        normal: domain.normal(point),
        edge: [0, 0],
    };
    if !matches!(track, Track::Line(_)) {
        return free;
    }
    let on = (domain.line_at(point)).and_then(|edge| on_line(domain, edge, &free.position));
    on.unwrap_or_else(|| {
        *track = Track::Free;
        free
    })
}

fn on_line(domain: &Domain<'_>, edge: [u32; 2], x: &Vec3) -> Option<Spot> {
    let (edge, point, normal) = domain.nearest_on_line(edge, x)?;
    Some(Spot {
        point,
        position: domain.surface.point(&point),
        normal,
        edge,
    })
}

/// Vertices by the first colour that none of their neighbours before them has.
fn independent_sets(neighbours: &Csr) -> Vec<Vec<u32>> {
    let mut colour = vec![usize::MAX; neighbours.len()];
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for v in 0..neighbours.len() {
        let taken = |c: &usize| (neighbours.row(v).iter()).any(|&w| colour[w as usize] == *c);
        let first = (0..=sets.len()).find(|c| !taken(c)).unwrap_or(sets.len());
        colour[v] = first;
        if first == sets.len() {
            sets.push(Vec::new());
        }
        sets[first].push(v as u32);
    }
    sets
}

/// Triangles whose normal is more than a right angle both from the smooth normal of the surface near their centre and from that of its nearest triangle.
pub(crate) fn folded(
    domain: &Domain<'_>,
    mesh: &SurfaceMesh,
    points: &[SurfacePoint],
) -> Vec<usize> {
    (0..mesh.triangles.len())
        .into_par_iter()
        .filter(|&t| {
            let center = mesh.corners(t).iter().sum::<Vec3>() / 3.0;
            let nearest = (mesh.triangles[t].iter())
                .map(|&v| domain.nearest_across(&points[v as usize], &center))
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
        .collect()
}
