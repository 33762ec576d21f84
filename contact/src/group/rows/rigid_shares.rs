//! How much of an impulse moves a body rigidly, and where rows act on the rigid body.

use rayon::prelude::*;

use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;

use crate::detection::Partner;
use crate::group::body_group::BodyGroup;
use crate::solver::{NONE, RigidMotion, RigidProjection, half_and_element, place};

impl<M: SteppedModel> BodyGroup<M> {
    /// Chooses the share of impulses that moves each body rigidly in this frame, whose steps are `step` seconds long.
    pub(super) fn share_impulses(&mut self, step: f64) {
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
        solver
            .movers
            .resize(models.len(), RigidProjection::default());
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
                *mover = RigidProjection::new(all, x, &shape.mass);
                *motion = mover.motion(x, model.node_velocities(), &shape.mass);
            });
        solver.projections.iter_mut().for_each(Vec::clear);
        solver.projection_of.clear();
        for (b, most) in spread.iter().enumerate() {
            let share = RigidProjection::share(*most, closing[b], step, shapes[b].spacing);
            let half = solver.halves.of(b);
            solver
                .projection_of
                .push(place(half, solver.projections[half].len()));
            solver.projections[half].push(solver.movers[b].scaled(share));
        }
    }

    /// Centres of bodies and arms of rows where they are now.
    pub(super) fn locate(&mut self) {
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
                    *mover = RigidProjection::new(1.0, model.node_positions(), &shape.mass);
                }
            });
        for (mover, &place) in solver.movers.iter().zip(&solver.projection_of) {
            let (half, element) = half_and_element(place);
            let projection = &mut solver.projections[half][element];
            *projection = mover.scaled(projection.share);
        }
        let (owners, movers, entries) = (&solver.owners, &solver.movers, &solver.entries);
        let models = &*models;
        solver.rows.par_iter_mut().flatten().for_each(|row| {
            let mut ends = [Vec3::zeros(); 2];
            for (slot, weight) in &entries[row.from as usize..row.to as usize] {
                let (half, element) = half_and_element(*slot);
                let (body, node) = owners[half][element];
                let x = models[body as usize].node_positions()[node as usize];
                // some weights beside a cut are negative on their own side
                if let Some(side) = row.sides.iter().position(|s| s.body == body) {
                    ends[side] += x * (weight * row.sides[side].sign);
                }
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
}
