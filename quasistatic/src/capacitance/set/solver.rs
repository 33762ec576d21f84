//! Solves the equations of one set of conditions by the cached inverse, by an update of it, or by a fresh factor.

use super::cache::{CachedForm, SetCache};
use crate::capacitance::assemble::ContactRow;
use crate::capacitance::dense_lu::SingularPivot;
use crate::capacitance::inverse::BLOCK;
use crate::capacitance::problem::{ContactProblem, ContactReport, SolveStop};
use crate::capacitance::work_meter::{
    Abandoned, WorkMeter, factor_units, inverse_units, square_units, units,
};

const NONE: u32 = u32::MAX;
/// Costs of adding and removing a block of rows, in rows of the set. A set is updated while the costs of its changes stay below its size. At that size a fresh
/// factor takes as long (measured at 30 to 300 rows).
const ADD_COST: usize = 9;
const REMOVE_COST: usize = 3;
/// Operations of adding and of removing a block of rows, and of a solution with factor or inverse, divided by the square of the rows of the set.
const ADD_OPERATIONS: u64 = 9;
const REMOVE_OPERATIONS: u64 = 3;
const FACTOR_SOLVE_OPERATIONS: u64 = 2;
const INVERSE_SOLVE_OPERATIONS: u64 = 6;

/// Solves the equations of one set of rows; keeps factor or inverse of the last set, also over frames.
#[derive(Debug, Default)]
pub struct SetSolver {
    cache: SetCache,
    /// The cache as it was before the attempt, where `is_saved`.
    former: SetCache,
    is_saved: bool,
    meter: WorkMeter,
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
    /// See `UpdatedInverse::state`; empty where a factor is cached.
    pub numbers: Vec<f64>,
}

impl SetSolver {
    /// Forces of the rows in `active` that close their gaps; zero elsewhere.
    ///
    /// # Errors
    /// [`SolveStop::Singular`] with the row of the problem that follows from others; the cache is then empty. [`SolveStop::Abandoned`] where the limit of the
    /// attempt does not pay for the solution; `abandon` then restores the cache.
    pub fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        active: &[bool],
        force: &mut [f64],
        report: &mut ContactReport,
    ) -> Result<(), SolveStop> {
        self.match_cached_rows(problem);
        self.list_changes(active);
        let changed = !self.leaving.is_empty() || !self.entering.is_empty();
        if changed && !self.update(problem, report)? {
            self.factor(problem, report)?;
        }
        let operations = match self.cache.form {
            CachedForm::Inverse => INVERSE_SOLVE_OPERATIONS,
            _ => FACTOR_SOLVE_OPERATIONS,
        };
        // the solution, and the gaps of all rows under it
        let gaps = 2 * (self.rows.len() * problem.gaps.len()) as u64;
        self.meter
            .spend(square_units(self.rows.len(), operations) + units(gaps))?;
        self.right.clear();
        let gaps = self
            .row_of_slot
            .iter()
            .map(|&row| -problem.gaps[row as usize]);
        self.right.extend(gaps);
        if self.cache.form == CachedForm::Inverse {
            self.cache.inverse.solve(&self.right, &mut self.solution);
        } else {
            self.cache.lu.solve(&mut self.right);
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
        let cache = &mut self.cache;
        let m = cache.rows.len();
        out.clear();
        out.resize(m * m, 0.0);
        for (k, column) in out.chunks_exact_mut(m.max(1)).enumerate() {
            column[k] = 1.0;
            if cache.form == CachedForm::Inverse {
                for (i, entry) in column.iter_mut().enumerate() {
                    *entry = cache.inverse.inverse_entry(i, k);
                }
            }
        }
        if cache.form == CachedForm::Factor {
            cache.lu.solve_columns(out, m, m);
        }
        &cache.rows
    }

    /// The cache, on which the bits of the next solution depend.
    pub(crate) fn cached(&self) -> CachedInverse {
        let numbers = match self.cache.form {
            CachedForm::Nothing => return CachedInverse::default(),
            CachedForm::Factor => Vec::new(),
            CachedForm::Inverse => self.cache.inverse.state(),
        };
        CachedInverse {
            rows: self.cache.rows.clone(),
            regularised: self.cache.regularised,
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
        let cache = &mut self.cache;
        if cached.numbers.is_empty() {
            if cache.lu.factor(size, compliance).is_err() {
                return false;
            }
            cache.form = CachedForm::Factor;
        } else {
            if !cache.inverse.restore(size, &cached.numbers, compliance) {
                return false;
            }
            cache.form = CachedForm::Inverse;
        }
        cache.rows.clone_from(&cached.rows);
        cache.regularised = cached.regularised;
        self.row_of_slot.resize(size, NONE);
        true
    }

    /// Empties the cache.
    pub(crate) fn clear(&mut self) {
        self.cache.clear();
        self.row_of_slot.clear();
        self.stamp = None;
    }

    /// Begins an attempt to solve a frame within `limit` work units, or without a limit.
    pub(crate) fn begin_attempt(&mut self, limit: Option<u64>) {
        self.meter = WorkMeter::new(limit);
        self.is_saved = false;
    }

    /// The work of the present attempt.
    pub(crate) fn meter(&mut self) -> &mut WorkMeter {
        &mut self.meter
    }

    /// Restores the cache as it was before the attempt. The next solution has the same bits as if the attempt had not been begun.
    pub(crate) fn abandon(&mut self) {
        if self.is_saved {
            std::mem::swap(&mut self.cache, &mut self.former);
            self.is_saved = false;
        }
        self.meter = WorkMeter::default();
        self.row_of_slot.clear();
        self.row_of_slot.resize(self.cache.rows.len(), NONE);
        self.stamp = None;
    }

    /// Saves the cache before its first change in an attempt with a limit. Old memory without meaning takes its place.
    fn save(&mut self) {
        if self.meter.is_limited() && !self.is_saved {
            std::mem::swap(&mut self.cache, &mut self.former);
            self.is_saved = true;
        }
    }

    /// Finds the cached conditions among the rows of a new problem.
    fn match_cached_rows(&mut self, problem: &ContactProblem<'_>) {
        if self.stamp == Some(problem.stamp) {
            return;
        }
        if self.cache.regularised != problem.nearly_dependent {
            self.save();
            self.clear();
            self.cache.regularised = problem.nearly_dependent;
        }
        self.stamp = Some(problem.stamp);
        self.slot_of_row.clear();
        self.slot_of_row.resize(problem.rows.len(), NONE);
        self.by_vertex.clear();
        let cached = &self.cache.rows;
        self.by_vertex.extend(0..cached.len() as u32);
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
    fn update(
        &mut self,
        problem: &ContactProblem<'_>,
        report: &mut ContactReport,
    ) -> Result<bool, Abandoned> {
        let (adds, removes) = (
            self.entering.len().div_ceil(BLOCK),
            self.leaving.len().div_ceil(BLOCK),
        );
        if self.cache.form == CachedForm::Nothing
            || ADD_COST * adds + REMOVE_COST * removes > self.rows.len()
        {
            return Ok(false);
        }
        let is_factor = self.cache.form == CachedForm::Factor;
        if is_factor && self.row_of_slot.contains(&NONE) {
            // the compliances of these rows are no longer available
            return Ok(false);
        }
        let size = self.row_of_slot.len().max(self.rows.len());
        let of_inverse = if is_factor { inverse_units(size) } else { 0 };
        let operations = ADD_OPERATIONS * adds as u64 + REMOVE_OPERATIONS * removes as u64;
        self.meter
            .spend(of_inverse + square_units(size, operations))?;
        if self.meter.is_limited() && !self.is_saved {
            self.save();
            self.cache.copy_for_update(&self.former);
        }
        let cache = &mut self.cache;
        if is_factor {
            let entry = problem.compliance_among(&self.row_of_slot);
            if cache.inverse.set(self.row_of_slot.len(), entry).is_err() {
                return Ok(false);
            }
            cache.form = CachedForm::Inverse;
            report.factorisations += 1;
        }
        let before = cache.inverse.refactorings();
        for k in (0..self.leaving.len()).step_by(BLOCK) {
            let group = &self.leaving[k..self.leaving.len().min(k + BLOCK)];
            if cache.inverse.remove(group).is_err() {
                return Ok(false);
            }
            for &slot in group {
                let row = self.row_of_slot.swap_remove(slot);
                cache.rows.swap_remove(slot);
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
                self.slot_of_row[row as usize] = cache.rows.len() as u32;
                self.row_of_slot.push(row);
                cache.rows.push(problem.rows[row as usize]);
            }
            let entry = problem.compliance_among(&self.row_of_slot);
            if cache.inverse.add(group.len(), entry).is_err() {
                return Ok(false);
            }
        }
        report.updates += (adds + removes) as u32;
        report.factorisations += cache.inverse.refactorings() - before;
        Ok(true)
    }

    /// A fresh factor of the set.
    fn factor(
        &mut self,
        problem: &ContactProblem<'_>,
        report: &mut ContactReport,
    ) -> Result<(), SolveStop> {
        self.meter.spend(factor_units(self.rows.len()))?;
        self.save();
        let cache = &mut self.cache;
        cache.form = CachedForm::Nothing;
        cache.regularised = problem.nearly_dependent;
        self.row_of_slot.clone_from(&self.rows);
        self.slot_of_row.fill(NONE);
        cache.rows.clear();
        for (slot, &row) in self.rows.iter().enumerate() {
            self.slot_of_row[row as usize] = slot as u32;
            cache.rows.push(problem.rows[row as usize]);
        }
        let entry = problem.compliance_among(&self.rows);
        if let Err(pivot) = cache.lu.factor(self.rows.len(), entry) {
            let row = self.rows[pivot.row] as usize;
            self.clear();
            return Err(SingularPivot { row }.into());
        }
        cache.form = CachedForm::Factor;
        report.factorisations += 1;
        Ok(())
    }
}
