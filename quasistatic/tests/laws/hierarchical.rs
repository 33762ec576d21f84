//! A hierarchical matrix on a body of finite elements without levels: its file and its force.

use std::sync::Arc;

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::{GreensAsset, QuasistaticModel, QuasistaticParams};

use crate::bodies::{above, advance, bake_body, constrained, held_box};

#[test]
fn a_hierarchical_matrix_gives_the_force_of_dense_columns_and_a_small_file() {
    let geometry = held_box(Vec3::new(0.1, 0.2, 0.1), [8, 16, 8], None);
    let [dense, small] = [None, Some(0.01)].map(|hierarchical| {
        let params = QuasistaticParams {
            hierarchical,
            ..QuasistaticParams::default()
        };
        bake_body(&geometry, &params)
    });
    assert!(
        small.matrix.bytes() * 8 < dense.matrix.bytes(),
        "{}",
        small.matrix.bytes()
    );
    assert!(small.matrix.is_reciprocal());
    let bytes = small.to_bytes();
    assert!(
        GreensAsset::from_bytes(&bytes).as_ref() == Ok(&small),
        "the same bits"
    );
    assert!(GreensAsset::from_bytes(&bytes[..bytes.len() / 2]).is_err());
    let constraint = |vertex: u32| {
        DisplacementConstraint::held(
            vertex,
            geometry.skin.positions[vertex as usize] - Vec3::new(0.0, 4e-3, 1e-3),
        )
    };
    let top = above(&geometry.skin, 0.0999).into_iter().take(9);
    let conditions = constrained(top.map(constraint));
    let force = |asset: GreensAsset| -> Vec3 {
        let mut model = QuasistaticModel::new(Arc::new(asset), &QuasistaticParams::default());
        advance(&mut model, &conditions).expect("solved");
        model.reactions().iter().sum()
    };
    let (dense, small) = (force(dense), force(small));
    assert!(
        (dense - small).norm() < 0.01 * dense.norm(),
        "{dense} {small}"
    );
}
