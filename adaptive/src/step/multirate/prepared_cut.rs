//! The part of a change of the cut that can be done a frame before, while the present one still moves.

use crate::cut::{Cut, Operators, SkinBlend};
use crate::step::multirate::rates::node_pushes::Pushes;

/// A cut that nothing moves on yet, with all that depends on its states alone.
#[derive(Debug, Clone)]
pub(crate) struct PreparedCut {
    pub(crate) cut: Cut,
    pub(crate) blend: SkinBlend,
    pub(crate) operators: Operators,
    pub(crate) pushes: Pushes,
}

impl PreparedCut {
    /// Skin and ghosts of a cut, which gets its shares.
    pub(crate) fn operators_of(cut: &mut Cut) -> (SkinBlend, Operators) {
        let blend = SkinBlend::new(cut);
        let operators = Operators::needed(cut, &blend);
        let levels = cut.evaluated_counts().iter();
        if levels.filter(|count| **count > 0).count() > 1 {
            cut.compute_shares(&operators);
        }
        (blend, operators)
    }
}
