//! From what was found to rows of the solver, and the velocities in and out.

use super::BodyGroup;
use super::keys::{key_of, taken_apart};
use super::narrow::Partner;
use super::solver::{NO_SIDE, Row, Side, StepRule};
use super::whole::Whole;
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
        for &(body, node) in &self.solver.owners {
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
                    let whole = &self.solver.wholes[body];
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
                            *slot = self.solver.slots.len() as u32;
                            let inverse = self.shapes[body].inverse_mass[node as usize];
                            self.solver.slots.push([0.0, 0.0, 0.0, inverse * local]);
                            self.solver.owners.push((body as u32, node));
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
                let slow = relative.norm() * duration < SLOW * self.shapes[a].spacing;
                let closing = -c.normal.dot(&c.relative);
                self.solver.rows.push(Row {
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
        self.counts.rows = self.solver.rows.len();
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
        solver.wholes.clear();
        solver.movers.clear();
        solver.motions.clear();
        for (b, model) in models.iter().enumerate() {
            let most = if rest[b].asleep {
                0.0
            } else {
                model.spread_within_step()
            };
            let share = Whole::share(most, closing[b], step, shapes[b].spacing);
            let all = if most > 0.0 { 1.0 } else { 0.0 };
            let mover = Whole::new(all, model.node_positions(), model.inverse_masses());
            solver.wholes.push(mover.scaled(share));
            solver.movers.push(mover);
            solver.motions.push(mover.motion(
                model.node_positions(),
                model.node_velocities(),
                model.inverse_masses(),
            ));
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
        for (k, (model, shape)) in models.iter().zip(shapes.iter()).enumerate() {
            if solver.movers[k].share > 0.0 {
                let mover = Whole::new(1.0, model.node_positions(), &shape.inverse_mass);
                solver.wholes[k] = mover.scaled(solver.wholes[k].share);
                solver.movers[k] = mover;
            }
        }
        for row in &mut solver.rows {
            let mut ends = [Vec3::zeros(); 2];
            for (slot, weight) in &solver.entries[row.from as usize..row.to as usize] {
                let (body, node) = solver.owners[*slot as usize];
                let x = models[body as usize].node_positions()[node as usize];
                ends[usize::from(*weight < 0.0)] += x * weight.abs();
            }
            let both = row.sides.iter().all(|s| s.body != NONE);
            for (side, end) in row.sides.iter_mut().zip(ends) {
                if side.body != NONE {
                    // halfway for both, so that what acts across a gap turns nothing
                    let at = if both { (ends[0] + ends[1]) * 0.5 } else { end };
                    side.arm = at - solver.movers[side.body as usize].center;
                }
            }
        }
    }

    /// Velocities of the bodies to the slots.
    pub(super) fn take_velocities(&mut self) {
        if self.solver.wholes.iter().any(|w| w.share > 0.0) {
            self.locate();
        }
        self.solver.begin_step();
        for (slot, &(body, node)) in self.solver.slots.iter_mut().zip(&self.solver.owners) {
            let v = &self.models[body as usize].node_velocities()[node as usize];
            slot[..3].copy_from_slice(v.as_slice());
        }
    }

    /// And back.
    pub(super) fn give_velocities(&mut self) {
        for (slot, &(body, node)) in self.solver.slots.iter().zip(&self.solver.owners) {
            self.models[body as usize].node_velocities_mut()[node as usize] =
                Vec3::new(slot[0], slot[1], slot[2]);
        }
        let bodies = self.models.iter_mut().zip(&self.shapes);
        for (whole, (model, shape)) in self.solver.wholes.iter().zip(bodies) {
            if whole.moves() {
                let (x, v) = model.nodes_mut();
                whole.add_to(v, x, &shape.inverse_mass);
            }
        }
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
