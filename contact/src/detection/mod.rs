//! Which bodies, and which points of them, may touch in a frame.
//!
//! The broad phase pairs bodies whose boxes overlap. The narrow phase finds contact points near surfaces; it is continuous where something moves fast.

mod broad_phase;
mod cached_contact;
mod candidate;
mod continuous;
mod detection_body;
mod found;
mod key;
mod narrow_phase;
mod near_list;

pub(crate) use broad_phase::Sweep;
pub(crate) use cached_contact::CachedContact;
pub(crate) use candidate::{Candidate, Partner};
pub(crate) use detection_body::{DetectionBody, near_distance};
pub(crate) use found::FoundContacts;
pub(crate) use key::{key_of, parts_of_key, with_point};
pub(crate) use narrow_phase::{HeldPoints, PairParameters};
pub(crate) use near_list::with_scratch;

#[cfg(test)]
pub(crate) use key::pair_key;
