//! PLY, text and binary of both byte orders.

pub(crate) mod elements;
pub(crate) mod header;
mod strips;

use crate::io::formats::format::Format;

/// PLY.
pub(crate) static FORMAT: Format = Format {
    name: "PLY",
    matches: |head| head.first_word() == b"ply",
    read: |bytes, _, options| elements::read(bytes, options),
};
