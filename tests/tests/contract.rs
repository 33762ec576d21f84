//! What every model promises, whatever the method and the body: rest, restored states, balance of forces, contact that only
//! pushes, return to rest.

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
        // the state in double precision, but for what counts time
        let after = model.snapshot();
        let moved = before.1.values.iter().zip(&after.values);
        let moved = moved.skip(16).map(|(a, b)| (a - b).abs());
        // a cut refines itself as far as its budget goes, and says so in its state
        let most = match name.starts_with(CUT) {
            true => 0.0,
            false => moved.fold(0.0, f64::max),
        };
        assert!(most <= 1e-9 * setup.diagonal, "{name}: {most:e}");
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
        let kept = first.snapshot();
        let mut go_on = |restore: bool| {
            if restore {
                first.restore(&kept).expect(&name);
            }
            let mut seen = Vec::new();
            for k in 15..25 {
                advance(&mut *first, &setup, &press(k)).expect(&name);
                seen.push((bits(&surface(&*first)), first.reactions().to_vec()));
            }
            seen
        };
        let once = go_on(false);
        assert!(once == go_on(true), "{name}: the same model");
        let mut other = model(&setup, method);
        other.restore(&kept).expect(&name);
        for (k, seen) in (15..25).zip(&once) {
            advance(&mut *other, &setup, &press(k)).expect(&name);
            let same = bits(&surface(&*other)) == seen.0 && other.reactions() == seen.1;
            assert!(same, "{name}: another model, frame {k}");
        }
        let mut foreign = kept.clone();
        foreign.values.pop();
        assert!(other.restore(&foreign).is_err(), "{name}: a short snapshot");
        foreign.kind = "nothing";
        assert!(other.restore(&foreign).is_err(), "{name}: another kind");
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
            let seen = bits(&surface(&*model));
            model.reset();
            seen
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
                let mut seen = Vec::new();
                for k in 0..20 {
                    let pressed = plate_at_depth(&setup, 0.001 * f64::from(k));
                    advance(&mut *model, &setup, &pressed).expect(&name);
                    seen.push(bits(&surface(&*model)));
                }
                seen
            })
        };
        let one = run(1);
        for threads in [2, 8, 16] {
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
fn a_released_body_comes_back() {
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
        let left = distance(&rest, &surface(&*model)) / setup.diagonal;
        assert!(left < 1e-3, "{name}: {left:e} diagonals from rest");
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
