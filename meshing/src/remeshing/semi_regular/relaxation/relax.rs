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
const STEP_SHARES: [f64; 3] = [0.8, 0.4, 0.1];
/// A triangle with a better score may become worse, down to this.
const GOOD_SCORE: f64 = 0.4;
/// A triangle with a worse score is unfolded.
pub(crate) const BAD_SCORE: f64 = 0.15;
/// Most rounds of unfolding.
const MAX_UNFOLDING_ROUNDS: usize = 30;
/// Rings around a defective triangle that are untangled, and the number of sweeps over them.
const UNTANGLED_RINGS: usize = 5;
const UNTANGLING_SWEEPS: usize = 40;

/// Whether a vertex moves to the mean of its neighbours.
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
    /// sets of vertices of which no two are neighbours; the vertices of a set move at once
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

    /// Moves every vertex towards the mean of its neighbours along the surface where no triangle becomes too bad; only those of `only` where it is given.
    pub(crate) fn sweep(
        &mut self,
        only: Option<&[bool]>,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        self.move_each(progress, |state, v| {
            if state.hold[v] != Hold::Free || only.is_some_and(|only| !only[v]) {
                return None;
            }
            let from = &state.spots[v];
            let offset = state.mean_offset(v, from);
            let floor = state.worst(v, from).min(GOOD_SCORE);
            (STEP_SHARES.iter()).find_map(|share| state.moved(v, from, offset * *share, floor))
        })
    }

    /// Moves every vertex to its new spot, set after set; the results do not depend on the number of threads.
    fn move_each(
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

    /// Unfolds folded and bad triangles: their vertices move to where the worst triangle around is best, among steps to the mean and in eight directions.
    pub(crate) fn unfold(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let mut last = usize::MAX;
        for round in 0..MAX_UNFOLDING_ROUNDS {
            let mut marked = vec![false; self.spots.len()];
            let mut bad = 0;
            for t in 0..self.triangles.len() {
                let first = self.triangles[t][0] as usize;
                if self.score(t as u32, first, &self.spots[first]) < BAD_SCORE {
                    bad += 1;
                    for v in self.triangles[t] {
                        marked[v as usize] = true;
                        for &w in self.neighbours.row(v as usize) {
                            marked[w as usize] = true;
                        }
                    }
                }
            }
            // ends when no bad triangle is left or their number hardly falls
            if bad == 0 || (round >= 4 && bad * 20 > last * 19) {
                break;
            }
            last = bad;
            self.move_each(progress, |state, v| {
                let may_move =
                    state.hold[v] == Hold::Free || state.worst(v, &state.spots[v]) <= 0.0;
                (marked[v] && may_move).then(|| state.improved(v)).flatten()
            })?;
        }
        Ok(())
    }

    /// Moves the vertices within some rings of defective triangles to the mean of their neighbours, whatever happens to the triangles meanwhile: the tangle
    /// spreads out like a Tutte embedding (1963). Then relaxes and unfolds as usual.
    pub(crate) fn untangle(
        &mut self,
        defective: &[usize],
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let front = (defective.iter().flat_map(|&t| self.triangles[t])).collect();
        let around = self.rings(front, UNTANGLED_RINGS);
        for (hold, _) in (self.hold.iter_mut().zip(&around)).filter(|(_, inside)| **inside) {
            *hold = Hold::Free;
        }
        for _ in 0..UNTANGLING_SWEEPS {
            self.move_each(progress, |state, v| {
                let from = &state.spots[v];
                (around[v])
                    .then(|| state.moved(v, from, state.mean_offset(v, from), f64::NEG_INFINITY))
                    .flatten()
            })?;
        }
        self.sweep(Some(&around), progress)?;
        self.unfold(progress)
    }

    fn improved(&self, v: usize) -> Option<Spot> {
        let mut spot = self.spots[v];
        let offset = self.mean_offset(v, &spot);
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
        for offset in STEP_SHARES
            .map(|share| offset * share)
            .into_iter()
            .chain(around)
        {
            let floor = self.worst(v, &spot);
            if let Some(found) = self.moved(v, &spot, offset, floor) {
                spot = found;
                better = true;
            }
        }
        better.then_some(spot)
    }

    /// Vector from a vertex to the mean of its neighbours, along the surface or its sharp line.
    fn mean_offset(&self, v: usize, from: &Spot) -> Vec3 {
        let mean = |row: &[u32]| {
            let sum: Vec3 = row.iter().map(|&w| self.spots[w as usize].position).sum();
            sum / row.len().max(1) as f64
        };
        match self.track[v] {
            Track::Free => {
                let offset = mean(self.neighbours.row(v)) - from.position;
                offset - from.normal * from.normal.dot(&offset)
            }
            Track::Line(ends) => mean(&ends) - from.position,
            Track::Corner => Vec3::zeros(),
        }
    }

    /// The spot of a vertex that moves by `offset` and walks back to the surface or its sharp line; `None` if a triangle around it then scores `floor` or less.
    pub(crate) fn moved(&self, v: usize, from: &Spot, offset: Vec3, floor: f64) -> Option<Spot> {
        let x = from.position + offset;
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

    /// The vertices as points of the surface.
    pub(crate) fn points(&self) -> Vec<SurfacePoint> {
        self.spots.iter().map(|s| s.point).collect()
    }

    /// Positions of the vertices.
    pub(crate) fn positions(&self) -> Vec<Vec3> {
        self.spots.iter().map(|s| s.position).collect()
    }
}

/// The spot at a point. A vertex whose track is a sharp line where there is none becomes free.
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
