//! Properties of every model, for each method and body: rest, restored states, balance of forces, contact that only
//! pushes, and return to rest.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_tests::{
    CUT, advance, bits, cases, distance, finite, model, on_threads, plate_at_depth, surface,
};

/// Depth of the held poke, diagonals.
const DEPTH: f64 = 0.02;

#[test]
fn an_untouched_body_stays_at_rest_and_keeps_its_triangles() {
    for (name, setup, method) in cases() {
        let mut model = model(&setup, method);
        let triangles = model.surface().triangles.clone();
        assert_eq!(triangles, setup.skin().triangles, "{name}");
        let before = (surface(&*model), model.snapshot());
        for _ in 0..60 {
            advance(&mut *model, &setup, &BoundaryConditions::default()).expect(&name);
        }
        // the state in double precision, without the counters of time
        let after = model.snapshot();
        let moved = before.1.values.iter().zip(&after.values);
        let moved = moved.skip(16).map(|(a, b)| (a - b).abs());
        // a cut refines itself as far as its budget allows, which changes its state
        let largest_change = match name.starts_with(CUT) {
            true => 0.0,
            false => moved.fold(0.0, f64::max),
        };
        assert!(
            largest_change <= 1e-9 * setup.diagonal,
            "{name}: {largest_change:e}"
        );
        let shown = distance(&before.0, &surface(&*model));
        assert!(shown <= 1e-7 * setup.diagonal, "{name}: {shown:e}");
        assert_eq!(model.surface().triangles, triangles, "{name}");
    }
}

#[test]
fn a_restored_state_continues_to_the_same_bits() {
    for (name, setup, method) in cases() {
        let mut first = model(&setup, method);
        let press = |k: usize| plate_at_depth(&setup, 0.001 * k as f64);
        for k in 0..15 {
            advance(&mut *first, &setup, &press(k)).expect(&name);
        }
        let snapshot = first.snapshot();
        let mut continue_run = |restore: bool| {
            if restore {
                first.restore(&snapshot).expect(&name);
            }
            let mut frames = Vec::new();
            for k in 15..25 {
                advance(&mut *first, &setup, &press(k)).expect(&name);
                frames.push((bits(&surface(&*first)), first.reactions().to_vec()));
            }
            frames
        };
        let expected = continue_run(false);
        assert!(expected == continue_run(true), "{name}: the same model");
        let mut other = model(&setup, method);
        other.restore(&snapshot).expect(&name);
        for (k, frame) in (15..25).zip(&expected) {
            advance(&mut *other, &setup, &press(k)).expect(&name);
            let same = bits(&surface(&*other)) == frame.0 && other.reactions() == frame.1;
            assert!(same, "{name}: another model, frame {k}");
        }
        let mut invalid = snapshot.clone();
        invalid.values.pop();
        assert!(other.restore(&invalid).is_err(), "{name}: a short snapshot");
        invalid.kind = "nothing";
        assert!(other.restore(&invalid).is_err(), "{name}: another kind");
    }
}

#[test]
fn reset_is_a_new_model() {
    for (name, setup, method) in cases() {
        let mut model = model(&setup, method);
        let mut run = || {
            for k in 0..10 {
                let pressed = plate_at_depth(&setup, 0.002 * f64::from(k));
                advance(&mut *model, &setup, &pressed).expect(&name);
            }
            let skin = bits(&surface(&*model));
            model.reset();
            skin
        };
        assert!(run() == run(), "{name}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    for (name, setup, method) in cases() {
        let run = |threads| {
            on_threads(threads, || {
                let mut model = model(&setup, method);
                let mut frames = Vec::new();
                for k in 0..10 {
                    let pressed = plate_at_depth(&setup, 0.002 * f64::from(k));
                    advance(&mut *model, &setup, &pressed).expect(&name);
                    frames.push(bits(&surface(&*model)));
                }
                frames
            })
        };
        let one = run(1);
        for threads in [2, 8] {
            assert!(one == run(threads), "{name}: {threads} threads");
        }
    }
}

#[test]
fn a_held_poke_is_in_balance_and_only_pushes() {
    for (name, setup, method) in cases() {
        let mut model = model(&setup, method);
        for k in 1..=120 {
            let pressed = plate_at_depth(&setup, DEPTH * (f64::from(k) / 30.0).min(1.0));
            advance(&mut *model, &setup, &pressed).expect(&name);
            let largest = model.reactions().iter().map(Vec3::norm).fold(0.0, f64::max);
            for (constraint, force) in pressed.displacements().iter().zip(model.reactions()) {
                // frictionless: along the plate's normal, into the body
                let push = -force.y;
                let side = force.x.hypot(force.z);
                assert!(push >= -1e-9 * largest, "{name}: {constraint:?} pulls");
                assert!(side <= 1e-9 * largest, "{name}: {constraint:?} rubs");
            }
        }
        let tool: Vec3 = model.reactions().iter().sum();
        let support: Vec3 = model.support_reactions().iter().sum();
        let tolerance = if method == Method::Quasistatic {
            1e-6
        } else {
            0.01
        };
        assert!(tool.y < -0.1, "{name}: the plate presses with {tool:?} N");
        let error = (tool + support).norm() / tool.norm();
        assert!(error <= tolerance, "{name}: {tool:?} {support:?} {error:e}");
    }
}

#[test]
fn a_released_body_returns_to_rest() {
    for (name, setup, method) in cases() {
        let mut model = model(&setup, method);
        let rest = surface(&*model);
        for k in 1..=30 {
            let pressed = plate_at_depth(&setup, DEPTH * f64::from(k) / 30.0);
            advance(&mut *model, &setup, &pressed).expect(&name);
        }
        let pressed = distance(&rest, &surface(&*model));
        assert!(pressed > 0.9 * DEPTH * setup.diagonal, "{name}: {pressed}");
        for _ in 0..180 {
            advance(&mut *model, &setup, &BoundaryConditions::default()).expect(&name);
        }
        let remaining = distance(&rest, &surface(&*model)) / setup.diagonal;
        assert!(
            remaining < 1e-3,
            "{name}: {remaining:e} diagonals from rest"
        );
        assert!(model.reactions().is_empty(), "{name}");
    }
}

#[test]
fn a_plate_that_jumps_through_the_body_leaves_finite_numbers() {
    for (name, setup, method) in cases() {
        let mut model = model(&setup, method);
        // halfway through the body within one frame, out of it in the next, again and again
        for k in 0..12 {
            let depth = if k % 2 == 0 { 0.25 } else { -1.0 };
            let jumped = advance(&mut *model, &setup, &plate_at_depth(&setup, depth));
            assert!(finite(&surface(&*model)), "{name} frame {k}: {jumped:?}");
            assert!(
                model.reactions().iter().flatten().all(|x| x.is_finite()),
                "{name} frame {k}"
            );
        }
        let rest = pliant_core::mesh::SurfaceFrame::at_rest(setup.skin());
        model.reset();
        let after = distance(&rest, &surface(&*model));
        assert!(after < 1e-6 * setup.diagonal, "{name}: {after:e}");
        advance(&mut *model, &setup, &BoundaryConditions::default()).expect(&name);
    }
}
