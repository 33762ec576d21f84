//! Sums of columns for timing, the same for dense and compressed columns.

use pliant_core::math::Vec3;

/// Number of sums.
pub const SUMS: usize = 64;

/// Contact nodes of each sum, three columns each.
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
