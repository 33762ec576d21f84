//! Wraps any input in a closed surface: the last resort for triangle soups, open scans, crossing parts and inner walls.
//!
//! Inside is where the generalised winding number exceeds one half (Jacobson et al. 2013; Barill et al. 2018), or, for soups without
//! orientation, what a flood from outside does not reach. Both are sampled on a body-centred cubic lattice and contoured by marching
//! tetrahedra; the result is compared with the input and refused where it differs too much.

mod candidate;
pub(crate) mod error;
mod field;
pub(crate) mod finish;
mod input;
mod judge;
pub(crate) mod options;
#[cfg(test)]
pub(crate) mod tests;
mod thickness;
pub(crate) mod wrapping;
