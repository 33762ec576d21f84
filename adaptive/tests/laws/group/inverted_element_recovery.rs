//! A body of several that is torn or has impossible constraints: its nodes are put back, or it is held for a frame, and the others go on.

use pliant_contact::GroupOptions;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, Degradation, OwnContact};

use crate::bodies::{With, counter, max_displacement, momenta, shown, weight, with_weight};
use crate::cut::cuts::set_by_position;
use crate::cut::slab::{SMALL, inversion_resistant, slab_of};
use crate::group::cut_bodies::{PLENTY, cube, model};
use crate::group::levels::{SIDE, center, floor, free, group, run};
use crate::limits::fallback_hold::impossible_constraints;
use crate::limits::inverted_element_recovery::torn_bar;

#[test]
fn a_torn_part_of_a_supported_body_recovers_beside_others() {
    let beside = || {
        let models = vec![torn_bar(3.0, 6.0), model(&cube(1000.0, 0.2), PLENTY)];
        let options = GroupOptions::default().with(|p| p.sleeping = false);
        group(models, &[Vec3::zeros(), Vec3::new(0.0, -1.0, 3.0)], options)
    };
    let mut both = beside();
    both.models_mut()[0] = torn_bar(3.0, 6.0);
    both.touch_up();
    let nothing = BoundaryConditions::default();
    run(&mut both, 6, &nothing);
    assert!(
        max_displacement(&both.models()[0]) > 3.3,
        "before the recovery delay"
    );
    let saved = both.snapshot();
    run(&mut both, 24, &nothing);
    assert!(both.frozen().is_empty(), "{:?}", both.frozen());
    assert!(counter(&both, "mended_nodes") > 0.0, "nothing was torn");
    let off = max_displacement(&both.models()[0]);
    assert!(off < 0.6, "{off} m");
    let end = both.snapshot();
    let mut other = beside();
    other.restore(&saved).expect("same bodies");
    run(&mut other, 24, &nothing);
    assert!(other.snapshot() == end);
}

#[test]
fn recovery_of_a_free_body_conserves_momentum() {
    let models = vec![
        model(&cube(1000.0, 0.2), PLENTY),
        model(&cube(300.0, 0.2), PLENTY),
    ];
    let mut group = group(models, &[Vec3::zeros(), Vec3::new(2.0, 0.0, 0.0)], free());
    let corner = Vec3::repeat(0.5 * SIDE);
    let cut = group.models_mut()[0].cut_mut().expect("a cut");
    // a corner twenty lengths away, on a body that moves and rotates
    set_by_position(cut, |x| {
        let v = Vec3::new(0.3, 0.1, 0.0) + Vec3::z().cross(x) * 2.0;
        match (x - corner).norm() < 1e-9 {
            true => (x * 40.0, v),
            false => (*x, v),
        }
    });
    group.touch_up();
    let first = [0, 1].map(|k| momenta(&group.models()[k]));
    let nothing = BoundaryConditions::default();
    for k in 0..90 {
        run(&mut group, 1, &nothing);
        let now = [0, 1].map(|k| momenta(&group.models()[k]));
        let scale = first[0].0.norm();
        for (now, first) in now.iter().zip(&first) {
            let off = (now.0 - first.0).norm() + (now.1 - first.1).norm();
            assert!(off < 1e-9 * scale, "{k}: {off} of {scale}");
        }
    }
    assert!(counter(&group, "mended_nodes") > 0.0, "nothing was torn");
    assert!(group.frozen().is_empty(), "{:?}", group.frozen());
    let skin = shown(&group.models()[0]);
    let middle = center(&group.models()[0]);
    let reach = (0..skin.positions.len())
        .map(|v| (skin.position(v) - middle).norm())
        .fold(0.0, f64::max);
    let whole = corner.norm();
    assert!(
        reach > 0.95 * whole && reach < 1.05 * whole,
        "{reach} {whole}"
    );
}

#[test]
fn a_supported_body_is_held_under_impossible_constraints_while_others_fall() {
    let slab = slab_of(&SMALL[..2], inversion_resistant(2e4, 0.1));
    let models = vec![model(&slab, PLENTY), model(&cube(1000.0, 0.2), PLENTY)];
    let at = [Vec3::zeros(), Vec3::new(3.0, 1.0, 0.0)];
    let mut group = group(models, &at, GroupOptions::default());
    group.set_tools(&[floor(Vec3::y(), 0.5)]);
    let skin = slab.skin.clone();
    let (mut given_up, mut saved) = (Vec::new(), None);
    for frame in 0..40_u32 {
        let boundary = with_weight(impossible_constraints(&skin, frame));
        let report = run(&mut group, 1, &boundary);
        given_up.extend(report.degraded);
        assert_eq!(group.reactions().len(), boundary.displacements().len());
        assert!(group.reactions().iter().flatten().all(|c| c.is_finite()));
        if frame == 24 {
            // the other one has fallen freely, and is about to land
            let time = f64::from(frame + 1) / 60.0;
            let off = center(&group.models()[1]).y - (1.0 - 0.5 * 9.81 * time * time);
            assert!(off.abs() < 1e-9, "{off:e} m");
        }
        if frame == 20 {
            saved = Some(report.degraded);
            let before = group.snapshot();
            run(&mut group, 1, &boundary);
            let end = group.snapshot();
            group.restore(&before).expect("its own");
            run(&mut group, 1, &boundary);
            assert!(group.snapshot() == end);
            group.restore(&before).expect("its own");
        }
    }
    assert!(saved.is_some());
    let stood = given_up
        .iter()
        .filter(|g| **g == Degradation::StoodStill)
        .count();
    assert!(stood > 5, "{given_up:?}");
    assert_eq!(counter(&group, "stood_still"), stood as f64);
    assert!(group.frozen().is_empty(), "{:?}", group.frozen());
    // and it recovers
    run(&mut group, 120, &weight());
    let off = max_displacement(&group.models()[0]);
    assert!(off < 0.01, "{off} m");
}
