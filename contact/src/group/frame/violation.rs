//! The deepest penetration at the end of a frame.

use pliant_core::math::Vec3;
use pliant_core::model::SteppedModel;

use crate::detection::{Candidate, FoundContacts, Partner};
use crate::group::body_group::BodyGroup;

impl<M: SteppedModel> BodyGroup<M> {
    /// Deepest penetration of the contacts of this frame at the present positions, with tools where they end the frame, m. Contacts between bodies that sleep do not count: they have no rows.
    pub(super) fn deepest_penetration(&self) -> f64 {
        let mut deepest = 0.0_f64;
        for found in &self.found {
            let solved = found.candidates.iter().filter(|c| self.has_row(c));
            deepest = solved.fold(deepest, |d, c| d.max(-self.present_gap(found, c)));
        }
        deepest
    }

    /// Whether one side of a contact is awake.
    fn has_row(&self, c: &Candidate) -> bool {
        let is_awake = |body: u32| !self.sleep[body as usize].asleep;
        let is_partner_awake = match c.partner {
            Partner::Body(b) => is_awake(b),
            Partner::Tool(_) => false,
        };
        is_awake(c.body) || is_partner_awake
    }

    /// Gap of a contact at the present positions, m, negative for a penetration: from a tool its signed distance, from a body the distance along the normal of the place that was found.
    fn present_gap(&self, found: &FoundContacts, c: &Candidate) -> f64 {
        let sum = |body: u32, from: u32, to: u32| -> Vec3 {
            let positions = self.models[body as usize].node_positions();
            let entries = &found.entries[from as usize..to as usize];
            entries
                .iter()
                .map(|(n, w)| positions[*n as usize] * *w)
                .sum()
        };
        let own = sum(c.body, c.from, c.split);
        match c.partner {
            Partner::Tool(t) => self.tools[t as usize].signed_distance(&own).0,
            // the weights of the partner's nodes are negative
            Partner::Body(b) => c.normal.dot(&(own + sum(b, c.split, c.to))),
        }
    }
}
