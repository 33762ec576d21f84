//! Several bodies as one model.

mod body_group;
mod build;
mod deformable;
mod failed_frame;
mod frame;
mod inspect;
mod parted_bodies;
mod resolution;
mod rows;
mod skins;
mod sleep;
mod state;
#[cfg(test)]
mod tests;

pub use body_group::BodyGroup;
pub use state::FrozenBody;
