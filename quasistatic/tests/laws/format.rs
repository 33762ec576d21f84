//! Assets as bytes: bit-exact, and damaged bytes never cause a panic.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::surface::VertexGroup;
use pliant_core::scene::Selection;
use pliant_quasistatic::greens::table::SharedBytes;
use pliant_quasistatic::{AssetFormatError, GreensAsset, Precision, QuasistaticParams, bake};

use crate::bodies::{RandomNumbers, baked, held_box, params};

struct Shifted(Vec<u8>, usize);

impl SharedBytes for Shifted {
    fn bytes(&self) -> &[u8] {
        &self.0[self.1..]
    }
}

#[test]
fn bytes_give_back_the_same_asset_in_both_precisions() {
    let mut geometry = held_box(Vec3::repeat(0.2), [2, 2, 2], Some([3, 3, 3]));
    let mut skin = (*geometry.skin).clone();
    skin.groups.push(VertexGroup {
        name: "handle".into(),
        vertices: vec![1, 5],
    });
    geometry.skin = Arc::new(skin);
    for precision in [Precision::Single, Precision::Double] {
        let asset = baked(&geometry, precision);
        let bytes = asset.to_bytes();
        let back = GreensAsset::from_bytes(&bytes).expect("own bytes");
        assert!(back == *asset);
        assert_eq!(back.to_bytes(), bytes);
        // the same where the columns stay in the bytes, also in bytes that are not aligned
        for shift in [0, 1] {
            let mut shifted = vec![0; shift];
            shifted.extend_from_slice(&bytes);
            let shared: Arc<dyn SharedBytes> = Arc::new(Shifted(shifted, shift));
            let back = GreensAsset::from_shared(&shared).expect("own bytes");
            assert!(back == *asset && back.to_bytes() == bytes);
        }
    }
}

#[test]
fn truncated_and_damaged_bytes_are_errors_or_assets_but_never_panics() {
    let asset = baked(
        &held_box(Vec3::repeat(0.2), [1, 1, 1], Some([2, 2, 2])),
        Precision::Single,
    );
    let bytes = asset.to_bytes();
    for length in 0..bytes.len() {
        assert!(
            GreensAsset::from_bytes(&bytes[..length]).is_err(),
            "{length}"
        );
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(GreensAsset::from_bytes(&longer).is_err());
    let wrong = GreensAsset::from_bytes(b"PLNTGREE\xff\xff\xff\xff").err();
    assert_eq!(wrong, Some(AssetFormatError::WrongKind));
    let mut random = RandomNumbers(9);
    for _ in 0..3000 {
        let mut damaged = bytes.clone();
        let index = random.below(damaged.len());
        damaged[index] ^= 1 << random.below(8);
        if let Ok(asset) = GreensAsset::from_bytes(&damaged) {
            assert_eq!(asset.gravity.len(), asset.nodes());
        }
    }
}

#[test]
fn the_key_follows_everything_that_the_bake_depends_on() {
    let geometry = held_box(Vec3::repeat(0.2), [2, 2, 2], None);
    let single = params(Precision::Single);
    let key = bake::key(&geometry, &single);
    assert_eq!(key, bake::key(&geometry.clone(), &single));
    let runtime = QuasistaticParams {
        max_contacts: 7,
        ..single.clone()
    };
    assert_eq!(key, bake::key(&geometry, &runtime));
    assert_ne!(key, bake::key(&geometry, &params(Precision::Double)));
    let mut other = geometry.clone();
    other.material.elastic.young *= 2.0;
    assert_ne!(key, bake::key(&other, &single));
    let mut other = geometry.clone();
    other.supports[0].selection = Selection::Lowest(0.02);
    assert_ne!(key, bake::key(&other, &single));
    let other = held_box(Vec3::repeat(0.2), [2, 2, 3], None);
    assert_ne!(key, bake::key(&other, &single));
}
