//! Green's functions from finite elements: one sparse factorisation, then one solution for each boundary unknown.

mod columns;
mod inside;
mod release;
mod support_solve;

pub(crate) use columns::from_fem;
