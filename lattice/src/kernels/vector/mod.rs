//! Vectors of numbers over whichever instruction set there is.

pub(crate) mod level;
pub(crate) mod pack;
pub(crate) mod transpose;
