//! Bits that every machine of one architecture has to give. The choice of kernels applies to the whole process, so that this is a test program of its own.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use pliant_core::simd::use_portable;
use pliant_simulation::cache::AssetCache;
use pliant_tests::{PAD, compared, runs, scene, setup};

/// Hashes of the surfaces of a pad that is poked for 1 s. A change that alters these hashes alters results: examine the results, then write the new hashes here.
const GOLDEN: [(&str, u64); 2] = [
    ("adaptive", 0xe1ec_7f17_db08_2c56),
    ("lattice", 0xb3cd_f02b_fbda_af09),
];

#[test]
fn portable_kernels_give_the_golden_hashes() {
    use_portable();
    let comparison = compared(&setup(&scene(PAD)), 1.0, &AssetCache::disabled());
    let found: Vec<(&str, u64)> = runs(&comparison)
        .into_iter()
        .filter(|(name, _)| GOLDEN.iter().any(|(golden, _)| golden == name))
        .map(|(name, run)| (name, run.surface_hash))
        .collect();
    assert_eq!(found, GOLDEN);
}
