//! Reactions of supports to nodal forces and to gravity.

use pliant_core::math::{Mat3, Vec3};

/// Reaction rows of one support.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportRows {
    /// Name as the scene writes it.
    pub name: String,
    /// For each free boundary node the matrix `R_j`: under a nodal force `f` (N) this support exerts the force `R_j f` on the body.
    pub reactions: Vec<Mat3>,
    /// Force on the body for gravity of 1 m/s² along x, y and z (the columns), kg.
    pub gravity: Mat3,
}

/// Sum of the forces of one support for nodal `forces` (free boundary node, N) and `gravity` (m/s²), N on the body.
pub fn support_reaction(support: &SupportRows, forces: &[(u32, Vec3)], gravity: &Vec3) -> Vec3 {
    let mut sum = support.gravity * gravity;
    for (node, force) in forces {
        sum += support.reactions[*node as usize] * force;
    }
    sum
}
