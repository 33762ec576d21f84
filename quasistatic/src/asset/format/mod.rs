//! The asset as bytes: little-endian arrays behind a magic number and a version.

mod asset;
mod bytes;
mod columns;
mod error;
mod inside;
mod layout;
mod material;
mod releasable;
mod skin;
mod stream;

pub use error::AssetFormatError;
pub use layout::VERSION;
