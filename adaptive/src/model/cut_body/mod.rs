//! A body that moves on a cut.

pub(crate) mod adapt;
mod attach;
pub(crate) mod cut_body;
pub(crate) mod degradation;
pub(crate) mod energy_monitor;
pub(crate) mod recovery;
pub(crate) mod skin_fade;
