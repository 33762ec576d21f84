//! The part of a change of the cut that can be done one frame earlier, while the present cut is in use.

use crate::cut::{Cut, Operators, SkinBlend};
use crate::step::multirate::rates::element_coupling::ElementCoupling;

/// A cut that is not in use yet, with all that depends on its states alone.
#[derive(Debug, Clone)]
pub(crate) struct PreparedCut {
    pub(crate) cut: Cut,
    pub(crate) blend: SkinBlend,
    pub(crate) operators: Operators,
    pub(crate) coupling: ElementCoupling,
}

impl PreparedCut {
    /// Computes skin and ghosts of a cut, and sets its shares.
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
