//! From a scene to running models: meshed, baked or from the cache, by all three solvers.

mod baked_file;
pub mod geometry;
mod greens;
mod groups;
mod hand_parameters;
mod job;
mod method;
mod preview;
mod refusals;
mod stored;

pub use baked_file::{BakedFile, BakedFileError, OpenedFile, open_baked_file};
pub use greens::{
    BakedGreens, CompressedGreens, compressed_greens, greens_asset, greens_functions, greens_share,
    greens_with_team,
};
pub use job::BuiltMethod;
pub use method::build_method;
pub use pliant_quasistatic::bake::BakeShare;
pub use pliant_quasistatic::team::{Team, TeamLink};
pub use refusals::can_be_cut;

pub(crate) use job::Job;
pub(crate) use method::build_opened;
pub(crate) use preview::build_preview;
