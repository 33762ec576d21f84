//! What a group remembers of each of its bodies, and of its budget.

mod frozen_body;
mod governing;
mod kept_skin;
mod rest;

pub use frozen_body::FrozenBody;
pub(crate) use governing::Governing;
pub(crate) use kept_skin::KeptSkin;
pub(crate) use rest::Rest;
