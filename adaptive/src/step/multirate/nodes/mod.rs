//! What changes at nodes between frames: masses, cuts, groups, and places that are put right.

mod change;
mod inertia;
pub(crate) mod inverted_element_recovery;
mod memory;
mod regroup;
mod settle;
