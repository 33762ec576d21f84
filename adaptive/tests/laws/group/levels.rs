//! Bodies of one level in contact with each other and with tools.

use std::sync::Arc;

use nalgebra::UnitQuaternion;
use pliant_adaptive::{AdaptiveModel, LodHierarchy, Precision};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, Friction};
use pliant_core::contact::{Pose, Tool};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, OwnContact};

use crate::bodies::{
    FRAME, With, baked, block, frame, momenta, on_threads, rayleigh, vertices, weight, with_weight,
};
use crate::cut::cuts::set_by_position;

/// Side of the cubes and edge of their cells, m.
pub const SIDE: f64 = 0.15;
pub const CELL: f64 = 0.05;

/// A cube of 1e5 Pa with levels of these cells, with its density in kg/m³.
pub fn cube_of(cells: &[[usize; 3]], density: f64, zeta: f64) -> Arc<LodHierarchy> {
    let material = Material::isotropic(1e5, 0.3)
        .with_density(density)
        .with_damping_ratio(zeta);
    baked(&block(Vec3::repeat(SIDE), cells, material, None))
}

/// A cube of three cells a side.
pub fn cube(density: f64, zeta: f64) -> Arc<LodHierarchy> {
    cube_of(&[[3; 3]], density, zeta)
}

pub fn model(asset: &Arc<LodHierarchy>, precision: Precision) -> AdaptiveModel {
    crate::bodies::model(asset, rayleigh().with(|p| p.precision = precision))
}

pub fn group(
    models: Vec<AdaptiveModel>,
    at: &[Vec3],
    options: GroupOptions,
) -> BodyGroup<AdaptiveModel> {
    BodyGroup::new(models, at.iter().map(|x| Pose::at(*x)).collect(), options)
}

/// Options without settling and sleeping, in which bodies lose momentum.
pub fn free() -> GroupOptions {
    GroupOptions::default()
        .with(|p| p.settling = 0.0)
        .with(|p| p.sleeping = false)
}

pub fn run(
    group: &mut BodyGroup<AdaptiveModel>,
    frames: usize,
    boundary: &BoundaryConditions,
) -> FrameReport {
    let mut report = FrameReport::default();
    for _ in 0..frames {
        report = group
            .advance(FrameRequest::new(FRAME, boundary))
            .expect("stable");
    }
    report
}

/// Gives each body a velocity, m/s.
pub fn throw(group: &mut BodyGroup<AdaptiveModel>, velocities: &[Vec3]) {
    for (model, v) in group.models_mut().iter_mut().zip(velocities) {
        match model.cut_mut() {
            Some(cut) => set_by_position(cut, |x| (*x, *v)),
            None => {
                let x = model.level_positions().to_vec();
                model.set_state(&x, &vec![*v; x.len()]);
            }
        }
    }
    group.touch_up();
}

/// Momentum and angular momentum of all bodies.
pub fn all_momenta(group: &BodyGroup<AdaptiveModel>) -> (Vec3, Vec3) {
    let each = group.models().iter().map(momenta);
    each.fold((Vec3::zeros(), Vec3::zeros()), |a, b| {
        (a.0 + b.0, a.1 + b.1)
    })
}

pub fn center(model: &AdaptiveModel) -> Vec3 {
    let Some(cut) = model.cut() else {
        return model.level_positions().iter().sum::<Vec3>() / model.level_positions().len() as f64;
    };
    let (mut sum, mut mass) = (Vec3::zeros(), 0.0);
    for &n in cut.operators().active() {
        sum += cut.positions()[n as usize] * cut.masses()[n as usize];
        mass += cut.masses()[n as usize];
    }
    sum / mass
}

pub fn floor(normal: Vec3, friction: f64) -> Tool {
    Tool::floor(normal, Friction::coulomb(friction))
}

#[test]
fn a_body_without_contact_moves_with_the_same_bits_as_alone() {
    let asset = cube(1000.0, 0.1);
    for precision in [Precision::F64, Precision::F32] {
        let mut alone = model(&asset, precision);
        let mut both = group(vec![model(&asset, precision)], &[Vec3::zeros()], free());
        let x: Vec<Vec3> = alone.level_positions().iter().map(|x| x * 1.1).collect();
        let v: Vec<Vec3> = x.iter().map(|x| Vec3::z().cross(x) * 3.0).collect();
        alone.set_state(&x, &v);
        both.models_mut()[0].set_state(&x, &v);
        both.touch_up();
        let mut reports = (FrameReport::default(), FrameReport::default());
        for _ in 0..40 {
            reports = (frame(&mut alone, &weight()), run(&mut both, 1, &weight()));
            assert_eq!(reports.0.substeps, reports.1.substeps);
        }
        let other = &both.models()[0];
        assert_eq!(alone.level_positions(), other.level_positions());
        assert_eq!(alone.level_velocities(), other.level_velocities());
        assert_eq!(reports.0.energy, reports.1.energy);
        assert!(reports.0.energy.is_some_and(|e| e.elastic > 0.0));
    }
}

/// Two cubes run into each other and part again: momentum stays, and energy does not grow. `each` looks at them after every frame.
pub fn collide(
    models: Vec<AdaptiveModel>,
    frames: usize,
    mut each: impl FnMut(&BodyGroup<AdaptiveModel>),
) {
    let at = [Vec3::new(-0.12, 0.0, 0.0), Vec3::new(0.12, 0.06, 0.03)];
    let mut group = group(models, &at, free());
    throw(&mut group, &[Vec3::x() * 1.5, Vec3::x() * -2.5]);
    let before = all_momenta(&group);
    let scale = momenta(&group.models()[0]).0.norm();
    let (mut touched, mut most, mut open) = (0, 0.0_f64, 0.0_f64);
    let first = run(&mut group, 1, &BoundaryConditions::default());
    let first = first.energy.expect("an account");
    for _ in 0..frames {
        let report = run(&mut group, 1, &BoundaryConditions::default());
        touched += usize::from(group.force_between(0, 1).norm() > 0.0);
        let off = (all_momenta(&group).0 - before.0).norm();
        assert!(off < 1e-9 * scale, "{off}");
        let energy = report.energy.expect("an account");
        most = most.max(energy.kinetic + energy.elastic);
        open = open.max((energy.balance() - first.balance()).abs());
        each(&group);
    }
    assert!(touched > 1, "they met in {touched} frames");
    assert!(most < 1.001 * first.kinetic, "{most} {}", first.kinetic);
    // energy that contact takes counts as dissipated; explicit steps near the stability limit leave an error of 0.3 %
    assert!(open < 5e-3 * first.kinetic, "{open} of {}", first.kinetic);
    // friction acts at both ends of the gap, which gives it a small moment
    let turned = (all_momenta(&group).1 - before.1).norm();
    assert!(turned < 1e-3 * scale, "{turned}");
    assert!(center(&group.models()[1]).x - center(&group.models()[0]).x > 0.2);
}

#[test]
fn colliding_bodies_keep_momentum_and_gain_no_energy() {
    let kinds = [cube(1000.0, 0.0), cube(300.0, 0.0)];
    let models = kinds.iter().map(|a| model(a, Precision::F64)).collect();
    collide(models, 60, |_| {});
}

/// A cube of 100 kg/m³ rests on one of 1000, which lies on the floor, with cells of the edge `cell`, m. Returns the steps of each frame.
pub fn light_on_heavy(models: Vec<AdaptiveModel>, cell: f64) -> Vec<u32> {
    let at = [Vec3::new(0.0, 0.08, 0.0), Vec3::new(0.02, 0.24, -0.01)];
    let mut group = group(models, &at, GroupOptions::default());
    group.set_tools(&[floor(Vec3::y(), 0.5)]);
    let (mut deepest, mut steps) = (0.0_f64, Vec::new());
    for _ in 0..300 {
        let report = run(&mut group, 1, &weight());
        deepest = deepest.max(group.contact_counts().depth);
        steps.push(report.substeps);
    }
    let weights = [1000.0, 100.0].map(|d| d * SIDE.powi(3) * 9.81);
    let on_floor = -group.wrenches()[0].force.y / (weights[0] + weights[1]);
    assert!((on_floor - 1.0).abs() < 0.01, "{on_floor}");
    let between = group.force_between(1, 0) / weights[1];
    assert!((between.y - 1.0).abs() < 0.01, "{between:?}");
    assert!(between.x.abs() + between.z.abs() < 0.02, "{between:?}");
    // they lie on each other, compressed by their weight (about 2 % of the side), and the contact depth was never more than a hundredth of a cell
    let [low, high] = [0, 1].map(|k| center(&group.models()[k]).y);
    let apart = (high - low) / SIDE;
    assert!(apart > 0.97 && apart < 1.0, "{apart}");
    assert!(deepest < 0.01 * cell, "{deepest}");
    assert!(group.is_asleep(0) && group.is_asleep(1));
    steps
}

#[test]
fn a_light_cube_rests_on_a_heavy_one_and_both_weights_are_right() {
    let (heavy, light) = (cube(1000.0, 0.3), cube(100.0, 0.3));
    for precision in [Precision::F64, Precision::F32] {
        light_on_heavy(
            vec![model(&heavy, precision), model(&light, precision)],
            CELL,
        );
    }
}

/// Asserts that a falling stack of `count` bodies has the same bits with 1, 2 and 8 threads, and after each restore between runs of `frames`.
pub fn same_bits_and_restored(
    count: u32,
    frames: [usize; 3],
    model: impl Fn(usize) -> AdaptiveModel + Sync,
) {
    let at: Vec<Vec3> = (0..count)
        .map(|k| {
            let t = f64::from(k);
            Vec3::new(0.05 * (t * 2.0).sin(), 0.1 + 0.18 * t, 0.05 * t.cos())
        })
        .collect();
    let end = |threads: usize| {
        on_threads(threads, || {
            let models = || (0..at.len()).map(&model).collect();
            let mut one = group(models(), &at, GroupOptions::default());
            one.set_tools(&[floor(Vec3::y(), 0.5)]);
            for frames in frames {
                run(&mut one, frames, &weight());
                let middle = one.snapshot();
                let mut other = group(models(), &at, GroupOptions::default());
                other.set_tools(&[floor(Vec3::y(), 0.5)]);
                other.restore(&middle).expect("its own");
                assert!(other.snapshot() == middle, "{frames}: not the same at once");
                let reports = [&mut one, &mut other].map(|g| run(g, 20, &weight()));
                assert_eq!(reports[0], reports[1], "{frames}");
                assert!(one.snapshot() == other.snapshot(), "{frames}: restored");
            }
            one.snapshot()
        })
    };
    let one = end(1);
    assert!(end(2) == one && end(8) == one);
}

#[test]
fn any_number_of_threads_and_a_restore_give_the_same_bits() {
    let kinds = [cube(1000.0, 0.2), cube(300.0, 0.2)];
    // includes bodies that contact slows, and sleeping ones
    same_bits_and_restored(6, [40, 80, 200], |k| model(&kinds[k % 2], Precision::F32));
}

#[test]
fn friction_holds_a_body_on_a_slope_or_lets_it_slide() {
    let asset = cube(1000.0, 0.3);
    let slope = 20.0_f64.to_radians();
    let normal = Vec3::new(slope.sin(), slope.cos(), 0.0);
    let down = Vec3::new(slope.cos(), -slope.sin(), 0.0);
    for (friction, slides) in [(0.6, false), (0.15, true)] {
        let models = vec![model(&asset, Precision::F32)];
        let home = Pose {
            position: normal * (0.5 * SIDE),
            orientation: UnitQuaternion::from_axis_angle(&-Vec3::z_axis(), slope),
        };
        let mut group = BodyGroup::new(models, vec![home], free());
        group.set_tools(&[floor(normal, friction)]);
        run(&mut group, 60, &weight());
        let speed =
            || -> f64 { momenta(&group.models()[0]).0.dot(&down) / (1000.0 * SIDE.powi(3)) };
        let before = speed();
        run(&mut group, 30, &weight());
        let gained = (momenta(&group.models()[0]).0.dot(&down) / (1000.0 * SIDE.powi(3)) - before)
            / (30.0 * FRAME);
        let expected = 9.81 * (slope.sin() - friction * slope.cos());
        if slides {
            assert!(
                (gained / expected - 1.0).abs() < 0.03,
                "{gained} {expected}"
            );
        } else {
            assert!(
                gained.abs() < 0.01 && before.abs() < 0.01,
                "{gained} {before}"
            );
        }
    }
}

/// Asserts that a cube with a held lower side carries the weight of another one, after `action`.
pub fn held_below(
    models: Vec<AdaptiveModel>,
    options: GroupOptions,
    action: impl FnOnce(&mut BodyGroup<AdaptiveModel>, &BoundaryConditions),
) {
    let skin = models[0].surface().clone();
    let at = [Vec3::zeros(), Vec3::new(0.01, SIDE + 0.005, 0.0)];
    let mut group = group(models, &at, options);
    let lowest = vertices(&skin, |x| x.y < -0.5 * SIDE + 1e-9).into_iter();
    let held = lowest.map(|v| DisplacementConstraint::held(v, skin.positions[v as usize]));
    let boundary = with_weight(held);
    action(&mut group, &boundary);
    let reaction: Vec3 = group.reactions().iter().sum();
    let expected = 2.0 * 1000.0 * SIDE.powi(3) * 9.81;
    assert!(
        (reaction.y / expected - 1.0).abs() < 0.01,
        "{reaction:?} {expected}"
    );
    assert_eq!(group.reactions().len(), boundary.displacements().len());
}

#[test]
fn a_held_body_carries_what_lies_on_it() {
    let asset = cube(1000.0, 0.3);
    let models = vec![model(&asset, Precision::F32), model(&asset, Precision::F32)];
    held_below(models, GroupOptions::default(), |group, boundary| {
        run(group, 300, boundary);
    });
}
