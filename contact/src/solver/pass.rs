//! One pass over rows: the inner loop of contact, compiled for the widest instructions of the machine.

use pulp::{Simd, WithSimd};

use pliant_core::math::Vec3;
use pliant_core::simd::arch;

use crate::solver::halves::Places;
use crate::solver::rigid_projection::RigidProjection;
use crate::solver::row::{NONE, Row, Slot, StepRule};

/// What is done with each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// The impulse that it has acts.
    Start,
    /// It gets the impulse that it wants, from the last to the first when `back`.
    Improve { back: bool },
    /// The step is over: impulses are summed, gaps are those after it.
    Finish,
}

/// Rows with the slots and rigid parts that they act on.
pub(crate) struct Pass<'a, S, W> {
    pub rows: &'a mut [Row],
    pub entries: &'a [(u32, f64)],
    pub slots: S,
    pub projections: W,
    pub rule: &'a StepRule,
    pub work: Work,
}

impl<S: Places<Slot>, W: Places<RigidProjection>> Pass<'_, S, W> {
    /// The largest change of velocity of a row, m/s.
    pub fn run(self) -> f64 {
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
    fn improve(&mut self, row: &mut Row) -> f64 {
        if row.mass == 0.0 {
            return 0.0;
        }
        let v = self.velocity(row);
        let wanted = row.admissible(&v, self.rule);
        let change = wanted - row.impulse;
        if change == Vec3::zeros() {
            return 0.0;
        }
        row.impulse = wanted;
        self.push(row, &change);
        change.amax() / row.mass
    }
}

impl<S: Places<Slot>, W: Places<RigidProjection>> WithSimd for Pass<'_, S, W> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<A: Simd>(mut self, _: A) -> f64 {
        let rows = std::mem::take(&mut self.rows);
        let mut largest = 0.0_f64;
        match self.work {
            Work::Start => {
                for row in rows {
                    let change = row.impulse;
                    if row.mass > 0.0 && change != Vec3::zeros() {
                        self.push(row, &change);
                    }
                }
            }
            Work::Improve { back: false } => {
                for row in rows {
                    largest = largest.max(self.improve(row));
                }
            }
            Work::Improve { back: true } => {
                for row in rows.iter_mut().rev() {
                    largest = largest.max(self.improve(row));
                }
            }
            Work::Finish => {
                for row in rows {
                    row.sum += row.impulse;
                    let v = self.velocity(row) - row.surface_velocity;
                    row.gap += self.rule.step * row.normal.dot(&v);
                }
            }
        }
        largest
    }
}
