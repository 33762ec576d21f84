//! From the cut through all levels to the level that blades and cracks go through.
//!
//! Blades and cracks part the tetrahedra of one level: a cut through several levels would have to come apart on all of them alike. So a body that may part has two models, each the counterpart of the
//! other (`counterpart`). It moves on its cut until what a blade sweeps reaches it (`blade`), or until its stress comes near the strength of its material (`fracture/near_breaking.rs`). At the beginning of that frame its
//! state is handed over to the level that the budget chooses (`transfer`), where it parts, and it stays there until it is reset or an earlier state is restored.

mod blade;
mod counterpart;
pub(crate) mod state;
mod transfer;
