//! A group as one model: frames, surfaces, snapshots.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::BodyGroup;
use super::memory::Known;
use super::narrow::{PairRule, Touching, near_distance};
use super::near::with_scratch;
use super::sleep::Rest;
use super::solver::StepRule;
use crate::boundary::{BoundaryConditions, DisplacementConstraint, NodalLoad};
use crate::contact::stepped::{OwnContact, SteppedModel};
use crate::inspect::Inspect;
use crate::math::Vec3;
use crate::mesh::{ControlPoints, SkinBinding, SurfaceFrame, SurfaceMesh};
use crate::model::{
    DeformableModel, FrameReport, FrameRequest, SnapshotMismatch, StateSnapshot, StepError,
};

/// Time between calls, ms.
struct Laps(Instant);

impl Laps {
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let past = now - std::mem::replace(&mut self.0, now);
        past.as_secs_f64() * 1e3
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Contact points, surfaces and boxes of bodies that moved, or of all.
    pub(super) fn refresh(&mut self, all: bool) {
        let Self {
            models,
            now,
            surfaces,
            shapes,
            rest,
            options,
            ..
        } = self;
        let sorted = options.with_itself;
        models
            .par_iter()
            .zip(now)
            .zip(surfaces)
            .zip(shapes)
            .zip(rest)
            .for_each(|((((model, now), surface), shape), rest)| {
                if all || !rest.asleep {
                    now.update(shape, model.node_positions(), model.node_velocities());
                    if sorted {
                        now.sort(shape);
                    }
                    model.write_surface(surface);
                }
            });
    }

    fn refuse(&self, cause: String) -> StepError {
        StepError::Diverged {
            method: self.models.first().map_or("group", |m| m.kind()),
            time: 0.0,
            cause,
        }
    }

    /// Hands constraints and loads to the bodies they belong to; wakes these.
    fn take_boundary(&mut self, boundary: &BoundaryConditions) -> Result<(), StepError> {
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
                self.rest[b] = Rest::default();
            }
            self.rest[b].driven = driven;
            if let Some(error) = refused {
                return Err(self.refuse(error.to_string()));
            }
        }
        Ok(())
    }

    /// Contacts that may carry force within `duration` seconds.
    fn find(&mut self, duration: f64) {
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
            options,
            solver,
            ..
        } = self;
        if options.between_bodies {
            boxes.clear();
            boxes.extend(now.iter().zip(shapes.iter()).map(|(now, shape)| {
                let near = near_distance(shape.spacing, now.speed, duration);
                now.bounds.inflated(near)
            }));
            sweep.run(boxes, |b| !rest[b].asleep);
        }
        let (now, shapes, rest, sweep, tools) = (&*now, &*shapes, &*rest, &*sweep, &*tools);
        let body = |k: usize| Touching {
            index: k as u32,
            shape: &shapes[k],
            now: &now[k],
        };
        let rule = PairRule {
            friction: options.friction,
            duration,
            known: &solver.known,
        };
        let with_itself = options.with_itself;
        found.par_iter_mut().enumerate().for_each(|(a, found)| {
            found.clear();
            let own = body(a);
            if with_itself && !rest[a].asleep {
                found.within(own, &rule);
            }
            with_scratch(|scratch| {
                for (_, b) in sweep.partners(a as u32) {
                    found.between(own, body(*b as usize), &rule, scratch);
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

    /// Begins the frame of all that are awake; the number of steps.
    fn begin_all(&mut self, duration: f64) -> Result<u32, StepError> {
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
                *outcome = Ok(0);
                if !rest.asleep {
                    *outcome = model.begin(duration, boundary);
                }
            });
        let mut steps = 0;
        for outcome in &self.outcomes {
            match outcome {
                Ok(0) => {}
                Ok(n) if steps == 0 || steps == *n => steps = *n,
                Ok(n) => {
                    let cause = format!("one body takes {steps} steps a frame, another {n}");
                    return Err(self.refuse(cause));
                }
                Err(error) => return Err(error.clone()),
            }
        }
        Ok(steps)
    }

    /// A frame from finding contacts to sleep; its number of steps.
    fn run_frame(&mut self, duration: f64) -> Result<u32, StepError> {
        let mut clock = Laps(Instant::now());
        self.find(duration);
        if self.wake_touched(duration) {
            // what woke lies on something
            self.find(duration);
        }
        self.counts.find_ms = clock.lap();
        let steps = self.begin_all(duration)?;
        self.counts.step_ms = clock.lap();
        self.assemble(duration / f64::from(steps.max(1)), duration);
        self.counts.rows_ms = clock.lap();
        self.counts.solve_ms = self.run_steps(steps, duration);
        self.end_all()?;
        self.counts.step_ms += clock.lap() - self.counts.solve_ms;
        self.settle(duration);
        self.refresh(false);
        self.counts.surface_ms = clock.lap();
        self.collect();
        self.let_sleep(duration);
        Ok(steps)
    }

    /// All steps of a frame; the time spent on impulses, ms.
    fn run_steps(&mut self, steps: u32, duration: f64) -> f64 {
        let spacing = self.shapes.iter().map(|s| s.spacing);
        let spacing = spacing.fold(f64::INFINITY, f64::min);
        let gravity = self.gravity.norm();
        let rule = StepRule::new(duration / f64::from(steps.max(1)), spacing, gravity);
        let mut spent = 0.0;
        for k in 0..steps {
            self.each_awake(|model| model.kick(k));
            if self.solver.row_count() > 0 {
                let started = Instant::now();
                self.take_velocities();
                self.solver.solve(&rule);
                self.give_velocities();
                spent += started.elapsed().as_secs_f64() * 1e3;
            }
            self.each_awake(M::drift);
        }
        if self.solver.row_count() > 0 {
            self.part(&rule);
        }
        let rest = &self.rest;
        self.solver
            .end_frame(duration, |body| rest[body as usize].asleep);
        spent
    }

    fn each_awake(&mut self, f: impl Fn(&mut M) + Sync) {
        let awake = self.models.par_iter_mut().zip(&self.rest);
        awake.for_each(|(model, rest)| {
            if !rest.asleep {
                f(model);
            }
        });
    }

    fn end_all(&mut self) -> Result<(), StepError> {
        let Self {
            models,
            rest,
            outcomes,
            ..
        } = self;
        models
            .par_iter_mut()
            .zip(rest)
            .zip(outcomes.par_iter_mut())
            .for_each(|((model, rest), outcome)| {
                if !rest.asleep {
                    *outcome = model.end().map(|()| 0);
                }
            });
        match outcomes.iter().find_map(|o| o.as_ref().err()) {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    fn collect(&mut self) {
        self.collect_wrenches();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        for (model, boundary) in self.models.iter().zip(&self.boundaries) {
            if !boundary.displacements().is_empty() {
                self.reactions.extend_from_slice(model.reactions());
            }
            let supports = model.support_reactions();
            for (sum, force) in self.support_reactions.iter_mut().zip(supports) {
                *sum += force;
            }
        }
    }
}

impl<M: SteppedModel> DeformableModel for BodyGroup<M> {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        &self.skin
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let started = Instant::now();
        let duration = request.duration;
        self.take_boundary(request.boundary)?;
        // the whole frame on a thread of the pool: coming and going at each of its parallel parts costs more than some of them
        let steps = match rayon::scope(|_| self.run_frame(duration)) {
            Ok(steps) => steps,
            Err(error) => {
                self.each_awake(M::undo);
                return Err(error);
            }
        };
        if let Some(tap) = request.force_tap {
            tap.sample(duration, &self.reactions);
        }
        let awake = self.rest.iter().filter(|r| !r.asleep).count();
        self.counts.bodies = self.models.len();
        self.counts.asleep = self.models.len() - awake;
        self.counts.frame_ms = started.elapsed().as_secs_f64() * 1e3;
        let nodes = self.models.first().map_or(0, |m| m.node_positions().len());
        Ok(FrameReport {
            substeps: steps,
            work_used: u64::from(steps) * (awake * nodes) as u64,
            degraded: None,
            max_violation: self.counts.depth,
            energy: None,
        })
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        out.positions.clear();
        out.normals.clear();
        for surface in &self.surfaces {
            out.positions.extend_from_slice(&surface.positions);
            out.normals.extend_from_slice(&surface.normals);
        }
    }

    fn skin_binding(&self) -> Option<SkinBinding> {
        let mut all = SkinBinding::default();
        for (model, home) in self.models.iter().zip(&self.homes) {
            let mut own = model.skin_binding()?;
            own.rest.iter_mut().for_each(|x| *x = home.to_world(x));
            all.append(&own);
        }
        Some(all)
    }

    fn write_control_points(&self, out: &mut ControlPoints) -> bool {
        self.models.iter().all(|m| m.write_control_points(out))
    }

    fn reactions(&self) -> &[Vec3] {
        &self.reactions
    }

    fn support_reactions(&self) -> &[Vec3] {
        &self.support_reactions
    }

    fn reset(&mut self) {
        for (model, home) in self.models.iter_mut().zip(&self.homes) {
            model.place(home);
        }
        self.solver.forget();
        self.wrenches.clear();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        self.touch_up();
    }

    fn snapshot(&self) -> StateSnapshot {
        let mut values = Vec::new();
        for (model, rest) in self.models.iter().zip(&self.rest) {
            let own = model.snapshot().values;
            let flag = f64::from(u8::from(rest.asleep));
            values.extend([flag, f64::from(rest.calm), own.len() as f64]);
            values.extend(own);
        }
        values.extend([self.gravity.x, self.gravity.y, self.gravity.z]);
        values.push(f64::from(u8::from(self.solver.began)));
        let known = self.solver.known.iter();
        values.extend(known.flat_map(|known| known.to_numbers()));
        let kind = self.kind();
        StateSnapshot { kind, values }
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        if snapshot.kind != self.kind() {
            return Err(SnapshotMismatch);
        }
        let mut rest = snapshot.values.as_slice();
        for (k, model) in self.models.iter_mut().enumerate() {
            let (header, tail) = rest.split_at_checked(3).ok_or(SnapshotMismatch)?;
            let length = header[2] as usize;
            let (own, tail) = tail.split_at_checked(length).ok_or(SnapshotMismatch)?;
            model.restore(&StateSnapshot {
                kind: model.kind(),
                values: own.to_vec(),
            })?;
            self.rest[k] = Rest {
                asleep: header[0] != 0.0,
                calm: header[1] as u16,
                driven: false,
            };
            rest = tail;
        }
        let (header, known) = rest.split_at_checked(4).ok_or(SnapshotMismatch)?;
        self.gravity = Vec3::from_column_slice(&header[..3]);
        self.solver.began = header[3] != 0.0;
        self.solver.known.clear();
        let (known, _) = known.as_chunks();
        let known = known.iter().map(Known::from_numbers);
        self.solver.known.extend(known);
        self.refresh(true);
        Ok(())
    }

    fn own_contact(&mut self) -> Option<&mut dyn OwnContact> {
        Some(self)
    }
}
