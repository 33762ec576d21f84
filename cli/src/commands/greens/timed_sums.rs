//! Sums of columns that are timed, the same for dense and compressed ones.

use pliant_core::math::Vec3;

/// Sums.
pub const SUMS: usize = 64;

/// Columns in each of them, three a contact node.
pub const CONTACTS: usize = 40;

/// Contact nodes of each sum, and a force on each.
pub fn contact_lists(nodes: usize) -> Vec<Vec<(u32, Vec3)>> {
    let node = |k: usize| ((k * 1789) % nodes) as u32;
    (0..SUMS)
        .map(|run| {
            let contacts = run * CONTACTS..(run + 1) * CONTACTS;
            contacts.map(|k| (node(k), Vec3::y())).collect()
        })
        .collect()
}
