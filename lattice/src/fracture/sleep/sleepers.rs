//! The pieces of a broken body and the particles of those that sleep.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::model::rest::{PieceSleep, SavedSleep};

use crate::asset::LatticeAsset;

/// Numbers of a snapshot after those of the pieces: gravity.
const TAIL: usize = 3;

/// The pieces of a broken body and the particles of those that sleep.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sleepers {
    /// absent while all links hold
    pub pieces: Option<PieceSleep>,
    /// particles of the pieces that sleep
    pub particles: Vec<u32>,
    /// of the last frame, m/s²
    pub gravity: Vec3,
    /// of the last frame, one a constraint, where some were left out of it, N; else empty
    pub reactions: Vec<Vec3>,
}

impl Sleepers {
    /// Links between these `ends` have broken in `asset`. Their pieces are awake; the others go on as they were. `before` is the piece that each particle belonged to, where that is another one now, and
    /// `held` tells which particles are held by something.
    pub fn broke(
        &mut self,
        asset: &LatticeAsset,
        before: Option<&[u32]>,
        ends: &[[u32; 2]],
        held: &[bool],
    ) {
        let known = self.pieces.take();
        let pieces = match (known, before) {
            (Some(known), None) => known,
            (known, before) => {
                let mut now = PieceSleep::new(&asset.component, asset.component_count(), held);
                if let (Some(known), Some(before)) = (&known, before) {
                    now.follow(known, |p| before[p as usize]);
                }
                now
            }
        };
        let pieces = self.pieces.insert(pieces);
        for &p in ends.as_flattened() {
            pieces.wake(asset.component[p as usize]);
        }
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

    /// Those of the `constraints` of the frame that are on what is awake.
    pub fn awake_of<'a>(
        &'a self,
        constraints: &'a [DisplacementConstraint],
    ) -> &'a [DisplacementConstraint] {
        let pieces = self.pieces.as_ref();
        pieces.map_or(constraints, |pieces| pieces.awake_of(constraints))
    }

    /// Takes over the forces (N) of the constraints of the frame on what was awake in it.
    pub fn take_reactions(&mut self, awake: &[Vec3]) {
        self.reactions.clear();
        if let Some(pieces) = self.pieces.as_ref().filter(|pieces| pieces.leaves_out()) {
            self.reactions.extend_from_slice(awake);
            pieces.spread(&mut self.reactions);
        }
    }

    /// Numbers that [`Sleepers::split`] takes apart; none for a body whose links all hold.
    pub fn save(&self, values: &mut Vec<f64>) {
        if let Some(pieces) = &self.pieces {
            pieces.save(values);
            values.extend(self.gravity.iter());
        }
    }

    /// Parts the numbers at the end of these, and what is before; `None` where they are not there.
    pub fn split(values: &[f64]) -> Option<(&[f64], Option<Saved<'_>>)> {
        if values.is_empty() {
            return Some((values, None));
        }
        let (rest, gravity) = values.split_at_checked(values.len().checked_sub(TAIL)?)?;
        let (rest, pieces) = PieceSleep::split(rest)?;
        let gravity = Vec3::from_column_slice(gravity);
        Some((rest, Some(Saved { pieces, gravity })))
    }

    /// Takes such numbers, of a body with so many `vertices` that tools may touch; false where they are not those of these pieces.
    pub fn restore(&mut self, saved: Option<&Saved<'_>>, vertices: usize) -> bool {
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

/// Whether the region with the number of a particle belongs to a piece that sleeps, by the piece of each particle. In a body that can break each particle has a region of its own, and in others nothing sleeps.
pub(crate) fn sleeping<'a>(
    sleepers: Option<&'a Sleepers>,
    component: &'a [u32],
) -> impl Fn(usize) -> bool + Sync + 'a {
    move |p| sleepers.is_some_and(|s| s.is_asleep(component[p]))
}

/// What a snapshot has of the sleep of pieces.
pub(crate) struct Saved<'a> {
    pieces: SavedSleep<'a>,
    gravity: Vec3,
}
