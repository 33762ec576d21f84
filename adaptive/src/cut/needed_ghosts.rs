//! Which ghosts of a cut anything follows.

use crate::cut::blend::SkinBlend;
use crate::cut::operators::Operators;
use crate::cut::state::Cut;

impl Operators {
    /// The ghosts of `cut` that evaluated tetrahedra and the skin follow, and those that these follow.
    pub fn needed(cut: &Cut, blend: &SkinBlend) -> Self {
        let forest = cut.forest();
        let corners = cut.evaluated().flat_map(|t| forest.tets()[t as usize]);
        let skin = (0..blend.len()).flat_map(|v| blend.row(cut, v).map(|(n, _)| n));
        Self::with_lists(cut, corners.chain(skin))
    }
}
