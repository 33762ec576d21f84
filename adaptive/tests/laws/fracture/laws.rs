//! Growth of a crack conserves mass, momenta and energy; and cases in which a crack does not grow.

use pliant_adaptive::{
    AdaptiveModel, AdaptiveModelError, AdaptiveParams, ElementModel, Resolution,
};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::FractureLimits;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use super::griffith::{TOUGH, breaking_at, griffith, notched, pull};
use crate::blades::{block_asset, frames, pieces};
use crate::bodies::{With, frame, kinetic_energy, mass, momenta};

/// Mass (kg), momentum (kg m/s), angular momentum (kg m²/s), elastic and kinetic energy (J).
fn conserved_quantities(body: &AdaptiveModel) -> [f64; 9] {
    let (p, l) = momenta(body);
    [
        mass(body),
        p.x,
        p.y,
        p.z,
        l.x,
        l.y,
        l.z,
        body.elastic_energy(),
        kinetic_energy(body),
    ]
}

#[test]
fn growth_keeps_mass_momenta_and_energy() {
    let critical = 50.0;
    let mut body = notched(8, 2, breaking_at(critical));
    let mut twin = notched(8, 2, TOUGH);
    let mut grown = 0;
    for k in 0..60 {
        let load = pull(&body, critical * 0.05 * f64::from(k));
        let before = body.cut_edges().len();
        // the twin has the same cuts at the beginning of a frame, and does not crack at its end
        twin.restore(&body.snapshot()).expect("the same body");
        for body in [&mut body, &mut twin] {
            frame(body, &load);
        }
        if body.cut_edges().len() == before {
            continue;
        }
        grown += 1;
        let scale = |values: &[f64; 9], at: std::ops::Range<usize>| -> f64 {
            values[at].iter().map(|v| v.abs()).fold(1e-300, f64::max)
        };
        let (now, whole) = (conserved_quantities(&body), conserved_quantities(&twin));
        for at in [0..1, 1..4, 4..7, 7..8, 8..9] {
            // the momenta of a symmetrically pulled body are round-off themselves
            let size = match at.start {
                1 => (2.0 * now[8] * now[0]).sqrt(),
                4 => (2.0 * now[8] * now[0]).sqrt() * 0.1,
                _ => scale(&whole, at.clone()),
            };
            for i in at {
                assert!(
                    (now[i] - whole[i]).abs() < 1e-11 * size,
                    "{i}: {now:?} {whole:?}"
                );
            }
        }
    }
    assert!(grown >= 3, "{grown}");
    assert_eq!(pieces(&body), 2);
}

#[test]
fn a_crack_under_compression_does_not_grow() {
    let critical = 20.0;
    let mut body = notched(8, 2, breaking_at(critical));
    let notch = body.cut_edges().len();
    let load = pull(&body, -3.0 * critical);
    frames(&mut body, &load, 40);
    let front = body.crack_front().expect("a front");
    // contact of its sides carries the pressure, so that growth would release nothing
    let released = front.largest_energy_release / griffith(critical);
    assert!(released < 0.01, "{front:?}");
    assert_eq!(body.cut_edges().len(), notch);
}

#[test]
fn the_energy_release_does_not_depend_on_the_orientation_of_the_body() {
    let stress = 50.0;
    let released = |turn: Option<nalgebra::Rotation3<f64>>| {
        let mut body = notched(8, 2, TOUGH);
        let mut load = pull(&body, stress);
        if let Some(turn) = turn {
            let places: Vec<Vec3> = body.level_positions().iter().map(|x| turn * x).collect();
            body.set_state(&places, &[]);
            let loads: Vec<_> = load.loads().to_vec();
            load.set_loads(loads.into_iter().map(|mut l| {
                l.force = turn * l.force;
                l
            }));
        }
        frames(&mut body, &load, 30);
        body.crack_front().expect("a front").energy_release
    };
    let turn = nalgebra::Rotation3::from_euler_angles(0.4, -1.1, 2.0);
    let (lies, stands) = (released(None), released(Some(turn)));
    assert!((stands / lies - 1.0).abs() < 1e-3, "{stands} {lies}");
}

#[test]
fn gravity_does_not_count_as_energy_release() {
    let mut body = notched(8, 2, TOUGH);
    // free fall
    frames(
        &mut body,
        &BoundaryConditions::with_gravity(Vec3::new(3.0, -9.81, 1.0)),
        10,
    );
    let front = body.crack_front().expect("a front");
    assert!(
        front.largest_energy_release.abs() < 1e-6 * griffith(50.0),
        "{front:?}"
    );
}

#[test]
fn limits_that_make_no_sense_are_refused_in_one_line() {
    let asset = block_asset([2, 2, 2], None);
    let refused = |fracture: FractureLimits, change: fn(&mut AdaptiveParams)| {
        let mut params = AdaptiveParams::default().with(|p| p.fracture = fracture);
        change(&mut params);
        let error = AdaptiveModel::new(asset.clone(), params).err();
        error.map(|error: AdaptiveModelError| (error.code(), error.to_string()))
    };
    let strong = |value| FractureLimits {
        strength: Some(value),
        toughness: None,
    };
    let tough = |value| FractureLimits {
        strength: None,
        toughness: Some(value),
    };
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for (name, limits) in [("strength", strong(value)), ("toughness", tough(value))] {
            let text = format!(
                "parameter `{name}` is out of range\n  remedy: safety in (0, 1], frame_duration, strength and toughness above 0"
            );
            assert_eq!(refused(limits, |_| {}), Some(("BadParameter".into(), text)));
        }
    }
    let text = "strength and toughness need tetrahedra, the element model is `spring`\n  remedy: choose another element model, or neither of them";
    assert_eq!(
        refused(tough(1.0), |p| p.model = Some(ElementModel::Spring)),
        Some(("FractureNeedsTetrahedra".into(), text.to_string()))
    );
    assert_eq!(refused(strong(1.0), |_| {}), None);
    let on_cut = refused(strong(1.0), |p| p.resolution = Resolution::Cut);
    assert_eq!(on_cut, None);
}
