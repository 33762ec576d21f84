//! TetGen as a child process (Si 2015, "TetGen, a Delaunay-based quality tetrahedral mesh generator").
//!
//! The program runs in a process of its own, because it crashes or hangs on surfaces that are not clean, and because of its licence. What it
//! leaves behind is checked as if it came from a stranger: exit codes are not believed.

mod files;
mod process;
mod skin;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use pliant_core::asset::Progress;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::error::MeshingError;
use crate::tetrahedralise::{TetMesher, TetSpec, TetTarget, verify_tets};
use process::Workplace;
use skin::remeshed;

/// Runs the program `tetgen`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TetGenProcess {
    /// The program.
    pub program: PathBuf,
    /// Longest time that one run may take; then it is killed.
    pub time_limit: Duration,
}

/// Tetrahedra a node have on average, times the volume of a regular tetrahedron of unit edge, over the mean fill of TetGen's volume bound.
const VOLUME_OF_NODE: f64 = 0.55;
/// TetGen's volume bound over the volume of a regular tetrahedron with the target edge.
const BOUND: f64 = 1.3;
/// Largest accepted difference between the volumes of the tetrahedra and of the surface given to TetGen, relative; TetGen flattens facets that are nearly
/// in one plane.
const VOLUME_TOLERANCE: f64 = 1e-4;
/// Runs that may be spent on meeting a number of nodes.
const TRIES: usize = 4;

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

    /// One mesh with edges of about `edge`: the surface gets triangles of that size first, then it is filled.
    fn fill(
        &self,
        surface: &SurfaceMesh,
        edge: f64,
        progress: &Progress,
    ) -> Result<TetMesh, MeshingError> {
        let surface = &remeshed(surface, edge, progress)?;
        progress.stage("running tetgen");
        let place = Workplace::new()?;
        let write = fs::write(place.file("body.smesh"), files::write_smesh(surface));
        write.map_err(|error| MeshingError::TetGenUnavailable {
            reason: format!("its input cannot be written: {error}"),
        })?;
        let bound = BOUND * edge.powi(3) / 72.0_f64.sqrt();
        // p: fill a surface, Y: keep its triangles, q: ratio of radius to shortest edge, a: largest volume, z: count from zero, Q: quiet
        let switches = format!("-pYq1.4a{bound:.17}zQ");
        let ended = process::run(
            &self.program,
            &[&switches, "body.smesh"],
            &place,
            self.time_limit,
            progress,
        )?;
        let failed = |reason: String| MeshingError::TetGenFailed {
            reason: format!("{reason} (it ended with {ended})"),
        };
        let read = |name: &str| {
            fs::read_to_string(place.file(name))
                .map_err(|e| failed(format!("no result in {name}: {e}")))
        };
        let mesh = files::read_tets(&read("body.1.node")?, &read("body.1.ele")?).map_err(failed)?;
        verify_tets(&mesh)
            .map_err(|error| failed(error.to_string().lines().next().unwrap_or("").into()))?;
        let (got, wanted) = (mesh.volume(), surface.volume());
        if (got - wanted).abs() > VOLUME_TOLERANCE * wanted.abs() {
            return Err(failed(format!(
                "the tetrahedra fill {got:.6e} m³ of {wanted:.6e} m³"
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
    /// self-intersections. A number of nodes is met within about 15 % where up to four runs suffice.
    ///
    /// # Errors
    /// `TetGenUnavailable`, `TetGenFailed` with a reason (also past the time limit), `NoVolume`, `EmptyMesh`, `BadSize`, `Cancelled`.
    fn tetrahedralise(
        &self,
        surface: &SurfaceMesh,
        spec: &TetSpec,
        progress: &Progress,
    ) -> Result<TetMesh, MeshingError> {
        if surface.triangles.is_empty() {
            return Err(MeshingError::EmptyMesh);
        }
        let volume = surface.volume();
        if volume.is_nan() || volume <= 0.0 {
            return Err(MeshingError::NoVolume);
        }
        let positive = |what, value: f64| {
            let good = value > 0.0 && value.is_finite();
            good.then_some(value)
                .ok_or(MeshingError::BadSize { what, value })
        };
        let nodes = match spec.target {
            TetTarget::Edge(edge) => {
                return self.fill(surface, positive("the edge length", edge)?, progress);
            }
            TetTarget::Nodes(nodes) => positive("the number of nodes", nodes as f64)?,
        };
        let mut edge = edge_for_nodes(volume, surface.area(), nodes);
        let mut best: Option<(f64, TetMesh)> = None;
        for _ in 0..TRIES {
            let mesh = match self.fill(surface, edge, progress) {
                Ok(mesh) => mesh,
                // a failed correction does not spoil what is there
                Err(error) if best.is_none() => return Err(error),
                Err(_) => break,
            };
            let ratio = mesh.nodes.len() as f64 / nodes;
            let miss = ratio.ln().abs();
            if best.as_ref().is_none_or(|(least, _)| miss < *least) {
                best = Some((miss, mesh));
            }
            if miss < 0.14 {
                break;
            }
            // between a volume's cube and a surface's square
            edge *= ratio.powf(0.4);
        }
        best.map(|(_, mesh)| mesh).ok_or(MeshingError::NoVolume)
    }
}

/// The edge length at which a body of this volume (m³) and area (m²) has about `nodes` nodes: so many in the volume, and a surface's worth on top.
fn edge_for_nodes(volume: f64, area: f64, nodes: f64) -> f64 {
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
