//! Bits that every machine of a kind has to give. The choice of kernels holds for a whole process, so that this is a test program of its own.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use pliant_core::simd::use_portable;
use pliant_simulation::cache::AssetCache;
use pliant_tests::{PAD, compared, runs, scene, setup};

/// Hashes of the surfaces of 1 s of a pad that is poked. A change that alters them alters results: look at what it does to them, then write the new numbers here.
const GOLDEN: [(&str, u64); 2] = [
    ("adaptive", 0xe1ec_7f17_db08_2c56),
    ("lattice", 0xb3cd_f02b_fbda_af09),
];

#[test]
fn portable_kernels_give_the_bits_that_are_written_here() {
    use_portable();
    let comparison = compared(&setup(&scene(PAD)), 1.0, &AssetCache::disabled());
    let found: Vec<(&str, u64)> = runs(&comparison)
        .into_iter()
        .filter(|(name, _)| GOLDEN.iter().any(|(golden, _)| golden == name))
        .map(|(name, run)| (name, run.surface_hash))
        .collect();
    assert_eq!(found, GOLDEN);
}
