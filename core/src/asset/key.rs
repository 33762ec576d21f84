//! Content keys: equal inputs, equal key.

use xxhash_rust::xxh3::Xxh3;

use crate::math::Vec3;

/// 128-bit content hash that names a baked asset on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssetKey(pub u128);

impl std::fmt::Display for AssetKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Collects what an asset depends on. Every piece is prefixed by its name and length, so that pieces cannot run together.
pub struct KeyHasher {
    state: Xxh3,
}

impl KeyHasher {
    /// Starts a key for one kind of asset at one version of its baker.
    pub fn new(kind: &str, version: u32) -> Self {
        let mut hasher = Self { state: Xxh3::new() };
        hasher.bytes("kind", kind.as_bytes());
        hasher.bytes("version", &version.to_le_bytes());
        hasher
    }

    /// Adds raw bytes.
    pub fn bytes(&mut self, name: &str, bytes: &[u8]) {
        self.state.update(&(name.len() as u64).to_le_bytes());
        self.state.update(name.as_bytes());
        self.state.update(&(bytes.len() as u64).to_le_bytes());
        self.state.update(bytes);
    }

    /// Adds numbers by their bits; minus zero counts as zero.
    pub fn numbers(&mut self, name: &str, numbers: &[f64]) {
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|x| (x + 0.0).to_bits().to_le_bytes())
            .collect();
        self.bytes(name, &bytes);
    }

    /// Adds positions.
    pub fn positions(&mut self, name: &str, positions: &[Vec3]) {
        let flat: Vec<f64> = positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        self.numbers(name, &flat);
    }

    /// Adds indices.
    pub fn indices(&mut self, name: &str, indices: impl IntoIterator<Item = u32>) {
        let bytes: Vec<u8> = indices.into_iter().flat_map(u32::to_le_bytes).collect();
        self.bytes(name, &bytes);
    }

    /// The key of everything added so far.
    pub fn finish(&self) -> AssetKey {
        AssetKey(self.state.digest128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_separate_names_values_and_versions() {
        let key = |kind: &str, version: u32, name: &str, x: f64| {
            let mut h = KeyHasher::new(kind, version);
            h.numbers(name, &[x]);
            h.finish()
        };
        let base = key("a", 1, "x", 0.0);
        assert_eq!(base, key("a", 1, "x", -0.0));
        for other in [
            key("b", 1, "x", 0.0),
            key("a", 2, "x", 0.0),
            key("a", 1, "y", 0.0),
            key("a", 1, "x", 1.0),
        ] {
            assert_ne!(base, other);
        }
    }
}
