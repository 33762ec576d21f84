//! The two models of a body that may part: that of the cut and that of the level. One of them moves, and the other one is its counterpart.

use std::sync::Arc;

use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::FractureLimits;
use pliant_core::model::{DeformableModel, SnapshotMismatch, StateSnapshot};

use super::state::{HandoverCause, HandoverState};
use crate::asset::LodHierarchy;
use crate::error::AdaptiveModelError;
use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cutting::state::Cutting;
use crate::params::{AdaptiveParams, Resolution, units_of_level};

/// The number that a snapshot has in place of that of a level, while a body moves on a cut that a hand-over may end.
const ON_CUT: f64 = -1.0;

impl AdaptiveModel {
    /// A body at rest on its coarsest cut, and its counterpart: the level on which it is cut and breaks.
    ///
    /// # Errors
    /// As [`AdaptiveModel::new`].
    pub(crate) fn on_cut_until_handover(
        asset: Arc<LodHierarchy>,
        params: AdaptiveParams,
    ) -> Result<Self, AdaptiveModelError> {
        // on the cut nothing parts: the body moves as one without blades and without limits of its material
        let of_cut = AdaptiveParams {
            blades: false,
            fracture: FractureLimits::default(),
            ..params
        };
        let of_level = AdaptiveParams {
            resolution: Resolution::Level,
            budget_units: units_of_level(params.budget_units),
            ..params
        };
        let mut body = Self::new(Arc::clone(&asset), of_cut)?;
        let mut level = Self::new(asset, of_level)?;
        let vertices = level.asset.skin.vertex_count();
        level.handover = Some(Box::new(HandoverState::new(vertices)));
        body.counterpart = Some(Box::new(level));
        Ok(body)
    }

    /// Why a body that moved on a cut before moves on a level now; `None` for a body that was not handed over.
    pub(crate) fn handed_over_by(&self) -> Option<HandoverCause> {
        let state = self.handover.as_ref();
        let is_handed_over = self.cut.is_none() && self.counterpart.is_some();
        state.filter(|_| is_handed_over).map(|state| state.cause)
    }

    /// What may be cut: that of the level, also while the cut moves. `None` for a body without blades or fracture.
    pub(crate) fn separable(&mut self) -> Option<&mut Cutting> {
        match &mut self.counterpart {
            Some(level) if self.cut.is_some() => level.cutting.as_deref_mut(),
            _ => self.cutting.as_deref_mut(),
        }
    }

    /// Hands the body over to its level if a blade reaches it in a frame of `duration` seconds that begins now, or if its load is near breaking it. Returns the work of that, in tetrahedron evaluations:
    /// mostly none, or one for each tetrahedron of the cut of a body that has a strength.
    pub(crate) fn hand_over_if_due(&mut self, duration: f64, boundary: &BoundaryConditions) -> u64 {
        let (Some(body), Some(level)) = (&self.cut, &self.counterpart) else {
            return 0;
        };
        let (cause, work) = match level.is_reached(&body.dynamics, duration, boundary) {
            true => (Some(HandoverCause::Blade), 0),
            false => {
                let (is_near, work) = level.is_near_breaking(&body.dynamics);
                (is_near.then_some(HandoverCause::Load), work)
            }
        };
        let Some(cause) = cause else {
            return work;
        };
        let work = work + self.hand_over(cause);
        self.begin_on_level(duration, boundary);
        work
    }

    /// Exchanges the models of cut and level.
    pub(super) fn exchange(&mut self) {
        if let Some(mut other) = self.counterpart.take() {
            std::mem::swap(self, &mut *other);
            self.counterpart = Some(other);
        }
    }

    /// The model that moves after a reset is that of the cut, and the level is whole.
    pub(crate) fn reset_counterpart(&mut self) {
        if self.handed_over_by().is_some() {
            self.exchange();
        }
        if let Some(level) = &mut self.counterpart {
            level.reset();
        }
    }

    /// The number of the level that moves in a snapshot.
    pub(crate) fn level_number(&self) -> f64 {
        match self.cut.is_some() && self.counterpart.is_some() {
            true => ON_CUT,
            false => self.level as f64,
        }
    }

    /// See [`DeformableModel::restore`]: the model of the snapshot moves afterwards.
    pub(crate) fn restore_state(
        &mut self,
        snapshot: &StateSnapshot,
    ) -> Result<(), SnapshotMismatch> {
        let is_on_cut = snapshot.values.first() == Some(&ON_CUT);
        let is_of_other = self.counterpart.is_some() && is_on_cut != self.cut.is_some();
        if is_of_other {
            self.exchange();
        }
        let restored = self.set_state_from(snapshot);
        if restored.is_err() && is_of_other {
            self.exchange();
        } else if let Some(level) = &mut self.counterpart
            && restored.is_ok()
            && is_on_cut
        {
            level.remove_cuts();
        }
        restored
    }
}
