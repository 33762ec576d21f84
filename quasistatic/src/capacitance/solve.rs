//! The solver of the conditions of one frame.

use crate::capacitance::assemble::{ComplianceAssembly, ContactRow, RowSupports};
use crate::capacitance::complementarity::ContactSolver;
use crate::capacitance::dense_lu::SingularPivot;
use crate::capacitance::independent::Independence;
use crate::capacitance::problem::{ContactProblem, ContactReport, SolveStop};
use crate::capacitance::set::CachedInverse;
use crate::capacitance::work_meter::{Abandoned, cholesky_units};
use crate::greens::{GreensMatrix, SkinRows};

/// Tikhonov regularisation of nearly dependent contacts, as a share of their own compliance: an elastic layer under each.
const REGULARISATION: f64 = 1e-7;
/// Most systems that one frame solves.
const MAX_SOLVES: u32 = 60;

/// Conditions and their gaps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowProblem<'a> {
    /// The conditions.
    pub rows: &'a [ContactRow],
    /// Gap of each without their forces, m.
    pub gaps: &'a [f64],
    /// Penetration up to which a contact counts as closed, m.
    pub gap_tolerance: f64,
}

/// Report of [`CapacitanceSolver::solve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowSolution {
    /// How the exchange ended.
    pub contact: ContactReport,
    /// Rows that repeat others or cannot move; they have no force.
    pub dependent: usize,
}

/// Solves for the forces of scalar conditions; keeps compliance, factor and memory while the conditions stay the same.
#[derive(Debug, Default)]
pub struct CapacitanceSolver {
    /// The compliance of the last rows.
    pub(crate) assembly: ComplianceAssembly,
    rows: Vec<ContactRow>,
    compliance: Vec<f64>,
    independence: Independence,
    /// Whether the compliance of `rows` was examined.
    is_examined: bool,
    /// Skin vertices of the present attempt whose blocks were read in frames before it.
    known_vertices: usize,
    /// Whether blocks and compliance of `rows` are counted in the present attempt.
    is_read: bool,
    is_counted: bool,
    /// Regularised compliance of the kept rows, and its stamp.
    kept_compliance: Vec<f64>,
    stamp: u64,
    contact: ContactSolver,
    /// Whether the rows of this frame have coarse constraints among them.
    coarse: bool,
    kept_rows: Vec<ContactRow>,
    gaps: Vec<f64>,
    active: Vec<bool>,
    force: Vec<f64>,
}

impl CapacitanceSolver {
    /// Begins a frame. Coarse constraints differ from frame to frame, so that their set is not kept. `changed` says that they are not those of the last frame.
    pub(crate) fn begin_frame(&mut self, coarse: bool, changed: bool) {
        if coarse || self.coarse {
            self.contact.set.clear();
        }
        if changed || coarse != self.coarse {
            self.rows.clear();
        }
        self.coarse = coarse;
    }

    /// Begins an attempt to solve a frame within `limit` work units, or without a limit. `known_vertices` of the touched ones had their blocks read in earlier frames.
    ///
    /// Costs count as if nothing but these blocks and the set of the last frame was cached, so that a restored model is abandoned in the same frames.
    pub(crate) fn begin_attempt(&mut self, limit: Option<u64>, known_vertices: usize) {
        self.contact.set.begin_attempt(limit);
        self.known_vertices = known_vertices;
        (self.is_read, self.is_counted) = (false, false);
    }

    /// Work units of the present attempt.
    pub(crate) fn work_used(&mut self) -> u64 {
        self.contact.set.meter().used()
    }

    /// Goes back to the set before the attempt. Blocks and compliances of the attempt are kept: they do not change the bits of what is solved with them.
    pub(crate) fn abandon(&mut self) {
        self.contact.set.abandon();
    }

    /// Forces `force[i]` along `rows[i].direction` that close the gaps of bilateral rows and keep those of unilateral rows open.
    ///
    /// `active` holds the unilateral rows that pushed last time and, afterwards, those that
    /// push now. With `F` in m/N forces are N; with a scaled `F` they are scaled likewise.
    ///
    /// # Errors
    /// [`SolveStop::Singular`] with a row whose equation has no unique answer, when the kept rows still depend on each other. [`SolveStop::Abandoned`] where the limit of the attempt does
    /// not pay for the solution; without a limit there is no such error.
    pub fn solve<'a>(
        &mut self,
        greens: &GreensMatrix,
        supports: impl Into<RowSupports<'a>>,
        problem: RowProblem<'_>,
        active: &mut [bool],
        force: &mut [f64],
    ) -> Result<RowSolution, SolveStop> {
        let RowProblem {
            rows,
            gaps,
            gap_tolerance,
        } = problem;
        self.prepare(greens, supports.into(), rows)?;
        let kept = &self.independence.kept;
        self.gaps.clear();
        self.gaps.extend(kept.iter().map(|&i| gaps[i as usize]));
        self.active.clear();
        self.active.extend(kept.iter().map(|&i| active[i as usize]));
        self.force.clear();
        self.force.resize(kept.len(), 0.0);
        let problem = ContactProblem {
            rows: &self.kept_rows,
            compliance: &self.kept_compliance,
            stamp: self.stamp,
            gaps: &self.gaps,
            gap_tolerance,
            nearly_dependent: self.independence.nearly_dependent,
            max_solves: MAX_SOLVES,
        };
        let contact = self
            .contact
            .solve(&problem, &mut self.active, &mut self.force)
            .map_err(|stop| match stop {
                SolveStop::Singular(pivot) => SolveStop::Singular(SingularPivot {
                    row: kept[pivot.row] as usize,
                }),
                SolveStop::Abandoned => stop,
            })?;
        force.fill(0.0);
        active.fill(false);
        for (k, &i) in kept.iter().enumerate() {
            force[i as usize] = self.force[k];
            active[i as usize] = self.active[k];
        }
        Ok(RowSolution {
            contact,
            dependent: self.independence.dropped.len(),
        })
    }

    /// Assembles and examines the compliance, unless the rows are those of last time. Each part begins where the limit pays for it; what is finished is kept for the next frame.
    fn prepare(
        &mut self,
        greens: &GreensMatrix,
        supports: RowSupports<'_>,
        rows: &[ContactRow],
    ) -> Result<(), Abandoned> {
        let same = self.stamp > 0 && !rows.is_empty() && self.rows == rows;
        let meter = self.contact.set.meter();
        if meter.is_limited() && !(same && self.is_counted) {
            let known = if self.is_read {
                usize::MAX
            } else {
                self.known_vertices
            };
            let assembly = &mut self.assembly;
            assembly.spend(greens, supports, rows, known, meter)?;
            (self.is_read, self.is_counted) = (true, false);
        }
        if !same {
            self.rows.clear();
            self.rows.extend_from_slice(rows);
            self.stamp += 1;
            self.is_examined = false;
            self.assembly
                .assemble(greens, supports, rows, &mut self.compliance);
        }
        let size = rows.len();
        if !self.is_counted {
            self.contact.set.meter().spend(cholesky_units(size))?;
            self.is_counted = true;
        }
        if self.is_examined {
            return Ok(());
        }
        self.is_examined = true;
        self.independence
            .examine(&self.compliance, size, |i| rows[i].unilateral);
        let regularised = self.independence.nearly_dependent;
        self.kept_compliance.clear();
        self.kept_rows.clear();
        for &i in &self.independence.kept {
            self.kept_rows.push(rows[i as usize]);
            let unilateral = rows[i as usize].unilateral;
            for &j in &self.independence.kept {
                let mut entry = self.compliance[i as usize * size + j as usize];
                if regularised && unilateral && i == j {
                    entry *= 1.0 + REGULARISATION;
                }
                self.kept_compliance.push(entry);
            }
        }
        Ok(())
    }

    /// The conditions of the last set and the inverse of their compliances, see [`crate::capacitance::set::SetSolver`].
    pub(crate) fn write_inverse(&mut self, out: &mut Vec<f64>) -> &[ContactRow] {
        self.contact.set.write_inverse(out)
    }

    /// The cache, on which the bits of the next solution depend.
    pub(crate) fn cached(&self) -> CachedInverse {
        if self.coarse {
            return CachedInverse::default();
        }
        self.contact.set.cached()
    }

    /// Restores the result of [`Self::cached`]; false when the numbers do not fit.
    pub(crate) fn restore(
        &mut self,
        greens: &GreensMatrix,
        skin: &SkinRows,
        cached: &CachedInverse,
    ) -> bool {
        self.rows.clear();
        self.is_examined = false;
        self.coarse = false;
        self.stamp += 1;
        let size = cached.rows.len();
        self.assembly
            .assemble(greens, skin, &cached.rows, &mut self.compliance);
        let compliance = &self.compliance;
        let regularised = |i: usize| cached.regularised && cached.rows[i].unilateral;
        self.contact.set.restore(cached, |i, j| {
            let layer = if i == j && regularised(i) {
                REGULARISATION
            } else {
                0.0
            };
            compliance[i * size + j] * (1.0 + layer)
        })
    }
}
