//! The skin of a broken body.

mod caps;
mod contact;
mod cut_skin;
mod drawing;
mod drawn;
mod follower;
mod lips;
mod middle_cells;
mod parted;
mod plane;

pub(crate) use cut_skin::CutSkin;
pub(crate) use follower::Follower;
