//! The frame of a group, from what touches to where everything is afterwards.

use std::iter::repeat_n;
use std::time::Instant;

use rayon::prelude::*;

use super::BodyGroup;
use super::deformed::Deformed;
use super::narrow::{PairRule, Touching, near_distance};
use super::near::with_scratch;
use super::row::StepRule;
use super::shape::ContactShape;
use crate::boundary::{BoundaryConditions, DisplacementConstraint, NodalLoad};
use crate::contact::stepped::SteppedModel;
use crate::math::Vec3;
use crate::math::bounds::Aabb;
use crate::model::{StepError, WorkBudget};

/// Time between calls, ms.
pub(super) struct Laps(Instant);

impl Laps {
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let past = now - std::mem::replace(&mut self.0, now);
        past.as_secs_f64() * 1e3
    }
}

/// Contact points and box of a body where it is now; `sorted` for the search within it.
fn place(model: &impl SteppedModel, shape: &ContactShape, now: &mut Deformed, sorted: bool) {
    now.update(shape, model.node_positions(), model.node_velocities());
    if sorted {
        now.sort(shape);
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Does `first` with bodies that are awake, or with all, and finds contact points and boxes where they are then.
    fn place_each(
        &mut self,
        all: bool,
        first: impl Fn(usize, &mut M) -> Result<(), StepError> + Sync,
    ) {
        let Self {
            models,
            now,
            shapes,
            rest,
            contacts,
            outcomes,
            ..
        } = self;
        let known = shapes.par_iter().zip(contacts).zip(rest);
        let bodies = models.par_iter_mut().zip(outcomes).enumerate();
        bodies.zip(now).zip(known).for_each(
            |(((b, (model, outcome)), now), ((shape, contact), rest))| {
                if all || !rest.asleep {
                    *outcome = first(b, model);
                    place(model, shape, now, contact.with_itself);
                }
            },
        );
    }

    /// Contact points and boxes of bodies that moved, or of all.
    pub(super) fn refresh(&mut self, all: bool) {
        if all {
            self.forget_skins();
        }
        self.place_each(all, |_, _| Ok(()));
    }

    fn refuse(&self, cause: String) -> StepError {
        StepError::Diverged {
            method: self.models.first().map_or("group", |m| m.kind()),
            time: 0.0,
            cause,
        }
    }

    /// Hands constraints and loads to the bodies they belong to; wakes these.
    pub(super) fn take_boundary(&mut self, boundary: &BoundaryConditions) -> Result<(), StepError> {
        let (constraints, loads) = (boundary.displacements(), boundary.loads());
        let end = self.starts.last().copied().unwrap_or(0);
        let named = constraints.iter().map(|c| c.vertex);
        if let Some(v) = named
            .chain(loads.iter().map(|l| l.vertex))
            .find(|v| *v >= end)
        {
            return Err(self.refuse(format!("skin vertex {v} of {end} was named")));
        }
        if boundary.gravity != self.gravity {
            self.gravity = boundary.gravity;
            self.wake_all();
        }
        for b in 0..self.models.len() {
            let (from, to) = (self.starts[b], self.starts[b + 1]);
            let part = &constraints[constraints.partition_point(|c| c.vertex < from)..];
            let part = &part[..part.partition_point(|c| c.vertex < to)];
            let own = &mut self.boundaries[b];
            own.gravity = boundary.gravity;
            let local = part.iter().map(|c| DisplacementConstraint {
                vertex: c.vertex - from,
                ..*c
            });
            let refused = own.set_displacements(local).err();
            let here = loads.iter().filter(|l| (from..to).contains(&l.vertex));
            own.set_loads(here.map(|l| NodalLoad {
                vertex: l.vertex - from,
                force: l.force,
            }));
            let driven = !part.is_empty() || !own.loads().is_empty();
            if driven {
                self.rest[b].wake();
            }
            self.rest[b].driven = driven && !self.rest[b].frozen;
            if let Some(error) = refused {
                return Err(self.refuse(error.to_string()));
            }
        }
        Ok(())
    }

    /// Contacts that may carry force within `duration` seconds.
    pub(super) fn find(&mut self, duration: f64) {
        let moved = |k: usize| self.tools.get(k).is_some_and(|t| t.begin != t.end);
        let any_moved = (0..self.tools.len()).any(moved);
        self.sweep.pairs.clear();
        if self.rest.iter().all(|r| r.asleep) && !any_moved {
            self.found.iter_mut().for_each(|f| f.clear());
            self.counts.pairs = 0;
            return;
        }
        let Self {
            found,
            now,
            shapes,
            rest,
            sweep,
            boxes,
            tools,
            contacts,
            solver,
            models,
            ..
        } = self;
        if contacts.iter().any(|c| c.with_others) {
            let bodies = now.iter().zip(shapes.iter()).zip(contacts.iter());
            boxes.clear();
            boxes.extend(bodies.map(|((now, shape), contact)| {
                if !contact.with_others {
                    return Aabb::empty();
                }
                let near = near_distance(shape.spacing, now.speed, duration);
                now.bounds.inflated(near)
            }));
            sweep.run(boxes, |b| !rest[b].asleep);
        }
        let (now, shapes, rest, sweep, tools) = (&*now, &*shapes, &*rest, &*sweep, &*tools);
        let (contacts, models) = (&*contacts, &*models);
        let body = |k: usize| Touching {
            index: k as u32,
            shape: &shapes[k],
            now: &now[k],
        };
        let rule = |a: usize, b: usize| PairRule {
            // of two equal numbers it is that number, exactly
            friction: (contacts[a].friction * contacts[b].friction).sqrt(),
            duration,
            known: &solver.known,
        };
        found.par_iter_mut().enumerate().for_each(|(a, found)| {
            found.clear();
            let own = body(a);
            if models[a].lets_go() {
                return;
            }
            if contacts[a].with_itself && !rest[a].asleep {
                found.within(own, &rule(a, a));
            }
            with_scratch(|scratch| {
                let partners = sweep.partners(a as u32).iter().map(|p| p.1 as usize);
                for b in partners.filter(|b| !models[*b].lets_go()) {
                    found.between(own, body(b), &rule(a, b), scratch);
                }
            });
            for (t, tool) in tools.iter().enumerate() {
                if !rest[a].asleep || tool.begin != tool.end {
                    found.against_tool(own, t as u32, tool, duration);
                }
            }
        });
        self.counts.pairs = self.sweep.pairs.len();
    }

    /// Begins the frame of all that are awake; the number of steps, `more` times as many as the one needs that needs most. Who sleeps counts as
    /// well, so that no step changes where something wakes.
    fn begin_all(&mut self, duration: f64, more: u32) -> Result<u32, StepError> {
        if self.rest.iter().all(|r| r.asleep) {
            return Ok(0);
        }
        let moving = self.models.iter().zip(&self.rest).filter(|b| !b.1.frozen);
        let steps = moving.map(|(m, _)| m.least_steps(duration)).max();
        let mut steps = steps.unwrap_or(1).saturating_mul(more);
        for model in &self.models {
            steps = model.fitting_steps(steps);
        }
        let Self {
            models,
            boundaries,
            rest,
            outcomes,
            ..
        } = self;
        models
            .par_iter_mut()
            .zip(boundaries)
            .zip(rest)
            .zip(outcomes)
            .for_each(|(((model, boundary), rest), outcome)| {
                *outcome = Ok(());
                if !rest.asleep {
                    *outcome = model.begin(duration, boundary, steps);
                }
            });
        self.first_error().map(|()| steps)
    }

    /// A frame from finding contacts to sleep; its number of steps.
    pub(super) fn run_frame(
        &mut self,
        duration: f64,
        budget: WorkBudget,
    ) -> Result<u32, StepError> {
        let mut clock = Laps(Instant::now());
        self.standing.clear();
        self.find(duration);
        if self.wake_touched(duration) {
            // what woke lies on something
            self.find(duration);
        }
        let duration = self.adapt(duration, budget);
        self.counts.find_ms = clock.lap();
        let steps = self.move_all(duration, &mut clock)?;
        self.counts.points_ms = clock.lap();
        self.collect();
        self.let_sleep(duration);
        self.let_stand();
        self.keep_skins();
        Ok(steps)
    }

    /// Moves all that are awake from the beginning of the frame to its end, once; the number of steps.
    pub(super) fn try_to_move(
        &mut self,
        duration: f64,
        more: u32,
        clock: &mut Laps,
    ) -> Result<u32, StepError> {
        let steps = self.begin_all(duration, more)?;
        self.counts.step_ms = clock.lap();
        self.assemble(duration / f64::from(steps.max(1)), duration);
        self.counts.rows_ms = clock.lap();
        self.counts.solve_ms = self.run_steps(steps, duration);
        self.counts.step_ms += clock.lap() - self.counts.solve_ms;
        let began = self.solver.began;
        let rest = &self.rest;
        self.solver
            .end_frame(duration, |body| rest[body as usize].asleep);
        let outcome = self.end_all(duration);
        if outcome.is_err() {
            self.solver.take_back(began);
        }
        outcome.map(|()| steps)
    }

    /// All steps of a frame; the time spent on impulses, ms.
    fn run_steps(&mut self, steps: u32, duration: f64) -> f64 {
        let spacing = self.shapes.iter().map(|s| s.spacing);
        let spacing = spacing.fold(f64::INFINITY, f64::min);
        let gravity = self.gravity.norm();
        let rule = StepRule::new(duration / f64::from(steps.max(1)), spacing, gravity);
        let mut spent = 0.0;
        self.each_awake(|model| model.kick(0));
        for k in 0..steps {
            if self.solver.row_count() > 0 {
                spent += self.push_apart(&rule);
            }
            // at once what follows at once: the bodies' memory is passed through less often
            self.each_awake(|model| {
                model.drift();
                if k + 1 < steps {
                    model.kick(k + 1);
                }
            });
        }
        let ends_with_kick = self.ends_with_kick();
        if ends_with_kick {
            self.each_awake(M::last_kick);
        }
        if self.solver.row_count() > 0 {
            self.part(&rule);
            if ends_with_kick {
                spent += self.push_apart(&rule);
            }
        }
        spent
    }

    /// Impulses of one step; the time that they took, ms.
    fn push_apart(&mut self, rule: &StepRule) -> f64 {
        let started = Instant::now();
        self.take_velocities();
        self.solver.solve(rule);
        self.give_velocities();
        started.elapsed().as_secs_f64() * 1e3
    }

    fn ends_with_kick(&self) -> bool {
        let awake = self.models.iter().zip(&self.rest).filter(|b| !b.1.asleep);
        awake.map(|b| b.0).any(M::ends_with_kick)
    }

    pub(super) fn each_awake(&mut self, f: impl Fn(&mut M) + Sync) {
        let awake = self.models.par_iter_mut().zip(&self.rest);
        awake.for_each(|(model, rest)| {
            if !rest.asleep {
                f(model);
            }
        });
    }

    /// Ends the frame of all that are awake and finds where they are; on an error of one of them all have to go back.
    fn end_all(&mut self, duration: f64) -> Result<(), StepError> {
        self.find_settling(duration);
        let settling = std::mem::take(&mut self.settling);
        let keep = (-self.options.settling * duration).exp();
        self.place_each(false, |b, model| {
            let outcome = model.end();
            if settling[b] {
                let velocities = model.node_velocities_mut();
                velocities.iter_mut().for_each(|v| *v *= keep);
            }
            outcome
        });
        self.settling = settling;
        self.first_error()
    }

    pub(super) fn first_error(&self) -> Result<(), StepError> {
        match self.outcomes.iter().find_map(|o| o.as_ref().err()) {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    fn collect(&mut self) {
        self.collect_wrenches();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        let bodies = self.models.iter().zip(&self.boundaries).zip(&self.rest);
        for (((model, boundary), rest), &start) in bodies.zip(&self.support_starts) {
            match boundary.displacements().len() {
                0 => {}
                // nothing can be felt of what has stopped
                held if rest.frozen => self.reactions.extend(repeat_n(Vec3::zeros(), held)),
                _ => self.reactions.extend_from_slice(model.reactions()),
            }
            let supports = model.support_reactions();
            for (sum, force) in self.support_reactions[start..].iter_mut().zip(supports) {
                *sum += force;
            }
        }
    }
}
