//! The sleep of pieces as values of a snapshot.

use crate::math::Vec3;
use crate::model::rest::piece_state::PieceState;
use crate::model::rest::pieces::PieceSleep;
use crate::model::rest::resting_contacts::RestingContact;
use crate::model::rest::rule::MAX_REST_FRAMES;

/// Value in place of the frames at rest of a sleeping piece.
const ASLEEP: f64 = -1.0;
/// Number of values of a resting contact.
const CONTACT_VALUES: usize = 5;

impl PieceSleep {
    /// Appends the values that [`PieceSleep::restore`] takes.
    pub fn save(&self, values: &mut Vec<f64>) {
        let rest_frames = |state: &PieceState| match state.is_asleep {
            true => ASLEEP,
            false => f64::from(state.rest_frames),
        };
        values.extend(self.states.iter().map(rest_frames));
        values.extend(self.contacts.all.iter().flat_map(|c| {
            let [piece, vertex] = [c.piece, c.vertex].map(f64::from);
            [piece, vertex, c.force.x, c.force.y, c.force.z]
        }));
        values.extend([self.states.len(), self.contacts.all.len()].map(|n| n as f64));
    }

    /// Appends the values of a body without cuts.
    pub fn save_none(values: &mut Vec<f64>) {
        values.extend([0.0; 2]);
    }

    /// Splits the values at the end off, and returns the others and these; `None` where there are too few.
    pub fn split(values: &[f64]) -> Option<(&[f64], SavedSleep<'_>)> {
        let [others @ .., pieces, contacts] = values else {
            return None;
        };
        let count = (*contacts as usize).checked_mul(CONTACT_VALUES)?;
        let (others, contacts) = others.split_at_checked(others.len().checked_sub(count)?)?;
        let count = *pieces as usize;
        let (others, rest_frames) = others.split_at_checked(others.len().checked_sub(count)?)?;
        let saved = SavedSleep {
            rest_frames,
            contacts,
        };
        Some((others, saved))
    }

    /// Restores saved values of a body with `vertices` vertices that tools may touch; `false` where they do not fit these pieces.
    pub fn restore(&mut self, saved: &SavedSleep<'_>, vertices: usize) -> bool {
        let is_count = |x: &f64| (0.0..=f64::from(MAX_REST_FRAMES)).contains(x) && x.fract() == 0.0;
        let fits = |(x, state): (&f64, &PieceState)| is_count(x) || *x == ASLEEP && state.is_free;
        let rest_frames = saved.rest_frames;
        if rest_frames.len() != self.states.len() || !rest_frames.iter().zip(&self.states).all(fits)
        {
            return false;
        }
        for (state, rest_frames) in self.states.iter_mut().zip(rest_frames) {
            state.is_asleep = *rest_frames == ASLEEP;
            state.rest_frames = rest_frames.max(0.0) as u16;
        }
        self.asleep = self.states.iter().filter(|s| s.is_asleep).count();
        let contacts = &mut self.contacts.all;
        contacts.clear();
        let saved_contacts = saved.contacts.chunks_exact(CONTACT_VALUES);
        contacts.extend(saved_contacts.map(|c| RestingContact {
            piece: c[0] as u32,
            vertex: c[1] as u32,
            force: Vec3::new(c[2], c[3], c[4]),
            is_present: true,
        }));
        let is_valid = |c: &RestingContact| {
            let state = self.states.get(c.piece as usize);
            let is_finite = c.force.iter().all(|x| x.is_finite());
            state.is_some_and(|s| s.is_asleep) && (c.vertex as usize) < vertices && is_finite
        };
        let ascends = contacts.windows(2).all(|c| c[0].vertex < c[1].vertex);
        ascends && contacts.iter().all(is_valid)
    }
}

/// The values of a snapshot about the sleep of pieces.
#[derive(Debug, Clone, Copy)]
pub struct SavedSleep<'a> {
    rest_frames: &'a [f64],
    contacts: &'a [f64],
}

impl SavedSleep<'_> {
    /// Whether they are those of a body without cuts.
    pub fn is_none(&self) -> bool {
        self.rest_frames.is_empty() && self.contacts.is_empty()
    }
}
