//! What supports carry of nodal forces and of gravity.

use pliant_core::math::{Mat3, Vec3};

/// How forces arrive at one support.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportRows {
    /// Name as the scene writes it.
    pub name: String,
    /// For each free boundary node the matrix `R_j`: a nodal force `f` (N) makes this support push the body with `R_j f`.
    pub shares: Vec<Mat3>,
    /// Force on the body for gravity of 1 m/s² along x, y and z (the columns), kg.
    pub gravity: Mat3,
}

/// Sum of the forces of one support for nodal `forces` (free boundary node, N) and `gravity` (m/s²), N on the body.
pub fn support_reaction(support: &SupportRows, forces: &[(u32, Vec3)], gravity: &Vec3) -> Vec3 {
    let mut sum = support.gravity * gravity;
    for (node, force) in forces {
        sum += support.shares[*node as usize] * force;
    }
    sum
}
