//! Whether an advice holds: its cost on another run, its error on another poke.

mod agreement;
mod confirm;
mod other_poke;

pub use agreement::Agreement;
pub use confirm::{Confirmation, OtherPoke, confirm};
