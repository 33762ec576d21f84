//! glTF 2.0, as JSON and as GLB (Khronos Group 2021, "glTF 2.0 Specification").

mod accessor;
mod extensions;
mod json;
mod primitive;
mod read;
mod scene;
#[cfg(test)]
pub(crate) mod tests;

use crate::io::formats::format::{Format, Head};

/// As JSON.
pub(crate) static TEXT: Format = Format {
    name: "glTF",
    matches: is_json_with_asset,
    read: read::read_text,
};

/// As GLB.
pub(crate) static BINARY: Format = Format {
    name: "GLB",
    matches: |head| head.start.starts_with(b"glTF"),
    read: read::read_binary,
};

/// Keys have no order: this one may come after all buffers.
fn is_json_with_asset(head: &Head<'_>) -> bool {
    let is_json = head.is_text && head.start.starts_with(b"{");
    is_json && head.start.windows(7).any(|w| w == b"\"asset\"")
}
