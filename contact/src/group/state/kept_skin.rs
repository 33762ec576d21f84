//! The skin of a body since it fell asleep.

use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::SteppedModel;

use crate::group::state::rest::Rest;

/// The skin of a body since it fell asleep.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptSkin {
    pub frame: SurfaceFrame,
    pub is_valid: bool,
}

impl KeptSkin {
    /// Writes the skin once when the body has fallen asleep.
    pub fn follow(&mut self, model: &impl SteppedModel, rest: &Rest) {
        if rest.asleep && !self.is_valid {
            let vertices = model.surface().vertex_count();
            model.write_skin(self.frame.room_for(vertices));
        }
        self.is_valid = rest.asleep;
    }
}
