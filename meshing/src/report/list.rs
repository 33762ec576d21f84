//! The list of findings: how severe each is, and where.

use pliant_core::math::Vec3;

use super::mesh_report::Problem;

pub(super) struct List {
    pub(super) problems: Vec<Problem>,
    /// problems that a repair solves are no errors
    pub(super) is_repairable: bool,
}

/// Where a problem is: vertices or triangles of the file, and a position.
pub(super) type Location = (Vec<u32>, Option<Vec3>);
/// Most vertices or triangles that are named.
pub(super) const MAX_NAMED: usize = 16;

pub(super) fn first_of(list: &[u32]) -> Vec<u32> {
    list.iter().take(MAX_NAMED).copied().collect()
}

/// Codes of problems that make a surface unusable, of those that do so unless a repair solves them, and of those that may make the result wrong; all others are repaired without loss.
const ERRORS: [&str; 8] = [
    "NoTriangles",
    "NotSolid",
    "LostSurface",
    "NonFinite",
    "CoordinateTooLarge",
    "IndexOutOfRange",
    "NotOrientable",
    "FlatSurface",
];
const ERRORS_UNLESS_REPAIRED: [&str; 4] = [
    "BoundaryEdges",
    "NonManifoldEdges",
    "SelfIntersections",
    "FarFromOrigin",
];
const WARNINGS: [&str; 2] = ["ThinWalls", "ScaleSuspicious"];

impl List {
    pub(super) fn add(
        &mut self,
        code: &'static str,
        count: usize,
        message: String,
        hint: &'static str,
        location: Location,
    ) {
        let may_be_repaired = ERRORS_UNLESS_REPAIRED.contains(&code);
        let severity = if ERRORS.contains(&code) || (may_be_repaired && !self.is_repairable) {
            "error"
        } else if may_be_repaired || WARNINGS.contains(&code) {
            "warning"
        } else {
            "note"
        };
        let (elements, at) = location;
        self.problems.push(Problem {
            code,
            severity,
            count,
            message,
            hint,
            elements,
            at: at.map(Into::into),
            places: Vec::new(),
            further_places: 0,
        });
    }
}
