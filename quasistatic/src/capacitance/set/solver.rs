//! Solves the equations of one set of conditions by the cached inverse, by an update of it, or by a fresh factor.

use crate::capacitance::assemble::ContactRow;
use crate::capacitance::dense_lu::{DenseLu, SingularPivot};
use crate::capacitance::inverse::{BLOCK, UpdatedInverse};
use crate::capacitance::problem::{ContactProblem, ContactReport};

const NONE: u32 = u32::MAX;
/// Costs of adding and removing a block of rows, in rows of the set. A set is updated while the costs of its changes stay below its size. At that size a fresh
/// factor takes as long (measured at 30 to 300 rows).
const ADD_COST: usize = 9;
const REMOVE_COST: usize = 3;

/// The form in which the last set is cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum CachedForm {
    #[default]
    Nothing,
    Factor,
    Inverse,
}

/// Solves the equations of one set of rows; keeps factor or inverse of the last set, also over frames.
#[derive(Debug, Default)]
pub struct SetSolver {
    form: CachedForm,
    lu: DenseLu,
    inverse: UpdatedInverse,
    /// Conditions in the order of factor or inverse, and whether their compliances are regularised.
    cached: Vec<ContactRow>,
    regularised: bool,
    /// For each cached condition its row in the present problem, or [`NONE`].
    row_of_slot: Vec<u32>,
    slot_of_row: Vec<u32>,
    stamp: Option<u64>,
    by_vertex: Vec<u32>,
    rows: Vec<u32>,
    leaving: Vec<usize>,
    entering: Vec<u32>,
    right: Vec<f64>,
    solution: Vec<f64>,
}

/// A cached inverse as numbers, for snapshots after which the same bits follow.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct CachedInverse {
    pub rows: Vec<ContactRow>,
    pub regularised: bool,
    /// See [`UpdatedInverse::state`]; empty where a factor is cached.
    pub numbers: Vec<f64>,
}

impl SetSolver {
    /// Forces of the rows in `active` that close their gaps; zero elsewhere.
    ///
    /// # Errors
    /// [`SingularPivot`] with the row of the problem that follows from others; the cache is then empty.
    pub fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        active: &[bool],
        force: &mut [f64],
        report: &mut ContactReport,
    ) -> Result<(), SingularPivot> {
        self.match_cached_rows(problem);
        self.list_changes(active);
        let changed = !self.leaving.is_empty() || !self.entering.is_empty();
        if changed && !self.update(problem, report) {
            self.factor(problem, report)?;
        }
        self.right.clear();
        let gaps = self
            .row_of_slot
            .iter()
            .map(|&row| -problem.gaps[row as usize]);
        self.right.extend(gaps);
        if self.form == CachedForm::Inverse {
            self.inverse.solve(&self.right, &mut self.solution);
        } else {
            self.lu.solve(&mut self.right);
            self.solution.clone_from(&self.right);
        }
        force.fill(0.0);
        for (&row, &f) in self.row_of_slot.iter().zip(&self.solution) {
            force[row as usize] = f;
        }
        report.solves += 1;
        Ok(())
    }

    /// Gap of row `i` under the forces of the last set, m.
    pub fn gap(&self, problem: &ContactProblem<'_>, i: usize, force: &[f64]) -> f64 {
        let size = problem.gaps.len();
        let row = &problem.compliance[i * size..(i + 1) * size];
        let closing: f64 = self
            .rows
            .iter()
            .map(|&j| row[j as usize] * force[j as usize])
            .sum();
        problem.gaps[i] + closing
    }

    /// The conditions of the last set, and the inverse of their compliances column by column into `out`.
    pub(crate) fn write_inverse(&mut self, out: &mut Vec<f64>) -> &[ContactRow] {
        let m = self.cached.len();
        out.clear();
        out.resize(m * m, 0.0);
        for (k, column) in out.chunks_exact_mut(m.max(1)).enumerate() {
            column[k] = 1.0;
            if self.form == CachedForm::Inverse {
                for (i, entry) in column.iter_mut().enumerate() {
                    *entry = self.inverse.inverse_entry(i, k);
                }
            }
        }
        if self.form == CachedForm::Factor {
            self.lu.solve_columns(out, m, m);
        }
        &self.cached
    }

    /// The cache, on which the bits of the next solution depend.
    pub(crate) fn cached(&self) -> CachedInverse {
        let numbers = match self.form {
            CachedForm::Nothing => return CachedInverse::default(),
            CachedForm::Factor => Vec::new(),
            CachedForm::Inverse => self.inverse.state(),
        };
        CachedInverse {
            rows: self.cached.clone(),
            regularised: self.regularised,
            numbers,
        }
    }

    /// Restores the result of [`Self::cached`]; `compliance(i, j)` belongs to the cached rows. False when the numbers do not fit.
    pub(crate) fn restore(
        &mut self,
        cached: &CachedInverse,
        compliance: impl Fn(usize, usize) -> f64,
    ) -> bool {
        self.clear();
        let size = cached.rows.len();
        if size == 0 {
            return cached.numbers.is_empty();
        }
        if cached.numbers.is_empty() {
            if self.lu.factor(size, compliance).is_err() {
                return false;
            }
            self.form = CachedForm::Factor;
        } else {
            if !self.inverse.restore(size, &cached.numbers, compliance) {
                return false;
            }
            self.form = CachedForm::Inverse;
        }
        self.cached.clone_from(&cached.rows);
        self.regularised = cached.regularised;
        self.row_of_slot.resize(size, NONE);
        true
    }

    /// Empties the cache.
    pub(crate) fn clear(&mut self) {
        self.form = CachedForm::Nothing;
        self.cached.clear();
        self.row_of_slot.clear();
        self.stamp = None;
    }

    /// Finds the cached conditions among the rows of a new problem.
    fn match_cached_rows(&mut self, problem: &ContactProblem<'_>) {
        if self.stamp == Some(problem.stamp) {
            return;
        }
        if self.regularised != problem.nearly_dependent {
            self.clear();
            self.regularised = problem.nearly_dependent;
        }
        self.stamp = Some(problem.stamp);
        self.slot_of_row.clear();
        self.slot_of_row.resize(problem.rows.len(), NONE);
        self.by_vertex.clear();
        self.by_vertex.extend(0..self.cached.len() as u32);
        let cached = &self.cached;
        self.by_vertex
            .sort_unstable_by_key(|&slot| (cached[slot as usize].vertex, slot));
        self.row_of_slot.fill(NONE);
        for (row, condition) in problem.rows.iter().enumerate() {
            let vertex = |slot: &u32| cached[*slot as usize].vertex;
            let start = self
                .by_vertex
                .partition_point(|s| vertex(s) < condition.vertex);
            let same = self.by_vertex[start..]
                .iter()
                .take_while(|slot| vertex(slot) == condition.vertex)
                .find(|&&slot| {
                    cached[slot as usize] == *condition && self.row_of_slot[slot as usize] == NONE
                });
            if let Some(&slot) = same {
                self.slot_of_row[row] = slot;
                self.row_of_slot[slot as usize] = row as u32;
            }
        }
    }

    /// Lists the rows of the new set, those that enter it, and those that leave it (descending slots).
    fn list_changes(&mut self, active: &[bool]) {
        self.rows.clear();
        self.entering.clear();
        self.leaving.clear();
        for (i, _) in active.iter().enumerate().filter(|(_, active)| **active) {
            self.rows.push(i as u32);
            if self.slot_of_row[i] == NONE {
                self.entering.push(i as u32);
            }
        }
        let leaves = |row: u32| row == NONE || !active[row as usize];
        let slots = self.row_of_slot.iter().enumerate().rev();
        self.leaving
            .extend(slots.filter(|(_, row)| leaves(**row)).map(|(slot, _)| slot));
    }

    /// Updates the inverse by the rows that enter and leave; false where a factor is cheaper or the update failed.
    fn update(&mut self, problem: &ContactProblem<'_>, report: &mut ContactReport) -> bool {
        let (adds, removes) = (
            self.entering.len().div_ceil(BLOCK),
            self.leaving.len().div_ceil(BLOCK),
        );
        if self.form == CachedForm::Nothing
            || ADD_COST * adds + REMOVE_COST * removes > self.rows.len()
        {
            return false;
        }
        if self.form == CachedForm::Factor {
            if self.row_of_slot.contains(&NONE) {
                // the compliances of these rows are no longer available
                return false;
            }
            let entry = problem.compliance_among(&self.row_of_slot);
            if self.inverse.set(self.row_of_slot.len(), entry).is_err() {
                return false;
            }
            self.form = CachedForm::Inverse;
            report.factorisations += 1;
        }
        let before = self.inverse.refactorings();
        for k in (0..self.leaving.len()).step_by(BLOCK) {
            let group = &self.leaving[k..self.leaving.len().min(k + BLOCK)];
            if self.inverse.remove(group).is_err() {
                return false;
            }
            for &slot in group {
                let row = self.row_of_slot.swap_remove(slot);
                self.cached.swap_remove(slot);
                if row != NONE {
                    self.slot_of_row[row as usize] = NONE;
                }
                if let Some(&moved) = self.row_of_slot.get(slot)
                    && moved != NONE
                {
                    self.slot_of_row[moved as usize] = slot as u32;
                }
            }
        }
        for group in self.entering.chunks(BLOCK) {
            for &row in group {
                self.slot_of_row[row as usize] = self.cached.len() as u32;
                self.row_of_slot.push(row);
                self.cached.push(problem.rows[row as usize]);
            }
            let entry = problem.compliance_among(&self.row_of_slot);
            if self.inverse.add(group.len(), entry).is_err() {
                return false;
            }
        }
        report.updates += (adds + removes) as u32;
        report.factorisations += self.inverse.refactorings() - before;
        true
    }

    /// A fresh factor of the set.
    fn factor(
        &mut self,
        problem: &ContactProblem<'_>,
        report: &mut ContactReport,
    ) -> Result<(), SingularPivot> {
        self.form = CachedForm::Nothing;
        self.row_of_slot.clone_from(&self.rows);
        self.slot_of_row.fill(NONE);
        self.cached.clear();
        for (slot, &row) in self.rows.iter().enumerate() {
            self.slot_of_row[row as usize] = slot as u32;
            self.cached.push(problem.rows[row as usize]);
        }
        let entry = problem.compliance_among(&self.rows);
        if let Err(pivot) = self.lu.factor(self.rows.len(), entry) {
            let row = self.rows[pivot.row] as usize;
            self.clear();
            return Err(SingularPivot { row });
        }
        self.form = CachedForm::Factor;
        report.factorisations += 1;
        Ok(())
    }
}
