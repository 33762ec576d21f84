//! How bytes stand for lines, words and numbers.

pub(crate) mod base64;
pub(crate) mod scalar;
pub(crate) mod text;
pub(crate) mod tokens;
