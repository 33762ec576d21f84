//! PLY, text and binary of both byte orders.

pub(crate) mod elements;
pub(crate) mod header;
mod strips;

pub(crate) use elements::read;
