//! The same bits for any number of threads, from snapshots, and in a steady state.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::{Precision, QuasistaticModel};

use crate::bodies::{
    above, advance, baked, constrained, counter, held_box, model, on_threads, params, push,
};

fn poke(skin: &SurfaceMesh, depth: f64) -> BoundaryConditions {
    let mut boundary = constrained(above(skin, 0.099).into_iter().map(|v| {
        let x = skin.positions[v as usize];
        let height = 0.1 - depth + 2.0 * (x.x * x.x + x.z * x.z);
        push(v, Vec3::new(x.x, height, x.z), -Vec3::y())
    }));
    boundary.gravity = Vec3::new(0.0, -9.81, 0.0);
    boundary
}

#[test]
fn bake_and_frames_have_the_same_bits_on_1_2_and_8_threads() {
    let geometry = held_box(Vec3::repeat(0.2), [9, 9, 9], Some([13, 13, 13]));
    let run = |threads: usize| {
        on_threads(threads, || {
            let asset = baked(&geometry, Precision::Single);
            let mut model = QuasistaticModel::new(asset.clone(), &params(Precision::Single));
            for depth in [0.01, 0.02, 0.005] {
                advance(&mut model, &poke(&geometry.skin, depth)).expect("regular");
            }
            let state = model.snapshot().values.into_iter();
            (asset, state.map(f64::to_bits).collect::<Vec<u64>>())
        })
    };
    let (asset, state) = run(1);
    for threads in [2, 8] {
        let (other, end) = run(threads);
        assert!(*asset == *other, "bake on {threads} threads");
        assert!(state == end, "frames on {threads} threads");
    }
}

#[test]
fn a_snapshot_continues_to_the_same_bits() {
    let geometry = held_box(Vec3::repeat(0.2), [4, 4, 4], Some([7, 7, 7]));
    let mut first = model(&geometry, Precision::Single);
    advance(&mut first, &poke(&geometry.skin, 0.01)).expect("regular");
    let snapshot = first.snapshot();
    let mut second = model(&geometry, Precision::Single);
    second.restore(&snapshot).expect("the same body");
    assert_eq!(second.reactions(), first.reactions());
    assert_eq!(second.displacement(40), first.displacement(40));
    for depth in [0.012, 0.003] {
        let boundary = poke(&geometry.skin, depth);
        let a = advance(&mut first, &boundary).expect("regular");
        let b = advance(&mut second, &boundary).expect("regular");
        assert_eq!(a.max_violation.to_bits(), b.max_violation.to_bits());
        assert_eq!(first.snapshot(), second.snapshot());
    }
    first.reset();
    assert_eq!(
        first.snapshot(),
        model(&geometry, Precision::Single).snapshot()
    );

    let other = held_box(Vec3::repeat(0.2), [3, 3, 3], None);
    let mut other = model(&other, Precision::Single);
    assert!(other.restore(&snapshot).is_err());
    let mut broken = snapshot.clone();
    broken.values[3] = f64::MAX;
    assert!(second.restore(&broken).is_err());
    broken.values.clear();
    assert!(second.restore(&broken).is_err());
}

#[test]
fn a_steady_frame_factorises_nothing() {
    let geometry = held_box(Vec3::repeat(0.2), [4, 4, 4], None);
    let mut model = model(&geometry, Precision::Single);
    let boundary = poke(&geometry.skin, 0.01);
    advance(&mut model, &boundary).expect("regular");
    assert!(counter(&model, "factorisations") > 0.0);
    let before = model.snapshot();
    advance(&mut model, &boundary).expect("regular");
    assert_eq!(counter(&model, "factorisations"), 0.0);
    assert_eq!(counter(&model, "solves"), 1.0);
    assert_eq!(before, model.snapshot());
}
