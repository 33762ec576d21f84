//! The hash of a surface.

use xxhash_rust::xxh3::Xxh3;

/// xxh3 over the bits of positions, least significant byte first on every machine: the hash of a single surface in reports.
///
/// Cost: some GB/s.
pub fn surface_hash(positions: &[[f32; 3]]) -> u64 {
    let mut hash = Xxh3::new();
    hash_surface(&mut hash, positions);
    hash.digest()
}

/// Adds the bits of [`surface_hash`] to a hash over several surfaces.
pub fn hash_surface(hash: &mut Xxh3, positions: &[[f32; 3]]) {
    if cfg!(target_endian = "little") {
        return hash.update(bytemuck::cast_slice(positions));
    }
    for x in positions.as_flattened() {
        hash.update(&x.to_bits().to_le_bytes());
    }
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
