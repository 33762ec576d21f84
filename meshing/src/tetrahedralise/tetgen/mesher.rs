//! Runs TetGen until the mesh has the requested size and quality.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use super::isotropic_remeshing::{has_no_needles, isotropic_remesh};
use super::process::TemporaryFolder;
use super::sizes::Sizes;
use super::skin::remeshed;
use super::{files, process};
use crate::error::{MeshingError, positive};
use crate::geometry::self_intersection::crossing_pairs;
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};
use crate::tetrahedralise::verify::{radius_edge, verify_tets, worst_radius_edge};

/// Runs the program `tetgen`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TetGenProcess {
    /// The program.
    pub program: PathBuf,
    /// Longest time that all runs for one mesh may take together; after that the running one is killed.
    pub time_limit: Duration,
}

/// Tetrahedra per node on average, times the volume of a regular tetrahedron of unit edge, over the mean fill of TetGen's volume bound.
pub(crate) const VOLUME_OF_NODE: f64 = 0.55;
/// TetGen's volume bound over the volume of a regular tetrahedron with the target edge.
const VOLUME_BOUND_FACTOR: f64 = 1.3;
/// Largest accepted difference between the volumes of the tetrahedra and of the surface given to TetGen, relative; TetGen flattens nearly coplanar
/// facets.
const VOLUME_TOLERANCE: f64 = 1e-4;
/// Ratio of circumradius to shortest edge that every tetrahedron should keep.
pub(crate) const MAX_RADIUS_EDGE: f64 = 2.0;
/// Evenness of the first, the second and all later rounds of remeshing, see [`isotropic_remesh`].
const EVENNESS_BY_ROUND: [f64; 3] = [0.03, 0.06, 0.12];
/// Rounds of remeshing per edge length.
const MAX_REMESH_ROUNDS: usize = 5;
/// Factor on the edge length where remeshing does not remove all needles, and how many lengths are tried.
const EDGE_FACTOR: f64 = 0.45;
const MAX_EDGE_LENGTHS: i32 = 4;
/// Ratio of nodes to the requested number beyond which another edge length does not help.
const MAX_NODE_RATIO: f64 = 3.0;
/// Runs that may be spent to meet a number of nodes.
const MAX_RUNS: usize = 4;

impl TetGenProcess {
    /// The `tetgen` on the search path, with two minutes a run.
    ///
    /// # Errors
    /// [`MeshingError::TetGenUnavailable`] when there is none.
    pub fn find() -> Result<Self, MeshingError> {
        let name = format!("tetgen{}", std::env::consts::EXE_SUFFIX);
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path)
            .map(|folder| folder.join(&name))
            .find(|program| program.is_file())
            .map(|program| Self {
                program,
                time_limit: Duration::from_secs(120),
            })
            .ok_or_else(|| MeshingError::TetGenUnavailable {
                reason: "no program of this name is on the search path".into(),
            })
    }
}

/// The runs for one mesh.
struct Runs<'a> {
    program: &'a Path,
    deadline: Instant,
    progress: &'a Progress,
}

impl Runs<'_> {
    fn are_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// One mesh with edges of about `edge`, shorter ones where tetrahedra worse than [`MAX_RADIUS_EDGE`] would be left otherwise: between walls that are
    /// closer to each other than an edge is long, all tetrahedra are needles.
    fn fill(&self, surface: &SurfaceMesh, edge: f64) -> Result<TetMesh, MeshingError> {
        let mut best = Best::default();
        for start in 0..MAX_EDGE_LENGTHS {
            let edge = edge * EDGE_FACTOR.powi(start);
            self.remesh_and_fill(surface, edge, &mut best)?;
            if best.is_good() || self.are_over() {
                break;
            }
        }
        best.found
            .map(|(_, mesh)| mesh)
            .ok_or(best.error.unwrap_or(MeshingError::NoVolume))
    }

    /// Fills the surface with triangles of about `edge`; where needles are left, again with smaller triangles there.
    fn remesh_and_fill(
        &self,
        surface: &SurfaceMesh,
        edge: f64,
        best: &mut Best,
    ) -> Result<(), MeshingError> {
        let progress = self.progress;
        let skin = remeshed(surface, edge, progress)?;
        let mut sizes = Sizes::new(skin.coarse.mean_edge());
        if has_no_needles(&skin.coarse) {
            let needles = best.update(self.filled(&skin.coarse, edge))?;
            sizes.refine(needles.into_iter());
        }
        for round in 0..MAX_REMESH_ROUNDS {
            if best.is_good() || self.are_over() {
                return Ok(());
            }
            progress.stage("remeshing the surface");
            let evenness = EVENNESS_BY_ROUND[round.min(EVENNESS_BY_ROUND.len() - 1)];
            let even = isotropic_remesh(&skin.coarse, &skin.fine, &sizes, evenness, progress)?;
            let crossing = crossing_pairs(&even, progress)?;
            let places: Vec<Vec3> = if crossing.is_empty() {
                best.update(self.filled(&even, edge))?
            } else {
                let first = |[t, _]: &[u32; 2]| center(even.corners(*t as usize));
                crossing.iter().map(first).collect()
            };
            sizes.refine(places.into_iter());
        }
        if best.found.is_none() {
            best.update(self.filled(&skin.coarse, edge))?;
        }
        Ok(())
    }

    /// TetGen's tetrahedra in this surface, checked.
    fn filled(&self, surface: &SurfaceMesh, edge: f64) -> Result<TetMesh, MeshingError> {
        self.progress.stage("running tetgen");
        let folder = TemporaryFolder::new()?;
        let write = fs::write(folder.file("body.smesh"), files::write_smesh(surface));
        write.map_err(|error| MeshingError::TetGenUnavailable {
            reason: format!("its input cannot be written: {error}"),
        })?;
        let bound = VOLUME_BOUND_FACTOR * edge.powi(3) / 72.0_f64.sqrt();
        // p: fill a surface, Y: keep its triangles, q: ratio of radius to shortest edge, a: largest volume, z: count from zero, Q: quiet
        let switches = format!("-pYq1.4a{bound:.17}zQ");
        let ended = process::run(
            self.program,
            &[&switches, "body.smesh"],
            &folder,
            self.deadline.saturating_duration_since(Instant::now()),
            self.progress,
        )?;
        let failed = |reason: String| MeshingError::TetGenFailed {
            reason: format!("{reason} (it ended with {ended})"),
        };
        let read = |name: &str| {
            fs::read(folder.file(name)).map_err(|e| failed(format!("no result in {name}: {e}")))
        };
        // the message without its remedy
        let brief = |error: &dyn Error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().to_string()
        };
        let mesh = files::read_tets(&read("body.1.node")?, &read("body.1.ele")?);
        let mesh = mesh.map_err(|(file, e)| failed(format!("body.1.{file}: {}", brief(&e))))?;
        verify_tets(&mesh).map_err(|e| failed(brief(&e)))?;
        let (volume, expected) = (mesh.volume(), surface.volume());
        if (volume - expected).abs() > VOLUME_TOLERANCE * expected.abs() {
            return Err(failed(format!(
                "the tetrahedra fill {volume:.6e} m³ of {expected:.6e} m³"
            )));
        }
        Ok(mesh)
    }
}

impl TetMesher for TetGenProcess {
    fn name(&self) -> &'static str {
        "tetgen"
    }

    /// Gives the surface triangles of the target edge length and has TetGen fill it with a quality bound of 1.4 and a volume bound. Needs a closed surface without
    /// self-intersections. A number of nodes is met within about 15 % where up to four runs suffice; more nodes are taken where
    /// the ratio of circumradius to shortest edge would exceed 2 otherwise.
    ///
    /// # Errors
    /// `TetGenUnavailable`, `TetGenFailed` with a reason (also past the time limit), `NoVolume`, `EmptyMesh`, `BadSize`, `Cancelled`.
    fn tetrahedralise(
        &self,
        surface: &SurfaceMesh,
        target: TetTarget,
        progress: &Progress,
    ) -> Result<TetMesh, MeshingError> {
        if surface.triangles.is_empty() {
            return Err(MeshingError::EmptyMesh);
        }
        let volume = surface.volume();
        if volume.is_nan() || volume <= 0.0 {
            return Err(MeshingError::NoVolume);
        }
        let runs = Runs {
            program: &self.program,
            deadline: Instant::now() + self.time_limit,
            progress,
        };
        let nodes = match target {
            TetTarget::Edge(edge) => {
                let edge = positive("the edge length", edge)?;
                return runs.fill(surface, edge);
            }
            TetTarget::Nodes(nodes) => positive("the number of nodes", nodes as f64)?,
        };
        let mut edge = edge_for_nodes(volume, surface.area(), nodes);
        // meshes without needles come first, then the nearest count
        let mut best: Option<((bool, f64), TetMesh)> = None;
        for _ in 0..MAX_RUNS {
            let mesh = match runs.fill(surface, edge) {
                Ok(mesh) => mesh,
                // a failed correction does not discard the meshes so far
                Err(error) if best.is_none() => return Err(error),
                Err(_) => break,
            };
            let ratio = mesh.nodes.len() as f64 / nodes;
            let has_needles = worst_radius_edge(&mesh) > MAX_RADIUS_EDGE;
            let deviation = ratio.ln().abs();
            let better = |((needles, best_deviation), _): &((bool, f64), TetMesh)| {
                (has_needles, deviation) < (*needles, *best_deviation)
            };
            if best.as_ref().is_none_or(better) {
                best = Some(((has_needles, deviation), mesh));
            }
            // a larger count is due to needles
            if deviation < 0.14 || ratio > MAX_NODE_RATIO {
                break;
            }
            // between the exponents of the volume (1/3) and of the surface (1/2)
            edge *= ratio.powf(0.4);
        }
        best.map(|(_, mesh)| mesh).ok_or(MeshingError::NoVolume)
    }
}

/// The best of several meshes, or why there is none.
#[derive(Default)]
struct Best {
    /// its worst ratio of circumradius to shortest edge, and the mesh
    found: Option<(f64, TetMesh)>,
    error: Option<MeshingError>,
}

impl Best {
    fn is_good(&self) -> bool {
        matches!(self.found, Some((ratio, _)) if ratio <= MAX_RADIUS_EDGE)
    }

    /// Keeps the mesh if it is better, or the first error. Returns the centers of its needles. Only a cancelled job or a missing program ends the search.
    fn update(&mut self, result: Result<TetMesh, MeshingError>) -> Result<Vec<Vec3>, MeshingError> {
        let mesh = match result {
            Ok(mesh) => mesh,
            // TetGen fails on some surfaces; the next one may succeed
            Err(error @ MeshingError::TetGenFailed { .. }) => {
                self.error.get_or_insert(error);
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let worst = worst_radius_edge(&mesh);
        let needles = (0..mesh.tets.len())
            .map(|t| mesh.corners(t))
            .filter(|corners| radius_edge(*corners) > MAX_RADIUS_EDGE)
            .map(center)
            .collect();
        if self.found.as_ref().is_none_or(|(ratio, _)| worst < *ratio) {
            self.found = Some((worst, mesh));
        }
        Ok(needles)
    }
}

fn center<const N: usize>(corners: [Vec3; N]) -> Vec3 {
    corners.iter().sum::<Vec3>() / N as f64
}

/// The edge length at which a body of this volume (m³) and area (m²) has about `nodes` nodes: those of the volume plus those of the surface.
pub(crate) fn edge_for_nodes(volume: f64, area: f64, nodes: f64) -> f64 {
    let count = |edge: f64| {
        volume / (VOLUME_OF_NODE * edge.powi(3)) + area / (3.0_f64.sqrt() * edge * edge)
    };
    let (mut low, mut high) = (1e-9 * volume.cbrt(), 10.0 * (volume.cbrt() + area.sqrt()));
    for _ in 0..100 {
        let middle = (low * high).sqrt();
        if count(middle) > nodes {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}
