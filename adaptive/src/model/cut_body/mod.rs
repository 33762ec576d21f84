//! A body that moves on a cut.

mod accounting;
pub(crate) mod adapt;
mod constraint_rows;
mod degradation;
mod eased_constraints;
pub(crate) mod fallback_hold;
mod frame;
mod recovery;
mod saved_state;
pub(crate) mod skin_fade;
pub(crate) mod state;
pub(crate) mod work_units;
