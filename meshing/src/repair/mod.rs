//! From a surface as a file has it to a solid: closed, edge-manifold and oriented, or an error that names the place.
//!
//! [`repair`] does only what needs no guess: vertices that are stored several times, vertices in the middle of an edge, faces without area, faces
//! twice there, orientation, fins, parts that touch in a vertex or an edge. A clean surface comes out unchanged. [`make_solid`] goes on where that
//! is not enough: it closes small holes, then wraps, and says how far that moved the surface.

mod edges;
pub(crate) mod error;
pub(crate) mod faces;
mod holes;
mod orient;
mod rims;
mod solid;
mod split;
mod t_junction;
pub(crate) mod weld;

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::{Topology, UnionFind, topology};

pub use error::RepairError;
pub use solid::{make_solid, make_solid_of_sheets};

/// Tolerances of welding that are tried in turn, as shares of the diagonal.
const WELD_TOLERANCES: [f64; 2] = [1e-6, 1e-5];

/// A surface that encloses a volume less than this share of its box diagonal cubed is flat.
const FLAT: f64 = 1e-9;

/// What [`repair`] gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// Closed, edge-manifold, without pinches, counter-clockwise from outside; vertices and triangles in their old order.
    pub surface: SurfaceMesh,
    /// What was changed, in the order of the work; empty for a clean input.
    pub steps: Vec<RepairStep>,
}

/// One kind of change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairStep {
    /// Name that scripts match on, for example `"Welded"`.
    pub code: &'static str,
    /// How many vertices, faces or components it changed.
    pub count: usize,
    /// A sentence for people.
    pub message: String,
}

/// Repairs what can be repaired without guessing. Cost O(n log n), and components times triangles where components are nested.
///
/// Steps, where needed: `Welded` (equal positions), `WeldedNear` (within 1e-6, else 1e-5, of the diagonal, only vertices of open edges),
/// `DroppedDegenerate`, `DroppedWalls` (two-sided, between solids or inside), `DroppedDuplicate`, `InsertedInEdges`, `DroppedFins`, `FlippedFaces` (the majority of each patch decides), `SplitPinches`,
/// `TurnedComponents` (inside out), `RemovedFlat` (diagonals turned), `KeptDegenerate`, `DroppedUnreferenced`.
///
/// ```
/// use pliant_core::{asset::Progress, math::Vec3, mesh::procedural::{CellStyle, box_surface}};
/// use pliant_meshing::repair::repair;
/// let mut surface = box_surface(Vec3::repeat(1.0), [2, 2, 2], CellStyle::Kuhn);
/// let clean = repair(&surface, &Progress::new()).expect("a solid");
/// assert_eq!((&clean.surface, clean.steps.len()), (&surface, 0));
///
/// surface.triangles.pop();
/// let error = repair(&surface, &Progress::new()).expect_err("a hole");
/// assert_eq!(error.code(), "SkinOpen");
/// ```
pub fn repair(raw: &SurfaceMesh, progress: &Progress) -> Result<Repaired, RepairError> {
    let mut work = prepare(raw, false, progress)?;
    work.orient(progress)?;
    work.finish(progress)
}

/// The surface as it is, if it is a solid already: closed, manifold, oriented and not inside out. Equal positions are joined where the surface
/// needs it (formats like STL store each corner by itself), which moves nothing.
///
/// # Errors
/// [`RepairError`] with the first fault and its place.
pub fn require_solid(raw: &SurfaceMesh, progress: &Progress) -> Result<Repaired, RepairError> {
    progress.stage("checking");
    refuse_unusable(raw)?;
    let mut work = Work {
        surface: raw.clone(),
        steps: Vec::new(),
        loose: 0,
    };
    if !is_sound(&work.surface) {
        work.weld_equal();
        progress.check()?;
        let topology = topology(&work.surface);
        let is_sound = topology.is_closed() && topology.is_manifold() && topology.is_oriented();
        if !is_sound {
            return Err(what_remains(&work.surface, &topology));
        }
    }
    let (volume, diagonal) = (work.surface.volume(), work.surface.bounds().diagonal());
    if volume < -FLAT * diagonal.powi(3) {
        return Err(RepairError::InsideOut { volume });
    }
    if volume.is_nan() || volume <= FLAT * diagonal.powi(3) {
        return Err(RepairError::FlatSurface { volume, diagonal });
    }
    Ok(Repaired {
        surface: work.surface,
        steps: work.steps,
    })
}

/// Joins, drops and cuts what needs no guess, as far as that goes without looking at sides; a surface that is sound by its own
/// numbering only if `always`.
fn prepare(raw: &SurfaceMesh, always: bool, progress: &Progress) -> Result<Work, RepairError> {
    progress.stage("repairing");
    refuse_unusable(raw)?;
    let mut work = Work {
        surface: raw.clone(),
        steps: Vec::new(),
        loose: 0,
    };
    work.loose = weld::drop_unreferenced(&mut work.surface);
    if always || !is_sound(&work.surface) {
        work.weld_equal();
        progress.check()?;
        work.drop_faces();
        work.weld_near(progress)?;
        let tolerance = WELD_TOLERANCES[0] * work.surface.bounds().diagonal();
        let inserted = t_junction::insert_in_edges(&mut work.surface, tolerance, progress)?;
        let message = format!(
            "vertices that lay in the middle of an open edge (within {tolerance:.1e}) were made corners of it"
        );
        work.step("InsertedInEdges", inserted, &message);
        progress.check()?;
        let fins = faces::drop_fins(&mut work.surface);
        let message = "faces that hung on a closed body were dropped";
        work.step("DroppedFins", fins, message);
    }
    if work.surface.triangles.is_empty() {
        return Err(RepairError::NoTriangles);
    }
    progress.set_fraction(0.4);
    Ok(work)
}

/// Welded and with neighbours that agree where they can, for a surface that need not become a solid. The sign of the whole is that of its volume.
pub(crate) fn tidy(raw: &SurfaceMesh, progress: &Progress) -> Result<Repaired, RepairError> {
    let mut work = prepare(raw, false, progress)?;
    if let Err(RepairError::Cancelled) = work.orient(progress) {
        return Err(RepairError::Cancelled);
    }
    if work.surface.volume() < 0.0 {
        work.surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    Ok(Repaired {
        surface: work.surface,
        steps: work.steps,
    })
}

fn refuse_unusable(raw: &SurfaceMesh) -> Result<(), RepairError> {
    if raw.triangles.is_empty() {
        return Err(RepairError::NoTriangles);
    }
    for (triangle, corners) in raw.triangles.iter().enumerate() {
        for &index in corners {
            match raw.positions.get(index as usize) {
                None => {
                    return Err(RepairError::IndexOutOfRange {
                        triangle,
                        index,
                        vertices: raw.vertex_count(),
                    });
                }
                Some(p) if !p.iter().all(|x| x.is_finite()) => {
                    return Err(RepairError::NonFinite { index });
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

/// Closed, manifold and oriented by its own numbering: then equal positions are meant, and nothing is joined.
fn is_sound(surface: &SurfaceMesh) -> bool {
    if surface.triangles.iter().any(faces::repeats) {
        return false;
    }
    let t = topology(surface);
    t.is_closed() && t.is_manifold() && t.is_oriented()
}

fn what_remains(surface: &SurfaceMesh, topology: &Topology) -> RepairError {
    if let Some(edge) = topology.boundary_edges.first() {
        RepairError::SkinOpen {
            holes: topology.boundary_loops,
            edges: topology.boundary_edges.len(),
            at: middle(surface, *edge),
        }
    } else if let Some(edge) = topology.non_manifold_edges.first() {
        RepairError::NonManifold {
            edges: topology.non_manifold_edges.len(),
            at: middle(surface, *edge),
        }
    } else {
        // pinches are split and neighbours agree by now, so this is for completeness only
        let edge = topology.misoriented_edges.first().copied();
        let pinch = topology.non_manifold_vertices.first().copied().unwrap_or(0);
        RepairError::NotOrientable {
            at: middle(surface, edge.unwrap_or([pinch, pinch])),
        }
    }
}

fn middle(surface: &SurfaceMesh, edge: [u32; 2]) -> [f64; 3] {
    let [a, b] = edge.map(|v| surface.positions[v as usize]);
    ((a + b) * 0.5).into()
}

/// The surface under repair and what was done to it.
struct Work {
    surface: SurfaceMesh,
    steps: Vec<RepairStep>,
    /// vertices without a triangle that were dropped
    loose: usize,
}

impl Work {
    /// The solid, if the oriented surface is one.
    fn finish(mut self, progress: &Progress) -> Result<Repaired, RepairError> {
        progress.set_fraction(0.8);
        let topology = topology(&self.surface);
        if !topology.is_closed() || !topology.is_manifold() || !topology.is_oriented() {
            return Err(what_remains(&self.surface, &topology));
        }
        self.turn_outwards(progress)?;
        self.remove_flat();
        let loose = self.loose + weld::drop_unreferenced(&mut self.surface);
        self.step(
            "DroppedUnreferenced",
            loose,
            "vertices without a triangle were dropped",
        );
        let diagonal = self.surface.bounds().diagonal();
        let volume = self.surface.volume();
        if volume.is_nan() || volume <= FLAT * diagonal.powi(3) {
            return Err(RepairError::FlatSurface { volume, diagonal });
        }
        Ok(Repaired {
            surface: self.surface,
            steps: self.steps,
        })
    }

    fn step(&mut self, code: &'static str, count: usize, what: &str) {
        if count == 0 {
            return;
        }
        if let Some(known) = self.steps.iter_mut().find(|s| s.code == code) {
            known.count += count;
            known.message = format!("{} {what}", known.count);
        } else {
            let message = format!("{count} {what}");
            self.steps.push(RepairStep {
                code,
                count,
                message,
            });
        }
    }

    fn weld_equal(&mut self) {
        let same = weld::equal_positions(&self.surface.positions);
        let joined = weld::merge(&mut self.surface, &same);
        let message = "vertices at the position of another were joined with it";
        self.step("Welded", joined, message);
    }

    fn drop_faces(&mut self) {
        let flat = faces::drop_degenerate(&mut self.surface);
        self.step("DroppedDegenerate", flat, "faces without area were dropped");
        let walls = faces::drop_walls(&mut self.surface);
        let message = "faces of walls with two sides, which bound nothing, were dropped";
        self.step("DroppedWalls", walls, message);
        let twice = faces::drop_duplicates(&mut self.surface);
        let message = "faces on the vertices of another were dropped";
        self.step("DroppedDuplicate", twice, message);
    }

    /// Joins vertices of open edges within the smallest tolerance that closes everything, else within 1e-6 if that helps at all.
    fn weld_near(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let open = topology(&self.surface).boundary_edges;
        let mut candidates: Vec<u32> = open.iter().flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let diagonal = self.surface.bounds().diagonal();
        if open.is_empty() || diagonal == 0.0 {
            return Ok(());
        }
        let mut accepted: Option<(Self, usize, f64)> = None;
        for share in WELD_TOLERANCES {
            let near = weld::near_positions(
                &self.surface.positions,
                &candidates,
                share * diagonal,
                progress,
            )?;
            let Some(near) = near else {
                break;
            };
            let mut trial = Self {
                surface: self.surface.clone(),
                steps: self.steps.clone(),
                loose: self.loose,
            };
            let joined = weld::merge(&mut trial.surface, &near);
            trial.drop_faces();
            let left = topology(&trial.surface);
            let better = left.boundary_edges.len() < open.len();
            if !trial.surface.triangles.is_empty()
                && better
                && (left.is_closed() || share == WELD_TOLERANCES[0])
            {
                accepted = Some((trial, joined, share * diagonal));
            }
            if left.is_closed() {
                break;
            }
        }
        if let Some((mut better, joined, tolerance)) = accepted {
            let message =
                format!("vertices of open edges were joined with one within {tolerance:.1e}");
            better.step("WeldedNear", joined, &message);
            *self = better;
        }
        Ok(())
    }

    /// Neighbours agree, and parts that touch are separated.
    fn orient(&mut self, progress: &Progress) -> Result<(), RepairError> {
        for _ in 0..2 {
            progress.check()?;
            let turned = orient::agree(&mut self.surface).map_err(|edge| {
                let at = middle(&self.surface, edge);
                RepairError::NotOrientable { at }
            })?;
            let message = "faces were turned to agree with their neighbours";
            self.step("FlippedFaces", turned, message);
            let now = topology(&self.surface);
            if !now.is_closed() || now.is_manifold() {
                break;
            }
            let added = split::split_fans(&mut self.surface);
            let message = "vertices were added where parts touch in a point or an edge";
            self.step("SplitPinches", added, message);
            if added == 0 {
                break;
            }
        }
        Ok(())
    }

    fn turn_outwards(&mut self, progress: &Progress) -> Result<(), Cancelled> {
        let mut sets = UnionFind::new(self.surface.triangles.len());
        for edge in edges::by_edge(&edges::sides(&self.surface.triangles)) {
            if let [a, b] = edge {
                sets.join(a.triangle, b.triangle);
            }
        }
        let component: Vec<u32> = (0..self.surface.triangles.len() as u32)
            .map(|t| sets.find(t))
            .collect();
        let turned = orient::outwards(&mut self.surface, &component, progress)?;
        let message = "components that were inside out were turned";
        self.step("TurnedComponents", turned, message);
        Ok(())
    }

    fn remove_flat(&mut self) {
        let turned = faces::flip_flat(&mut self.surface);
        self.step(
            "RemovedFlat",
            turned,
            "diagonals were turned to remove faces without area",
        );
        let left = (0..self.surface.triangles.len())
            .filter(|&t| faces::is_degenerate(self.surface.corners(t)))
            .count();
        self.step("KeptDegenerate", left, "faces without area had to stay");
    }
}

#[cfg(test)]
mod tests;
