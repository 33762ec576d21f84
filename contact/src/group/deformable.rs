//! A group as one model: frames, surfaces, snapshots.

use std::sync::Arc;

use pliant_core::contact::cutting::{BladeSweep, CannotCut};
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::mesh::{ControlPoints, SkinBinding, SurfaceFrame, SurfaceMesh};
use pliant_core::model::{
    DeformableModel, FrameReport, FrameRequest, OwnContact, SnapshotMismatch, StateSnapshot,
    StepError, SteppedModel,
};
use web_time::Instant;

use crate::detection::CachedContact;
use crate::group::body_group::BodyGroup;
use crate::group::state::{Governing, SleepState};

impl<M: SteppedModel> DeformableModel for BodyGroup<M> {
    fn surface(&self) -> &Arc<SurfaceMesh> {
        &self.skin
    }

    fn advance(&mut self, request: FrameRequest<'_>) -> Result<FrameReport, StepError> {
        let started = Instant::now();
        let duration = request.duration;
        // the whole frame runs on a thread of the pool: entering the pool for each parallel part would cost more than some of the parts
        let steps = self
            .distribute_boundary(request.boundary)
            .and_then(|()| rayon::scope(|_| self.run_frame(duration, request.budget)))
            .inspect_err(|_| self.discard_blades())?;
        self.counts.bodies = self.models.len();
        self.counts.asleep = self.models.len() - self.awake().count();
        self.counts.frame_ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(FrameReport {
            substeps: steps,
            work_used: self.work_of(steps),
            degraded: self.given_up().or(self.awake().find_map(M::degradation)),
            max_violation: self.violation,
            energy: self.energy(),
        })
    }

    fn write_surface(&self, out: &mut SurfaceFrame) {
        self.write_skins(out);
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
        self.thaw();
        self.governing = Governing::default();
        self.solver.clear();
        self.wrenches.clear();
        self.lost_in_contact = 0.0;
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        self.touch_up();
    }

    fn snapshot(&self) -> StateSnapshot {
        let mut values = Vec::new();
        for (model, sleep) in self.models.iter().zip(&self.sleep) {
            let own = model.snapshot().values;
            let flag = f64::from(u8::from(sleep.asleep) + u8::from(sleep.frozen));
            values.extend([flag, f64::from(sleep.rest_frames), own.len() as f64]);
            values.extend(own);
        }
        values.extend([self.gravity.x, self.gravity.y, self.gravity.z]);
        values.push(f64::from(u8::from(self.solver.has_last_frame)));
        values.push(self.lost_in_contact);
        values.extend(self.governing.degradation.saved());
        values.push(f64::from(self.governing.steps));
        let cached = self.solver.cached.iter();
        values.extend(cached.flat_map(|cached| cached.to_numbers()));
        let kind = self.kind();
        StateSnapshot { kind, values }
    }

    fn restore(&mut self, snapshot: &StateSnapshot) -> Result<(), SnapshotMismatch> {
        if snapshot.kind != self.kind() {
            return Err(SnapshotMismatch);
        }
        self.restore_from(&snapshot.values).inspect_err(|_| {
            // some bodies may have been restored already, and have other nodes then
            self.attach();
            self.update_parted_bodies();
            self.refresh(true);
        })
    }

    fn set_blades(&mut self, sweeps: &[BladeSweep]) -> Result<(), CannotCut> {
        for model in &mut self.models {
            model.set_blades(sweeps)?;
        }
        // a sleeping body is not stepped, and would not be cut
        for (sleep, deformed) in self.sleep.iter_mut().zip(&self.deformed) {
            let meets =
                |sweep: &BladeSweep| sweep.moves() && sweep.bounds().overlaps(&deformed.bounds);
            if sleep.asleep && sweeps.iter().any(meets) {
                sleep.wake();
            }
        }
        Ok(())
    }

    fn own_contact(&mut self) -> Option<&mut dyn OwnContact> {
        Some(self)
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Restores the numbers of a snapshot.
    fn restore_from(&mut self, values: &[f64]) -> Result<(), SnapshotMismatch> {
        let mut rest = values;
        for (k, model) in self.models.iter_mut().enumerate() {
            let (header, tail) = rest.split_at_checked(3).ok_or(SnapshotMismatch)?;
            let length = header[2] as usize;
            let (own, tail) = tail.split_at_checked(length).ok_or(SnapshotMismatch)?;
            model.restore(&StateSnapshot {
                kind: model.kind(),
                values: own.to_vec(),
            })?;
            self.sleep[k] = SleepState {
                asleep: header[0] != 0.0,
                rest_frames: header[1] as u16,
                driven: false,
                frozen: header[0] == 2.0,
            };
            rest = tail;
        }
        let (header, rest) = rest.split_at_checked(5).ok_or(SnapshotMismatch)?;
        let (degradation, rest) = rest.split_first_chunk().ok_or(SnapshotMismatch)?;
        let (steps, cached) = rest.split_first().ok_or(SnapshotMismatch)?;
        // counts continue
        self.governing.degradation.restore(*degradation);
        self.governing.steps = *steps as u32;
        let level = self.governing.degradation.present();
        self.models.iter_mut().for_each(|m| m.resume(&level));
        self.gravity = Vec3::from_column_slice(&header[..3]);
        self.solver.has_last_frame = header[3] != 0.0;
        self.lost_in_contact = header[4];
        self.solver.cached.clear();
        let (cached, _) = cached.as_chunks();
        let cached = cached.iter().map(CachedContact::from_numbers);
        self.solver.cached.extend(cached);
        self.update_frozen();
        // cached contacts already have the numbers of these points
        self.update_parted_shapes();
        self.attach();
        self.refresh(true);
        Ok(())
    }
}
