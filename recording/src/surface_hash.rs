//! The hash of a surface.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// xxh3 over the bits of positions, least significant byte first on every machine: the hash of a single surface in reports.
///
/// Cost: some GB/s.
pub fn surface_hash(positions: &[[f32; 3]]) -> u64 {
    if cfg!(target_endian = "little") {
        return xxh3_64(bytemuck::cast_slice(positions));
    }
    let mut hash = Xxh3::new();
    for x in positions.as_flattened() {
        hash.update(&x.to_bits().to_le_bytes());
    }
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_hash_of_the_bits_one_number_at_a_time() {
        let positions = [[1.0, -0.0, 2.5], [f32::MIN_POSITIVE, 3e8, -7.25]];
        let mut hash = Xxh3::new();
        for x in positions.as_flattened() {
            hash.update(&x.to_bits().to_le_bytes());
        }
        assert_eq!(surface_hash(&positions), hash.digest());
        assert_ne!(surface_hash(&positions), surface_hash(&positions[..1]));
    }
}
