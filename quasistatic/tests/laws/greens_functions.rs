//! Invariants of Green's functions: reciprocity, definiteness, equilibrium, rigid motion.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, SupportRegion};
use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;
use pliant_quasistatic::Precision;

use crate::bodies::{
    RandomNumbers, advance, assert_reciprocal, assert_supported, baked, constrained, held_box,
    hold, model, with_loose_part, with_top,
};

fn held_at_both_ends() -> BodyGeometry {
    let size = Vec3::new(0.2, 0.4, 0.2);
    with_top(held_box(size, [3, 5, 3], Some([5, 7, 5])), 0.19)
}

#[test]
fn columns_are_reciprocal_and_pressing_does_work() {
    let asset = baked(&held_at_both_ends(), Precision::Double);
    assert_reciprocal(&asset);
    let n = asset.nodes();
    let mut random = RandomNumbers(3);
    for _ in 0..20 {
        let forces: Vec<(u32, Vec3)> = (0..n as u32).map(|i| (i, random.vector(1.0))).collect();
        let mut field = vec![0.0; 3 * n];
        asset.matrix.add_columns(&forces, &mut field);
        let work: f64 = forces
            .iter()
            .map(|(i, f)| f.dot(&Vec3::from_column_slice(&field[3 * *i as usize..][..3])))
            .sum();
        assert!(work > 0.0);
    }
}

#[test]
fn moving_all_supports_moves_every_node_alike() {
    let asset = baked(&held_at_both_ends(), Precision::Double);
    assert_supported(&asset, 1e-11);
    let mass = 0.2 * 0.4 * 0.2 * asset.material.density;
    let carried: Mat3 = asset.supports.iter().map(|s| s.gravity).sum();
    assert!((carried + Mat3::identity() * mass).norm() < 1e-11 * mass);
}

#[test]
fn supports_carry_what_acts_on_the_body_also_beside_and_on_held_nodes() {
    let geometry = held_at_both_ends();
    let mut model = model(&geometry, Precision::Single);
    assert!(!model.asset().rows.identity);
    let mass = 0.2 * 0.4 * 0.2 * geometry.material.density;
    let mut random = RandomNumbers(11);
    for _ in 0..20 {
        let count = geometry.skin.vertex_count();
        let gravity = random.vector(10.0);
        let loads: Vec<NodalLoad> = (0..4)
            .map(|_| NodalLoad {
                vertex: random.below(count) as u32,
                force: random.vector(3.0),
            })
            .collect();
        let held = random.below(count);
        let target = geometry.skin.positions[held] + random.vector(0.01);
        let mut boundary = constrained([hold(held as u32, target, None)]);
        boundary.gravity = gravity;
        boundary.set_loads(loads.clone());
        advance(&mut model, &boundary).expect("regular");
        let applied: Vec3 = loads.iter().map(|l| l.force).sum::<Vec3>() + gravity * mass;
        let reactions = model.reactions().iter().chain(model.support_reactions());
        let balance = reactions.sum::<Vec3>() + applied;
        assert!(balance.norm() < 1e-9 * applied.norm(), "{balance}");
    }
}

#[test]
fn loose_parts_stay_at_rest_and_are_mentioned() {
    let mut geometry = held_box(Vec3::repeat(0.2), [2, 2, 2], None);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let both = with_loose_part(mesh, Vec3::new(0.5, 0.3, 0.0));
    let boundary = both.boundary().surface;
    let skin = Arc::new(SurfaceMesh::new(boundary.positions, boundary.triangles));
    geometry.supports = vec![SupportRegion::new("foot", Selection::Lowest(0.01), &skin)];
    geometry.skin = skin.clone();
    geometry.greens_level = Some(Arc::new(both));
    let mut model = model(&geometry, Precision::Single);
    assert!(model.asset().notes.iter().any(|n| n.contains("1 part of")));
    let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    advance(&mut model, &boundary).expect("regular");
    for (v, x) in skin.positions.iter().enumerate() {
        let moves = x.x < 0.2 && x.y > -0.09;
        assert_eq!(model.displacement(v).norm() > 0.0, moves, "{x}");
    }
}
