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
/// Weight of the spread of the area that a vertex stands for against its distance from the planes: makes base triangles equal in area.
const SPREAD: f64 = 0.05;

/// The removal of a vertex for the sake of a neighbour, its heir; `level` is an index into [`LIMITS`].
type Removal = Candidate<()>;

/// A decimation under way, in the unit box.
struct Decimation {
    coarse: Coarse,
    /// what each vertex stands for
    quadrics: Vec<Quadric>,
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
    let mut work = Decimation {
        coarse: Coarse::new(unit, creases),
        quadrics: Quadric::of_vertices(unit, 3.0, 0.0),
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
    fn candidate(&self, vertex: u32, heir: u32) -> Removal {
        let x = &self.coarse.mesh.positions[heir as usize];
        Removal {
            cost: self.quadrics[vertex as usize].at(x, SPREAD)
                + self.quadrics[heir as usize].at(x, SPREAD),
            ends: [vertex, heir],
            stamps: [vertex, heir].map(|v| self.stamps[v as usize]),
            level: 0,
            details: (),
        }
    }

    fn all_candidates(&self) -> Vec<Removal> {
        // an edge is met once in each direction
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
            let [v, heir] = next.ends;
            let part = self.parts.of_vertex[v as usize] as usize;
            if self.parts.triangles[part] < self.parts.least[part] + 2 {
                continue;
            }
            if !(self.coarse).may_remove(v, heir, &LIMITS[next.level], &mut star) {
                queue.put_back(next, LIMITS.len());
                continue;
            }
            self.coarse.remove(v, &star);
            self.parts.triangles[part] -= 2;
            let both = self.quadrics[heir as usize].sum(&self.quadrics[v as usize]);
            self.quadrics[heir as usize] = both;
            self.stamps[heir as usize] += 1;
            self.stamps[v as usize] += 1;
            for neighbour in self.coarse.mesh.neighbours(heir) {
                queue.push(self.candidate(heir, neighbour));
                queue.push(self.candidate(neighbour, heir));
            }
        }
        Ok(())
    }
}
