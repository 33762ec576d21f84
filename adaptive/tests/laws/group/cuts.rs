//! Bodies on cuts in contact with each other and with tools.

use nalgebra::UnitQuaternion;
use pliant_adaptive::{AdaptiveModel, Precision};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::Pose;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, OwnContact};
use pliant_core::scene::Selection;

use crate::bodies::{With, baked, block, frame, momenta, weight};
use crate::cut::cuts::set_by_position;
use crate::group::cut_bodies::{PLENTY, active, bar, cube, model};
use crate::group::failed_body::{rest_and_start_over, three_bodies};
use crate::group::levels::{
    SIDE, all_momenta, center, collide, floor, free, group, held_below, light_on_heavy, run,
    same_bits_and_restored, throw,
};

#[test]
fn colliding_cuts_split_keep_momentum_and_gain_no_energy() {
    let kinds = [cube(1000.0, 0.0), cube(300.0, 0.0)];
    let models: Vec<_> = kinds.iter().map(|a| model(a, PLENTY)).collect();
    let coarse = active(&models[0]);
    let mut counts = Vec::new();
    collide(models, 90, |group| counts.push(active(&group.models()[0])));
    assert!(counts.iter().all(|c| *c > coarse), "{counts:?}");
}

#[test]
fn a_light_cut_rests_on_a_heavy_one_and_both_weights_are_right() {
    let (heavy, light) = (cube(1000.0, 0.3), cube(100.0, 0.3));
    let models = vec![model(&heavy, PLENTY), model(&light, PLENTY)];
    let steps = light_on_heavy(models, SIDE / 4.0);
    // contact acts as often as the elements around it fire; before the first contact one step is enough, and sleeping bodies need none
    assert_eq!(steps[0], 1, "{steps:?}");
    assert!(
        steps[150..].iter().all(|s| *s == 0) && steps[5] > 16,
        "{steps:?}"
    );
}

#[test]
fn bars_are_fine_where_they_hit_each_other_and_coarse_elsewhere() {
    let at = [Vec3::new(-0.42, 0.0, 0.0), Vec3::new(0.42, 0.02, 0.01)];
    let mut group = group(vec![bar(1000.0), bar(700.0)], &at, free());
    throw(&mut group, &[Vec3::x() * 1.0, Vec3::x() * -1.0]);
    let before = all_momenta(&group).0;
    let scale = momenta(&group.models()[0]).0.norm();
    let first = run(&mut group, 1, &BoundaryConditions::default());
    let first = first.energy.expect("an account");
    let coarse = active(&group.models()[0]);
    let (mut finest, mut open, mut most) = (0, 0.0_f64, 0.0_f64);
    for _ in 0..90 {
        let report = run(&mut group, 1, &BoundaryConditions::default());
        assert!((all_momenta(&group).0 - before).norm() < 1e-9 * scale);
        let cut = group.models()[0].cut().expect("a cut").cut();
        finest = finest.max(cut.active_count());
        if cut.active_count() > coarse {
            let levels = cut.evaluated_counts();
            assert!(levels.iter().all(|c| *c > 0), "not all fine: {levels:?}");
        }
        let energy = report.energy.expect("an account");
        most = most.max(energy.kinetic + energy.elastic);
        open = open.max((energy.balance() - first.balance()).abs());
    }
    assert!(finest > 2 * coarse, "{coarse} to {finest}");
    let last = active(&group.models()[0]);
    assert!(last < finest, "nothing merged again: {last} of {finest}");
    assert!(most < 1.005 * first.kinetic, "{most} {}", first.kinetic);
    assert!(open < 1e-2 * first.kinetic, "{open} of {}", first.kinetic);
}

#[test]
fn a_cut_without_contact_moves_with_the_same_bits_as_alone() {
    // frames of groups are halved only; those of single bodies may be divided into three, five or seven parts first
    let mut compared = 0;
    for k in 0..12 {
        let material = Material::isotropic(1e5 * 1.13_f64.powi(k), 0.3).with_damping_ratio(0.0);
        let cells = [[2; 3], [4; 3]];
        let asset = baked(&block(Vec3::repeat(SIDE), &cells, material, None));
        let mut alone = model(&asset, PLENTY);
        let mut both = group(vec![model(&asset, PLENTY)], &[Vec3::zeros()], free());
        for model in [&mut alone, &mut both.models_mut()[0]] {
            set_by_position(model.cut_mut().expect("a cut"), |x| {
                let x = x * 1.1;
                (x, Vec3::z().cross(&x) * 3.0)
            });
        }
        both.touch_up();
        for _ in 0..40 {
            let reports = (frame(&mut alone, &weight()), run(&mut both, 1, &weight()));
            let cuts = [&alone, &both.models()[0]].map(|m| m.cut().expect("a cut"));
            if cuts[0].steps().parts() > 1 {
                break;
            }
            assert_eq!(cuts[0].positions(), cuts[1].positions());
            assert_eq!(cuts[0].velocities(), cuts[1].velocities());
            assert_eq!(reports.0.energy, reports.1.energy);
            compared += 1;
        }
    }
    assert!(
        compared > 40,
        "{compared} frames of 480 are only halved alone"
    );
}

#[test]
fn any_number_of_threads_and_a_restore_give_the_same_bits() {
    let kinds = [cube(1000.0, 0.2), cube(300.0, 0.2)];
    // too small for all splits that the criterion asks for
    same_bits_and_restored(5, [30, 60, 150], |k| model(&kinds[k % 2], 40_000));
}

#[test]
fn a_held_cut_carries_what_lies_on_it_and_the_cut_comes_to_rest() {
    let asset = cube(1000.0, 0.3);
    let models = vec![model(&asset, PLENTY), model(&asset, PLENTY)];
    let options = GroupOptions::default().with(|p| p.sleeping = false);
    let cuts = |group: &BodyGroup<AdaptiveModel>| -> Vec<_> {
        let cut = |m: &AdaptiveModel| m.cut().expect("a cut").cut().states().to_vec();
        group.models().iter().map(cut).collect()
    };
    held_below(models, options, |group, boundary| {
        run(group, 200, boundary);
        let before = cuts(group);
        let first = run(group, 1, boundary).energy.expect("an account");
        for _ in 0..100 {
            let last = run(group, 1, boundary).energy.expect("an account");
            assert_eq!(cuts(group), before, "it does not settle");
            let open = (last.balance() - first.balance()).abs();
            assert!(open < 1e-4 * first.elastic, "{open} of {}", first.elastic);
        }
    });
}

#[test]
fn a_cut_that_diverges_stops_and_the_others_come_to_rest() {
    let asset = cube(1000.0, 0.2);
    let mut group = three_bodies((0..3).map(|_| model(&asset, PLENTY)).collect());
    run(&mut group, 10, &weight());
    let cut = group.models_mut()[1].cut_mut().expect("a cut");
    set_by_position(cut, |x| (*x, (x * 1e3).map(f64::sin) * 1e6));
    group.touch_up();
    run(&mut group, 1, &weight());
    let [frozen] = group.frozen() else {
        panic!("{:?}", group.frozen());
    };
    assert_eq!(frozen.body, 1);
    let told = |part: &str| frozen.cause.contains(part);
    assert!(told("the kinetic energy reached"), "{frozen:?}");
    assert!(told("tetrahedron"), "{frozen:?}");
    run(&mut group, 250, &weight());
    assert_eq!(group.frozen().len(), 1);
    rest_and_start_over(&mut group);
}

/// Largest number of active nodes of a cube that falls beside one at rest, after the first second.
fn finest_beside(sleeping: bool) -> usize {
    let asset = cube(1000.0, 0.3);
    let models = vec![model(&asset, 40_000), model(&asset, 40_000)];
    let at = [Vec3::new(0.0, 0.08, 0.0), Vec3::new(1.0, 6.0, 0.0)];
    let options = GroupOptions::default().with(|p| p.sleeping = sleeping);
    let mut group = group(models, &at, options);
    group.set_tools(&[floor(Vec3::y(), 0.5)]);
    run(&mut group, 60, &weight());
    assert_eq!(group.is_asleep(0), sleeping);
    let mut most = 0;
    for _ in 0..60 {
        let report = run(&mut group, 1, &weight());
        most = most.max(active(&group.models()[1]));
        assert!(report.work_used > 0);
    }
    most
}

#[test]
fn sleeping_bodies_leave_their_budget_to_others() {
    let [awake, asleep] = [false, true].map(finest_beside);
    assert!(asleep > awake + 10, "{awake} {asleep}");
}

#[test]
fn a_cut_and_a_level_touch_each_other() {
    let level = crate::group::levels::cube(1000.0, 0.0);
    let cut = cube(500.0, 0.0);
    let level = crate::group::levels::model(&level, Precision::F64);
    let at = [Vec3::new(-0.1, 0.0, 0.0), Vec3::new(0.1, 0.02, 0.01)];
    let mut group = group(vec![level, model(&cut, PLENTY)], &at, free());
    throw(&mut group, &[Vec3::x() * 2.0]);
    let before = all_momenta(&group).0;
    let first = run(&mut group, 1, &BoundaryConditions::default());
    let first = first.energy.expect("an account");
    for _ in 0..40 {
        let report = run(&mut group, 1, &BoundaryConditions::default());
        let off = (all_momenta(&group).0 - before).norm();
        assert!(off < 1e-9 * before.norm(), "{off}");
        let energy = report.energy.expect("an account");
        // velocities of a level are half a step behind those of a cut, and contact acts on both
        let open = (energy.balance() - first.balance()).abs();
        assert!(open < 1e-2 * first.kinetic, "{open} of {}", first.kinetic);
    }
    assert!(momenta(&group.models()[1]).0.x > 0.3 * before.x);
}

#[test]
fn a_supported_cut_at_another_pose_carries_what_falls_on_it() {
    let material = Material::isotropic(1e5, 0.3).with_damping_ratio(0.3);
    let size = Vec3::new(0.4, 0.1, 0.4);
    let cells = [[4, 1, 4], [8, 2, 8]];
    let foot = Some(Selection::Lowest(0.01));
    let table = baked(&block(size, &cells, material, foot));
    let models = vec![model(&table, PLENTY), model(&cube(1000.0, 0.3), PLENTY)];
    let turned = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), 0.5);
    let places = [Vec3::new(3.0, 1.0, -2.0), Vec3::new(3.02, 1.13, -2.01)];
    let homes = vec![
        Pose {
            position: places[0],
            orientation: turned,
        },
        Pose::at(places[1]),
    ];
    let mut group = BodyGroup::new(models, homes, GroupOptions::default());
    let coarse = active(&group.models()[0]);
    let last = run(&mut group, 240, &weight());
    assert!(last.energy.is_some());
    assert!(group.frozen().is_empty(), "{:?}", group.frozen());
    let reaction: Vec3 = group.support_reactions().iter().sum();
    let expected = 9.81 * 1000.0 * (size.product() + SIDE.powi(3));
    assert!(
        (reaction.y.abs() / expected - 1.0).abs() < 0.01,
        "{reaction:?} {expected}"
    );
    assert!(active(&group.models()[0]) > coarse, "contact refines");
    let place = center(&group.models()[1]) - places[1];
    assert!(place.norm() < 0.02, "{place:?}");
}
