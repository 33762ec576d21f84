//! Constraints of coarser levels in the running model: forces, positions, blending, and snapshots.

use std::sync::{Arc, OnceLock};

use pliant_core::boundary::{ConstrainedDirections, DisplacementConstraint};
use pliant_core::contact::ToolShape;
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, Degradation, WorkBudget};
use pliant_quasistatic::params::ConstraintLevel;
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticModel};

use crate::bodies::{
    advance, assert_near, bits, constrained, held_box, hold, model, on_threads, set,
};
use crate::held::extreme;
use crate::press::{Press, rabbit};

const UNLIMITED: WorkBudget = WorkBudget::UNLIMITED;

/// The rabbit with three levels, 642 vertices.
pub fn body() -> &'static Arc<GreensAsset> {
    static BODY: OnceLock<Arc<GreensAsset>> = OnceLock::new();
    BODY.get_or_init(|| rabbit(3))
}

/// A palm over the back.
pub fn palm() -> ToolShape {
    ToolShape::Box {
        half_size: Vec3::new(0.07, 0.02, 0.07),
        rounding: 0.01,
    }
}

fn pressed(level: ConstraintLevel) -> Press {
    Press::new(body(), level, palm())
}

/// Position of the palm at this depth in the body at rest, m.
pub fn palm_position(depth: f64) -> Vec3 {
    Vec3::new(-0.03, 0.12 - depth, 0.0)
}

/// Moves down by 20 mm in `frames` frames.
fn press_down(press: &mut Press, frames: usize) {
    for frame in 1..=frames {
        let depth = 0.02 * frame as f64 / frames as f64;
        press.step(palm_position(depth), UNLIMITED).expect("solved");
    }
}

fn counter(press: &Press, name: &str) -> f64 {
    crate::bodies::counter(&press.model, name)
}

/// Largest distance between two surfaces, m.
pub fn max_distance(a: &SurfaceFrame, b: &SurfaceFrame) -> f64 {
    let pairs = a.positions.iter().zip(&b.positions);
    let far = pairs.map(|(a, b)| {
        let d = [0, 1, 2].map(|k| f64::from(a[k]) - f64::from(b[k]));
        Vec3::from(d).norm()
    });
    far.fold(0.0, f64::max)
}

#[test]
fn a_palm_one_level_coarser_feels_the_force_of_the_finest_and_tells_what_it_gave_up() {
    for friction in [0.0, 0.5] {
        let [fine, coarse] = [ConstraintLevel::Fine, ConstraintLevel::Coarser(1)].map(|level| {
            let mut press = pressed(level).with_friction(friction);
            press_down(&mut press, 20);
            let report = press.step(palm_position(0.02), UNLIMITED).expect("solved");
            (press, report)
        });
        let (force, other) = (fine.0.force(), coarse.0.force());
        println!("friction {friction}: {force} {other}, {:?}", coarse.1);
        assert_near(other, force, 0.05);
        let constraint_count = counter(&coarse.0, "coarse_constraints");
        let touched = coarse.0.boundary.displacements().len() as f64;
        assert!(
            constraint_count > 3.0 && constraint_count < 0.5 * touched,
            "{constraint_count} of {touched}"
        );
        assert_eq!(counter(&coarse.0, "levels_coarser"), 1.0);
        assert_eq!(counter(&fine.0, "coarse_constraints"), 0.0);
        // the reported violation is the depth of vertices between coarse constraints
        if friction == 0.0 {
            assert_eq!(fine.1.degraded, None);
        }
        assert_eq!(coarse.1.degraded, Some(Degradation::CoarserConstraints));
        let (deepest, rms) = coarse.0.penetration();
        assert!((coarse.1.max_violation - deepest).abs() < 1e-6 + 1e-3 * deepest);
        assert!(rms > 1e-5 && rms < 2e-3, "{rms}");
        // nothing pulls
        let reactions = coarse.0.model.reactions();
        for (constraint, reaction) in coarse.0.boundary.displacements().iter().zip(reactions) {
            if let ConstrainedDirections::Along(normal) = constraint.directions {
                assert!(reaction.dot(&normal) >= -1e-9, "{reaction}");
            }
        }
        // the supports carry the force of the tool
        let carried: Vec3 = coarse.0.model.support_reactions().iter().sum();
        assert_near(-carried, other, 0.02);
    }
}

#[test]
fn constraints_no_level_coarser_are_the_finest_to_the_bit() {
    let [fine, zero] = [ConstraintLevel::Fine, ConstraintLevel::Coarser(0)].map(|level| {
        let mut press = pressed(level).with_friction(0.4);
        press_down(&mut press, 6);
        (bits(&press.frame), press.model.reactions().to_vec())
    });
    assert!(fine == zero);
}

/// The mean gap of each coarse constraint closes although the columns are not reciprocal. A sticking contact does not creep, and is dragged as at the finest level.
#[test]
fn a_coarse_contact_that_sticks_keeps_its_force() {
    let [fine, coarse] = [ConstraintLevel::Fine, ConstraintLevel::Coarser(1)].map(|level| {
        let mut press = pressed(level).with_friction(0.9);
        press_down(&mut press, 10);
        let before = press.force();
        let aside = palm_position(0.02) + Vec3::new(0.0, 0.0, 4e-3);
        let mut forces = Vec::new();
        for _ in 0..40 {
            press.step(aside, UNLIMITED).expect("solved");
            forces.push(press.force());
        }
        (before, forces)
    });
    let drag = |(before, forces): &(Vec3, Vec<Vec3>)| forces[9] - before;
    println!("dragged by {} {}", drag(&fine), drag(&coarse));
    let (start_force, end_force) = (coarse.1[9], coarse.1[39]);
    println!("{start_force} -> {end_force}");
    let (drag, expected) = (drag(&coarse), drag(&fine));
    assert!(expected.z > 0.02 * start_force.norm(), "{expected}");
    assert_near(drag, expected, 0.25);
    assert_near(end_force, start_force, 0.005);
}

#[test]
fn what_is_grabbed_stays_where_it_is_held_beside_coarse_contacts() {
    let mut press = pressed(ConstraintLevel::Coarser(1));
    press_down(&mut press, 5);
    let mut list: Vec<DisplacementConstraint> = press.boundary.displacements().to_vec();
    let skin = &body().skin;
    let ear = extreme(skin, Vec3::y()) as u32;
    list.retain(|c| c.vertex != ear);
    let target = skin.positions[ear as usize] + Vec3::new(0.004, 0.0, 0.003);
    list.push(hold(ear, target, None));
    advance(&mut press.model, &constrained(list)).expect("solved");
    let position = skin.positions[ear as usize] + press.model.displacement(ear as usize);
    assert!(
        (position - target).norm() < 1e-6,
        "{}",
        (position - target).norm()
    );
    assert!(counter(&press, "coarse_constraints") > 0.0);
}

/// With the tool at rest, a change of the level moves the surface by less in a frame than the preceding motion of the tool did, and the force changes as smoothly.
#[test]
fn a_change_of_the_level_is_not_seen_or_felt_at_once() {
    let mut press = pressed(ConstraintLevel::Fine);
    let (mut moved, mut last) = (0.0, press.frame.clone());
    for frame in 1..=10 {
        press
            .step(palm_position(0.002 * f64::from(frame)), UNLIMITED)
            .expect("solved");
        moved = max_distance(&press.frame, &last);
        last = press.frame.clone();
    }
    for _ in 0..3 {
        press.step(palm_position(0.02), UNLIMITED).expect("solved");
    }
    for level in [1.0, 2.0, 0.0] {
        let initial = press.frame.clone();
        set(&mut press.model, "constraint_level", level);
        let (mut largest, mut largest_force) = (0.0_f64, 0.0_f64);
        let (mut last, mut last_force) = (press.frame.clone(), press.force());
        for frame in 0..12 {
            press.step(palm_position(0.02), UNLIMITED).expect("solved");
            assert_eq!(counter(&press, "levels_coarser"), level, "{frame}");
            largest = largest.max(max_distance(&press.frame, &last));
            largest_force = largest_force.max((press.force() - last_force).norm());
            (last, last_force) = (press.frame.clone(), press.force());
        }
        let all = max_distance(&last, &initial);
        println!(
            "level {level}: {:.2} of {:.2} mm, {largest_force:.3} N; a frame of the motion {:.2} mm",
            1e3 * largest,
            1e3 * all,
            1e3 * moved
        );
        assert!(largest < moved, "{largest} {moved}");
        // without blending the whole change would appear in one frame
        assert!(largest < 0.4 * all, "{largest} {all}");
        assert!(
            largest_force < 0.02 * last_force.norm(),
            "{largest_force} {last_force}"
        );
        if level < 2.0 {
            // then only the new level is displayed, and the surface is at rest
            press.step(palm_position(0.02), UNLIMITED).expect("solved");
            assert!(max_distance(&press.frame, &last) < 1e-5);
        }
    }
}

#[test]
fn a_restored_model_goes_on_to_the_same_bits_in_the_middle_of_a_change() {
    let mut press = pressed(ConstraintLevel::Coarser(1)).with_friction(0.5);
    press_down(&mut press, 6);
    set(&mut press.model, "constraint_level", 2.0);
    press.step(palm_position(0.02), UNLIMITED).expect("solved");
    let snapshot = press.model.snapshot();
    let mut run = |frames: usize| {
        let mut frames_seen = Vec::new();
        for _ in 0..frames {
            advance(&mut press.model, &press.boundary).expect("solved");
            press.model.write_surface(&mut press.frame);
            frames_seen.push((bits(&press.frame), press.model.reactions().to_vec()));
        }
        frames_seen
    };
    let first = run(7);
    let mut other = pressed(ConstraintLevel::Fine);
    other.model.restore(&snapshot).expect("the same body");
    for (frame, (surface, reactions)) in first.iter().enumerate() {
        advance(&mut other.model, &press.boundary).expect("solved");
        other.model.write_surface(&mut other.frame);
        assert!(bits(&other.frame) == *surface, "frame {frame}");
        assert!(other.model.reactions() == reactions, "frame {frame}");
    }
    let mut cut = snapshot.clone();
    cut.values.pop();
    assert!(other.model.restore(&cut).is_err());
}

#[test]
fn a_smaller_budget_goes_coarser_at_once_and_a_larger_one_finer_after_ten_frames() {
    let mut press = pressed(ConstraintLevel::Auto);
    press_down(&mut press, 5);
    assert_eq!(counter(&press, "levels_coarser"), 0.0);
    let tight = WorkBudget(15_000);
    press.step(palm_position(0.02), tight).expect("solved");
    let coarser = counter(&press, "levels_coarser");
    assert!(coarser >= 1.0, "{coarser}");
    for frame in 1..10 {
        press.step(palm_position(0.02), UNLIMITED).expect("solved");
        assert_eq!(counter(&press, "levels_coarser"), coarser, "{frame}");
    }
    press.step(palm_position(0.02), UNLIMITED).expect("solved");
    assert_eq!(counter(&press, "levels_coarser"), 0.0);
}

#[test]
fn any_number_of_threads_gives_the_same_bits_at_a_coarse_level() {
    let run = |threads: usize| {
        on_threads(threads, || {
            let mut press = pressed(ConstraintLevel::Coarser(1)).with_friction(0.5);
            press_down(&mut press, 5);
            bits(&press.frame)
        })
    };
    assert!(run(1) == run(2));
}

#[test]
fn bodies_without_levels_have_no_level_to_set() {
    let geometry = held_box(Vec3::new(0.1, 0.2, 0.1), [2, 4, 2], None);
    let mut dense: QuasistaticModel = model(&geometry, Precision::Single);
    let value = ParameterValue::Number(1.0);
    assert!(dense.set_parameter("constraint_level", value).is_err());
    assert!(
        dense
            .parameters()
            .iter()
            .all(|p| p.name != "constraint_level")
    );
    let mut press = pressed(ConstraintLevel::Fine);
    let levels = press.model.constraint_levels() as f64;
    let too_far = ParameterValue::Number(levels + 1.0);
    assert!(
        press
            .model
            .set_parameter("constraint_level", too_far)
            .is_err()
    );
    set(&mut press.model, "constraint_level", levels);
    assert_eq!(
        press.model.parameter("constraint_level"),
        Ok(ParameterValue::Number(levels))
    );
}

/// A contact of one vertex has one constraint at every level, and so the same force.
#[test]
fn a_contact_of_one_vertex_is_the_same_at_every_level() {
    let skin = &body().skin;
    let v = extreme(skin, Vec3::y());
    let touch = DisplacementConstraint::contact(
        v as u32,
        skin.positions[v] - Vec3::new(0.0, 3e-3, 0.0),
        -Vec3::y(),
    );
    let boundary = constrained([touch]);
    let force = |level: ConstraintLevel| {
        let mut press = pressed(level);
        let report = advance(&mut press.model, &boundary).expect("solved");
        assert!(report.max_violation < 1e-7, "{}", report.max_violation);
        press.model.reactions()[0]
    };
    let fine = force(ConstraintLevel::Fine);
    assert!(fine.norm() > 1e-3);
    for coarser in 1..=3 {
        let other = force(ConstraintLevel::Coarser(coarser));
        assert_near(other, fine, 1e-4);
    }
}
