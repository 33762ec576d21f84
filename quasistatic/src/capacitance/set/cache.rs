//! The factor or inverse of one set of conditions.

use crate::capacitance::assemble::ContactRow;
use crate::capacitance::dense_lu::DenseLu;
use crate::capacitance::inverse::UpdatedInverse;

/// The form in which a set is cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum CachedForm {
    #[default]
    Nothing,
    Factor,
    Inverse,
}

/// A set with its factor or inverse; memory is kept.
#[derive(Debug, Default)]
pub(super) struct SetCache {
    pub form: CachedForm,
    pub lu: DenseLu,
    pub inverse: UpdatedInverse,
    /// Conditions in the order of factor or inverse, and whether their compliances are regularised.
    pub rows: Vec<ContactRow>,
    pub regularised: bool,
}

impl SetCache {
    /// Empties the cache.
    pub fn clear(&mut self) {
        self.form = CachedForm::Nothing;
        self.rows.clear();
    }

    /// Copies what an update of `other` needs. A factor is not copied, because an update replaces it by an inverse.
    pub fn copy_for_update(&mut self, other: &Self) {
        self.form = other.form;
        self.regularised = other.regularised;
        self.rows.clone_from(&other.rows);
        if other.form == CachedForm::Inverse {
            self.inverse.copy_from(&other.inverse);
        }
    }
}
