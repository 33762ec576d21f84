//! How much of an impulse moves a body rigidly, and where rows act on the rigid body.

use rayon::prelude::*;

use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;

use crate::detection::Partner;
use crate::group::body_group::BodyGroup;
use crate::solver::{NONE, RigidMotion, RigidProjection, half_and_element, packed_index};

impl<M: SteppedModel> BodyGroup<M> {
    /// Chooses the share of impulses that moves each body rigidly in this frame, whose steps are `step` seconds long.
    ///
    /// What counts is the time between two firings of the body's own forces, in which nothing spreads an impulse and points move on: the stride of the body times `step`.
    /// Contact acts as often on it, or twice as often where it follows a faster partner. So the share does not depend on how many steps other bodies need.
    pub(super) fn choose_rigid_shares(&mut self, step: f64) {
        let Self {
            solver,
            closing,
            found,
            models,
            sleep,
            shapes,
            deformed,
            centers,
            spread,
            stride_levels,
            ..
        } = self;
        closing.clear();
        closing.resize(models.len(), 0.0);
        for found in found.iter() {
            for c in &found.candidates {
                let a = c.body as usize;
                let speed = c.closing_speed();
                closing[a] = speed.max(closing[a]);
                if let Partner::Body(b) = c.partner {
                    closing[b as usize] = speed.max(closing[b as usize]);
                }
            }
        }
        centers.clear();
        centers.extend(deformed.iter().map(|deformed| deformed.bounds.center()));
        let contacts = found.iter().map(|f| f.candidates.len()).sum();
        solver
            .halves
            .divide(centers, |b| !sleep[b].asleep, contacts);
        solver
            .rigid_bodies
            .resize(models.len(), RigidProjection::default());
        solver
            .rigid_motions
            .resize(models.len(), RigidMotion::default());
        spread.resize(models.len(), 0.0);
        let each = solver
            .rigid_bodies
            .par_iter_mut()
            .zip(&mut solver.rigid_motions);
        let each = each.zip(&mut *spread);
        let (shapes, sleep, stride_levels) = (&*shapes, &*sleep, &*stride_levels);
        let bodies = models.par_iter().zip(shapes).zip(sleep);
        each.zip(bodies.zip(stride_levels)).for_each(
            |(((rigid_body, motion), spread), (((model, shape), sleep), level))| {
                *spread = if sleep.asleep {
                    0.0
                } else {
                    model.spread_within_step(1_u32 << *level)
                };
                let share = if *spread > 0.0 { 1.0 } else { 0.0 };
                let x = model.node_positions();
                *rigid_body = RigidProjection::new(share, x, &shape.mass);
                *motion = rigid_body.motion(x, model.node_velocities(), &shape.mass);
            },
        );
        solver.projections.iter_mut().for_each(Vec::clear);
        solver.projection_of.clear();
        for (b, max_share) in spread.iter().enumerate() {
            let step = step * f64::from(1_u32 << stride_levels[b]);
            let share = RigidProjection::share(*max_share, closing[b], step, shapes[b].spacing);
            let half = solver.halves.half_of(b);
            solver
                .projection_of
                .push(packed_index(half, solver.projections[half].len()));
            solver.projections[half].push(solver.rigid_bodies[b].scaled(share));
        }
    }

    /// Updates the centres of bodies and the lever arms of rows to the present positions.
    pub(super) fn update_lever_arms(&mut self) {
        let Self {
            solver,
            models,
            shapes,
            ..
        } = self;
        let bodies = models.par_iter().zip(shapes);
        solver
            .rigid_bodies
            .par_iter_mut()
            .zip(bodies)
            .for_each(|(rigid_body, (model, shape))| {
                if rigid_body.share > 0.0 {
                    *rigid_body = RigidProjection::new(1.0, model.node_positions(), &shape.mass);
                }
            });
        for (rigid_body, &packed) in solver.rigid_bodies.iter().zip(&solver.projection_of) {
            let (half, element) = half_and_element(packed);
            let projection = &mut solver.projections[half][element];
            *projection = rigid_body.scaled(projection.share);
        }
        let (owners, rigid_bodies, entries) =
            (&solver.owners, &solver.rigid_bodies, &solver.entries);
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
                    // halfway for both, so that an impulse across a gap has no moment
                    let at = if both { (ends[0] + ends[1]) * 0.5 } else { end };
                    side.arm = at - rigid_bodies[side.body as usize].center;
                }
            }
        });
    }
}
