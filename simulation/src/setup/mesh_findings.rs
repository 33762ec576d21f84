//! Problems of the mesh file of a body, their repairs, and their places on the skin.

use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh, SurfacePoint, TriangleTree};
use pliant_meshing::repair::RepairStep;
use pliant_meshing::report::{Place, PlaceShape, Problem};
use rayon::prelude::*;

/// Problems of the mesh file of a body, and their repairs.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFindings {
    /// Name of the body.
    pub body: String,
    /// What was found, worst first.
    pub problems: Vec<MeshProblem>,
    /// Changes that answer none of the problems.
    pub other_repairs: Vec<RepairStep>,
}

/// One kind of problem of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshProblem {
    /// Name that `pliant check` has for it, for example `"BoundaryEdges"`.
    pub code: &'static str,
    /// `warning` (look at the result) or `note` (mended, or harmless).
    pub severity: &'static str,
    /// How often.
    pub count: usize,
    /// A sentence with the number and the position of the first one, in the unit of the file.
    pub message: String,
    /// What to do about it.
    pub hint: &'static str,
    /// What was done about it.
    pub repairs: Vec<RepairStep>,
    /// Where it is, the largest place first.
    pub places: Vec<SkinPlace>,
    /// Places beyond these.
    pub further_places: usize,
}

/// A place of a problem: triangles, edges or points of the file that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinPlace {
    /// What it is made of.
    pub shape: PlaceShape,
    /// Corners of its triangles, ends of its edges, or its points, one piece after the other.
    pub points: Vec<PlacePoint>,
}

/// A point of a place, which moves with the nearest point of the skin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacePoint {
    /// Where it is at rest, world, m.
    pub rest: Vec3,
    /// The point of the skin of all bodies that is nearest to it at rest.
    pub skin: SurfacePoint,
}

impl PlacePoint {
    /// Where it is while `skin` is deformed to `frame`, world, m. Of another skin it is where it was at rest.
    pub fn now(&self, skin: &SurfaceMesh, frame: &SurfaceFrame) -> Vec3 {
        let is_of_skin = (self.skin.triangle as usize) < skin.triangles.len();
        match is_of_skin && frame.positions.len() >= skin.vertex_count() {
            true => self.rest + frame.point(skin, &self.skin) - skin.point(&self.skin),
            false => self.rest,
        }
    }

    /// Area-weighted outward normal of the skin beside it, of any length; zero on another skin.
    pub fn normal(&self, skin: &SurfaceMesh) -> Vec3 {
        let triangle = self.skin.triangle as usize;
        match triangle < skin.triangles.len() {
            true => skin.area_vector(triangle),
            false => Vec3::zeros(),
        }
    }
}

impl MeshFindings {
    /// The findings on a body with this skin; `None` where nothing was found and nothing was done. Places of `found` are those of the skin, m.
    pub(super) fn of(
        body: &str,
        found: Vec<Problem>,
        repairs: &[RepairStep],
        skin: &SurfaceMesh,
    ) -> Option<Self> {
        if found.is_empty() && repairs.is_empty() {
            return None;
        }
        let tree = TriangleTree::new(&skin.positions, &skin.triangles);
        let is_answer =
            |step: &&RepairStep| found.iter().any(|problem| problem.is_repaired_by(step));
        let other_repairs = repairs.iter().filter(|step| !is_answer(step));
        let other_repairs = other_repairs.cloned().collect();
        let problems = found.into_iter().map(|problem| MeshProblem {
            repairs: (repairs.iter())
                .filter(|step| problem.is_repaired_by(step))
                .cloned()
                .collect(),
            code: problem.code,
            severity: problem.severity,
            count: problem.count,
            message: problem.message,
            hint: problem.hint,
            places: (problem.places.into_iter())
                .map(|place| on_skin(place, &tree))
                .collect(),
            further_places: problem.further_places,
        });
        Some(Self {
            body: body.to_string(),
            problems: problems.collect(),
            other_repairs,
        })
    }

    /// The same on a body that stands in `place`, whose triangles begin at `first` in the skin of all.
    pub(super) fn in_place(mut self, place: Option<&Pose>, first: u32) -> Self {
        let places = self.problems.iter_mut().flat_map(|p| &mut p.places);
        for point in places.flat_map(|place| &mut place.points) {
            point.skin.triangle += first;
            if let Some(place) = place {
                point.rest = place.to_world(&point.rest);
            }
        }
        self
    }
}

fn on_skin(place: Place, tree: &TriangleTree) -> SkinPlace {
    let nearest = |rest: Vec3| {
        let skin = tree.closest(&rest)?.surface_point();
        Some(PlacePoint { rest, skin })
    };
    SkinPlace {
        shape: place.shape,
        points: place.points.into_par_iter().filter_map(nearest).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_meshing::io::write_obj;

    use super::*;
    use crate::setup::Setup;
    use crate::world::testing::{setup_from, setup_of};

    /// Writes a box with two holes of a triangle each, larger than any scene makes it.
    fn write_perforated(file: &Path) {
        let mut surface = box_surface(Vec3::new(8.0, 4.0, 6.0), [12; 3], CellStyle::Kuhn);
        for middle in [Vec3::y() * 2.0, Vec3::z() * 3.0] {
            let nearest = surface.nearest_point(&(middle + Vec3::repeat(0.1)));
            let hole = nearest.expect("a surface").triangle;
            surface.triangles.remove(hole as usize);
        }
        write_obj(file, &surface).expect("written");
    }

    fn check_places(setup: &Setup, findings: &MeshFindings) {
        let open = &findings.problems[0];
        assert_eq!((open.code, open.places.len()), ("BoundaryEdges", 2));
        assert!(open.repairs.iter().all(|step| step.code == "ClosedHole"));
        assert_eq!(open.repairs.len(), 2);
        let lifted: Vec<Vec3> = (setup.skin().positions.iter())
            .map(|x| x + Vec3::y())
            .collect();
        let mut frame = SurfaceFrame::at_rest(setup.skin());
        frame.set(setup.skin(), |v| lifted[v]);
        for point in open.places.iter().flat_map(|place| &place.points) {
            let on_skin = setup.skin().point(&point.skin);
            assert!((point.rest - on_skin).norm() < 1e-9, "{point:?}");
            let now = point.now(setup.skin(), &frame);
            assert!((now - point.rest - Vec3::y()).norm() < 1e-6, "it follows");
            assert_eq!(
                point.now(setup.skin(), &SurfaceFrame::default()),
                point.rest
            );
        }
    }

    #[test]
    fn places_of_a_file_lie_on_the_skin_that_was_made_of_it_and_follow_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("box.obj");
        write_perforated(&file);
        let setup = setup_from(&file);
        let [findings] = &setup.findings[..] else {
            panic!("{:?}", setup.findings);
        };
        check_places(&setup, findings);
        assert!(findings.other_repairs.is_empty(), "{findings:?}");
    }

    #[test]
    fn each_kind_of_bodies_has_its_findings_on_its_own_part_of_the_skin() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("box.obj");
        write_perforated(&file);
        let text = format!(
            "schema = 1\nname = 'x'\n[[body]]\nname = 'a'\nmesh = {{ procedural = 'box', size = [0.2, 0.2, 0.2], edge = 0.05 }}\ncount = 2\n[[body]]\nname = 'b'\nmesh = {{ file = '{}', longest = 0.3 }}\nlayout = {{ grid = [1, 1, 1], origin = [0, 1, 0] }}\n",
            file.display()
        );
        let setup = setup_of(text);
        let [findings] = &setup.findings[..] else {
            panic!("{:?}", setup.findings);
        };
        assert_eq!(findings.body, "b");
        check_places(&setup, findings);
    }

    #[test]
    fn a_generated_body_has_none() {
        assert!(setup_from("poke").findings.is_empty());
    }
}
