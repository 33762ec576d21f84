//! Steps of a repair by the problem that they fix.

use super::mesh_report::Problem;
use crate::repair::RepairStep;

/// Codes of problems, and of the steps that fix each. A step may fix several problems.
#[rustfmt::skip]
const REPAIR_STEPS: [(&str, &[&str]); 10] = [
    ("BoundaryEdges", &["WeldedNear", "InsertedInEdges", "ClosedHole", "Wrapped", "Thickened"]),
    ("NonManifoldEdges", &["DroppedWalls", "DroppedFins", "SplitPinches", "Wrapped"]),
    ("SelfIntersections", &["Wrapped", "Thickened", "KeptCrossings", "KeptShells"]),
    ("MisorientedEdges", &["FlippedFaces"]),
    ("Pinches", &["SplitPinches"]),
    ("InsideOut", &["TurnedComponents"]),
    ("DegenerateFaces", &["DroppedDegenerate", "RemovedFlat", "KeptDegenerate"]),
    ("DuplicateFaces", &["DroppedDuplicate", "DroppedWalls"]),
    ("DuplicateVertices", &["Welded"]),
    ("UnreferencedVertices", &["DroppedUnreferenced"]),
];

/// Whether a step is made because of problems with this code.
pub(super) fn is_step_for(code: &str, step: &RepairStep) -> bool {
    let entry = REPAIR_STEPS.iter().find(|(problem, _)| *problem == code);
    entry.is_some_and(|(_, steps)| steps.contains(&step.code))
}

impl Problem {
    /// Whether a step of the repair was made because of this problem.
    pub fn is_repaired_by(&self, step: &RepairStep) -> bool {
        is_step_for(self.code, step)
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::Progress;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::SurfaceMesh;

    use crate::repair::make_solid;
    use crate::report::repaired_problems;
    use crate::test_bodies::{ball, inverted, joined, touching_boxes};

    /// Damages a body, finds one problem with this code, and expects a step of this code to fix it.
    fn check(problem: &str, step: &str, damage: impl Fn(&mut SurfaceMesh)) {
        let mut surface = ball(1.0, 12);
        damage(&mut surface);
        let solid = make_solid(&surface, &Progress::new()).expect(problem);
        let found = repaired_problems(&surface, &solid, &Progress::new()).expect(problem);
        let found = found.iter().find(|p| p.code == problem).expect(problem);
        let steps: Vec<&str> = (solid.steps.iter())
            .filter(|step| found.is_repaired_by(step))
            .map(|step| step.code)
            .collect();
        assert_eq!(steps, [step], "{problem}: {:?}", solid.steps);
    }

    #[test]
    fn each_repaired_problem_names_its_repair_step() {
        check("BoundaryEdges", "ClosedHole", |s| {
            s.triangles.pop();
        });
        check("MisorientedEdges", "FlippedFaces", |s| {
            s.triangles[5].swap(0, 1);
        });
        check("InsideOut", "TurnedComponents", |s| {
            *s = inverted(s.clone());
        });
        check("DegenerateFaces", "DroppedDegenerate", |s| {
            let [a, b, _] = s.triangles[5];
            s.triangles.push([a, b, b]);
        });
        check("DuplicateFaces", "DroppedDuplicate", |s| {
            let triangle = s.triangles[5];
            s.triangles.push(triangle);
        });
        check("UnreferencedVertices", "DroppedUnreferenced", |s| {
            s.positions.push(Vec3::zeros());
        });
        check("DuplicateVertices", "Welded", |s| {
            // a triangle with corners of its own
            let corners = s.corners(5);
            let first = s.vertex_count() as u32;
            s.positions.extend(corners);
            s.triangles[5] = [first, first + 1, first + 2];
        });
        check("NonManifoldEdges", "DroppedFins", |s| {
            let ([a, b, _], tip) = (s.triangles[5], s.vertex_count() as u32);
            let place = s.corners(5)[0] * 1.1;
            s.positions.push(place);
            s.triangles.push([a, b, tip]);
        });
        check("NonManifoldEdges", "SplitPinches", |s| {
            *s = touching_boxes();
        });
        check("SelfIntersections", "KeptCrossings", |s| {
            *s = joined(s, s, Vec3::x() * 1.97);
        });
    }
}
