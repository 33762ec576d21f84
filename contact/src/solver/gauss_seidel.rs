//! Impulses between bodies: rows with two sides, by projected Gauss-Seidel on velocities (Moreau 1988; Jean 1999).
//!
//! A row moves by `v = Σ s_k v_k` over the nodes of both sides with signed weights. An impulse `j` on it changes node k by `s_k j/m_k`: what one body gains the other
//! loses, whatever the number of sweeps. A row with an open gap may close it within the step, no more. A penetration is corrected slowly, so that it adds hardly any
//! energy.

use crate::detection::CachedContact;
use crate::solver::halves::{BothHalves, Halves, OneHalf};
use crate::solver::pass::{Pass, PassKind};
use crate::solver::rigid_projection::{RigidMotion, RigidProjection};
use crate::solver::row::{Row, Slot, StepRules};

/// Most sweeps a step.
pub(super) const SWEEPS: usize = 8;

/// Rows of a frame and the nodes that they act on. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Solver {
    /// within the first half, within the second, and between them; each ascending by key
    pub rows: [Vec<Row>; 3],
    /// packed index of a slot, and signed weight
    pub entries: Vec<(u32, f64)>,
    /// of the two halves
    pub slots: [Vec<Slot>; 2],
    /// body and node of each slot
    pub owners: [Vec<(u32, u32)>; 2],
    pub halves: Halves,
    /// rigid part of each body, with its share of impulses, by half
    pub projections: [Vec<RigidProjection>; 2],
    /// packed index of each body among these
    pub projection_of: Vec<u32>,
    /// the same with a share of one where the body can move rigidly, and zero elsewhere
    pub rigid_bodies: Vec<RigidProjection>,
    /// rigid motion of all bodies when the frame begins
    pub rigid_motions: Vec<RigidMotion>,
    /// contacts of the last frame, ascending by key
    pub cached: Vec<CachedContact>,
    /// the same of the frame before, and memory for the next one
    pub previous_cache: Vec<CachedContact>,
    /// whether there was a last frame
    pub has_last_frame: bool,
    /// sweeps since the frame began
    pub sweeps: u64,
}

impl Solver {
    /// Removes all rows; cached contacts stay.
    pub fn clear_rows(&mut self) {
        self.rows.iter_mut().for_each(Vec::clear);
        self.entries.clear();
        self.slots.iter_mut().for_each(Vec::clear);
        self.owners.iter_mut().for_each(Vec::clear);
        self.sweeps = 0;
    }

    /// Every row.
    pub fn all_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flatten()
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// Sets the rigid changes of all bodies to zero before a step.
    pub fn clear_rigid_changes(&mut self) {
        self.projections
            .iter_mut()
            .flatten()
            .for_each(RigidProjection::clear);
    }

    /// Solves the rows that are due in step `step` of the group for their impulses, which change the velocities in the slots.
    pub fn solve(&mut self, rules: &StepRules, step: u32) {
        self.pass(rules, step, PassKind::WarmStart);
        for sweep in 0..SWEEPS {
            self.sweeps += 1;
            // in alternating directions: neither end of a stack is favoured
            let backward = sweep % 2 == 1;
            if !self.pass(rules, step, PassKind::Sweep { backward }) {
                break;
            }
        }
        self.pass(rules, step, PassKind::Finish);
    }

    /// Passes over all rows: the two halves in parallel, then the rows between them. Returns whether the velocity of a row changed by more than its tolerance.
    fn pass(&mut self, rules: &StepRules, step: u32, kind: PassKind) -> bool {
        let Self {
            rows: [first, second, between],
            entries,
            slots,
            projections,
            ..
        } = self;
        let entries = entries.as_slice();
        let [slots_a, slots_b] = slots.each_mut();
        let [projections_a, projections_b] = projections.each_mut();
        let a = Pass {
            rows: first,
            entries,
            slots: OneHalf(slots_a),
            projections: OneHalf(projections_a),
            rules,
            step,
            kind,
        };
        let b = Pass {
            rows: second,
            entries,
            slots: OneHalf(slots_b),
            projections: OneHalf(projections_b),
            rules,
            step,
            kind,
        };
        let mut changed = if b.rows.is_empty() {
            a.run()
        } else {
            let (a, b) = rayon::join(|| a.run(), || b.run());
            a || b
        };
        if !between.is_empty() {
            let last = Pass {
                rows: between,
                entries,
                slots: BothHalves(slots),
                projections: BothHalves(projections),
                rules,
                step,
                kind,
            };
            changed |= last.run();
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detection::pair_key;
    use crate::solver::row::{CORRECTION, NO_SIDE, StepRule};
    use pliant_core::math::Vec3;

    /// particles of 1 kg stacked on a floor, one row for each and the one below it
    fn stack(count: usize) -> Solver {
        let mut solver = Solver::default();
        for k in 0..count {
            solver.slots[0].push([0.3, -0.1, 0.0, 1.0]);
            let from = solver.entries.len() as u32;
            solver.entries.push((k as u32, 1.0));
            if k > 0 {
                solver.entries.push((k as u32 - 1, -1.0));
            }
            solver.rows[0].push(Row {
                from,
                to: solver.entries.len() as u32,
                stride_level: 0,
                effective_mass: if k > 0 { 0.5 } else { 1.0 },
                tangential_mass: if k > 0 { 0.5 } else { 1.0 },
                sides: [NO_SIDE; 2],
                is_position_corrected: false,
                correction: 0.0,
                rigid_compliance: 0.0,
                normal: Vec3::y(),
                gap: 0.0,
                tolerated_penetration: 0.0,
                friction: 0.5,
                kinetic_friction: 0.4,
                surface_velocity: Vec3::zeros(),
                impulse: Vec3::zeros(),
                impulse_sum: Vec3::zeros(),
                key: k as u64,
            });
        }
        solver
    }

    #[test]
    fn a_stack_carries_its_weight_and_friction_stops_it() {
        let rules = StepRules::new(0.01, 0.01, 0.1, 9.81);
        let mut solver = stack(5);
        for _ in 0..200 {
            for slot in &mut solver.slots[0] {
                slot[1] -= 9.81 * 0.01;
            }
            solver.solve(&rules, 0);
        }
        for (k, row) in solver.all_rows().enumerate() {
            let weight = (5 - k) as f64 * 9.81 * 0.01;
            assert!((row.impulse.y / weight - 1.0).abs() < 0.01, "{k} {row:?}");
        }
        let fastest = solver.slots[0].iter().flat_map(|s| &s[..3]).copied();
        assert!(fastest.fold(0.0, |a: f64, b| a.max(b.abs())) < 1e-3);
    }

    #[test]
    fn momentum_is_exchanged_and_nothing_pulls() {
        let rules = StepRules::new(0.01, 0.01, 0.1, 0.0);
        let mut solver = stack(2);
        solver.slots[0][0] = [0.0, 1.0, 0.5, 1.0];
        solver.slots[0][1] = [0.0, -1.0, 0.0, 0.25];
        solver.rows[0][0].effective_mass = 0.0;
        solver.rows[0][1].effective_mass = 1.0 / 1.25;
        solver.rows[0][1].tangential_mass = 1.0 / 1.25;
        let momentum =
            |s: &Solver, c: usize| -> f64 { s.slots[0].iter().map(|v| v[c] / v[3]).sum() };
        let before = [0, 1, 2].map(|c| momentum(&solver, c));
        solver.solve(&rules, 0);
        for (c, before) in before.iter().enumerate() {
            assert!((momentum(&solver, c) - before).abs() < 1e-12);
        }
        assert!(
            (solver.slots[0][0][1] - solver.slots[0][1][1]).abs() < 1e-9,
            "no bounce"
        );
        solver.slots[0][1][1] = 5.0;
        solver.solve(&rules, 0);
        assert_eq!(solver.rows[0][1].impulse, Vec3::zeros());
        assert_eq!(solver.slots[0][1][1], 5.0, "separating bodies do not pull");
    }

    #[test]
    fn the_speed_of_a_correction_does_not_grow_with_shorter_steps() {
        let (duration, depth) = (1.0 / 60.0, 0.004);
        let speed = |steps: f64| {
            let rules = StepRules::new(duration / steps, duration, 0.1, 0.0);
            let mut solver = stack(1);
            solver.slots[0][0] = [0.0, 0.0, 0.0, 1.0];
            solver.rows[0][0].gap = -depth;
            solver.solve(&rules, 0);
            solver.slots[0][0][1]
        };
        assert!(speed(1.0) > 0.0 && speed(4.0) > 3.9 * speed(1.0));
        for steps in [10.0, 1e3, 1e5] {
            assert_eq!(speed(steps), speed(4.0));
        }
        assert!(speed(4.0) * duration < depth);
    }

    #[test]
    fn a_row_of_a_slow_body_bears_its_weight_in_its_own_steps() {
        let (step, steps) = (1e-4, 64_u32);
        let rules = StepRules::new(step, step * f64::from(steps), 0.1, 9.81);
        for stride_level in [0, 3, 6] {
            let stride = 1_u32 << stride_level;
            let mut solver = stack(1);
            solver.slots[0][0] = [0.0, 0.0, 0.0, 1.0];
            solver.rows[0][0].stride_level = stride_level;
            for k in 0..steps {
                if k % stride == 0 {
                    solver.slots[0][0][1] -= 9.81 * step * f64::from(stride);
                }
                solver.solve(&rules, k);
                assert!(solver.slots[0][0][1].abs() < 1e-15);
            }
            let row = &solver.rows[0][0];
            let weight = row.impulse_sum.y / (step * f64::from(steps));
            assert!((weight / 9.81 - 1.0).abs() < 1e-12, "{weight}");
            assert!(row.gap.abs() < 1e-15, "{}", row.gap);
        }
    }

    #[test]
    fn a_gap_closes_within_a_step_of_the_row_and_not_of_the_group() {
        let (step, stride_level, stride) = (1e-3, 3, 8_u32);
        let rules = StepRules::new(step, 64.0 * step, 0.1, 9.81);
        let gap = 0.004;
        let mut solver = stack(1);
        solver.slots[0][0] = [0.0, -10.0, 0.0, 1.0];
        (solver.rows[0][0].stride_level, solver.rows[0][0].gap) = (stride_level, gap);
        for k in 0..stride {
            solver.solve(&rules, k);
            let speed = -solver.slots[0][0][1];
            assert!((speed * step * f64::from(stride) / gap - 1.0).abs() < 1e-12);
        }
        assert!(solver.rows[0][0].gap.abs() < 1e-15);
        // a velocity that it gets in between stays until its next step
        solver.solve(&rules, stride);
        assert!(solver.slots[0][0][1].abs() < 1e-12);
        solver.slots[0][0][1] = -0.5;
        for k in stride + 1..2 * stride {
            solver.solve(&rules, k);
            assert_eq!(solver.slots[0][0][1], -0.5);
        }
        solver.solve(&rules, 2 * stride);
        assert!(solver.slots[0][0][1] >= 0.0);
    }

    #[test]
    fn a_penetration_that_stays_is_tolerated_until_it_gets_less() {
        let rule = StepRule::new(0.01, 0.01, 0.1, 9.81);
        let mut solver = stack(2);
        solver.rows[0][1].key = pair_key(1, 2, false, 0);
        let depth = |solver: &mut Solver, gap: f64| {
            solver.rows[0][1].gap = gap;
            solver.rows[0][1].tolerated_penetration = 0.0;
            solver.warm_start(1.0 / 60.0);
            solver.end_frame(1.0 / 60.0, |_| false);
            (
                solver.rows[0][1].corrected_depth(&rule),
                solver.rows[0][1].tolerated_penetration,
            )
        };
        let (first, left) = depth(&mut solver, -0.01);
        assert!((first / (CORRECTION * (0.01 - rule.slop)) - 1.0).abs() < 1e-12);
        assert_eq!(left, 0.0);
        let mut last = (first, left);
        for _ in 0..600 {
            let now = depth(&mut solver, -0.01);
            assert!(now.0 <= last.0 && now.1 >= last.1);
            last = now;
        }
        assert!(last.0 < 1e-3 * first && last.1 <= 0.01);
        // halfway out: it may not go back in
        assert_eq!(depth(&mut solver, -0.004).1, 0.004);
        assert!(depth(&mut solver, -0.01).0 > 0.9 * CORRECTION * 0.006);
        assert_eq!(depth(&mut solver, 0.001).1, 0.0);
    }
}
