//! PLY, text and binary of both byte orders.

pub(crate) mod elements;
pub(crate) mod header;
mod strips;

use crate::io::formats::format::{Format, never};

/// PLY.
pub(crate) static FORMAT: Format = Format {
    name: "PLY",
    begins: |head| head.first_word() == b"ply",
    resembles: never,
    read: |bytes, _, options| elements::read(bytes, options),
};
