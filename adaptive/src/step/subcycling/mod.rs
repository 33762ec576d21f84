//! Subcycling: the few elements of a level that need short steps fire several times in a step of the others (Belytschko, Yen, Mullen 1979; as impulses, Tuckerman,
//! Berne, Martyna 1992).
//!
//! ```text
//! rates that elements need → Rates: which elements are stiff, and the rates of both sets → StiffElements: the substeps of the stiff ones in a step of the others
//! ```
//!
//! All kicks are impulses along element forces, so that momentum is kept for any steps. A sliver, or an element that is stretched at a cut, then does not limit the
//! step of the whole body, and no mass has to be added, unless the frame would exceed the budget (`AddedInertia`).

mod added_inertia;
pub(crate) mod rates;
mod split;
pub(crate) mod stiff_elements;

pub(crate) use added_inertia::{AddedInertia, Allowance};
pub(crate) use rates::Rates;
pub(crate) use split::cheapest_split;
pub(crate) use stiff_elements::Subcycled;
