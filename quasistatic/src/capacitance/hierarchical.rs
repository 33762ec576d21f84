//! Constraints on vertices of several levels, and the level that a frame can afford (James and Pai 2003, hierarchical constraints and graceful degradation).

use pliant_compression::wavelet::{BlockReader, CoefficientField};
use pliant_core::math::{Mat3, Vec3};

use crate::capacitance::compressed::write_column;
use crate::capacitance::dense_lu::{DenseLu, SingularPivot};
use crate::greens::hierarchical_basis::HierarchicalColumns;

/// A vertex that is constrained, and the level of the hat of its traction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HierarchicalConstraint {
    /// Level of the hat.
    pub level: u32,
    /// Row of the vertex; it belongs to the level or a coarser one.
    pub row: u32,
}

/// Solves for the tractions that move vertices to prescribed displacements. Factor and memory are kept while the constraints stay the same. A solver belongs to the columns of one body.
///
/// Constraints hold exactly at their vertices. Between them the traction is interpolated. Levels may be mixed, as long as no vertex is constrained twice.
#[derive(Debug, Default)]
pub struct HierarchicalCapacitance {
    constraints: Vec<HierarchicalConstraint>,
    factor: DenseLu,
    reader: BlockReader,
    rows: Vec<u32>,
    blocks: Vec<Mat3>,
    field: CoefficientField,
    right: Vec<f64>,
    tractions: Vec<Vec3>,
    factored: bool,
}

impl HierarchicalCapacitance {
    /// Tractions (Pa) that hold each constraint at its target displacement (m), in their order.
    ///
    /// Cost for `s` constraints: `s²` blocks and `18 s³` flops for a new set, `18 s²` and the sum of `s` columns for an old one.
    ///
    /// # Errors
    /// [`SingularPivot`] where a vertex is constrained twice; its row is three times the constraint.
    pub fn solve(
        &mut self,
        columns: &HierarchicalColumns,
        constraints: &[HierarchicalConstraint],
        targets: &[Vec3],
    ) -> Result<&[Vec3], SingularPivot> {
        if !self.factored || self.constraints != constraints {
            self.prepare(columns, constraints)?;
        }
        self.right.clear();
        self.right
            .extend(targets.iter().flat_map(|target| target.iter()));
        self.factor.solve(&mut self.right);
        self.tractions.clear();
        let tractions = self.right.as_chunks::<3>().0.iter();
        self.tractions.extend(tractions.map(|t| Vec3::from(*t)));
        let finest = columns.finest();
        let rows = columns.level(finest).rows();
        self.field.clear(rows);
        for (constraint, traction) in constraints.iter().zip(&self.tractions) {
            let matrix = columns.level(constraint.level as usize);
            matrix.add_columns(&[(constraint.row, *traction)], finest, &mut self.field);
        }
        columns.level(finest).reconstruct(finest, &mut self.field);
        Ok(&self.tractions)
    }

    /// Force on the body of the last solution, N.
    pub fn force(&self, columns: &HierarchicalColumns) -> Vec3 {
        let parts = self.constraints.iter().zip(&self.tractions);
        parts
            .map(|(c, traction)| traction * columns.areas(c.level as usize)[c.row as usize])
            .sum()
    }

    /// Displacement of every row of the last solution, m.
    pub fn displacements(&self) -> &CoefficientField {
        &self.field
    }

    /// Assembles and factors the capacitance matrix of a set, as [`Self::solve`] does for a new one.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub fn prepare(
        &mut self,
        columns: &HierarchicalColumns,
        constraints: &[HierarchicalConstraint],
    ) -> Result<(), SingularPivot> {
        self.factored = false;
        self.constraints.clear();
        self.constraints.extend_from_slice(constraints);
        self.rows.clear();
        self.rows.extend(constraints.iter().map(|c| c.row));
        let size = 3 * constraints.len();
        let (rows, reader, blocks) = (&self.rows, &mut self.reader, &mut self.blocks);
        self.factor.factor_filled(size, |entries| {
            for (column, out) in constraints
                .iter()
                .zip(entries.chunks_exact_mut((3 * size).max(1)))
            {
                let matrix = columns.level(column.level as usize);
                reader.open(matrix, column.row);
                reader.blocks(matrix, rows, blocks);
                write_column(blocks, out);
            }
        })?;
        self.factored = true;
        Ok(())
    }
}

/// Chooses the level of a contact: the finest one within the budget, with hysteresis, so that it does not alternate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LevelChoice {
    level: Option<usize>,
    /// Consecutive frames in which a finer level was affordable.
    affordable_frames: u32,
}

/// A finer level is affordable where it costs at most this share of the budget.
const FINER_BUDGET_SHARE: f64 = 0.6;
/// Consecutive frames in which a finer level has to be affordable before it is taken.
const FRAMES_BEFORE_FINER: u32 = 10;

impl LevelChoice {
    /// The level of the last frame.
    pub fn level(&self) -> Option<usize> {
        self.level
    }

    /// Sets a level that was chosen elsewhere.
    pub fn set(&mut self, level: usize) {
        *self = Self {
            level: Some(level),
            affordable_frames: 0,
        };
    }

    /// The choice as numbers: the level, or -1 for none, and the frames in which a finer one was affordable.
    pub(crate) fn numbers(&self) -> [f64; 2] {
        let level = self.level.map_or(-1.0, |level| level as f64);
        [level, f64::from(self.affordable_frames)]
    }

    /// The choice that [`Self::numbers`] gave.
    pub(crate) fn from_numbers([level, affordable_frames]: [f64; 2]) -> Self {
        Self {
            level: (level >= 0.0).then_some(level as usize),
            affordable_frames: affordable_frames as u32,
        }
    }

    /// The level up to `finest` for a contact, by the cost of each level in the units of `budget`.
    ///
    /// A coarser level is taken at once where the present one exceeds the budget. A finer level is taken when it has cost less than 60 % of the budget for ten frames.
    pub fn choose(&mut self, finest: usize, cost: impl Fn(usize) -> f64, budget: f64) -> usize {
        let affordable = |share: f64| {
            let fits = |level: &usize| cost(*level) <= share * budget;
            (0..=finest).rev().find(fits).unwrap_or(0)
        };
        let level = match self.level.filter(|level| *level <= finest) {
            None => affordable(1.0),
            Some(level) if cost(level) > budget => affordable(1.0).min(level),
            Some(level) => {
                let finer = affordable(FINER_BUDGET_SHARE);
                if finer <= level {
                    self.affordable_frames = 0;
                    level
                } else if self.affordable_frames + 1 < FRAMES_BEFORE_FINER {
                    self.affordable_frames += 1;
                    level
                } else {
                    self.affordable_frames = 0;
                    finer
                }
            }
        };
        self.level = Some(level);
        level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_that_grows_goes_coarser_at_once_and_finer_after_ten_affordable_frames() {
        let mut choice = LevelChoice::default();
        let (small, large) = (
            |level: usize| [2.0, 8.0, 30.0][level],
            |level: usize| [7.0, 23.0, 87.0][level],
        );
        assert_eq!(choice.choose(2, small, 36.0), 2);
        assert_eq!(choice.choose(2, large, 36.0), 1);
        // the finest level fits the budget again, but not 60 % of it
        for _ in 0..30 {
            assert_eq!(choice.choose(2, small, 36.0), 1);
        }
        for _ in 0..9 {
            assert_eq!(choice.choose(2, small, 60.0), 1);
        }
        assert_eq!(choice.choose(2, small, 60.0), 2);
        // without an affordable level the coarsest is taken
        assert_eq!(choice.choose(2, large, 1.0), 0);
    }
}
