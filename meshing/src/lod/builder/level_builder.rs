//! One level: attempts at a mesh, each judged against the input, until one can be taken.

use std::cell::Cell;
use std::time::Instant;

use pliant_core::asset::Progress;
use pliant_core::mesh::quality::tet_quality;
use pliant_core::mesh::{SurfaceMesh, TetMesh, TriangleTree};

use super::goal::Goal;
use crate::error::MeshingError;
use crate::geometry::solid::MeshSolid;
use crate::lod::hausdorff::farthest;
use crate::lod::level::Level;
use crate::lod::resolution_sequence::MOST_NODES;
use crate::lod::shape::{Shape, dihedrals_away, significant_components};
use crate::tetrahedralise::matched::Matched;
use crate::tetrahedralise::mesher::{TetMesher, TetSpec, TetTarget};
use crate::tetrahedralise::stuffing::fitting::skin_fit::fit_to_skin;
use crate::tetrahedralise::stuffing::spacing as size;
use crate::tetrahedralise::stuffing::stuff::stuff_matched;
use crate::tetrahedralise::verify::radius_edge;

/// Largest change of volume that a level may have before something better is tried.
pub(crate) const VOLUME_LOSS: f64 = 0.15;
/// Attempts at a level as (factor on the node count, thickening in lattice spacings); the first good one ends the search.
/// Small blemishes are gone with a slightly other lattice; lost walls and ends need a finer one or thicker walls.
const NEARBY: [(f64, f64); 3] = [(1.0, 0.0), (1.12, 0.0), (0.9, 0.0)];
const FINER_FIRST: [(f64, f64); 5] = [(1.6, 0.0), (2.5, 0.0), (1.0, 0.2), (1.0, 0.4), (1.0, 0.65)];
const THICKER: [(f64, f64); 3] = [(1.0, 0.2), (1.0, 0.4), (1.0, 0.65)];
const THICKER_AND_FINER: [(f64, f64); 2] = [(2.2, 0.2), (2.2, 0.4)];
/// From this penalty on a level has lost something.
const BROKEN: f64 = 2.0;
/// From this penalty on a finer lattice has little hope.
const HOPELESS: f64 = 4.0;
/// Levels with more nodes than this are tried again only when they have lost something.
const SMALL: f64 = 5000.0;
/// Meshes made to hit an edge length, and the relative miss that is good enough.
const EDGE_TRIES: usize = 4;
const EDGE_MISS: f64 = 0.03;
/// The most nodes that a level may have over its target.
const MOST_EXCESS: f64 = 2.9;
/// A body is thin when its mean wall (twice the volume over the area) is below this many edge lengths.
const THIN: f64 = 1.2;
/// Smallest dihedral angle of a level that can be taken without another try, degrees.
const SLIVER: f64 = 3.0;
/// More handles than this, over those of the input, are holes in walls.
const SIEVE: f64 = 60.0;
/// Distances are told to this share of the box diagonal, or to this share of themselves, whichever is larger.
pub(crate) const DISTANCE_SLACK: (f64, f64) = (5e-4, 0.04);

/// One mesh that was tried.
struct Attempt {
    mesh: TetMesh,
    /// how far walls were moved outwards, m
    moved: f64,
    matched: Matched,
}

/// Nodes of all meshes made from which on nothing is tried again.
const MOST_SPENT: usize = 300_000;
/// Volume over that of the body from which on a level is another body.
const SWOLLEN: f64 = 1.5;

/// Builds levels of one body.
pub(crate) struct LevelBuilder<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    mesher: &'a dyn TetMesher,
    pub(crate) progress: &'a Progress,
    solid: MeshSolid,
    pub(crate) components: usize,
    pub(crate) shape: Shape,
    volume: f64,
    pub(crate) diagonal: f64,
    /// nodes of the levels built, and of those known to come
    work: Cell<(f64, f64)>,
    /// nodes of all meshes made, those that were given up as well
    spent: Cell<usize>,
}

impl<'a> LevelBuilder<'a> {
    pub(crate) fn new(
        surface: &'a SurfaceMesh,
        mesher: &'a dyn TetMesher,
        progress: &'a Progress,
    ) -> Result<Self, MeshingError> {
        let solid = MeshSolid::new(surface)?;
        let diagonal = surface.bounds().diagonal();
        let volume = surface.volume().abs();
        if volume <= 1e-12 * diagonal.powi(3) {
            return Err(MeshingError::NoVolume);
        }
        Ok(Self {
            surface,
            mesher,
            progress,
            solid,
            components: significant_components(surface),
            shape: Shape::of(surface),
            volume,
            diagonal,
            work: Cell::new((0.0, 0.0)),
            spent: Cell::new(0),
        })
    }

    /// Whether the mesher bounds its dihedral angles by itself.
    pub(crate) fn has_bounded_angles(&self) -> bool {
        self.mesher.bounds_angles()
    }

    /// Whether so much was made that only what is necessary should follow.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent.get() > MOST_SPENT
    }

    /// Refuses a body that a level swells although even `most_nodes` nodes would leave its mean wall thinner than an edge.
    pub(crate) fn require_walls(
        &self,
        level: &Level,
        most_nodes: usize,
    ) -> Result<(), MeshingError> {
        let wall = 2.0 * self.volume / self.surface.area();
        let nodes = level.mesh.nodes.len() as f64;
        let scale = nodes / self.nodes_at(level.edge_mean);
        if level.volume_ratio > SWOLLEN && scale * self.nodes_at(wall) > most_nodes as f64 {
            return Err(MeshingError::ThinnerThanResolution {
                wall,
                edge: level.edge_mean,
                nodes: level.mesh.nodes.len(),
                ratio: level.volume_ratio,
            });
        }
        Ok(())
    }

    /// Announces levels with so many nodes in all.
    pub(crate) fn plan(&self, nodes: f64) {
        let (done, to_come) = self.work.get();
        self.work.set((done, to_come + nodes));
        self.show();
    }

    /// Shows the share of the work that is done; the time of a level grows with its nodes.
    fn show(&self) {
        let (done, to_come) = self.work.get();
        self.progress.stage("tetrahedra");
        self.progress.set_fraction(done / (done + to_come).max(1.0));
    }

    /// About as many nodes as a level with edges of length `edge` (m) has.
    pub(crate) fn nodes_at(&self, edge: f64) -> f64 {
        let h = crate::tetrahedralise::stuffing::stuff::SPACING_OVER_EDGE * edge;
        size::count_guess(self.volume, self.surface.area(), h)
    }

    /// About as many nodes as a level for `goal` has.
    pub(crate) fn nodes_of(&self, goal: Goal) -> f64 {
        match goal {
            Goal::Tets(TetTarget::Nodes(n)) | Goal::Boundary(n) => n as f64,
            Goal::Tets(TetTarget::Edge(edge)) | Goal::Edge(edge) => self.nodes_at(edge),
        }
    }

    /// The best attempt for one goal.
    pub(crate) fn build(&self, goal: Goal) -> Result<Level, MeshingError> {
        let start = Instant::now();
        let mut best: Option<(f64, Level)> = None;
        let expected = self.nodes_of(goal);
        let is_small = expected <= SMALL;
        let mut todo = NEARBY.to_vec();
        if !is_small {
            todo.truncate(1);
        }
        let mut tried = 0;
        let mut is_extended = false;
        while let Some(&(factor, thicken)) = todo.get(tried) {
            self.progress.check()?;
            tried += 1;
            match self.attempt(goal, factor, thicken) {
                Ok(attempt) => {
                    let level = self.judge(attempt)?;
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
            if self.is_spent() && best.is_some() {
                break;
            }
            if tried == todo.len() && !is_extended && penalty > BROKEN {
                is_extended = true;
                todo.extend(self.remedies(goal, expected, penalty > HOPELESS));
            }
        }
        let (done, to_come) = self.work.get();
        self.work
            .set((done + expected, (to_come - expected).max(0.0)));
        self.show();
        let (_, mut level) = best.ok_or(MeshingError::NoVolume)?;
        level.seconds = start.elapsed().as_secs_f64();
        Ok(level)
    }

    /// What to try when parts of the body were lost.
    fn remedies(&self, goal: Goal, expected: f64, hopeless: bool) -> Vec<(f64, f64)> {
        let mut remedies = match goal {
            Goal::Edge(_) => THICKER.to_vec(),
            Goal::Tets(_) if !hopeless => FINER_FIRST.to_vec(),
            _ => [&THICKER[..], &THICKER_AND_FINER].concat(),
        };
        let can_thicken = self.mesher.can_thicken();
        remedies.retain(|(factor, thicken)| {
            (can_thicken || *thicken == 0.0)
                && (*factor <= 1.0 || factor * expected <= MOST_NODES as f64)
        });
        remedies
    }

    /// One mesh with `factor` times the nodes asked for and walls moved outwards by `thicken` lattice spacings.
    fn attempt(&self, goal: Goal, factor: f64, thicken: f64) -> Result<Attempt, MeshingError> {
        let target = match goal {
            Goal::Tets(TetTarget::Nodes(n)) => TetTarget::Nodes((n as f64 * factor) as usize),
            Goal::Tets(TetTarget::Edge(edge)) | Goal::Edge(edge) => {
                TetTarget::Edge(edge / factor.cbrt())
            }
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
                            Ok(made) => {
                                moved = made.moved / edge;
                                Ok(Some(made.mesh))
                            }
                            Err(MeshingError::NoVolume) => Ok(None),
                            Err(error) => Err(error),
                        }
                    },
                )?;
                return Ok(Attempt {
                    mesh,
                    moved: moved * edge,
                    matched: Matched::default(),
                });
            }
        };
        match target {
            TetTarget::Edge(edge) => self.with_edge(edge, thicken),
            TetTarget::Nodes(_) => self.mesh(target, thicken),
        }
    }

    fn mesh(&self, target: TetTarget, thicken: f64) -> Result<Attempt, MeshingError> {
        if self.mesher.can_thicken() {
            let made = stuff_matched(&self.solid, self.surface, target, thicken, self.progress)?;
            self.spent.set(self.spent.get() + made.mesh.nodes.len());
            Ok(Attempt {
                mesh: made.mesh,
                moved: thicken * made.spacing,
                matched: made.matched,
            })
        } else {
            let spec = TetSpec { target };
            let (mesh, matched) =
                self.mesher
                    .tetrahedralise_matched(self.surface, &spec, self.progress)?;
            Ok(Attempt {
                mesh,
                moved: 0.0,
                matched,
            })
        }
    }

    /// A mesh whose mean edge is `edge` (m): meshers take it for a hint, so it is corrected by what came out. Large meshes are
    /// taken as they come.
    fn with_edge(&self, edge: f64, thicken: f64) -> Result<Attempt, MeshingError> {
        let mut hint = edge;
        let mut best: Option<(f64, Attempt)> = None;
        for _ in 0..EDGE_TRIES {
            let found = match self.mesh(TetTarget::Edge(hint), thicken) {
                Ok(found) => found,
                Err(MeshingError::NoVolume) if best.is_some() => break,
                Err(error) => return Err(error),
            };
            let ratio = found.mesh.mean_edge() / edge;
            let is_large = found.mesh.nodes.len() as f64 > SMALL;
            let miss = ratio.ln().abs();
            if best.as_ref().is_none_or(|(least, _)| miss < *least) {
                best = Some((miss, found));
            }
            if is_large || miss < EDGE_MISS {
                break;
            }
            hint /= ratio;
        }
        best.map(|(_, found)| found).ok_or(MeshingError::NoVolume)
    }

    /// What a mesh that was made elsewhere says about itself.
    pub(crate) fn judge_given(&self, mesh: TetMesh) -> Result<Level, MeshingError> {
        self.judge(Attempt {
            mesh,
            moved: 0.0,
            matched: Matched::default(),
        })
    }

    /// The level with its boundary moved to where the surface is in the mean, where that keeps its shape; a level with thickened walls stays as it is.
    pub(crate) fn fit_to_skin(&self, level: Level) -> Result<Level, MeshingError> {
        if level.thickened > 0.0 {
            return Ok(level);
        }
        let start = Instant::now();
        let mesh = fit_to_skin(level.mesh.clone(), &self.solid, self.surface, self.progress)?;
        let mut fitted = self.judge_given(mesh)?;
        fitted.seconds = level.seconds + start.elapsed().as_secs_f64();
        let is_sound = fitted.min_volume > 0.0 && fitted.shape == level.shape;
        Ok(if is_sound { fitted } else { level })
    }

    fn judge(&self, made: Attempt) -> Result<Level, MeshingError> {
        let Attempt {
            mesh,
            moved,
            matched,
        } = made;
        let quality = tet_quality(&mesh);
        let boundary = mesh.boundary().surface;
        let tree = TriangleTree::new(&boundary.positions, &boundary.triangles);
        let least = DISTANCE_SLACK.0 * self.diagonal;
        let slack = |d: f64| least.max(DISTANCE_SLACK.1 * d);
        let out = farthest(
            &boundary,
            self.surface,
            self.solid.tree(),
            slack,
            self.progress,
        )?;
        let back = farthest(self.surface, &boundary, &tree, slack, self.progress)?;
        let worst = if back.distance > out.distance {
            back
        } else {
            out
        };
        Ok(Level {
            min_dihedral_deg: quality.min_dihedral,
            max_dihedral_deg: quality.max_dihedral,
            min_volume: quality.min_volume,
            volume_ratio: mesh.volume() / self.volume,
            hausdorff_rel: worst.distance / self.diagonal,
            farthest_at: worst.at,
            shape: Shape::of(&boundary),
            boundary_edge: boundary.mean_edge(),
            edge_mean: mesh.mean_edge(),
            radius_edge: (0..mesh.tets.len())
                .map(|t| radius_edge(mesh.corners(t)))
                .fold(0.0, f64::max),
            away_dihedral_deg: dihedrals_away(&mesh, &matched.nodes),
            matched: matched.nodes.len(),
            refused: matched.refused,
            thickened: moved,
            seconds: 0.0,
            mesh,
        })
    }

    /// How bad an attempt is; at most 1 when it can be taken as it is.
    fn penalty(&self, goal: Goal, level: &Level) -> f64 {
        let missing = level.shape.components.abs_diff(self.components) as f64;
        let edge = level.boundary_edge;
        // additional handles are holes where walls are thin, else bridged gaps, which nothing here can cure; handles that a
        // coarse lattice cannot show are no fault
        let handles = (level.shape.genus - self.shape.genus) as f64;
        let wall = 2.0 * self.volume / self.surface.area();
        let handles = if handles <= 0.0 {
            -0.03 * handles
        } else if wall < THIN * edge {
            (0.9 + 0.15 * handles).min(5.0)
        } else {
            // so many are no gaps but a sieve
            (0.9 + 0.02 * handles).min(1.2) + (0.02 * (handles - SIEVE)).clamp(0.0, 4.0)
        };
        let allowed = (1.0 - VOLUME_LOSS).ln().abs();
        // a fat body is better than half a body
        let volume = level.volume_ratio.max(1e-6).ln() / allowed;
        let volume = (-volume).max((0.8 * volume).min(9.0));
        // an end that is missing altogether, unless the distance is small anyway
        let distance = level.hausdorff_rel * self.diagonal;
        let matters = ((level.hausdorff_rel - 0.02) / 0.03).clamp(0.0, 1.0);
        let lost = 2.0 * matters * (distance / edge - 0.6).clamp(0.0, 2.0);
        let wanted = match goal {
            Goal::Tets(TetTarget::Nodes(n)) => n.max(20) as f64,
            _ => f64::INFINITY,
        };
        let excess = (level.mesh.nodes.len() as f64 / wanted).ln().max(0.0);
        let oversize = 0.3 * excess + 10.0 * (excess - MOST_EXCESS.ln()).max(0.0);
        // only meshers without a bound of their own make such
        let slivers = (0.5 * (SLIVER - level.min_dihedral_deg)).clamp(0.0, 1.4);
        slivers + volume + 3.0 * missing.min(5.0) + handles + lost + oversize
    }
}
