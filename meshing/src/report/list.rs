//! The list of findings: how severe each is, and where.

use pliant_core::math::Vec3;

use super::mesh_report::Problem;

pub(super) struct List {
    pub(super) problems: Vec<Problem>,
    /// what repairs mend is no error
    pub(super) is_mended: bool,
}

/// Where a problem is: vertices or triangles of the file, and a position.
pub(super) type Spot = (Vec<u32>, Option<Vec3>);
/// So many vertices or triangles are named.
pub(super) const NAMED: usize = 16;

pub(super) fn first_of(list: &[u32]) -> Vec<u32> {
    list.iter().take(NAMED).copied().collect()
}

/// Codes of what keeps a surface from being used, and of what may make the result wrong; the rest is mended without a loss.
const ERRORS: [&str; 7] = [
    "NoTriangles",
    "NotSolid",
    "LostSurface",
    "NonFinite",
    "IndexOutOfRange",
    "NotOrientable",
    "FlatSurface",
];
const WARNINGS: [&str; 6] = [
    "BoundaryEdges",
    "NonManifoldEdges",
    "SelfIntersections",
    "ThinWalls",
    "ScaleSuspicious",
    "FarFromOrigin",
];

impl List {
    pub(super) fn add(
        &mut self,
        code: &'static str,
        count: usize,
        message: String,
        hint: &'static str,
        spot: Spot,
    ) {
        let severity = if ERRORS.contains(&code) {
            "error"
        } else if WARNINGS.contains(&code) {
            if self.is_mended { "warning" } else { "error" }
        } else {
            "note"
        };
        let (elements, at) = spot;
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
