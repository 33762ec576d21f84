//! The order in which vertices are removed.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;

use super::coarse::{Coarse, Limits, Star};
use super::parts::Parts;
use crate::remeshing::candidate::{Candidate, Queue};
use crate::remeshing::decimate::quadric::Quadric;
use crate::remeshing::semi_regular::input::crease::Creases;

/// Limits of a removal, strict to lax. One that fails is tried again with the next ones at a higher cost.
const LIMITS: [Limits; 3] = [
    Limits {
        min_normal_cosine: 0.5,
        min_quality: 0.35,
        min_planar_quality: 0.1,
        max_valence: 8,
        min_valence: 4,
    },
    Limits {
        min_normal_cosine: 0.2,
        min_quality: 0.15,
        min_planar_quality: 0.03,
        max_valence: 10,
        min_valence: 4,
    },
    Limits {
        min_normal_cosine: -0.2,
        min_quality: 0.03,
        min_planar_quality: 0.005,
        max_valence: 14,
        min_valence: 3,
    },
];
/// Weight of the point quadrics against the plane quadrics: makes base triangles equal in area.
const POINT_WEIGHT: f64 = 0.05;

/// The removal of a vertex by collapsing it into a neighbour, its target; `level` is an index into [`LIMITS`].
type Removal = Candidate<()>;

/// A decimation in progress, in the unit box.
struct Decimation {
    coarse: Coarse,
    /// the planes and points that each vertex represents
    quadrics: Vec<Quadric>,
    stamps: Vec<u32>,
    parts: Parts,
}

/// Removes vertices until `goal` triangles are left or no legal removal is; `parts` has the least number for each component. In between, edges are flipped towards good triangles and, at the end,
/// towards six neighbours a vertex.
pub(crate) fn decimated(
    unit: &SurfaceMesh,
    creases: &Creases,
    parts: &Parts,
    goal: usize,
    progress: &Progress,
) -> Result<Coarse, Cancelled> {
    let mut work = Decimation {
        coarse: Coarse::new(unit, creases),
        quadrics: Quadric::of_vertices(unit, 3.0, 0.0),
        stamps: vec![0; unit.vertex_count()],
        parts: parts.clone(),
    };
    if unit.triangles.len() > goal {
        // needles of flat parts are flipped first: they would keep stars from being flattened
        for _ in 0..3 {
            progress.check()?;
            work.coarse.flip(false);
        }
    }
    while work.coarse.mesh.live > goal {
        let before = work.coarse.mesh.live;
        work.round(goal.max(before / 2), unit.triangles.len(), goal, progress)?;
        if work.coarse.mesh.live == before {
            break;
        }
        work.coarse.flip(false);
    }
    if work.coarse.mesh.live < unit.triangles.len() {
        for even_valence in [true, true, false, true] {
            progress.check()?;
            work.coarse.flip(even_valence);
        }
    }
    Ok(work.coarse)
}

impl Decimation {
    fn candidate(&self, vertex: u32, target: u32) -> Removal {
        let x = &self.coarse.mesh.positions[target as usize];
        Removal {
            cost: self.quadrics[vertex as usize].at(x, POINT_WEIGHT)
                + self.quadrics[target as usize].at(x, POINT_WEIGHT),
            ends: [vertex, target],
            stamps: [vertex, target].map(|v| self.stamps[v as usize]),
            level: 0,
            details: (),
        }
    }

    fn all_candidates(&self) -> Vec<Removal> {
        // each edge appears once in each direction
        (self.coarse.mesh.directed_edges())
            .map(|[p, q]| self.candidate(p, q))
            .collect()
    }

    fn round(
        &mut self,
        stop: usize,
        first: usize,
        goal: usize,
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let mut queue = Queue::new(self.all_candidates(), self.coarse.mesh.live);
        let mut star = Star::default();
        let mut steps = 0_usize;
        while self.coarse.mesh.live > stop {
            let Some(next) = queue.pop(&self.coarse.mesh, &self.stamps) else {
                break;
            };
            steps += 1;
            if steps.is_multiple_of(4096) {
                progress.check()?;
                let done = (first - self.coarse.mesh.live) as f64 / (first - goal).max(1) as f64;
                progress.set_fraction(done);
            }
            let [v, target] = next.ends;
            let part = self.parts.of_vertex[v as usize] as usize;
            if self.parts.triangles[part] < self.parts.min_triangles[part] + 2 {
                continue;
            }
            if !(self.coarse).may_remove(v, target, &LIMITS[next.level], &mut star) {
                queue.put_back(next, LIMITS.len());
                continue;
            }
            self.coarse.remove(v, &star);
            self.parts.triangles[part] -= 2;
            let both = self.quadrics[target as usize].sum(&self.quadrics[v as usize]);
            self.quadrics[target as usize] = both;
            self.stamps[target as usize] += 1;
            self.stamps[v as usize] += 1;
            for neighbour in self.coarse.mesh.neighbours(target) {
                queue.push(self.candidate(target, neighbour));
                queue.push(self.candidate(neighbour, target));
            }
        }
        Ok(())
    }
}
