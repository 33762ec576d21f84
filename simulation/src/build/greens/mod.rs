//! Green's functions of a scene's body: baked, from the cache or from a file, in one process or several, and opened before they are complete.

mod bake;
mod compressed;
mod from_file;
mod functions;
mod live;
mod sag;
mod subdivided_surface;

pub use bake::BakedGreens;
pub use compressed::{CompressedGreens, compressed_greens};
pub use functions::{greens_asset, greens_functions, greens_share, greens_with_team};
pub(crate) use live::LiveFeed;
pub(super) use sag::sag_note;
