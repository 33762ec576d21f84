//! The rotation nearest to a matrix, by two methods.

pub(crate) mod jacobi;
pub(crate) mod newton;
