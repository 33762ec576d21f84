//! Vectors of numbers for any instruction set.

pub(crate) mod level;
pub(crate) mod pack;
pub(crate) mod transpose;
