//! Which pieces of a broken body sleep.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::model::rest::{PieceSleep, SavedSleep};

use crate::asset::LatticeAsset;

/// Numbers of a snapshot after those of the pieces: gravity.
const GRAVITY_VALUES: usize = 3;

/// Which pieces of a broken body sleep.
#[derive(Debug, Clone, Default)]
pub(crate) struct SleepState {
    /// absent while all links hold
    pub pieces: Option<PieceSleep>,
    /// of the last frame, m/s²
    pub gravity: Vec3,
    /// of the last frame, one a constraint, N; empty in a body without pieces
    pub reactions: Vec<Vec3>,
}

impl SleepState {
    /// Wakes the pieces at the `ends` of links that have broken in `asset`; the others keep their state. `before` is the previous piece of each particle, if the pieces have
    /// changed, and `held` tells which particles are held by something.
    pub fn update(
        &mut self,
        asset: &LatticeAsset,
        before: Option<&[u32]>,
        ends: &[[u32; 2]],
        held: &[bool],
    ) {
        let old = self.pieces.take();
        let pieces = match (old, before) {
            (Some(old), None) => old,
            (old, before) => {
                let mut new = PieceSleep::new(&asset.component, asset.component_count(), held);
                if let (Some(old), Some(before)) = (&old, before) {
                    new.inherit(old, |p| before[p as usize]);
                }
                new
            }
        };
        let pieces = self.pieces.insert(pieces);
        for &p in ends.as_flattened() {
            pieces.wake(asset.component[p as usize]);
        }
    }

    /// Particles of the pieces that sleep.
    pub fn particles(&self) -> impl Iterator<Item = u32> + '_ {
        self.pieces.iter().flat_map(PieceSleep::sleeping_nodes)
    }

    /// Whether a piece sleeps.
    pub fn is_asleep(&self, piece: u32) -> bool {
        let pieces = self.pieces.as_ref();
        pieces.is_some_and(|pieces| pieces.is_asleep(piece))
    }

    /// Whether all pieces sleep.
    pub fn all_asleep(&self) -> bool {
        self.pieces.as_ref().is_some_and(PieceSleep::all_asleep)
    }

    /// Those of the `constraints` of the frame that act on awake pieces.
    pub fn awake_constraints<'a>(
        &'a self,
        constraints: &'a [DisplacementConstraint],
    ) -> &'a [DisplacementConstraint] {
        let pieces = self.pieces.as_ref();
        pieces.map_or(constraints, |pieces| pieces.awake_constraints(constraints))
    }

    /// Stores the reactions (N) of the frame, given those of the constraints on awake pieces.
    pub fn store_reactions(&mut self, awake: &[Vec3]) {
        self.reactions.clear();
        if let Some(pieces) = &self.pieces {
            self.reactions.extend_from_slice(awake);
            pieces.merge_forces(&mut self.reactions);
        }
    }

    /// Appends the numbers that [`SleepState::split`] parses; none for a body whose links are all unbroken.
    pub fn save(&self, values: &mut Vec<f64>) {
        if let Some(pieces) = &self.pieces {
            pieces.save(values);
            values.extend(self.gravity.iter());
        }
    }

    /// Splits the numbers of the sleep state off the end; `None` if they are not there.
    pub fn split(values: &[f64]) -> Option<(&[f64], Option<SavedSleepState<'_>>)> {
        if values.is_empty() {
            return Some((values, None));
        }
        let (rest, gravity) = values.split_at_checked(values.len().checked_sub(GRAVITY_VALUES)?)?;
        let (rest, pieces) = PieceSleep::split(rest)?;
        let gravity = Vec3::from_column_slice(gravity);
        Some((rest, Some(SavedSleepState { pieces, gravity })))
    }

    /// Restores a saved state of a body with this number of contact `vertices`; false if it does not match the pieces.
    pub fn restore(&mut self, saved: Option<&SavedSleepState<'_>>, vertices: usize) -> bool {
        self.reactions.clear();
        match (&mut self.pieces, saved) {
            (None, None) => true,
            (Some(pieces), Some(saved)) => {
                self.gravity = saved.gravity;
                pieces.restore(&saved.pieces, vertices)
            }
            _ => false,
        }
    }
}

/// Whether a region belongs to a piece that sleeps, by the piece (`component`) of each particle. In a body that can break, region and particle numbers agree; in others nothing sleeps.
pub(crate) fn is_region_asleep<'a>(
    sleep: Option<&'a SleepState>,
    component: &'a [u32],
) -> impl Fn(usize) -> bool + Sync + 'a {
    move |p| sleep.is_some_and(|s| s.is_asleep(component[p]))
}

/// The sleep state in a snapshot.
pub(crate) struct SavedSleepState<'a> {
    pieces: SavedSleep<'a>,
    gravity: Vec3,
}
