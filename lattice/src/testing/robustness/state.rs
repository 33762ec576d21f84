//! Snapshots, reset, parameters, supports and errors.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::{Inspect, ParameterError, ParameterValue, QuantityBuffer};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, VoxelGrid};
use pliant_core::model::{DeformableModel, SnapshotMismatch};
use pliant_core::scene::{BoneDescription, BoneShape, Selection};

use crate::testing::bodies::{baked, ball, body_of, grid_of, model_of, refusal, run, undamped};
use crate::{LatticeModel, LatticeParams, Precision, ShapeMatching, bake, key};

fn gravity() -> BoundaryConditions {
    BoundaryConditions::with_gravity(Vec3::new(1.0, -9.81, 0.5))
}

#[test]
fn a_restored_snapshot_continues_to_the_same_bits() {
    let geometry = body_of(ball(3.0, 0.0), 0.2);
    let default = LatticeParams::default;
    let single = |energy_accounting: bool| {
        let params = default().in_precision(Precision::Single);
        params.with(|p| p.energy_accounting = Some(energy_accounting))
    };
    let bone = BoneDescription {
        name: "ball".to_string(),
        shape: BoneShape::Sphere {
            center: [0.0, 0.05, 0.0],
            radius: 0.06,
        },
    };
    let whole_body = ShapeMatching::Quadratic { beta: 0.5 };
    for params in [
        default(),
        single(true),
        single(false),
        default().with(|p| p.bones = vec![bone]),
        default().with(|p| p.matching = whole_body),
    ] {
        a_snapshot_continues(&geometry, &params);
    }
}

fn a_snapshot_continues(geometry: &BodyGeometry, params: &LatticeParams) {
    let mut model = model_of(geometry, params);
    run(&mut model, 7, &gravity()).expect("stable");
    let snapshot = model.snapshot();
    let expected = run(&mut model, 9, &gravity()).expect("stable");
    let (x, v) = (model.x.clone(), model.v.clone());
    let mut other = model_of(geometry, params);
    assert_eq!(other.restore(&snapshot), Ok(()));
    assert_eq!(other.snapshot(), snapshot);
    assert_eq!(run(&mut other, 9, &gravity()), Some(expected));
    assert!(other.x == x && other.v == v);
    let mut small = model_of(&body_of(ball(2.0, 0.0), 0.2), params);
    assert_eq!(small.restore(&snapshot), Err(SnapshotMismatch));
}

#[test]
fn reset_is_rest() {
    let mut model = model_of(&body_of(ball(3.0, 0.0), 0.2), &LatticeParams::default());
    let fresh = model.snapshot();
    let first = run(&mut model, 5, &gravity());
    model.reset();
    assert_eq!(model.snapshot(), fresh);
    assert_eq!(run(&mut model, 5, &gravity()), first);
    model.reset();
    let (mut frame, rest) = (
        SurfaceFrame::default(),
        SurfaceFrame::at_rest(model.surface()),
    );
    model.write_surface(&mut frame);
    for (a, b) in frame.positions.iter().zip(&rest.positions) {
        assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-6));
    }
}

#[test]
fn parameters_act_or_say_why_not() {
    let mut model = model_of(
        &body_of(grid_of([4, 4, 4], |_| true), 0.001),
        &LatticeParams::default(),
    );
    let number = ParameterValue::Number;
    assert_eq!(model.set_parameter("young", number(4e4)), Ok(()));
    assert!((model.calibration.young / 4e4 - 1.0).abs() < 1e-12);
    assert_eq!(model.set_parameter("steps", number(9.0)), Ok(()));
    assert_eq!(model.parameter("steps"), Ok(number(9.0)));
    assert!((model.calibration.young / 4e4 - 1.0).abs() < 1e-12);
    assert!(
        matches!(model.set_parameter("young", number(1e9)), Err(ParameterError::OutOfRange { max, .. }) if max > 4e4)
    );
    assert!((model.calibration.young / 4e4 - 1.0).abs() < 1e-12);
    assert_eq!(model.set_parameter("damping_ratio", number(0.0)), Ok(()));
    assert!(matches!(
        model.set_parameter("half_width", number(2.0)),
        Err(ParameterError::NeedsBake(_))
    ));
    assert!(matches!(
        model.parameter("mood"),
        Err(ParameterError::Unknown(_))
    ));
    for info in model.parameters().to_vec() {
        assert!(model.parameter(info.name).is_ok());
    }
    run(&mut model, 1, &gravity()).expect("stable");
    let mut buffer = QuantityBuffer::default();
    for info in model.quantities().to_vec() {
        model
            .sample_quantity(info.name, &mut buffer)
            .expect("listed");
        assert_eq!(buffer.points.len(), model.x.len());
        assert!(buffer.scalars.iter().any(|&s| s > 0.0), "{}", info.name);
    }
    let stats = model.stats();
    assert_eq!((stats.total_nodes, stats.active_nodes), (125, 100));
    assert!(stats.notes.iter().any(|n| n.contains("Poisson")));
}

#[test]
fn loose_pieces_and_bad_bodies_are_named() {
    // two blocks, one of them on the floor
    let grid = grid_of([3, 7, 3], |c| c[1] != 3);
    let geometry = body_of(grid, 0.01);
    let default = LatticeParams::default();
    let asset = baked(&geometry, &default);
    assert_eq!(asset.component_count(), 2);
    assert!(asset.notes().iter().any(|n| n.contains("1 of 2")));
    let with = |change: &dyn Fn(&mut BodyGeometry)| {
        let mut changed = geometry.clone();
        change(&mut changed);
        changed
    };
    let with_voxels = |grid: VoxelGrid| BodyGeometry {
        voxels: Some(Arc::new(grid)),
        ..geometry.clone()
    };
    let mut inverted = (*geometry.skin).clone();
    inverted.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let inverted = Arc::new(inverted);
    let mut damaged = grid_of([3, 7, 3], |_| true);
    damaged.kept.pop();
    // far from all of the body
    let aside = SupportRegion::new("aside", Selection::List(Vec::new()), &geometry.skin);
    for (body, code) in [
        (with(&|body| body.voxels = None), "MissingVoxels"),
        (
            with(&|body| body.material.elastic.young = 1e12),
            "StiffnessUnreachable",
        ),
        (with(&|body| body.skin = Arc::clone(&inverted)), "NoVolume"),
        (with_voxels(damaged), "BadGrid"),
        // longer than sites can be numbered, though it has few
        (
            with_voxels(grid_of([70_000, 1, 1], |_| true)),
            "GridTooLarge",
        ),
        (
            with_voxels(grid_of([2, 2, 2], |_| false)),
            "TooFewParticles",
        ),
        (
            with(&|body| body.supports = vec![aside.clone()]),
            "SupportEmpty",
        ),
    ] {
        assert_eq!(refusal(&body, &default), Some(code.to_string()));
    }
    for bad in [
        default.clone().with(|p| p.damp_every = 0),
        default.clone().with(|p| p.alpha = Some(0.0)),
        default.clone().with(|p| p.steps = Some(0)),
    ] {
        assert_eq!(refusal(&geometry, &bad), Some("BadParameter".into()));
    }
    let cancelled = Progress::new();
    cancelled.cancel();
    let error = bake(&geometry, &default, &cancelled).err();
    assert_eq!(error.map(|e| e.code()), Some("Cancelled".into()));
}

#[test]
fn the_key_follows_what_the_bake_depends_on() {
    let (geometry, default) = (body_of(ball(2.0, 0.0), 0.2), LatticeParams::default());
    let base = key(&geometry, &default);
    assert_eq!(base, key(&geometry.clone(), &default));
    // steps do not enter the asset, the half-width does
    let slower = default.clone().with(|p| p.steps = Some(30));
    assert_eq!(base, key(&geometry, &slower));
    assert_ne!(base, key(&geometry, &undamped(2, 1.0, 4)));
    let mut lighter = geometry.clone();
    lighter.material.density = 900.0;
    assert_ne!(base, key(&lighter, &default));
    assert_ne!(base, key(&body_of(ball(2.0, 0.0), 0.4), &default));
    assert_ne!(base, key(&body_of(ball(2.1, 0.0), 0.2), &default));
}

#[test]
fn masses_add_up_to_those_of_the_skin() {
    let geometry = body_of(ball(3.0, 1.5), -1.0);
    let asset = baked(&geometry, &LatticeParams::default());
    let total: f64 = asset.mass.iter().sum();
    assert!((total / (1000.0 * geometry.skin.volume()) - 1.0).abs() < 1e-12);
    // the shares of a particle in its regions are its mass
    let mut shares = vec![0.0; asset.particle_count()];
    for region in 0..asset.region_count() {
        for [first, count] in asset.plan.runs(region) {
            let members = first as usize..(first + count) as usize;
            for (sum, share) in shares[members.clone()]
                .iter_mut()
                .zip(&asset.share[members])
            {
                *sum += share * f64::from(asset.multiplicity[region]);
            }
        }
    }
    for (a, b) in shares.iter().zip(&asset.mass) {
        assert!((a / b - 1.0).abs() < 1e-12);
    }
    let model = LatticeModel::new(Arc::new(asset), &LatticeParams::default()).expect("a model");
    assert!(model.capabilities().free_bodies);
}
