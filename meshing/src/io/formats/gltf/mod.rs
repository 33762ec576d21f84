//! glTF 2.0, as JSON and as GLB (Khronos Group 2021, "glTF 2.0 Specification").

mod accessor;
mod extensions;
mod json;
mod primitive;
mod read;
mod scene;
#[cfg(test)]
pub(crate) mod tests;
mod transform;

pub(crate) use read::{read_binary, read_text};
