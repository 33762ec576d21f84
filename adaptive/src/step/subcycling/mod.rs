//! Subcycling: the few elements of a level that need short steps fire several times in a step of the others (Belytschko, Yen, Mullen 1979; as impulses, Tuckerman,
//! Berne, Martyna 1992).
//!
//! ```text
//! steps that elements need → Rates: which are stiff, and how long the steps of both are → StiffElements: what the stiff ones do in a step of the others
//! ```
//!
//! All kicks are impulses along element forces, so that momentum is kept whatever the steps are. An element that stretches at a cut, or a sliver, does not dictate the
//! step of the body then, and nothing has to become heavier.

pub(crate) mod rates;
mod split;
pub(crate) mod stiff_elements;

pub(crate) use rates::Rates;
pub(crate) use split::cheapest;
pub(crate) use stiff_elements::Subcycled;
