//! Levels of detail: the same body as tetrahedra of several resolutions, each judged against the input.

use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::quality::tet_quality;
use pliant_core::mesh::validate::{UnionFind, topology};
use pliant_core::mesh::{SurfaceMesh, TetMesh, TriangleTree};
use rayon::prelude::*;

use crate::error::MeshingError;
use crate::solid::MeshSolid;
use crate::stuffing::{self, size};
use crate::tetrahedralise::{TetMesher, TetSpec, TetTarget};

/// Largest loss of volume that a level may have before something better is tried.
const VOLUME_LOSS: f64 = 0.15;
/// Attempts at a level as (factor on the node count, thickening in lattice spacings); the first good one ends the search.
/// Small blemishes are gone with a slightly other lattice; lost walls and ends need a finer one or thicker walls.
const NEARBY: [(f64, f64); 3] = [(1.0, 0.0), (1.12, 0.0), (0.9, 0.0)];
const FINER_FIRST: [(f64, f64); 5] = [(1.6, 0.0), (2.5, 0.0), (1.0, 0.2), (1.0, 0.4), (1.0, 0.65)];
const THICKER_FIRST: [(f64, f64); 5] =
    [(1.0, 0.2), (1.0, 0.4), (1.0, 0.65), (2.2, 0.2), (2.2, 0.4)];
/// From this penalty on a level has lost something.
const BROKEN: f64 = 2.0;
/// From this penalty on a finer lattice has little hope.
const HOPELESS: f64 = 4.0;
/// The most nodes that a level may have over its target.
const MOST_NODES: f64 = 2.9;
/// A body is thin when its mean wall (twice the volume over the area) is below this many edge lengths.
const THIN: f64 = 1.2;
/// Components of the input below this share of its volume do not count.
const CRUMB: f64 = 0.02;

/// One level of detail and how well it fits the surface it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The tetrahedra.
    pub mesh: TetMesh,
    /// Smallest dihedral angle, degrees.
    pub min_dihedral_deg: f64,
    /// Largest dihedral angle, degrees.
    pub max_dihedral_deg: f64,
    /// Smallest volume of a tetrahedron, m³.
    pub min_volume: f64,
    /// Volume over the volume that the input surface encloses.
    pub volume_ratio: f64,
    /// Largest distance between the boundary and the input over the input's box diagonal, both ways, sampled at vertices
    /// and face centres.
    pub hausdorff_rel: f64,
    /// How far walls were moved outwards so that they survive, m; 0 normally.
    pub thickened: f64,
    /// Time the level took, with all attempts, s.
    pub seconds: f64,
}

/// Node targets that suit most bodies: 60, 300 and 1500, more when the surface has many components (30 nodes for each at
/// least). A finer level, where one is asked for, continues with 8000.
pub fn default_targets(surface: &SurfaceMesh) -> Vec<TetTarget> {
    let coarsest = 60.max(30 * significant_components(surface));
    [1, 5, 25]
        .map(|factor| TetTarget::Nodes(coarsest * factor))
        .to_vec()
}

/// Levels for `targets`, coarse to fine, with strictly increasing node counts; a level that would not be finer than the
/// one before is left out, so fewer levels than targets may result, but at least one.
///
/// A level that loses more than 15 % of the volume or has another number of components than the input is tried again with
/// up to 2.5 times its nodes and then with thickened walls; the best attempt is kept.
///
/// # Errors
/// Those of `mesher`; [`MeshingError::EmptyMesh`] without triangles, [`MeshingError::NoVolume`] when the surface encloses
/// nothing, [`MeshingError::BadSize`] without targets.
pub fn build_levels(
    surface: &SurfaceMesh,
    targets: &[TetTarget],
    mesher: &dyn TetMesher,
    progress: &Progress,
) -> Result<Vec<Level>, MeshingError> {
    let builder = LevelBuilder::new(surface, mesher, progress)?;
    let mut levels: Vec<Level> = Vec::new();
    for (k, &target) in targets.iter().enumerate() {
        progress.stage(&format!("tetrahedra, level {} of {}", k + 1, targets.len()));
        progress.check()?;
        let level = builder.build(Goal::Tets(target))?;
        if levels
            .last()
            .is_none_or(|l| level.mesh.nodes.len() > l.mesh.nodes.len())
        {
            levels.push(level);
        }
        progress.set_fraction(1.0);
    }
    if levels.is_empty() {
        return Err(MeshingError::BadSize {
            what: "the number of levels",
            value: 0.0,
        });
    }
    Ok(levels)
}

/// A level whose boundary has about `target_boundary_nodes` nodes (within 15 % where the shape allows it), for methods that
/// know only the boundary.
///
/// # Errors
/// As [`build_levels`].
pub fn boundary_level(
    surface: &SurfaceMesh,
    target_boundary_nodes: usize,
    mesher: &dyn TetMesher,
    progress: &Progress,
) -> Result<Level, MeshingError> {
    progress.stage("tetrahedra by boundary nodes");
    LevelBuilder::new(surface, mesher, progress)?.build(Goal::Boundary(target_boundary_nodes))
}

#[derive(Debug, Clone, Copy)]
enum Goal {
    Tets(TetTarget),
    /// nodes on the boundary
    Boundary(usize),
}

struct LevelBuilder<'a> {
    surface: &'a SurfaceMesh,
    mesher: &'a dyn TetMesher,
    progress: &'a Progress,
    solid: MeshSolid,
    components: usize,
    genus: i64,
    volume: f64,
}

impl<'a> LevelBuilder<'a> {
    fn new(
        surface: &'a SurfaceMesh,
        mesher: &'a dyn TetMesher,
        progress: &'a Progress,
    ) -> Result<Self, MeshingError> {
        let solid = MeshSolid::new(surface)?;
        let volume = surface.volume().abs();
        if volume <= 1e-12 * surface.bounds().diagonal().powi(3) {
            return Err(MeshingError::NoVolume);
        }
        Ok(Self {
            surface,
            mesher,
            progress,
            solid,
            components: significant_components(surface),
            genus: topology(surface).genus().unwrap_or(0),
            volume,
        })
    }

    /// The best attempt for one goal.
    fn build(&self, goal: Goal) -> Result<Level, MeshingError> {
        let start = Instant::now();
        let mut best: Option<(f64, Level)> = None;
        let mut todo = NEARBY.to_vec();
        let mut tried = 0;
        while let Some(&(factor, thicken)) = todo.get(tried) {
            self.progress.check()?;
            tried += 1;
            match self.attempt(goal, factor, thicken) {
                Ok((mesh, thickened)) => {
                    let level = self.judge(mesh, thickened);
                    let penalty = self.penalty(goal, &level);
                    if best.as_ref().is_none_or(|(p, _)| penalty < *p) {
                        best = Some((penalty, level));
                    }
                }
                Err(MeshingError::NoVolume) => {}
                Err(error) => return Err(error),
            }
            let penalty = best.as_ref().map_or(f64::INFINITY, |(p, _)| *p);
            if penalty <= 1.0 {
                break;
            }
            if tried == 1 && penalty > HOPELESS {
                todo.truncate(1);
            }
            if tried == todo.len() && tried <= NEARBY.len() && penalty > BROKEN {
                let is_boundary = matches!(goal, Goal::Boundary(_));
                todo.extend(if is_boundary || penalty > HOPELESS {
                    THICKER_FIRST
                } else {
                    FINER_FIRST
                });
            }
        }
        let (_, mut level) = best.ok_or(MeshingError::NoVolume)?;
        level.seconds = start.elapsed().as_secs_f64();
        Ok(level)
    }

    /// One mesh with `factor` times the nodes asked for and walls moved outwards by `thicken` lattice spacings, and the
    /// latter in metres.
    fn attempt(
        &self,
        goal: Goal,
        factor: f64,
        thicken: f64,
    ) -> Result<(TetMesh, f64), MeshingError> {
        let target = match goal {
            Goal::Tets(TetTarget::Nodes(n)) => TetTarget::Nodes((n as f64 * factor) as usize),
            Goal::Tets(TetTarget::Edge(edge)) => TetTarget::Edge(edge / factor.cbrt()),
            Goal::Boundary(nodes) => {
                let start = size::spacing_guess(self.surface, 1.3 * nodes as f64);
                let mut moved = 0.0;
                let (mesh, edge) = size::search(
                    start,
                    size::finest_spacing(self.surface, start),
                    nodes as f64,
                    |mesh| mesh.boundary().node_of_vertex.len(),
                    |edge| {
                        let goal = Goal::Tets(TetTarget::Edge(edge));
                        match self.attempt(goal, 1.0, thicken) {
                            Ok((mesh, by)) => {
                                moved = by / edge;
                                Ok(Some(mesh))
                            }
                            Err(MeshingError::NoVolume) => Ok(None),
                            Err(error) => Err(error),
                        }
                    },
                )?;
                return Ok((mesh, moved * edge));
            }
        };
        if thicken > 0.0 {
            let (mesh, spacing) =
                stuffing::stuff(&self.solid, self.surface, target, thicken, self.progress)?;
            Ok((mesh, thicken * spacing))
        } else {
            let spec = TetSpec { target };
            let mesh = self
                .mesher
                .tetrahedralise(self.surface, &spec, self.progress)?;
            Ok((mesh, 0.0))
        }
    }

    fn judge(&self, mesh: TetMesh, thickened: f64) -> Level {
        let quality = tet_quality(&mesh);
        let boundary = mesh.boundary().surface;
        let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
        let distance = farthest(&boundary, self.solid.tree()).max(farthest(self.surface, &tree));
        Level {
            min_dihedral_deg: quality.min_dihedral,
            max_dihedral_deg: quality.max_dihedral,
            min_volume: quality.min_volume,
            volume_ratio: mesh.volume() / self.volume,
            hausdorff_rel: distance / self.surface.bounds().diagonal(),
            thickened,
            seconds: 0.0,
            mesh,
        }
    }

    /// How bad an attempt is; at most 1 when it can be taken as it is.
    fn penalty(&self, goal: Goal, level: &Level) -> f64 {
        let boundary = level.mesh.boundary().surface;
        let shape = topology(&boundary);
        let missing = shape.components.abs_diff(self.components) as f64;
        let edge = boundary.mean_edge();
        // additional handles are holes where walls are thin, else bridged gaps, which nothing here can cure; handles that a
        // coarse lattice cannot show are no fault
        let handles = (shape.genus().unwrap_or(0) - self.genus) as f64;
        let wall = 2.0 * self.volume / self.surface.area();
        let handles = if handles <= 0.0 {
            -0.03 * handles
        } else if wall < THIN * edge {
            (0.9 + 0.15 * handles).min(5.0)
        } else {
            (0.9 + 0.02 * handles).min(1.2)
        };
        let allowed = (1.0 - VOLUME_LOSS).ln().abs();
        // a fat body is better than half a body
        let volume = level.volume_ratio.max(1e-6).ln() / allowed;
        let volume = (-volume).max((0.8 * volume).min(9.0));
        // an end that is missing altogether, unless the distance is small anyway
        let distance = level.hausdorff_rel * self.surface.bounds().diagonal();
        let matters = ((level.hausdorff_rel - 0.02) / 0.03).clamp(0.0, 1.0);
        let lost = 2.0 * matters * (distance / edge - 0.6).clamp(0.0, 2.0);
        let wanted = match goal {
            Goal::Tets(TetTarget::Nodes(n)) => n.max(20) as f64,
            _ => f64::INFINITY,
        };
        let excess = (level.mesh.nodes.len() as f64 / wanted).ln().max(0.0);
        let oversize = 0.3 * excess + 10.0 * (excess - MOST_NODES.ln()).max(0.0);
        volume + 3.0 * missing.min(5.0) + handles + lost + oversize
    }
}

/// Largest distance from vertices in use and face centres of `surface` to the triangles of `tree`, m.
fn farthest(surface: &SurfaceMesh, tree: &TriangleTree) -> f64 {
    let far = |p: &Vec3| tree.closest(p).map_or(0.0, |c| c.distance_squared.sqrt());
    let distances: Vec<f64> = (0..surface.triangles.len())
        .into_par_iter()
        .map(|t| {
            let [a, b, c] = surface.corners(t);
            far(&((a + b + c) / 3.0))
                .max(far(&a))
                .max(far(&b))
                .max(far(&c))
        })
        .collect();
    distances.into_iter().fold(0.0, f64::max)
}

/// Components of a surface that hold at least [`CRUMB`] of its volume; at least one.
fn significant_components(surface: &SurfaceMesh) -> usize {
    let mut sets = UnionFind::new(surface.vertex_count());
    for t in &surface.triangles {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    let mut volumes = vec![0.0; surface.vertex_count()];
    let origin = surface.bounds().center();
    for (t, triangle) in surface.triangles.iter().enumerate() {
        let [a, b, c] = surface.corners(t).map(|x| x - origin);
        volumes[sets.find(triangle[0]) as usize] += a.dot(&b.cross(&c)) / 6.0;
    }
    let limit = CRUMB * volumes.iter().sum::<f64>().abs();
    volumes.iter().filter(|v| v.abs() > limit).count().max(1)
}

#[cfg(test)]
mod tests;
