//! The order in which vertices are removed.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;

use super::coarse::{Coarse, Limits, Star};
use super::parts::Parts;
use crate::remeshing::semi_regular::input::crease::Creases;

/// Limits of a removal, strict to lax. One that fails is tried again with the next ones at four times the cost.
const LIMITS: [Limits; 3] = [
    Limits {
        turn: 0.5,
        quality: 0.35,
        planar_quality: 0.1,
        most: 8,
        least: 4,
    },
    Limits {
        turn: 0.2,
        quality: 0.15,
        planar_quality: 0.03,
        most: 10,
        least: 4,
    },
    Limits {
        turn: -0.2,
        quality: 0.03,
        planar_quality: 0.005,
        most: 14,
        least: 3,
    },
];
const PENALTY: f64 = 4.0;
/// Weight of the spread of the area that a vertex stands for against its distance from the planes: makes base triangles equal in area.
const SPREAD: f64 = 0.05;

/// What a vertex stands for: planes weighted by area (Garland and Heckbert 1997) and points weighted by area.
#[derive(Debug, Clone, Copy)]
struct Burden {
    a: Mat3,
    b: Vec3,
    c: f64,
    w: f64,
    s: Vec3,
    r: f64,
}

impl Burden {
    fn zero() -> Self {
        Self {
            a: Mat3::zeros(),
            b: Vec3::zeros(),
            c: 0.0,
            w: 0.0,
            s: Vec3::zeros(),
            r: 0.0,
        }
    }

    fn add_plane(&mut self, point: &Vec3, n: &Vec3, weight: f64) {
        let d = n.dot(point);
        self.a += n * n.transpose() * weight;
        self.b += n * (d * weight);
        self.c += d * d * weight;
    }

    fn add_point(&mut self, point: &Vec3, weight: f64) {
        self.w += weight;
        self.s += point * weight;
        self.r += point.norm_squared() * weight;
    }

    fn take(&mut self, other: &Self) {
        self.a += other.a;
        self.b += other.b;
        self.c += other.c;
        self.w += other.w;
        self.s += other.s;
        self.r += other.r;
    }

    fn at(&self, x: &Vec3) -> f64 {
        let planes = x.dot(&(self.a * x)) - 2.0 * self.b.dot(x) + self.c;
        let points = self.w * x.norm_squared() - 2.0 * self.s.dot(x) + self.r;
        planes.max(0.0) + SPREAD * points.max(0.0)
    }
}

/// A removal waiting for its turn; stale once one of the two vertices has changed.
struct Candidate {
    cost: f64,
    vertex: u32,
    heir: u32,
    stamps: [u32; 2],
    /// index into [`LIMITS`]
    level: usize,
}

impl Ord for Candidate {
    /// The cheapest is the greatest; equal costs go by vertex numbers.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.cost.total_cmp(&self.cost))
            .then_with(|| (other.vertex, other.heir).cmp(&(self.vertex, self.heir)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

/// A decimation under way, in the unit box.
struct Decimation {
    coarse: Coarse,
    burdens: Vec<Burden>,
    stamps: Vec<u32>,
    parts: Parts,
}

/// Removes vertices until `goal` triangles are left or no legal removal is; `parts` says how few each component may have. In between, edges are flipped towards good triangles and, at the end,
/// towards six neighbours a vertex.
pub(crate) fn decimated(
    unit: &SurfaceMesh,
    creases: &Creases,
    parts: &Parts,
    goal: usize,
    progress: &Progress,
) -> Result<Coarse, Cancelled> {
    let mut burdens = vec![Burden::zero(); unit.vertex_count()];
    for (t, triangle) in unit.triangles.iter().enumerate() {
        let vector = unit.area_vector(t);
        let area = vector.norm();
        if area > 0.0 {
            let [corner, ..] = unit.corners(t);
            for &v in triangle {
                burdens[v as usize].add_plane(&corner, &(vector / area), area / 3.0);
            }
        }
    }
    for (v, area) in unit.nodal_areas().into_iter().enumerate() {
        burdens[v].add_point(&unit.positions[v], area);
    }
    let mut work = Decimation {
        coarse: Coarse::new(unit, creases),
        burdens,
        stamps: vec![0; unit.vertex_count()],
        parts: parts.clone(),
    };
    if unit.triangles.len() > goal {
        // needles of flat parts go first: they would keep stars from being flattened
        for _ in 0..3 {
            progress.check()?;
            work.coarse.flip(false);
        }
    }
    while work.coarse.live > goal {
        let before = work.coarse.live;
        work.round(goal.max(before / 2), unit.triangles.len(), goal, progress)?;
        if work.coarse.live == before {
            break;
        }
        work.coarse.flip(false);
    }
    if work.coarse.live < unit.triangles.len() {
        for even_valence in [true, true, false, true] {
            progress.check()?;
            work.coarse.flip(even_valence);
        }
    }
    Ok(work.coarse)
}

impl Decimation {
    fn candidate(&self, vertex: u32, heir: u32) -> Candidate {
        let x = &self.coarse.positions[heir as usize];
        Candidate {
            cost: self.burdens[vertex as usize].at(x) + self.burdens[heir as usize].at(x),
            vertex,
            heir,
            stamps: [vertex, heir].map(|v| self.stamps[v as usize]),
            level: 0,
        }
    }

    fn is_current(&self, c: &Candidate) -> bool {
        [c.vertex, c.heir].map(|v| self.stamps[v as usize]) == c.stamps
            && !self.coarse.around[c.vertex as usize].is_empty()
            && !self.coarse.around[c.heir as usize].is_empty()
    }

    fn all_candidates(&self) -> Vec<Candidate> {
        let mut all = Vec::with_capacity(3 * self.coarse.live);
        for (face, triangle) in self.coarse.faces.iter().enumerate() {
            if self.coarse.alive[face] {
                let [a, b, c] = *triangle;
                // an edge is met once in each direction
                all.extend([(a, b), (b, c), (c, a)].map(|(p, q)| self.candidate(p, q)));
            }
        }
        all
    }

    fn round(
        &mut self,
        stop: usize,
        first: usize,
        goal: usize,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let mut queue = BinaryHeap::from(self.all_candidates());
        // refused by their neighbourhood, which changes: they return after a while
        let mut waiting: Vec<Candidate> = Vec::new();
        let mut return_below = self.coarse.live / 10 * 9;
        let mut star = Star::default();
        let mut steps = 0_usize;
        while self.coarse.live > stop {
            let Some(mut next) = queue.pop() else { break };
            steps += 1;
            if steps.is_multiple_of(4096) {
                progress.check()?;
                let done = (first - self.coarse.live) as f64 / (first - goal).max(1) as f64;
                progress.set_fraction(done);
            }
            if !self.is_current(&next) {
                continue;
            }
            if self.coarse.live < return_below {
                return_below = self.coarse.live / 10 * 9;
                queue.extend(waiting.drain(..).filter(|c| self.is_current(c)));
            }
            let (v, heir) = (next.vertex, next.heir);
            let part = self.parts.of_vertex[v as usize] as usize;
            if self.parts.triangles[part] < self.parts.least[part] + 2 {
                continue;
            }
            if !(self.coarse).may_remove(v, heir, &LIMITS[next.level], &mut star) {
                next.level += 1;
                if next.level < LIMITS.len() {
                    next.cost *= PENALTY;
                    queue.push(next);
                } else {
                    next.level = 0;
                    next.cost /= PENALTY.powi(LIMITS.len() as i32 - 1);
                    waiting.push(next);
                }
                continue;
            }
            self.coarse.remove(v, &star);
            self.parts.triangles[part] -= 2;
            let burden = self.burdens[v as usize];
            self.burdens[heir as usize].take(&burden);
            self.stamps[heir as usize] += 1;
            self.stamps[v as usize] += 1;
            for neighbour in self.coarse.neighbours(heir) {
                queue.push(self.candidate(heir, neighbour));
                queue.push(self.candidate(neighbour, heir));
            }
        }
        Ok(())
    }
}
