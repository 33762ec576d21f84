//! The panel that reports on the meshes of a scene, and the place of the body that it marks.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::Method;
use pliant_simulation::setup::{MeshProblem, PlacePoint, PlaceShape, SkinPlace};
use pliant_simulation::snapshot::WorldSnapshot;

/// Ends of the six edges of a tetrahedron.
const EDGES: [usize; 12] = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];

/// The panel of the mesh report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshReport {
    /// Whether it is shown.
    pub open: bool,
    mark: Option<Mark>,
}

/// A marked place.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// What it is.
    pub what: Marked,
    /// Where it is.
    pub place: SkinPlace,
}

/// What can be marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marked {
    /// A place of a problem.
    Place {
        /// Number of the findings on the mesh of a kind of bodies, and of the problem in them.
        problem: (usize, usize),
        /// Number of the place.
        place: usize,
    },
    /// The tetrahedron of a method with the smallest dihedral angle.
    WorstElement(Method),
}

impl MeshReport {
    /// The mark, as long as it is current.
    pub fn mark(&self, snapshot: &WorldSnapshot) -> Option<&Mark> {
        self.mark.as_ref().filter(|mark| mark.is_current(snapshot))
    }

    /// Marks something and returns the mark; `None` if it does not exist.
    pub fn set(&mut self, what: Marked, snapshot: &WorldSnapshot) -> Option<&Mark> {
        self.mark = place_of(what, snapshot).map(|place| Mark { what, place });
        self.mark.as_ref()
    }

    /// Hides the panel and clears the mark, which has no meaning without it.
    pub fn close(&mut self) {
        *self = Self::default();
    }

    /// Shows the panel, or closes it.
    pub fn toggle(&mut self) {
        match self.open {
            true => self.close(),
            false => self.open = true,
        }
    }

    /// Clears the mark.
    pub fn clear(&mut self) {
        self.mark = None;
    }

    /// The place after the marked one, or before it, among those of its problem; without a mark, the first place of the first problem.
    pub fn neighbour(&self, snapshot: &WorldSnapshot, back: bool) -> Option<Marked> {
        let Some(mark) = self.mark(snapshot) else {
            return first(snapshot);
        };
        match mark.what {
            Marked::Place { problem, place } => {
                let count = problem_of(snapshot, problem)?.places.len().max(1);
                let step = if back { count - 1 } else { 1 };
                let place = (place + step) % count;
                Some(Marked::Place { problem, place })
            }
            Marked::WorstElement(_) => first(snapshot),
        }
    }
}

impl Marked {
    /// The number of the place, where it is one of the problem of these numbers.
    pub fn place_in(self, numbers: (usize, usize)) -> Option<usize> {
        match self {
            Self::Place { problem, place } if problem == numbers => Some(place),
            Self::Place { .. } | Self::WorstElement(_) => None,
        }
    }
}

impl Mark {
    /// The problem that the place belongs to.
    pub fn problem<'a>(&self, snapshot: &'a WorldSnapshot) -> Option<&'a MeshProblem> {
        match self.what {
            Marked::Place { problem, .. } => problem_of(snapshot, problem),
            Marked::WorstElement(_) => None,
        }
    }

    /// Whether a marked tetrahedron is still that of the running model: finer levels have another one.
    fn is_current(&self, snapshot: &WorldSnapshot) -> bool {
        let Marked::WorstElement(method) = self.what else {
            return true;
        };
        let corners = worst_of(method, snapshot);
        let marked = self.place.points.iter().map(|point| point.rest);
        corners.is_some_and(|corners| EDGES.iter().map(|&k| corners[k]).eq(marked))
    }
}

/// Corners of the tetrahedron of a method that has the smallest angle, at rest, m.
fn worst_of(method: Method, snapshot: &WorldSnapshot) -> Option<[Vec3; 4]> {
    let pane = snapshot.panes.iter().find(|pane| pane.method == method)?;
    pane.element_shapes.map(|shapes| shapes.worst)
}

fn problem_of(snapshot: &WorldSnapshot, (body, problem): (usize, usize)) -> Option<&MeshProblem> {
    let findings = snapshot.setup.as_ref()?.findings.get(body)?;
    findings.problems.get(problem)
}

/// The first place of the first problem that has one.
fn first(snapshot: &WorldSnapshot) -> Option<Marked> {
    let findings = snapshot.setup.as_ref()?.findings.iter().enumerate();
    let all = findings.flat_map(|(body, f)| {
        let problems = f.problems.iter().enumerate();
        problems.map(move |(problem, found)| (body, problem, found))
    });
    let mut placed = all.filter(|(_, _, found)| !found.places.is_empty());
    let (body, problem, _) = placed.next()?;
    let problem = (body, problem);
    Some(Marked::Place { problem, place: 0 })
}

fn place_of(what: Marked, snapshot: &WorldSnapshot) -> Option<SkinPlace> {
    match what {
        Marked::Place { problem, place } => {
            let problem = problem_of(snapshot, problem)?;
            problem.places.get(place).cloned()
        }
        Marked::WorstElement(method) => {
            let setup = snapshot.setup.as_ref()?;
            let corners = worst_of(method, snapshot)?;
            let corners = corners.map(|x| nearest(setup.skin(), x));
            let ends = EDGES.iter().map(|&k| corners[k]);
            Some(SkinPlace {
                shape: PlaceShape::Edges,
                points: ends.collect::<Option<Vec<PlacePoint>>>()?,
            })
        }
    }
}

/// A point that moves with the nearest one of the skin.
fn nearest(skin: &SurfaceMesh, rest: Vec3) -> Option<PlacePoint> {
    let skin = skin.nearest_point(&rest)?;
    Some(PlacePoint { rest, skin })
}
