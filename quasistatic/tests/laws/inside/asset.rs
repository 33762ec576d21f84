//! Points inside in an asset and in its key, and points that no bake takes.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_quasistatic::{BakeError, GreensAsset, Precision, QuasistaticParams, bake};

use super::{body, test_points};
use crate::bodies::{bake_body, held_box, params, point, refused, with_loose_part};

#[test]
fn assets_keep_their_points_and_points_outside_are_refused() {
    let mut loaded = point("a", test_points()[0]);
    loaded.load = Vec3::new(1.0, 2.0, 3.0);
    let (geometry, params) = body(vec![loaded, point("b", test_points()[1])]);
    let asset = bake_body(&geometry, &params);
    let bytes = asset.to_bytes();
    let again = GreensAsset::from_bytes(&bytes).expect("its own bytes");
    assert!(again == asset && again.to_bytes() == bytes);
    assert!(GreensAsset::from_bytes(&bytes[..bytes.len() - 9]).is_err());

    let key = |points| bake::key(&geometry, &body(points).1);
    let plain = key(vec![point("a", test_points()[0])]);
    assert_ne!(plain, key(Vec::new()));
    assert_ne!(plain, key(vec![point("a", test_points()[1])]));
    assert_ne!(plain, key(vec![point("b", test_points()[0])]));
    let (_, outside) = body(vec![point("far", Vec3::new(0.0, 0.25, 0.0))]);
    let refused = refused(&geometry, &outside);
    assert!(
        matches!(&refused, BakeError::PointOutside { name, distance, .. }
            if name == "far" && (distance - 0.1).abs() < 1e-12),
        "{refused}"
    );
}

#[test]
fn a_point_in_a_part_that_nothing_holds_is_refused() {
    let mut geometry = held_box(Vec3::repeat(0.2), [2, 2, 2], None);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let shift = Vec3::new(0.5, 0.3, 0.0);
    geometry.greens_level = Some(Arc::new(with_loose_part(mesh, shift)));
    let params = QuasistaticParams {
        inside: vec![point("held", Vec3::zeros()), point("loose", shift)],
        ..params(Precision::Double)
    };
    let name = "loose".to_string();
    assert_eq!(refused(&geometry, &params), BakeError::PointLoose { name });
}
