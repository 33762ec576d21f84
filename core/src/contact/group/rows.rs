//! From what was found to rows of the solver, and the velocities in and out.

use rayon::prelude::*;

use super::BodyGroup;
use super::halves::{half_and_element, place};
use super::keys::{key_of, taken_apart};
use super::narrow::Partner;
use super::row::{NO_SIDE, Row, Side, StepRule};
use super::whole::{RigidMotion, Whole};
use crate::contact::stepped::SteppedModel;
use crate::contact::wrench::ToolWrench;
use crate::math::Vec3;

/// A node without a slot.
pub(super) const NONE: u32 = u32::MAX;
/// What slides or closes by less than this share of the contact spacing a frame is moved apart without a change of speed; what is faster parts by
/// its impulses, which keep angular momentum.
const SLOW: f64 = 0.1;
fn inverse_or_zero(compliance: f64) -> f64 {
    if compliance > 0.0 {
        1.0 / compliance
    } else {
        0.0
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Rows of this frame, with slots for the nodes that they hold.
    pub(super) fn assemble(&mut self, step: f64, duration: f64) {
        self.share_impulses(step);
        for &(body, node) in self.solver.owners.iter().flatten() {
            self.slot_of[body as usize][node as usize] = NONE;
        }
        self.solver.begin_frame();
        let mut depth = 0.0_f64;
        for found in &self.found {
            for c in &found.candidates {
                let a = c.body as usize;
                let (other, partner_awake) = match c.partner {
                    Partner::Body(b) => (b as usize, !self.rest[b as usize].asleep),
                    Partner::Tool(_) => (a, false),
                };
                let own_awake = !self.rest[a].asleep;
                if !own_awake && !partner_awake {
                    continue;
                }
                depth = depth.max(-c.gap);
                let from = self.solver.entries.len() as u32;
                // along the normal and across
                let mut compliance = [0.0; 2];
                let mut sides = [NO_SIDE; 2];
                let at = self.now[a].positions[c.point as usize];
                let itself = c.partner == Partner::Body(a as u32);
                for (side, (body, awake, range, part)) in sides.iter_mut().zip([
                    (a, own_awake, c.from..c.split, c.compliance[0]),
                    (other, partner_awake, c.split..c.to, c.compliance[1]),
                ]) {
                    if !awake || range.is_empty() {
                        continue;
                    }
                    let half = self.solver.halves.of(body);
                    let (_, element) = half_and_element(self.solver.whole_of[body]);
                    let whole = &self.solver.wholes[half][element];
                    compliance
                        .iter_mut()
                        .for_each(|c| *c += part * (1.0 - whole.share));
                    let mover = &self.solver.movers[body];
                    // what touches itself gains nothing as a whole
                    if mover.share > 0.0 && !itself {
                        // each side where its own surface is
                        let own_side = range.start == c.from;
                        *side = Side {
                            body: body as u32,
                            whole: self.solver.whole_of[body],
                            sign: if own_side { 1.0 } else { -1.0 },
                            arm: if own_side { at } else { at - c.normal * c.gap } - mover.center,
                        };
                        let rigid = whole.compliance(&side.arm, &c.normal);
                        compliance.iter_mut().zip(rigid).for_each(|(c, r)| *c += r);
                    }
                    let local = 1.0 - whole.share;
                    for &(node, weight) in &found.entries[range.start as usize..range.end as usize]
                    {
                        let slot = &mut self.slot_of[body][node as usize];
                        if *slot == NONE {
                            *slot = place(half, self.solver.slots[half].len());
                            let inverse = self.shapes[body].inverse_mass[node as usize];
                            self.solver.slots[half].push([0.0, 0.0, 0.0, inverse * local]);
                            self.solver.owners[half].push((body as u32, node));
                        }
                        self.solver.entries.push((*slot, weight));
                    }
                }
                // every side that moves does so as a whole
                let as_wholes = sides
                    .iter()
                    .zip([own_awake, partner_awake])
                    .all(|(side, awake)| awake == (side.body != NONE));
                let mut relative = -c.surface_velocity;
                for side in sides.iter().filter(|s| s.body != NONE) {
                    let motion = &self.solver.motions[side.body as usize];
                    relative += (motion.velocity + motion.spin.cross(&side.arm)) * side.sign;
                }
                let spacing = self.shapes[a].spacing.min(self.shapes[other].spacing);
                let slow = relative.norm() * duration < SLOW * spacing;
                let closing = -c.normal.dot(&c.relative);
                let of = |body: usize| self.solver.halves.of(body);
                let across = own_awake && partner_awake && of(a) != of(other);
                let class = match (across, own_awake) {
                    (true, _) => 2,
                    (false, true) => of(a),
                    (false, false) => of(other),
                };
                self.solver.rows[class].push(Row {
                    left: match c.partner {
                        Partner::Body(_) => (-c.gap - closing.max(0.0) * duration).max(0.0),
                        Partner::Tool(_) => 0.0,
                    },
                    from,
                    to: self.solver.entries.len() as u32,
                    mass: inverse_or_zero(compliance[0]),
                    sliding_mass: inverse_or_zero(compliance[1]),
                    parted: slow && as_wholes,
                    sides,
                    parting: 0.0,
                    yielding: 0.0,
                    normal: c.normal,
                    gap: c.gap,
                    friction: c.friction,
                    kinetic: c.kinetic,
                    surface_velocity: c.surface_velocity,
                    impulse: Vec3::zeros(),
                    sum: Vec3::zeros(),
                    key: key_of(c),
                });
            }
        }
        self.solver.warm_start(duration);
        self.counts.depth = depth;
        self.counts.rows = self.solver.row_count();
    }

    /// How much of impulses bodies take as a whole in this frame of steps of `step` seconds.
    fn share_impulses(&mut self, step: f64) {
        let Self {
            solver,
            closing,
            found,
            models,
            rest,
            shapes,
            now,
            centers,
            spread,
            ..
        } = self;
        closing.clear();
        closing.resize(models.len(), 0.0);
        for found in found.iter() {
            for c in &found.candidates {
                let a = c.body as usize;
                let speed = -c.normal.dot(&c.relative);
                closing[a] = speed.max(closing[a]);
                if let Partner::Body(b) = c.partner {
                    closing[b as usize] = speed.max(closing[b as usize]);
                }
            }
        }
        centers.clear();
        centers.extend(now.iter().map(|now| now.bounds.center()));
        let contacts = found.iter().map(|f| f.candidates.len()).sum();
        solver.halves.cut(centers, |b| !rest[b].asleep, contacts);
        solver.movers.resize(models.len(), Whole::default());
        solver.motions.resize(models.len(), RigidMotion::default());
        spread.resize(models.len(), 0.0);
        let each = solver.movers.par_iter_mut().zip(&mut solver.motions);
        let each = each.zip(&mut *spread);
        let (shapes, rest) = (&*shapes, &*rest);
        let bodies = models.par_iter().zip(shapes).zip(rest);
        each.zip(bodies)
            .for_each(|(((mover, motion), spread), ((model, shape), rest))| {
                *spread = if rest.asleep {
                    0.0
                } else {
                    model.spread_within_step()
                };
                let all = if *spread > 0.0 { 1.0 } else { 0.0 };
                let x = model.node_positions();
                *mover = Whole::new(all, x, &shape.mass);
                *motion = mover.motion(x, model.node_velocities(), &shape.mass);
            });
        solver.wholes.iter_mut().for_each(Vec::clear);
        solver.whole_of.clear();
        for (b, most) in spread.iter().enumerate() {
            let share = Whole::share(*most, closing[b], step, shapes[b].spacing);
            let half = solver.halves.of(b);
            solver.whole_of.push(place(half, solver.wholes[half].len()));
            solver.wholes[half].push(solver.movers[b].scaled(share));
        }
    }

    /// Centres of bodies and arms of rows where they are now.
    fn locate(&mut self) {
        let Self {
            solver,
            models,
            shapes,
            ..
        } = self;
        let bodies = models.par_iter().zip(shapes);
        solver
            .movers
            .par_iter_mut()
            .zip(bodies)
            .for_each(|(mover, (model, shape))| {
                if mover.share > 0.0 {
                    *mover = Whole::new(1.0, model.node_positions(), &shape.mass);
                }
            });
        for (mover, &place) in solver.movers.iter().zip(&solver.whole_of) {
            let (half, element) = half_and_element(place);
            let whole = &mut solver.wholes[half][element];
            *whole = mover.scaled(whole.share);
        }
        let (owners, movers, entries) = (&solver.owners, &solver.movers, &solver.entries);
        let models = &*models;
        solver.rows.par_iter_mut().flatten().for_each(|row| {
            let mut ends = [Vec3::zeros(); 2];
            for (slot, weight) in &entries[row.from as usize..row.to as usize] {
                let (half, element) = half_and_element(*slot);
                let (body, node) = owners[half][element];
                let x = models[body as usize].node_positions()[node as usize];
                ends[usize::from(*weight < 0.0)] += x * weight.abs();
            }
            let both = row.sides.iter().all(|s| s.body != NONE);
            for (side, end) in row.sides.iter_mut().zip(ends) {
                if side.body != NONE {
                    // halfway for both, so that what acts across a gap turns nothing
                    let at = if both { (ends[0] + ends[1]) * 0.5 } else { end };
                    side.arm = at - movers[side.body as usize].center;
                }
            }
        });
    }

    /// Velocities of the bodies to the slots.
    pub(super) fn take_velocities(&mut self) {
        if self.solver.wholes.iter().flatten().any(|w| w.share > 0.0) {
            self.locate();
        }
        self.solver.begin_step();
        let (solver, models) = (&mut self.solver, &self.models);
        let halves = solver.slots.par_iter_mut().zip(&solver.owners);
        halves.for_each(|(slots, owners)| {
            for (slot, &(body, node)) in slots.iter_mut().zip(owners) {
                let v = &models[body as usize].node_velocities()[node as usize];
                slot[..3].copy_from_slice(v.as_slice());
            }
        });
    }

    /// And back.
    pub(super) fn give_velocities(&mut self) {
        let (solver, slot_of) = (&self.solver, &self.slot_of);
        let bodies = self.models.par_iter_mut();
        bodies.enumerate().for_each(|(b, model)| {
            let velocities = model.node_velocities_mut();
            for (v, &slot) in velocities.iter_mut().zip(&slot_of[b]) {
                if slot != NONE {
                    let (half, element) = half_and_element(slot);
                    *v = Vec3::from_column_slice(&solver.slots[half][element][..3]);
                }
            }
            let (half, element) = half_and_element(solver.whole_of[b]);
            let whole = &solver.wholes[half][element];
            if whole.moves() {
                let (x, v) = model.nodes_mut();
                whole.add_to(v, x);
            }
        });
    }

    /// Takes penetrations back.
    pub(super) fn part(&mut self, rule: &StepRule) {
        if !self.solver.is_deep(rule) {
            return;
        }
        self.locate();
        self.solver.part(rule);
        for (mover, model) in self.solver.movers.iter().zip(&mut self.models) {
            if mover.moves() {
                model.shift(&|x| mover.velocity_at(&(x - mover.center)));
            }
        }
    }

    /// Mean force and torque on each tool.
    pub(super) fn collect_wrenches(&mut self) {
        self.wrenches.clear();
        self.wrenches
            .resize(self.tools.len(), ToolWrench::default());
        for known in &self.solver.known {
            if let (body, Partner::Tool(tool), point) = taken_apart(known.key)
                && let Some(wrench) = self.wrenches.get_mut(tool as usize)
            {
                let here = &self.now[body as usize].positions[point as usize];
                let origin = &self.tools[tool as usize].end.position;
                wrench.add_reaction(&known.force, here, origin);
            }
        }
    }
}
