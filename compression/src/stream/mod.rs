//! stream
mod areas;
mod bytes;
mod coder;
mod column_coder;
mod error;
mod header;
mod level_blocks;
mod memory;
mod neighbours;
mod plan;
mod quantise;
mod read;
mod spec;
#[cfg(test)]
mod tests;
mod topology;
mod write;

pub use error::StreamError;
pub use plan::Stage;
pub use read::{Packet, StreamContent, StreamReader, read};
pub use spec::{ReadLimits, StreamSpec, TransformSource};
pub use write::write;
