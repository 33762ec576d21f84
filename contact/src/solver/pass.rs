//! One pass over rows: the inner loop of contact, compiled for the widest instructions of the machine.

use pulp::{Simd, WithSimd};

use pliant_core::math::Vec3;
use pliant_core::simd::arch;

use crate::solver::halves::Places;
use crate::solver::rigid_projection::RigidProjection;
use crate::solver::row::{NONE, Row, Slot, StepRules};

/// What is done with each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// The impulse that it has acts, if it is due.
    Start,
    /// It gets the impulse that it wants, if it is due, from the last to the first when `back`.
    Improve { back: bool },
    /// The step is over: impulses are summed, gaps are those after it, due or not.
    Finish,
}

/// Rows with the slots and rigid parts that they act on.
pub(crate) struct Pass<'a, S, W> {
    pub rows: &'a mut [Row],
    pub entries: &'a [(u32, f64)],
    pub slots: S,
    pub projections: W,
    pub rules: &'a StepRules,
    /// number of the step of the group
    pub step: u32,
    pub work: Work,
}

impl<S: Places<Slot>, W: Places<RigidProjection>> Pass<'_, S, W> {
    /// Whether a row changed its velocity by more than what counts as nothing in a step of it.
    pub fn run(self) -> bool {
        arch().dispatch(self)
    }

    #[inline(always)]
    fn velocity(&mut self, row: &Row) -> Vec3 {
        let mut sum = [0.0; 4];
        for &(slot, w) in &self.entries[row.from as usize..row.to as usize] {
            let v = self.slots.at(slot);
            for (s, v) in sum.iter_mut().zip(v) {
                *s += *v * w;
            }
        }
        let mut v = Vec3::new(sum[0], sum[1], sum[2]);
        for side in &row.sides {
            if side.body != NONE {
                v += self.projections.at(side.projection).velocity_at(&side.arm) * side.sign;
            }
        }
        v
    }

    #[inline(always)]
    fn push(&mut self, row: &Row, change: &Vec3) {
        // the fourth number, the inverse mass, stays
        let change4 = [change.x, change.y, change.z, 0.0];
        for &(slot, w) in &self.entries[row.from as usize..row.to as usize] {
            let v = self.slots.at(slot);
            let factor = w * v[3];
            for (v, j) in v.iter_mut().zip(change4) {
                *v += factor * j;
            }
        }
        for side in &row.sides {
            if side.body != NONE {
                let change = change * side.sign;
                self.projections
                    .at(side.projection)
                    .push(&side.arm, &change);
            }
        }
    }

    #[inline(always)]
    fn improve(&mut self, row: &mut Row) -> bool {
        if row.mass == 0.0 || !row.is_due(self.step) {
            return false;
        }
        let rules = self.rules;
        let rule = rules.of(row);
        let v = self.velocity(row);
        let wanted = row.admissible(&v, rule);
        let change = wanted - row.impulse;
        if change == Vec3::zeros() {
            return false;
        }
        row.impulse = wanted;
        self.push(row, &change);
        change.amax() / row.mass > rule.still
    }
}

impl<S: Places<Slot>, W: Places<RigidProjection>> WithSimd for Pass<'_, S, W> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<A: Simd>(mut self, _: A) -> bool {
        let rows = std::mem::take(&mut self.rows);
        let mut changed = false;
        match self.work {
            Work::Start => {
                for row in rows {
                    let change = row.impulse;
                    if row.mass > 0.0 && change != Vec3::zeros() && row.is_due(self.step) {
                        self.push(row, &change);
                    }
                }
            }
            Work::Improve { back: false } => {
                for row in rows {
                    changed |= self.improve(row);
                }
            }
            Work::Improve { back: true } => {
                for row in rows.iter_mut().rev() {
                    changed |= self.improve(row);
                }
            }
            Work::Finish => {
                let step = self.rules.shortest().step;
                for row in rows {
                    if row.is_due(self.step) {
                        row.sum += row.impulse;
                    }
                    let v = self.velocity(row) - row.surface_velocity;
                    row.gap += step * row.normal.dot(&v);
                }
            }
        }
        changed
    }
}
