//! How well a discretisation balances loads with reactions.

use pliant_core::math::{Mat3, Vec3};

use crate::greens::SupportRows;

/// How far the reaction of all supports is from balancing a unit force on each free vertex: mean of `|Σ R + I|` over all vertices, 0 for a
/// perfect discretisation.
pub fn balance_error(supports: &[SupportRows]) -> f64 {
    let Some(first) = supports.first() else {
        return 0.0;
    };
    let count = first.shares.len();
    let mut sum = 0.0;
    for j in 0..count {
        let total: Mat3 = supports.iter().map(|s| s.shares[j]).sum();
        sum += (total + Mat3::identity()).norm() / Vec3::repeat(1.0).norm();
    }
    sum / count.max(1) as f64
}
