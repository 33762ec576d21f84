//! Impulses between bodies: rows with two sides, by projected Gauss–Seidel on velocities (Moreau 1988; Jean 1999).
//!
//! A row moves by `v = Σ s_k v_k` over the nodes of both sides with signed weights. An impulse `j` on it changes node k by `s_k j/m_k`: what one
//! body gains the other loses, whatever the sweep count. Rows in front of each other may close their gap within the step, no more; a penetration is
//! taken back slowly, so that it gives no energy to speak of.

use crate::math::Vec3;

use super::memory::Known;
use super::rows::NONE;
use super::whole::{RigidMotion, Whole};

/// Most sweeps a step.
const SWEEPS: usize = 8;
/// Share of a penetration that one step takes back.
const CORRECTION: f64 = 0.2;
/// Penetration that is left alone, over the contact spacing.
const SLOP: f64 = 0.01;
/// Sweeps end when no row changes its velocity by more than this share of what gravity gives in a step.
const TOLERANCE: f64 = 1e-3;

/// One contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub from: u32,
    pub to: u32,
    /// impulse that changes the velocity along the normal by 1 m/s, kg; zero when nothing can move
    pub mass: f64,
    /// the same across the normal, at least
    pub sliding_mass: f64,
    /// what of the bodies on both sides moves as a whole
    pub sides: [Side; 2],
    /// whether penetrations are taken back by [`Solver::part`]
    pub parted: bool,
    /// displacement that takes back a penetration, over its share of the compliance, kg m
    pub parting: f64,
    pub normal: Vec3,
    /// m
    pub gap: f64,
    /// penetration that is not taken back, m
    pub left: f64,
    pub friction: f64,
    pub kinetic: f64,
    pub surface_velocity: Vec3,
    /// of the present step, N s
    pub impulse: Vec3,
    /// summed over the frame, N s
    pub sum: Vec3,
    /// to find the row again in the next frame
    pub key: u64,
}

/// One side of a row: a body that takes a share of its impulses as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    /// body, or [`super::rows::NONE`]
    pub body: u32,
    /// 1 or −1
    pub sign: f64,
    /// contact from the centre of the body, m
    pub arm: Vec3,
}

/// A side that no body takes as a whole.
pub(super) const NO_SIDE: Side = Side {
    body: NONE,
    sign: 0.0,
    arm: Vec3::new(0.0, 0.0, 0.0),
};

/// Velocity and inverse mass of a node that some row holds; less the share that goes to the whole body.
type Slot = [f64; 4];

/// Rows of a frame and the nodes they hold. Keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Solver {
    pub rows: Vec<Row>,
    /// slot and signed weight
    pub entries: Vec<(u32, f64)>,
    pub slots: Vec<Slot>,
    /// body and node of each slot
    pub owners: Vec<(u32, u32)>,
    /// all bodies, with the share that they take of impulses
    pub wholes: Vec<Whole>,
    /// all bodies that can move as a whole, with all of it
    pub movers: Vec<Whole>,
    /// rigid motion of all bodies when the frame begins
    pub motions: Vec<RigidMotion>,
    /// rows of the last frame
    pub known: Vec<Known>,
    /// memory for the next of it
    pub before: Vec<Known>,
    /// whether there was a last frame
    pub began: bool,
    /// sweeps done since the frame began
    pub sweeps: u64,
}

/// What a step needs to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepRule {
    /// length of the step, s
    pub step: f64,
    /// penetration that is left alone, m
    pub slop: f64,
    /// fastest velocity at which a penetration is taken back, m/s
    pub fastest: f64,
    /// the same where bodies are also moved apart as wholes, m/s
    pub gently: f64,
    /// velocity that counts as nothing, m/s
    pub still: f64,
}

impl StepRule {
    pub fn new(step: f64, spacing: f64, gravity: f64) -> Self {
        Self {
            step,
            slop: SLOP * spacing,
            fastest: 0.2 * spacing / step,
            gently: gravity * step,
            still: TOLERANCE * (gravity * step).max(1e-3 * spacing / step),
        }
    }
}

impl Solver {
    /// Forgets the rows; what is known of their impulses stays.
    pub fn begin_frame(&mut self) {
        self.rows.clear();
        self.entries.clear();
        self.slots.clear();
        self.owners.clear();
        self.sweeps = 0;
    }

    /// Bodies have not been pushed in this step.
    pub fn begin_step(&mut self) {
        self.wholes.iter_mut().for_each(Whole::stop);
    }

    /// Whether [`Solver::part`] has something to do.
    pub fn is_deep(&self, rule: &StepRule) -> bool {
        self.rows
            .iter()
            .any(|row| row.parted && row.gap < -rule.slop)
    }

    /// Displacements of whole bodies that take penetrations back, and open no others: projected Gauss–Seidel on positions. Nothing gains speed.
    pub fn part(&mut self, rule: &StepRule) {
        let Self { rows, movers, .. } = self;
        movers.iter_mut().for_each(Whole::stop);
        for sweep in 0..SWEEPS {
            let mut largest = 0.0_f64;
            let count = rows.len();
            for k in 0..count {
                let row = &mut rows[if sweep % 2 == 0 { k } else { count - 1 - k }];
                if !row.parted {
                    continue;
                }
                let mut compliance = 0.0;
                let mut moved = 0.0;
                for side in row.sides.iter().filter(|s| s.body != NONE) {
                    let mover = &movers[side.body as usize];
                    compliance += mover.compliance(&side.arm, &row.normal)[0];
                    moved += side.sign * row.normal.dot(&mover.velocity_at(&side.arm));
                }
                let wanted = if row.gap >= 0.0 {
                    -row.gap
                } else {
                    row.taken_back(rule)
                };
                let parting = (row.parting + (wanted - moved) / compliance).max(0.0);
                let change = parting - row.parting;
                if change != 0.0 {
                    row.parting = parting;
                    let change = row.normal * change;
                    for side in row.sides.iter().filter(|s| s.body != NONE) {
                        movers[side.body as usize].push(&side.arm, &(change * side.sign));
                    }
                    largest = largest.max(change.amax() * compliance);
                }
            }
            if largest < 0.1 * rule.slop {
                break;
            }
        }
    }

    /// Impulses that bring the rows of one step in order, on the velocities in the slots.
    pub fn solve(&mut self, rule: &StepRule) {
        let Self {
            rows,
            entries,
            slots,
            wholes,
            sweeps,
            ..
        } = self;
        for row in rows.iter() {
            let change = row.impulse;
            if row.mass > 0.0 && change != Vec3::zeros() {
                push(&entries[row.from as usize..row.to as usize], slots, &change);
                row.push_wholes(wholes, &change);
            }
        }
        for sweep in 0..SWEEPS {
            let mut largest = 0.0_f64;
            *sweeps += 1;
            // there and back: neither end of a pile is favoured
            let count = rows.len();
            for k in 0..count {
                let row = &mut rows[if sweep % 2 == 0 { k } else { count - 1 - k }];
                if row.mass == 0.0 {
                    continue;
                }
                let part = &entries[row.from as usize..row.to as usize];
                let v = gather(part, slots) + row.velocity_of_wholes(wholes);
                let wanted = row.admissible(&v, rule);
                let change = wanted - row.impulse;
                if change != Vec3::zeros() {
                    row.impulse = wanted;
                    push(part, slots, &change);
                    row.push_wholes(wholes, &change);
                    largest = largest.max(change.amax() / row.mass);
                }
            }
            if largest <= rule.still {
                break;
            }
        }
        for row in rows.iter_mut() {
            row.sum += row.impulse;
            let part = &entries[row.from as usize..row.to as usize];
            let v = gather(part, slots) + row.velocity_of_wholes(wholes) - row.surface_velocity;
            row.gap += rule.step * row.normal.dot(&v);
        }
    }
}

impl Row {
    /// Share of the penetration that one step takes back, m.
    #[inline(always)]
    fn taken_back(&self, rule: &StepRule) -> f64 {
        let kept = rule.slop.max(self.left);
        (CORRECTION * (-self.gap - kept).max(0.0)).min(rule.fastest * rule.step)
    }

    /// What the wholes of both sides add to the velocity of the row.
    #[inline(always)]
    fn velocity_of_wholes(&self, wholes: &[Whole]) -> Vec3 {
        let mut v = Vec3::zeros();
        for side in &self.sides {
            if side.body != NONE {
                v += wholes[side.body as usize].velocity_at(&side.arm) * side.sign;
            }
        }
        v
    }

    #[inline(always)]
    fn push_wholes(&self, wholes: &mut [Whole], change: &Vec3) {
        for side in &self.sides {
            if side.body != NONE {
                wholes[side.body as usize].push(&side.arm, &(change * side.sign));
            }
        }
    }

    /// Impulse of this step that the row wants at velocity `v`, which contains its present one.
    #[inline(always)]
    fn admissible(&self, v: &Vec3, rule: &StepRule) -> Vec3 {
        let relative = v - self.surface_velocity;
        let along = self.normal.dot(&relative);
        let wanted = if self.gap >= 0.0 {
            -self.gap / rule.step
        } else if self.parted {
            (self.taken_back(rule) / rule.step).min(rule.gently)
        } else {
            self.taken_back(rule) / rule.step
        };
        let had = self.normal.dot(&self.impulse);
        let normal = (had + (wanted - along) * self.mass).max(0.0);
        if normal == 0.0 {
            return Vec3::zeros();
        }
        // what would stop the sliding
        let slide =
            self.impulse - self.normal * had - (relative - self.normal * along) * self.sliding_mass;
        let size = slide.norm();
        if size <= self.friction * normal {
            self.normal * normal + slide
        } else {
            self.normal * normal + slide * (self.kinetic * normal / size)
        }
    }
}

#[inline(always)]
fn gather(part: &[(u32, f64)], slots: &[Slot]) -> Vec3 {
    let mut sum = [0.0; 4];
    for &(slot, w) in part {
        let v = &slots[slot as usize];
        for (s, v) in sum.iter_mut().zip(v) {
            *s += v * w;
        }
    }
    Vec3::new(sum[0], sum[1], sum[2])
}

#[inline(always)]
fn push(part: &[(u32, f64)], slots: &mut [Slot], change: &Vec3) {
    // the fourth number, the inverse mass, stays
    let change = [change.x, change.y, change.z, 0.0];
    for &(slot, w) in part {
        let v = &mut slots[slot as usize];
        let factor = w * v[3];
        for (v, j) in v.iter_mut().zip(change) {
            *v += factor * j;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::pair_key;
    use super::*;

    /// particles of 1 kg stacked on a floor, one row each to what is below
    fn pile(count: usize) -> Solver {
        let mut solver = Solver::default();
        for k in 0..count {
            solver.slots.push([0.3, -0.1, 0.0, 1.0]);
            let from = solver.entries.len() as u32;
            solver.entries.push((k as u32, 1.0));
            if k > 0 {
                solver.entries.push((k as u32 - 1, -1.0));
            }
            solver.rows.push(Row {
                from,
                to: solver.entries.len() as u32,
                mass: if k > 0 { 0.5 } else { 1.0 },
                sliding_mass: if k > 0 { 0.5 } else { 1.0 },
                sides: [NO_SIDE; 2],
                parted: false,
                parting: 0.0,
                normal: Vec3::y(),
                gap: 0.0,
                left: 0.0,
                friction: 0.5,
                kinetic: 0.4,
                surface_velocity: Vec3::zeros(),
                impulse: Vec3::zeros(),
                sum: Vec3::zeros(),
                key: k as u64,
            });
        }
        solver
    }

    #[test]
    fn a_pile_carries_its_weight_and_friction_stops_it() {
        let rule = StepRule::new(0.01, 0.1, 9.81);
        let mut solver = pile(5);
        for _ in 0..200 {
            for slot in &mut solver.slots {
                slot[1] -= 9.81 * 0.01;
            }
            solver.solve(&rule);
        }
        for (k, row) in solver.rows.iter().enumerate() {
            let weight = (5 - k) as f64 * 9.81 * 0.01;
            assert!((row.impulse.y / weight - 1.0).abs() < 0.01, "{k} {row:?}");
        }
        let fastest = solver.slots.iter().flat_map(|s| &s[..3]).copied();
        assert!(fastest.fold(0.0, |a: f64, b| a.max(b.abs())) < 1e-3);
    }

    #[test]
    fn what_one_gains_the_other_loses_and_nothing_pulls() {
        let rule = StepRule::new(0.01, 0.1, 0.0);
        let mut solver = pile(2);
        solver.slots[0] = [0.0, 1.0, 0.5, 1.0];
        solver.slots[1] = [0.0, -1.0, 0.0, 0.25];
        solver.rows[0].mass = 0.0;
        solver.rows[1].mass = 1.0 / 1.25;
        solver.rows[1].sliding_mass = 1.0 / 1.25;
        let momentum = |s: &Solver, c: usize| -> f64 { s.slots.iter().map(|v| v[c] / v[3]).sum() };
        let before = [0, 1, 2].map(|c| momentum(&solver, c));
        solver.solve(&rule);
        for (c, before) in before.iter().enumerate() {
            assert!((momentum(&solver, c) - before).abs() < 1e-12);
        }
        assert!(
            (solver.slots[0][1] - solver.slots[1][1]).abs() < 1e-9,
            "no bounce"
        );
        solver.slots[1][1] = 5.0;
        solver.solve(&rule);
        assert_eq!(solver.rows[1].impulse, Vec3::zeros());
        assert_eq!(solver.slots[1][1], 5.0, "what parts is let go");
    }

    #[test]
    fn what_cannot_be_taken_back_is_left_until_it_gets_less() {
        let rule = StepRule::new(0.01, 0.1, 9.81);
        let mut solver = pile(2);
        solver.rows[1].key = pair_key(1, 2, false, 0);
        let depth = |solver: &mut Solver, gap: f64| {
            solver.rows[1].gap = gap;
            solver.rows[1].left = 0.0;
            solver.warm_start(1.0 / 60.0);
            solver.end_frame(1.0 / 60.0, |_| false);
            (solver.rows[1].taken_back(&rule), solver.rows[1].left)
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
