//! The baked body: constant, shared by every model of it, stored as one file.
//!
//! [`GreensAsset`] is what a [`bake`](crate::bake) makes. [`mod@format`] turns it into bytes and back, and [`rebase`] derives an asset with other supports from it.

pub mod compressed;
mod finished_columns;
pub mod format;
mod greens_asset;
pub mod inside;
pub mod rebase;
pub mod releasable;

pub use finished_columns::{FinishedColumns, PointRows};
pub use format::AssetFormatError;
pub use greens_asset::GreensAsset;
pub use releasable::ReleasableSupport;
