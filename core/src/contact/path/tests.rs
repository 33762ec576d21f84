//! Laws of paths: interpolation, rounds, and what is carried.

use super::*;

fn key(time: f64, y: f64) -> Key {
    Key {
        time,
        position: Vec3::new(0.0, y, 0.0),
        orientation: UnitQuaternion::identity(),
    }
}

fn path(
    keys: &[(f64, f64)],
    interpolation: Interpolation,
    looping: bool,
) -> Result<PosePath, PathError> {
    let keys = keys.iter().map(|(time, y)| key(*time, *y)).collect();
    PosePath::new(keys, interpolation, looping)
}

#[test]
fn every_interpolation_passes_its_keys_and_rests_outside() {
    use Interpolation::{Hermite, Linear, Smooth};
    for interpolation in [Linear, Smooth, Hermite] {
        let keys = [(1.0, 0.0), (2.0, 1.0), (4.0, -1.0)];
        let path = path(&keys, interpolation, false).expect("valid");
        for (t, y) in [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (4.0, -1.0), (9.0, -1.0)] {
            assert!((path.pose(t).position.y - y).abs() < 1e-12);
        }
    }
    let path = path(&[(0.0, 0.0), (2.0, 1.0)], Linear, true).expect("valid");
    assert!((path.pose(5.0).position.y - 0.5).abs() < 1e-12);
}

#[test]
fn keys_between_two_times_are_found_in_each_round() {
    let keys = [(1.0, 0.0), (2.0, 1.0), (4.0, 0.0)];
    let times = |looping: bool, after: f64, before: f64| {
        let path = path(&keys, Interpolation::Linear, looping).expect("valid");
        path.key_times(after, before).collect::<Vec<_>>()
    };
    assert_eq!(times(false, 1.0, 4.0), [2.0]);
    assert_eq!(times(false, 0.0, 9.0), [1.0, 2.0, 4.0]);
    assert!(times(false, 4.0, 9.0).is_empty());
    // the end of a round and the beginning of the next one
    assert_eq!(times(true, 3.0, 7.5), [4.0, 4.0, 5.0, 7.0, 7.0]);
    assert_eq!(times(true, -0.5, 1.5), [1.0, 1.0]);
}

#[test]
fn a_path_is_still_where_all_keys_have_one_pose() {
    let is_still = |keys: Vec<Key>| {
        let path = PosePath::new(keys, Interpolation::Smooth, true).expect("valid");
        path.is_still()
    };
    assert!(is_still(vec![key(3.0, 1.0)]));
    assert!(is_still(vec![key(0.0, 1.0), key(2.0, 1.0)]));
    assert!(!is_still(vec![key(0.0, 1.0), key(2.0, 1.5)]));
    let turned = Key {
        orientation: UnitQuaternion::from_axis_angle(&Vec3::y_axis(), 0.1),
        ..key(2.0, 1.0)
    };
    assert!(!is_still(vec![key(0.0, 1.0), turned]));
}

#[test]
fn what_a_body_carries_keeps_its_pose_relative_to_it() {
    let turned = |time: f64, angle: f64| Key {
        orientation: UnitQuaternion::from_axis_angle(&Vec3::z_axis(), angle),
        ..key(time, time)
    };
    let keys = vec![turned(0.0, 0.3), turned(2.0, 1.5)];
    let carrier = PosePath::new(keys, Interpolation::Smooth, false).expect("valid");
    let offset = Pose {
        position: Vec3::new(0.3, -0.1, 0.2),
        orientation: UnitQuaternion::from_axis_angle(&Vec3::x_axis(), -0.7),
    };
    let carried = carrier.carrying(offset);
    let tip = carried.carrying(Pose::at(Vec3::y()));
    for time in [0.0, 0.4, 1.7, 3.0] {
        let (by, pose) = (carrier.pose(time), carried.pose(time));
        assert_eq!(pose, by.carrying(&offset));
        let shift = Vec3::new(0.0, -2.0, 0.5);
        let moved = carried.moved(&shift).pose(time);
        assert!((moved.position - pose.position - shift).norm() < 1e-12);
        assert_eq!(moved.orientation, pose.orientation);
        assert!((by.to_local(&pose.position) - offset.position).norm() < 1e-14);
        let turn = by.orientation.inverse() * pose.orientation;
        assert!(turn.angle_to(&offset.orientation) < 1e-7);
        let end = pose.to_world(&Vec3::y());
        assert!((tip.pose(time).position - end).norm() < 1e-14);
    }
    assert_eq!(carried.duration(), carrier.duration());
    assert!(!carried.is_still());
}

#[test]
fn what_is_carried_along_a_path_moves_by_both_and_has_the_times_of_both() {
    let path = |keys: &[(f64, f64)], looping: bool| {
        path(keys, Interpolation::Linear, looping).expect("valid")
    };
    let round = |length: f64| path(&[(0.0, 0.0), (length, 1.0)], true);
    let (carrier, finger) = (
        path(&[(1.0, 0.0), (2.0, 1.0), (4.0, 0.5)], false),
        path(&[(1.5, 0.2), (2.0, 0.1), (5.0, -0.3)], false),
    );
    let offset = Pose {
        position: Vec3::x(),
        orientation: UnitQuaternion::from_axis_angle(&Vec3::z_axis(), -0.7),
    };
    let place = PosePath::still(offset).carrying_along(&finger);
    let carried = carrier.carrying_along(&place);
    for time in [0.0, 1.2, 1.7, 3.0, 6.0] {
        let expected = offset.carrying(&finger.pose(time));
        assert_eq!(place.pose(time), expected);
        assert_eq!(carried.pose(time), carrier.pose(time).carrying(&expected));
    }
    let times = |after: f64, before: f64| carried.key_times(after, before).collect::<Vec<_>>();
    assert_eq!(times(0.0, 9.0), [1.0, 1.5, 2.0, 2.0, 4.0, 5.0]);
    assert_eq!(times(1.5, 4.5), [2.0, 2.0, 4.0]);
    assert_eq!((carried.duration(), carried.period()), (5.0, None));
    assert!(!carried.is_still() && !place.is_still());
    // what does not move has no times of its own
    let fixed = round(2.0).carrying_along(&path(&[(0.5, 1.0), (7.0, 1.0)], false));
    assert_eq!((fixed.duration(), fixed.period()), (2.0, Some(2.0)));
    let of_both = |own: f64, other: f64| round(own).carrying_along(&round(other)).period();
    assert_eq!((of_both(2.0, 2.0), of_both(2.0, 3.0)), (Some(2.0), None));
    let at_rest = PosePath::still(offset).carrying_along(&round(3.0));
    assert_eq!(at_rest.period(), Some(3.0));
    let found: Vec<f64> = at_rest.key_times(2.0, 6.5).collect();
    assert_eq!(found, [3.0, 6.0]);
}

#[test]
fn bad_keys_are_named() {
    let linear = |keys: &[(f64, f64)]| path(keys, Interpolation::Linear, false);
    assert_eq!(linear(&[]), Err(PathError::NoKeys));
    let at_once = linear(&[(0.0, 0.0), (0.0, 1.0)]);
    assert_eq!(at_once, Err(PathError::TimesNotRising { index: 1 }));
}
