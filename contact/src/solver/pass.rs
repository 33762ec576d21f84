//! One pass over rows: the inner loop of contact, compiled for the widest vector instructions of the machine.

use pulp::{Simd, WithSimd};

use pliant_core::math::Vec3;
use pliant_core::simd::arch;

use crate::solver::halves::HalfIndexed;
use crate::solver::rigid_projection::RigidProjection;
use crate::solver::row::{NONE, Row, Slot, StepRules};

/// What a pass does with each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PassKind {
    /// Applies the impulse of the last step to rows that are due.
    WarmStart,
    /// Solves each row that is due for its impulse, from the last to the first when `backward`.
    Sweep { backward: bool },
    /// Ends the step: sums impulses, and moves all gaps on.
    Finish,
}

/// Rows with the slots and rigid parts that they act on.
pub(crate) struct Pass<'a, S, P> {
    pub rows: &'a mut [Row],
    pub entries: &'a [(u32, f64)],
    pub slots: S,
    pub projections: P,
    pub rules: &'a StepRules,
    /// number of the step of the group
    pub step: u32,
    pub kind: PassKind,
}

impl<S: HalfIndexed<Slot>, P: HalfIndexed<RigidProjection>> Pass<'_, S, P> {
    /// Whether the velocity of a row changed by more than its tolerance.
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
    fn apply_impulse(&mut self, row: &Row, change: &Vec3) {
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
                    .apply_impulse(&side.arm, &change);
            }
        }
    }

    #[inline(always)]
    fn solve_row(&mut self, row: &mut Row) -> bool {
        if row.effective_mass == 0.0 || !row.is_due(self.step) {
            return false;
        }
        let rules = self.rules;
        let rule = rules.of(row);
        let v = self.velocity(row);
        let impulse = row.admissible_impulse(&v, rule);
        let change = impulse - row.impulse;
        if change == Vec3::zeros() {
            return false;
        }
        row.impulse = impulse;
        self.apply_impulse(row, &change);
        change.amax() / row.effective_mass > rule.velocity_tolerance
    }
}

impl<S: HalfIndexed<Slot>, P: HalfIndexed<RigidProjection>> WithSimd for Pass<'_, S, P> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<A: Simd>(mut self, _: A) -> bool {
        let rows = std::mem::take(&mut self.rows);
        let mut changed = false;
        match self.kind {
            PassKind::WarmStart => {
                for row in rows {
                    let change = row.impulse;
                    if row.effective_mass > 0.0 && change != Vec3::zeros() && row.is_due(self.step)
                    {
                        self.apply_impulse(row, &change);
                    }
                }
            }
            PassKind::Sweep { backward: false } => {
                for row in rows {
                    changed |= self.solve_row(row);
                }
            }
            PassKind::Sweep { backward: true } => {
                for row in rows.iter_mut().rev() {
                    changed |= self.solve_row(row);
                }
            }
            PassKind::Finish => {
                let step = self.rules.shortest().step;
                for row in rows {
                    if row.is_due(self.step) {
                        row.impulse_sum += row.impulse;
                    }
                    let v = self.velocity(row) - row.surface_velocity;
                    row.gap += step * row.normal.dot(&v);
                }
            }
        }
        changed
    }
}
