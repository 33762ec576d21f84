//! The mutable state as numbers.

use pliant_core::math::Vec3;
use pliant_core::model::{SnapshotMismatch, StateSnapshot};

use crate::contact::ContactWork;
use crate::model::adaptive_model::{AdaptiveModel, KIND};
use crate::model::cutting::state::Cutting;

impl AdaptiveModel {
    /// See [`pliant_core::model::DeformableModel::snapshot`].
    pub(crate) fn state(&self) -> StateSnapshot {
        let mut values = vec![
            self.level as f64,
            self.dissipation_until_now(),
            self.work,
            self.time,
            self.last_step,
            self.reactions.len() as f64,
        ];
        values.extend(self.steps.memory());
        let vectors = [self.gravity];
        let all = vectors
            .iter()
            .chain(&self.support_reactions)
            .chain(&self.dynamics.positions)
            .chain(&self.dynamics.velocities)
            .chain(&self.reactions);
        values.extend(all.flat_map(|v| [v.x, v.y, v.z]));
        if let Some(body) = &self.cut {
            self.contact.save(&mut values);
            body.save(&mut values);
        }
        if let Some(rates) = &self.rates {
            rates.save(&mut values);
        }
        if let Some(cutting) = &self.cutting {
            cutting.save(&mut values);
        }
        StateSnapshot { kind: KIND, values }
    }

    /// See [`pliant_core::model::DeformableModel::restore`].
    pub(crate) fn set_state_from(
        &mut self,
        snapshot: &StateSnapshot,
    ) -> Result<(), SnapshotMismatch> {
        let supports = self.support_reactions.len();
        let [
            level,
            dissipated,
            work,
            time,
            last_step,
            reactions,
            a,
            b,
            c,
            rest @ ..,
        ] = snapshot.values.as_slice()
        else {
            return Err(SnapshotMismatch);
        };
        let tail = self.cut.as_ref().map_or(0, |body| body.saved_len());
        let Some(at) = rest.len().checked_sub(tail) else {
            return Err(SnapshotMismatch);
        };
        let (rest, tail) = rest.split_at(at);
        let (contact, rest) = match &self.cut {
            None => (ContactWork::default(), rest),
            Some(body) => ContactWork::restored(rest, body.dynamics.forest.node_count())
                .ok_or(SnapshotMismatch)?,
        };
        let whole = &self.asset.levels[self.level];
        let (cuts, rest) = match &self.cutting {
            None => (None, rest),
            Some(cutting) => cutting
                .restored(rest, whole, &self.asset.skin)
                .map(|(cuts, rest)| (Some(cuts), rest))
                .ok_or(SnapshotMismatch)?,
        };
        let moved = cuts.as_ref().and_then(|cuts| cuts.level());
        let nodes = moved.map_or(whole.node_count(), |level| level.node_count());
        let mut rates = self.rates.clone();
        let elements = moved.map_or(whole.mesh.tets.len(), |level| level.mesh.tets.len());
        let rest = match &mut rates {
            None => rest,
            Some(rates) => rates.restore(rest, elements).ok_or(SnapshotMismatch)?,
        };
        let vectors = 1 + supports + 2 * nodes;
        if snapshot.kind != KIND
            || *level != self.level as f64
            || rest.len() % 3 != 0
            || rest.len() / 3 < vectors
            || *reactions != (rest.len() / 3 - vectors) as f64
        {
            return Err(SnapshotMismatch);
        }
        if let Some(body) = &mut self.cut
            && !body.restore(tail)
        {
            return Err(SnapshotMismatch);
        }
        let is_new = |cuts: &Cutting| {
            !self
                .cutting
                .as_ref()
                .is_some_and(|now| now.has_cuts_of(cuts))
        };
        let is_cut_anew = cuts.as_ref().is_some_and(is_new);
        let slept = self.sleepers();
        match cuts {
            Some(cuts) if is_cut_anew => self.take_cuts(cuts),
            Some(cuts) => self.keep_state_of(cuts),
            None => {}
        }
        let mut all = rest.chunks_exact(3).map(|v| Vec3::new(v[0], v[1], v[2]));
        let mut fill = |out: &mut [Vec3]| {
            for (slot, v) in out.iter_mut().zip(&mut all) {
                *slot = v;
            }
        };
        let mut gravity = [Vec3::zeros()];
        fill(&mut gravity);
        fill(&mut self.support_reactions);
        fill(&mut self.dynamics.positions);
        fill(&mut self.dynamics.velocities);
        self.reactions.clear();
        self.reactions.extend(all);
        self.gravity = gravity[0];
        (self.dissipated, self.work, self.time, self.last_step) =
            (*dissipated, *work, *time, *last_step);
        self.steps.set_memory([*a, *b, *c]);
        self.contact = contact;
        let had = self.rates.as_ref().map(|rates| rates.stiff().to_vec());
        self.rates = rates;
        self.hold_sleepers();
        let are_others = is_cut_anew || self.sleepers() != slept;
        if self.rates.as_ref().map(|rates| rates.stiff().to_vec()) != had || are_others {
            self.take_stiff();
        }
        if let Some(rates) = &self.rates {
            let ratio = rates.ratio(*last_step);
            self.set_stiff_ratio(ratio);
        }
        self.outdate();
        Ok(())
    }
}
