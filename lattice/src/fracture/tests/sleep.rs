//! Pieces that have come to rest sleep until something touches them.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, Friction, NodalLoad};
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::fracture::tests::blades::{down, pieces};
use crate::fracture::tests::piece_contact::tough;
use crate::numerics::parallel::PARALLEL_THRESHOLD;
use crate::testing::bodies::{
    body_of, constrained, grid_of, links_across, model_of, run, same_on_threads, shift, vertices,
};
use crate::{LatticeModel, LatticeParams, Precision};

/// Where the floor is, m: the lower side of the bar.
const FLOOR: f64 = -0.1;
/// Distance between the halves, m: two cells.
const DISTANCE: f64 = 0.1;
/// Frames after which pieces that were laid down sleep: a second to come to rest, and half a second at rest.
const FRAMES_TO_SLEEP: usize = 90;

fn breakable(precision: Precision) -> LatticeParams {
    tough(precision).damped(0.5)
}

fn bar(precision: Precision) -> LatticeModel {
    model_of(
        &body_of(grid_of([8, 4, 4], |_| true), -1.0),
        &breakable(precision),
    )
}

/// Whether each particle is beyond column `at` of an axis.
fn beyond(body: &LatticeModel, axis: usize, at: u16) -> Vec<bool> {
    let sites = body.asset().sites.iter();
    sites.map(|site| site[axis] > at).collect()
}

/// A body that is cut behind column `at` of an axis, and what is beyond moved by `way` (m).
fn parted(mut body: LatticeModel, axis: usize, at: u16, way: Vec3) -> LatticeModel {
    let links = links_across(body.asset(), axis, at);
    assert_eq!(body.break_links(&links), links.len());
    assert_eq!(pieces(&body), 2);
    let moves = beyond(&body, axis, at);
    shift(&mut body, |p| way * f64::from(u8::from(moves[p])));
    body
}

/// Two halves of a bar beside each other.
fn halves(precision: Precision) -> LatticeModel {
    parted(bar(precision), 0, 3, Vec3::x() * DISTANCE)
}

/// A floor at `height` (m) under the lower side.
fn floor(body: &LatticeModel, height: f64) -> Vec<DisplacementConstraint> {
    let lowest = body.surface().bounds().min.y + 1e-6;
    let below = vertices(body.surface(), |x| x.y < lowest).into_iter();
    let friction = Friction::coulomb(0.5);
    let on = |vertex| DisplacementConstraint {
        friction,
        ..DisplacementConstraint::contact(vertex, Vec3::y() * height, Vec3::y())
    };
    below.map(on).collect()
}

/// Weight and these constraints.
fn standing(constraints: impl IntoIterator<Item = DisplacementConstraint>) -> BoundaryConditions {
    let mut boundary = constrained(constraints);
    boundary.gravity = Vec3::y() * -9.81;
    boundary
}

/// Frames until so many pieces sleep, at most `most` of them.
#[track_caller]
fn frames_until(
    body: &mut LatticeModel,
    boundary: &BoundaryConditions,
    asleep: usize,
    most: usize,
) {
    let sleeps = |_: usize| {
        run(body, 1, boundary).expect("a report");
        body.pieces_asleep() == asleep
    };
    assert!((0..most).any(sleeps), "{} sleep", body.pieces_asleep());
}

/// The halves asleep on the floor, and what holds then.
fn asleep(precision: Precision) -> (LatticeModel, BoundaryConditions) {
    let mut body = halves(precision);
    let boundary = standing(floor(&body, FLOOR));
    frames_until(&mut body, &boundary, 2, FRAMES_TO_SLEEP);
    (body, boundary)
}

/// Whether all particles of the right half are where they are in `other`, and rest.
fn right_rests(body: &LatticeModel, other: &LatticeModel) -> bool {
    let right = beyond(body, 0, 3);
    let mut own = (0..right.len()).filter(|&p| right[p]);
    own.all(|p| {
        body.positions()[p] == other.positions()[p] && body.velocities()[p] == Vec3::zeros()
    })
}

/// The same body in the same state.
fn twin(body: &LatticeModel, precision: Precision) -> LatticeModel {
    let mut twin = bar(precision);
    twin.restore(&body.snapshot()).expect("the same body");
    twin
}

#[test]
fn pieces_that_fell_sleep_and_stay_to_the_bit() {
    for precision in [Precision::Double, Precision::Single] {
        let mut body = halves(precision);
        let mass: f64 = body.asset().mass.iter().sum();
        // they fall by a centimetre
        let boundary = standing(floor(&body, FLOOR - 0.01));
        let mut first_balance = None;
        for k in 0..150 {
            let report = run(&mut body, 1, &boundary).expect("a report");
            let balance = report.energy.expect("an account").balance();
            let first_balance = *first_balance.get_or_insert(balance);
            // the energy that pieces lose when they fall asleep is counted; a step gains and loses a little in the impact
            let off = (balance - first_balance).abs();
            assert!(off < 0.05 * 9.81 * 0.01 * mass, "{precision:?} {k}: {off}");
            assert!(k >= 29 || body.pieces_asleep() == 0, "{k}");
        }
        assert_eq!(body.pieces_asleep(), 2, "{precision:?}");
        assert!(body.velocities().iter().all(|v| *v == Vec3::zeros()));
        let (there, before) = (body.positions().to_vec(), body.energy(&boundary.gravity));
        let report = run(&mut body, 5, &boundary).expect("a report");
        assert!(body.positions() == there, "to the bit");
        assert_eq!(report.energy, Some(before));
        assert_eq!(
            (report.substeps, report.work_used),
            (0, there.len() as u64),
            "no step"
        );
        let reactions: Vec3 = body.reactions().iter().sum();
        let share = reactions.y / (9.81 * mass);
        assert!(
            (share - 1.0).abs() < 0.05,
            "{precision:?}: the floor bears {share} of the weight"
        );
        let stats = body.stats();
        assert!(stats.counters.contains(&("pieces_asleep", 2.0)));
        assert_eq!(stats.active_nodes, 0);
    }
}

#[test]
fn what_is_held_what_floats_and_what_is_whole_does_not_sleep() {
    // without weight
    let mut body = halves(Precision::Double);
    run(&mut body, FRAMES_TO_SLEEP, &BoundaryConditions::default()).expect("a report");
    assert_eq!(body.pieces_asleep(), 0);
    // one half on a support, the other one on top of it
    let geometry = body_of(grid_of([4, 8, 4], |_| true), 0.05);
    let body = model_of(&geometry, &breakable(Precision::Double));
    let mut body = parted(body, 1, 4, Vec3::zeros());
    let boundary = standing([]);
    frames_until(&mut body, &boundary, 1, 400);
    run(&mut body, 60, &boundary).expect("a report");
    assert_eq!(body.pieces_asleep(), 1);
    // nothing has broken
    let mut whole = bar(Precision::Double);
    let boundary = standing(floor(&whole, FLOOR));
    run(&mut whole, FRAMES_TO_SLEEP, &boundary).expect("a report");
    assert_eq!(whole.pieces_asleep(), 0);
}

#[test]
fn a_ball_that_touches_a_piece_wakes_it_and_not_the_other() {
    for precision in [Precision::Double, Precision::Single] {
        let (mut body, resting) = asleep(precision);
        let before = twin(&body, precision);
        let top = vertices(body.surface(), |x| x.y > 0.099 && (x.x + 0.1).abs() < 1e-6);
        let vertex = top[top.len() / 2];
        // the lowest point of a ball that comes down at 6 cm/s
        let ball = |height: f64| {
            let target = Vec3::y() * height;
            let down = DisplacementConstraint::contact(vertex, target, -Vec3::y());
            let ball = down.moving(Vec3::y() * -0.06);
            standing(resting.displacements().iter().copied().chain([ball]))
        };
        run(&mut body, 3, &ball(0.11)).expect("a report");
        assert_eq!(body.pieces_asleep(), 2, "it is near and touches nothing");
        run(&mut body, 1, &ball(0.09)).expect("a report");
        assert_eq!(body.pieces_asleep(), 1);
        assert!(body.velocities().iter().any(|v| v.y < -0.01));
        assert!(right_rests(&body, &before));
        frames_until(&mut body, &resting, 2, FRAMES_TO_SLEEP);
        assert!(right_rests(&body, &before));
    }
}

#[test]
fn a_piece_whose_floor_goes_falls_and_the_other_sleeps_on() {
    let (mut body, resting) = asleep(Precision::Double);
    let before = twin(&body, Precision::Double);
    let skin = body.surface().clone();
    let is_right = |c: &&DisplacementConstraint| skin.positions[c.vertex as usize].x > -0.01;
    let right = resting.displacements().iter().filter(is_right);
    let without_left = standing(right.copied());
    run(&mut body, 5, &without_left).expect("a report");
    assert_eq!(body.pieces_asleep(), 1);
    assert!(right_rests(&body, &before));
    let lowest = body.velocities().iter().map(|v| v.y);
    assert!(lowest.fold(0.0, f64::min) < -0.5);
}

#[test]
fn a_stack_falls_as_a_whole_when_its_floor_goes() {
    let geometry = body_of(grid_of([4, 8, 4], |_| true), -1.0);
    let body = model_of(&geometry, &breakable(Precision::Double));
    let mut body = parted(body, 1, 3, Vec3::zeros());
    let resting = standing(floor(&body, 2.0 * FLOOR));
    frames_until(&mut body, &resting, 2, 400);
    let before = body.positions().to_vec();
    run(&mut body, 9, &standing([])).expect("a report");
    assert_eq!(body.pieces_asleep(), 0);
    let ways = body.positions().iter().zip(&before);
    let ways = ways.map(|(now, then)| then.y - now.y);
    // the upper one begins a frame or two later: 9.81 m/s² for six frames are 5 cm
    let least = ways.fold(f64::INFINITY, f64::min);
    assert!(least > 0.05, "{least}");
}

#[test]
fn a_piece_that_comes_down_wakes_what_lies_there() {
    let geometry = body_of(grid_of([4, 8, 4], |_| true), -1.0);
    let body = model_of(&geometry, &breakable(Precision::Double));
    let mut body = parted(body, 1, 3, Vec3::y() * 0.06);
    let top = vertices(body.surface(), |x| x.y > 0.199);
    let skin = body.surface().clone();
    let below = floor(&body, 2.0 * FLOOR);
    let step = |body: &mut LatticeModel, height: f64, speed: f64| {
        let held = top.iter().map(|&v| {
            let target = skin.positions[v as usize] + Vec3::y() * height;
            DisplacementConstraint::held(v, target).moving(Vec3::y() * speed)
        });
        run(body, 1, &standing(below.iter().copied().chain(held))).expect("a report");
    };
    (0..2 * FRAMES_TO_SLEEP).for_each(|_| step(&mut body, 0.06, 0.0));
    // the one above is in a hand
    assert_eq!(body.pieces_asleep(), 1);
    let mut woken = None;
    for k in 0..35 {
        step(&mut body, 0.06 - 0.002 * f64::from(k + 1), -0.12);
        if body.pieces_asleep() == 0 {
            woken.get_or_insert(k);
        }
    }
    // it has to come down by six centimetres: neither at once nor too late
    assert!(woken.is_some_and(|k| k > 20), "{woken:?}");
}

#[test]
fn gravity_parameters_and_states_wake_all() {
    let (mut body, resting) = asleep(Precision::Double);
    let state = body.snapshot();
    let mut leaning = resting.clone();
    leaning.gravity = Vec3::new(0.1, -9.81, 0.0);
    run(&mut body, 1, &leaning).expect("a report");
    assert_eq!(body.pieces_asleep(), 0);
    let restored = |body: &mut LatticeModel| {
        body.restore(&state).expect("the same body");
        assert_eq!(body.pieces_asleep(), 2);
    };
    restored(&mut body);
    let half = ParameterValue::Number(0.4);
    body.set_parameter("damping_ratio", half).expect("in range");
    assert_eq!(body.pieces_asleep(), 0);
    restored(&mut body);
    let (x, v) = (body.positions().to_vec(), body.velocities().to_vec());
    body.set_state(&x, &v);
    assert_eq!(body.pieces_asleep(), 0);
    restored(&mut body);
    body.reset();
    assert_eq!((body.pieces_asleep(), pieces(&body)), (0, 1));
    // every particle has its mass again
    let mut inverse = body.inverse_mass.iter().zip(&body.asset().mass);
    assert!(inverse.all(|(w, m)| *w == 1.0 / m));
}

#[test]
fn a_blade_wakes_what_it_cuts() {
    for precision in [Precision::Double, Precision::Single] {
        let (mut body, resting) = asleep(precision);
        body.set_blades(&[down(0.112 + DISTANCE, 0.3, -0.3)])
            .expect("it can be cut");
        let reactions = body.reactions().to_vec();
        run(&mut body, 1, &resting).expect("a report");
        assert_eq!((pieces(&body), body.pieces_asleep()), (3, 1));
        // nothing was stepped in this frame
        assert_eq!(body.reactions(), reactions);
        frames_until(&mut body, &resting, 3, 2 * FRAMES_TO_SLEEP);
    }
}

#[test]
fn a_snapshot_goes_on_to_the_same_bits_whatever_sleeps() {
    for precision in [Precision::Double, Precision::Single] {
        let (mut body, resting) = asleep(precision);
        let mut pushed = resting.clone();
        let top = vertices(body.surface(), |x| x.y > 0.099 && x.x < -0.09);
        pushed.set_loads(top.into_iter().map(|vertex| NodalLoad {
            vertex,
            force: Vec3::y() * -2.0,
        }));
        run(&mut body, 2, &pushed).expect("a report");
        let one = body.snapshot();
        assert_eq!(body.pieces_asleep(), 1);
        let go_on = |body: &mut LatticeModel| {
            let reports = [(5, &pushed), (2 * FRAMES_TO_SLEEP, &resting)]
                .map(|(frames, boundary)| run(body, frames, boundary).expect("a report"));
            (reports, body.reactions().to_vec(), body.snapshot())
        };
        let after = go_on(&mut body);
        assert_eq!(body.pieces_asleep(), 2);
        // from what sleeps altogether, from another body, and back
        let mut other = bar(precision);
        for model in [&mut body, &mut other] {
            model.restore(&one).expect("the same body");
            assert_eq!(model.pieces_asleep(), 1);
            assert!(go_on(model) == after, "{precision:?}");
            model.restore(&after.2).expect("the same body");
            assert_eq!(model.pieces_asleep(), 2);
            run(model, 1, &resting).expect("a report");
            assert_eq!(model.pieces_asleep(), 2);
            assert!(model.reactions() == after.1);
        }
        // numbers that are not those of this body are refused, and nothing sleeps then
        let mut damaged = one.clone();
        let last = damaged.values.len() - 1;
        damaged.values[last - 3] += 1.0;
        assert!(other.restore(&damaged).is_err());
    }
}

#[test]
fn sleep_has_the_same_bits_for_any_number_of_threads() {
    let geometry = body_of(grid_of([40, 4, 30], |_| true), -1.0);
    same_on_threads("bar", &[2], || {
        let mut body = model_of(&geometry, &breakable(Precision::Single));
        assert!(body.positions().len() > PARALLEL_THRESHOLD);
        body.set_blades(&[down(0.012, 0.3, -0.3)])
            .expect("it can be cut");
        let boundary = standing(floor(&body, FLOOR));
        run(&mut body, 2 * FRAMES_TO_SLEEP, &boundary).expect("a report");
        assert!(body.pieces_asleep() > 0);
        body.snapshot()
    });
}
