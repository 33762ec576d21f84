//! The mutable state as numbers.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::model::{SnapshotMismatch, StateSnapshot};

use crate::contact::ContactWork;
use crate::model::adaptive_model::{AdaptiveModel, KIND};
use crate::model::cutting::handover::state::HandoverState;
use crate::model::cutting::state::Cutting;
use crate::step::subcycling::{AddedInertia, Rates};

/// The parts of a snapshot of a body.
struct SnapshotParts<'a> {
    /// dissipated, work, lost in contact, time, last step
    totals: [f64; 5],
    rate: [f64; 3],
    contact: ContactWork,
    cuts: Option<Cutting>,
    handover: Option<Box<HandoverState>>,
    rates: Option<Box<Rates>>,
    added_inertia: Option<Box<AddedInertia>>,
    /// steps of stiff elements in a step of the others: a repeated frame has more than its elements need
    ratio: u32,
    /// gravity, forces of supports, positions, velocities, reactions
    vectors: &'a [f64],
    /// of a body on a cut
    body: &'a [f64],
}

impl AdaptiveModel {
    /// See [`pliant_core::model::DeformableModel::snapshot`].
    pub(crate) fn state(&self) -> StateSnapshot {
        let mut values = vec![
            self.level_number(),
            self.dissipation_until_now(),
            self.work,
            self.lost_in_contact,
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
        values.extend(all.flatten());
        if let Some(body) = &self.cut {
            self.contact.save(&mut values);
            body.save(&mut values);
        }
        if let Some(rates) = &self.rates {
            values.push(f64::from(self.stiff_ratio()));
            rates.save(&mut values);
        }
        if let Some(added) = &self.added_inertia {
            // the energy of a change of inertia depends on the last impulses of contact
            self.contact.save(&mut values);
            added.save(&mut values);
        }
        if let Some(cutting) = &self.cutting {
            cutting.save(&mut values);
        }
        if let Some(handover) = &self.handover {
            handover.save(&mut values);
        }
        StateSnapshot { kind: KIND, values }
    }

    /// Restores a state of the model that moves now.
    pub(crate) fn set_state_from(
        &mut self,
        snapshot: &StateSnapshot,
    ) -> Result<(), SnapshotMismatch> {
        let parts = self.parts_of(snapshot).ok_or(SnapshotMismatch)?;
        if let Some(body) = &mut self.cut
            && body.restore(parts.body).is_none()
        {
            return Err(SnapshotMismatch);
        }
        let has_cuts = |cuts: &Cutting| {
            let now = self.cutting.as_ref();
            now.is_some_and(|now| now.has_cuts_of(cuts))
        };
        let is_cut_anew = parts.cuts.as_ref().is_some_and(|cuts| !has_cuts(cuts));
        let slept_before = self.sleeping_pieces();
        match parts.cuts {
            Some(cuts) if is_cut_anew => self.set_cuts(cuts),
            Some(cuts) => self.copy_cutting_state(cuts),
            None => {}
        }
        let all = parts.vectors.chunks_exact(3);
        let mut all = all.map(Vec3::from_column_slice);
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
        [
            self.dissipated,
            self.work,
            self.lost_in_contact,
            self.time,
            self.last_step,
        ] = parts.totals;
        self.steps.set_memory(parts.rate);
        self.contact = parts.contact;
        self.handover = parts.handover;
        let had = self.rates.as_ref().map(|rates| rates.stiff().to_vec());
        self.rates = parts.rates;
        self.added_inertia = parts.added_inertia;
        self.apply_added_inertia();
        self.fix_sleeping_nodes();
        let are_others = is_cut_anew || self.sleeping_pieces() != slept_before;
        if self.rates.as_ref().map(|rates| rates.stiff().to_vec()) != had || are_others {
            self.split_stiff_elements();
        }
        self.set_stiff_ratio(parts.ratio);
        self.invalidate();
        Ok(())
    }

    /// Splits a snapshot into its parts; `None` where it does not belong to this body.
    fn parts_of<'a>(&self, snapshot: &'a StateSnapshot) -> Option<SnapshotParts<'a>> {
        let [
            level,
            dissipated,
            work,
            lost_in_contact,
            time,
            last_step,
            reactions,
            a,
            b,
            c,
            rest @ ..,
        ] = snapshot.values.as_slice()
        else {
            return None;
        };
        if snapshot.kind != KIND || *level != self.level_number() {
            return None;
        }
        // every state of a cut has the same count of numbers
        let mut now = Vec::new();
        if let Some(body) = &self.cut {
            body.save(&mut now);
        }
        let (rest, body) = rest.split_at(rest.len().checked_sub(now.len())?);
        let (contact, rest) = match &self.cut {
            None => (ContactWork::default(), rest),
            Some(body) => ContactWork::restored(rest, body.dynamics.forest.node_count())?,
        };
        let mut handover = self.handover.clone();
        let rest = match &mut handover {
            None => rest,
            Some(handover) => {
                let count = rest.len().checked_sub(handover.saved_count())?;
                let (rest, mut saved) = rest.split_at(count);
                handover.restore(&mut saved)?;
                rest
            }
        };
        let whole = &self.asset.levels[self.level];
        let (cuts, rest) = match &self.cutting {
            None => (None, rest),
            Some(cutting) => {
                let (cuts, rest) = cutting.restored(rest, whole, &self.asset.skin)?;
                (Some(cuts), rest)
            }
        };
        let moved = cuts.as_ref().and_then(|cuts| cuts.level());
        let moved = moved.map_or(whole, Arc::as_ref);
        let count = 1 + self.support_reactions.len() + 2 * moved.node_count();
        let mut added_inertia = self.added_inertia.clone();
        let (contact, rest) = match &mut added_inertia {
            None => (contact, rest),
            Some(added) => ContactWork::restored(added.restore(rest)?, whole.node_count())?,
        };
        let mut rates = self.rates.clone();
        let (vectors, ratio) = match &mut rates {
            None => (rest, 1.0),
            Some(rates) => {
                let rest = rates.restore(rest, moved.mesh.tets.len())?;
                rest.split_last().map(|(ratio, rest)| (rest, *ratio))?
            }
        };
        let fits = (1.0..=f64::from(u32::MAX)).contains(&ratio)
            && ratio.fract() == 0.0
            && vectors.len().is_multiple_of(3)
            && vectors.len() / 3 >= count
            && *reactions == (vectors.len() / 3 - count) as f64;
        fits.then_some(SnapshotParts {
            totals: [*dissipated, *work, *lost_in_contact, *time, *last_step],
            rate: [*a, *b, *c],
            contact,
            cuts,
            handover,
            rates,
            added_inertia,
            ratio: ratio as u32,
            vectors,
            body,
        })
    }
}
