//! Several bodies, and a body that touches itself.

mod budget;
mod contact_rates;
pub mod cut_bodies;
mod cuts;
mod energy_accounting;
pub mod failed_body;
mod inverted_element_recovery;
pub mod levels;
mod parted;
mod random_cuts;
mod self_contact;
