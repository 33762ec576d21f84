//! Stiffness of masked contacts: that of a vertex against a force spread over its mask.

use pliant_core::math::Mat3;
use pliant_core::mesh::merge_duplicates;

use crate::asset::GreensAsset;
use crate::greens::SkinRows;
use crate::haptics::mask::PressureMasks;

/// Smallest eigenvalue of a stiffness over the largest; smaller ones are raised to it.
const MIN_EIGENVALUE_RATIO: f64 = 1e-3;

/// The mask of `vertex` on the free boundary nodes: (node, share of the force), ascending, shares sum to one. `out` keeps memory.
pub fn masked_forces(
    masks: &PressureMasks,
    rows: &SkinRows,
    vertex: usize,
    out: &mut Vec<(u32, f64)>,
) {
    out.clear();
    let (vertices, shares) = masks.row(vertex);
    for (&v, &share) in vertices.iter().zip(shares) {
        let (nodes, weights) = rows.row(v as usize);
        out.extend(nodes.iter().zip(weights).map(|(&n, &w)| (n, share * w)));
    }
    out.sort_unstable_by_key(|(node, _)| *node);
    merge_duplicates(out);
}

/// `Z = Σ_k w_k Σ_l m_l F_kl`: displacement (m/N) of the vertex with rows `at` under a force spread as `forces`
/// (James and Pai, haptics chapter: `Z_i = Σ_j ρ_j Ξ_ij`).
pub fn masked_compliance(
    at: (&[u32], &[f64]),
    forces: &[(u32, f64)],
    block: impl Fn(usize, usize) -> Mat3,
) -> Mat3 {
    let mut sum = Mat3::zeros();
    for (&k, &weight) in at.0.iter().zip(at.1) {
        for &(l, share) in forces {
            sum += block(k as usize, l as usize) * (weight * share);
        }
    }
    sum
}

/// A stiffness made symmetric and positive definite, with the size of the correction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SymmetricStiffness {
    /// The stiffness, N/m.
    pub stiffness: Mat3,
    /// Largest antisymmetric entry over the largest entry.
    pub asymmetry: f64,
    /// Whether an eigenvalue had to be raised.
    pub repaired: bool,
}

/// Inverts a compliance (m/N) and keeps the symmetric positive definite part of the result: a force that is a gradient does no work on a
/// closed path. `None` for a compliance without an inverse.
pub fn symmetric_stiffness(compliance: &Mat3) -> Option<SymmetricStiffness> {
    let inverse = compliance.try_inverse()?;
    let symmetric = (inverse + inverse.transpose()) * 0.5;
    let asymmetry = (inverse - symmetric).amax() / symmetric.amax();
    if !asymmetry.is_finite() {
        return None;
    }
    let eigen = symmetric.symmetric_eigen();
    let min_eigenvalue = MIN_EIGENVALUE_RATIO * eigen.eigenvalues.amax();
    if eigen.eigenvalues.min() >= min_eigenvalue {
        return Some(SymmetricStiffness {
            stiffness: symmetric,
            asymmetry,
            repaired: false,
        });
    }
    let raised = eigen.eigenvalues.map(|value| value.max(min_eigenvalue));
    let axes = eigen.eigenvectors;
    Some(SymmetricStiffness {
        stiffness: axes * Mat3::from_diagonal(&raised) * axes.transpose(),
        asymmetry,
        repaired: true,
    })
}

/// `Z_kl = Σ_j ρ^l_j Ξ_kj` between the corners of a triangle, m/N: the consistent compliance of a point in it is the sum of
/// `φ_k φ_l Z_kl`. Corners that cannot move have zeros.
pub fn triangle_compliance(
    asset: &GreensAsset,
    masks: &PressureMasks,
    triangle: usize,
) -> [[Mat3; 3]; 3] {
    let corners = asset.skin.triangles[triangle];
    let mut all = [[Mat3::zeros(); 3]; 3];
    let mut forces = Vec::new();
    for (l, &source) in corners.iter().enumerate() {
        masked_forces(masks, &asset.rows, source as usize, &mut forces);
        for (k, &field) in corners.iter().enumerate() {
            let at = asset.rows.row(field as usize);
            all[k][l] = masked_compliance(at, &forces, |i, j| asset.matrix.block(i, j));
        }
    }
    all
}
