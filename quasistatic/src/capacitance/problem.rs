//! A contact problem, and the report of its solution.

use crate::capacitance::ContactRow;
use crate::capacitance::dense_lu::SingularPivot;
use crate::capacitance::work_meter::Abandoned;

/// Why a contact problem has no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolveStop {
    /// A row whose condition follows from others.
    Singular(SingularPivot),
    /// The limit of the work does not pay for the solution.
    Abandoned,
}

impl From<SingularPivot> for SolveStop {
    fn from(pivot: SingularPivot) -> Self {
        Self::Singular(pivot)
    }
}

impl From<Abandoned> for SolveStop {
    fn from(_: Abandoned) -> Self {
        Self::Abandoned
    }
}

/// A mixed problem: bilateral rows hold their gap at zero, unilateral rows may only push.
#[derive(Debug, Clone, Copy)]
pub struct ContactProblem<'a> {
    /// The conditions; equal ones have equal compliances in every problem of one body.
    pub rows: &'a [ContactRow],
    /// Compliance `M`, row by row, m/N; symmetric to the bit, as nodal forces make it.
    pub compliance: &'a [f64],
    /// Changes whenever `compliance` does: equal stamps let the factor be used again.
    pub stamp: u64,
    /// Gaps without contact forces, m.
    pub gaps: &'a [f64],
    /// Penetration up to which a contact counts as closed, m.
    pub gap_tolerance: f64,
    /// Whether rows nearly repeat each other. An exchange of many rows at once may then not converge.
    pub nearly_dependent: bool,
    /// Most systems that the exchange solves.
    pub max_solves: u32,
}

impl ContactProblem<'_> {
    /// Compliance between any two of `rows`.
    pub(crate) fn compliance_among(&self, rows: &[u32]) -> impl Fn(usize, usize) -> f64 {
        let size = self.gaps.len();
        move |r, c| self.compliance[rows[r] as usize * size + rows[c] as usize]
    }
}

/// Report of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContactReport {
    /// Systems solved.
    pub solves: u32,
    /// Fresh factors and inverses among them; an unchanged set needs none.
    pub factorisations: u32,
    /// Blocks of up to three rows that were added to the inverse or removed.
    pub updates: u32,
    /// Whether every condition is satisfied.
    pub converged: bool,
}
