//! The steps of a frame: bodies move by their own forces, and contact changes their velocities in between.

use rayon::prelude::*;
use web_time::Instant;

use pliant_core::model::{StepError, SteppedModel};

use crate::group::body_group::BodyGroup;
use crate::solver::{MAX_STRIDE_LEVEL, StepRules};

impl<M: SteppedModel> BodyGroup<M> {
    /// Begins the frame of all that are awake. Returns the number of steps: `factor` times that of the body that needs most. Sleeping bodies count as
    /// well, so that the step does not change when one wakes.
    pub(super) fn begin_all(&mut self, duration: f64, factor: u32) -> Result<u32, StepError> {
        if self.all_asleep() {
            return Ok(0);
        }
        let moving = self.models.iter().zip(&self.sleep).filter(|b| !b.1.frozen);
        let needed = moving.map(|(m, _)| m.least_steps(duration)).max();
        let needed = needed.unwrap_or(1);
        let steps = self.fitting_steps(needed.saturating_mul(factor));
        self.choose_strides(steps, duration);
        let Self {
            models,
            boundaries,
            sleep,
            outcomes,
            ..
        } = self;
        models
            .par_iter_mut()
            .zip(boundaries)
            .zip(sleep)
            .zip(outcomes)
            .for_each(|(((model, boundary), sleep), outcome)| {
                *outcome = Ok(());
                if !sleep.asleep {
                    *outcome = model.begin(duration, boundary, steps);
                }
            });
        self.first_error().map(|()| steps)
    }

    /// The least number of steps from `steps` on in which all bodies can take a frame.
    pub(crate) fn fitting_steps(&self, steps: u32) -> u32 {
        let models = self.models.iter();
        models.fold(steps, |steps, model| model.fitting_steps(steps))
    }

    /// Contact acts on a body as often as its own forces do where it is touched, in a frame of `steps` steps. Forces of a body that failed act more often when the frame is repeated.
    fn choose_strides(&mut self, steps: u32, duration: f64) {
        let level = |(model, factor): (&M, &u32)| match model.contact_steps() {
            Some(_) => {
                let own_steps = model.least_steps(duration).max(1).saturating_mul(*factor);
                let stride = steps / own_steps;
                stride.max(1).ilog2().min(u32::from(MAX_STRIDE_LEVEL)) as u8
            }
            None => 0,
        };
        let bodies = self.models.iter().zip(&self.retry_factors);
        self.stride_levels.clear();
        self.stride_levels.extend(bodies.map(level));
    }

    /// All steps of a frame. Returns the time spent on impulses, ms.
    pub(super) fn run_steps(&mut self, steps: u32, duration: f64) -> f64 {
        let spacing = self.shapes.iter().map(|s| s.spacing);
        let spacing = spacing.fold(f64::INFINITY, f64::min);
        let gravity = self.gravity.norm();
        let step = duration / f64::from(steps.max(1));
        let rules = StepRules::new(step, duration, spacing, gravity);
        let mut spent = 0.0;
        self.each_awake(|model| model.kick(0));
        for k in 0..steps {
            if self.solver.row_count() > 0 {
                spent += self.apply_contact_impulses(&rules, k);
            }
            // drift and the next kick in one pass, so that the memory of the bodies is read less often
            self.each_awake(|model| {
                model.drift();
                if k + 1 < steps {
                    model.kick(k + 1);
                }
            });
        }
        // half of a step's forces act when the last step is over, for some body
        let ends_with_kick = self.awake().any(M::ends_with_kick);
        if ends_with_kick {
            self.each_awake(M::last_kick);
        }
        if self.solver.row_count() > 0 {
            self.correct_positions(rules.shortest());
            if ends_with_kick {
                spent += self.apply_contact_impulses(&rules, steps);
            }
        }
        spent
    }

    /// Impulses of step `step`. Returns the time that they took, ms.
    fn apply_contact_impulses(&mut self, rules: &StepRules, step: u32) -> f64 {
        let started = Instant::now();
        self.gather_velocities();
        self.solver.solve(rules, step);
        self.scatter_velocities();
        started.elapsed().as_secs_f64() * 1e3
    }

    /// Calls `f` for all bodies that are awake.
    pub(crate) fn each_awake(&mut self, f: impl Fn(&mut M) + Sync) {
        let awake = self.models.par_iter_mut().zip(&self.sleep);
        awake.for_each(|(model, sleep)| {
            if !sleep.asleep {
                f(model);
            }
        });
    }

    /// Ends the frame of all that are awake and finds where they are. After an error of one of them all have to go back.
    pub(super) fn end_all(&mut self, duration: f64) -> Result<(), StepError> {
        self.find_settling();
        let settling = std::mem::take(&mut self.settling);
        let keep = (-self.options.settling * duration).exp();
        self.update_each(false, |b, model| {
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

    /// The first error among the bodies.
    fn first_error(&self) -> Result<(), StepError> {
        match self.outcomes.iter().find_map(|o| o.as_ref().err()) {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }
}
