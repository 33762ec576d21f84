//! Detail of a finer surface that a tip feels: forces turn with its normals, and everything else stays.

use std::sync::{Arc, LazyLock};

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, SurfacePoint};
use pliant_quasistatic::haptics::geodesic_step::triangle_neighbours;
use pliant_quasistatic::haptics::{
    ContactMode, DeviceSample, ForceLoop, HapticSurface, PointFriction, ServoLoop, ServoOutput,
};
use pliant_quasistatic::{GreensAsset, Precision};

use crate::bodies::{baked, haptic_params, held_box, servo};

/// Height of the top of the plate, m.
const TOP: f64 = 0.025;
/// Height of ripples (m) and their wave number (1/m), for slopes of up to 0.157.
const RIPPLE: f64 = 1e-3;
const WAVE_NUMBER: f64 = 157.0;

const SLIPPERY: PointFriction = PointFriction {
    sticking: 0.0,
    sliding: 0.0,
};

static ASSET: LazyLock<Arc<GreensAsset>> = LazyLock::new(|| {
    let geometry = held_box(Vec3::new(0.2, 2.0 * TOP, 0.2), [8, 2, 8], None);
    baked(&geometry, Precision::Single)
});

/// The plate, alone or with detail.
fn plate(detail: Option<&SurfaceMesh>) -> Arc<HapticSurface> {
    let params = haptic_params(0.05, 2000.0);
    let plate = HapticSurface::new(ASSET.clone(), &params).expect("made");
    Arc::new(match detail {
        Some(detail) => plate.with_detail(detail).expect("close"),
        None => plate,
    })
}

/// A sheet over the middle of the top, of squares with edges of 2.5 mm, `height(x, z)` above it.
fn sheet(height: impl Fn(f64, f64) -> f64) -> SurfaceMesh {
    let (cells, edge) = (48_u32, 0.0025);
    let place = |k: u32| edge * (f64::from(k) - 0.5 * f64::from(cells));
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=cells {
        for k in 0..=cells {
            let (x, z) = (place(i), place(k));
            positions.push(Vec3::new(x, TOP + height(x, z), z));
            if i < cells && k < cells {
                let (a, c) = (i * (cells + 1) + k, (i + 1) * (cells + 1) + k);
                triangles.extend([[a, a + 1, c], [a + 1, c + 1, c]]);
            }
        }
    }
    SurfaceMesh::new(positions, triangles)
}

fn ripples() -> SurfaceMesh {
    sheet(|x, z| RIPPLE * (WAVE_NUMBER * x).sin() * (0.3 * WAVE_NUMBER * z).cos())
}

/// The output at the end of a press of `depth` (m) straight down.
fn pressed(surface: &Arc<HapticSurface>, depth: f64) -> ServoOutput {
    let mut servo = servo(surface, SLIPPERY);
    let mut last = ServoOutput::default();
    for tick in 0..400 {
        let share = (f64::from(tick) / 200.0).min(1.0);
        let tip = Vec3::new(0.004, TOP + 0.001 - (depth + 0.001) * share, 0.007);
        last = servo.tick(&DeviceSample::at(tip), 1e-3);
    }
    last
}

/// Down onto the plate in 0.1 s and around in a circle of 3 cm.
fn slide(servo: &mut ServoLoop, mut visit: impl FnMut(f64, &ServoOutput)) {
    for tick in 0..3_000 {
        let t = f64::from(tick) * 1e-3;
        let height = TOP + 0.001 - 0.004 * (t / 0.1).min(1.0);
        let tip = Vec3::new(0.03 * (2.0 * t).cos(), height, 0.03 * (2.0 * t).sin());
        let output = servo.tick(&DeviceSample::at(tip), 1e-3);
        visit(t, &output);
    }
}

#[test]
fn without_friction_the_lateral_force_over_the_normal_one_is_the_slope() {
    let flat = plate(None);
    // the detail rises along x and falls along z
    let (along_x, along_z) = (0.15, -0.05);
    let slope = plate(Some(&sheet(|x, z| along_x * x + along_z * z)));
    let plain = pressed(&flat, 0.004);
    assert!(plain.body_force.y < -0.1, "{}", plain.body_force);
    assert!(plain.body_force.x.abs() < 1e-6 * plain.body_force.y.abs());
    for depth in [0.002, 0.004] {
        let (plain, felt) = (pressed(&flat, depth), pressed(&slope, depth));
        let force = felt.body_force;
        // the tip pushes the body uphill, and is pushed downhill
        for (lateral, slope) in [(force.x, along_x), (force.z, along_z)] {
            let ratio = lateral / -force.y;
            assert!((ratio - slope).abs() < 1e-5, "{ratio} {slope}");
        }
        assert!(felt.force.x < 0.0 && felt.force.z > 0.0);
        // depth and anchor are those of the skin
        assert_eq!(felt.anchor, plain.anchor);
        let change = (force.y - plain.body_force.y).abs();
        assert!(change < 1e-6 * force.y.abs(), "{change}");
    }
}

#[test]
fn the_friction_cone_is_about_the_perturbed_normal_and_forces_are_smooth() {
    let surface = plate(Some(&ripples()));
    let report = surface.detail().expect("detail");
    assert!(
        (0.14..0.16).contains(&report.max_slope) && report.limited == 0,
        "{report:?}"
    );
    let friction = PointFriction::default();
    let mut servo = servo(&surface, friction);
    let (mut slipping, mut largest_tilt) = (0, 0.0_f64);
    slide(&mut servo, |t, output| {
        if output.mode != ContactMode::Slip || t < 0.3 {
            return;
        }
        slipping += 1;
        let anchor = output.anchor.expect("touched");
        let normal = surface.felt_normal(&anchor);
        largest_tilt = largest_tilt.max((normal - surface.normal(&anchor)).norm());
        let pressing = -output.body_force.dot(&normal);
        let tangential = (output.body_force + normal * pressing).norm();
        let ratio = tangential / pressing;
        assert!((ratio / friction.sliding - 1.0).abs() < 0.02, "{ratio}");
    });
    assert!(
        slipping > 1_000 && largest_tilt > 0.05,
        "{slipping} {largest_tilt}"
    );
    let state = servo.state();
    assert!(state.force_jump() < 0.02, "{}", state.force_jump());
    assert!(
        servo.passivity().violation == 0.0,
        "{:?}",
        servo.passivity()
    );
}

#[test]
fn felt_normals_are_those_of_the_detail_and_continuous_over_edges() {
    let surface = plate(Some(&ripples()));
    let skin = surface.skin();
    let mut compared = 0;
    for (triangle, neighbours) in triangle_neighbours(&skin.triangles).iter().enumerate() {
        for (k, &neighbour) in neighbours.iter().enumerate() {
            for share in [0.0, 0.0371, 0.25, 0.6, 0.93] {
                let mut weights = [0.0; 3];
                (weights[(k + 1) % 3], weights[(k + 2) % 3]) = (share, 1.0 - share);
                let at = SurfacePoint {
                    triangle: triangle as u32,
                    weights,
                };
                let own = skin.triangles[triangle];
                let weight_of = |v: u32| {
                    let place = own.iter().position(|own| *own == v);
                    place.map_or(0.0, |place| weights[place])
                };
                let same = SurfacePoint {
                    triangle: neighbour,
                    weights: skin.triangles[neighbour as usize].map(weight_of),
                };
                let normal = surface.felt_normal(&at);
                let difference = (normal - surface.felt_normal(&same)).norm();
                assert!(difference < 1e-12, "{difference}");
                let x = skin.point(&at);
                if x.y > TOP - 1e-9 && x.x.abs() < 0.05 && x.z.abs() < 0.05 {
                    let (a, b) = (WAVE_NUMBER * x.x, 0.3 * WAVE_NUMBER * x.z);
                    let slope = RIPPLE * WAVE_NUMBER;
                    let expected = Vec3::new(
                        -slope * a.cos() * b.cos(),
                        1.0,
                        0.3 * slope * a.sin() * b.sin(),
                    );
                    let error = (normal - expected.normalize()).norm();
                    assert!(error < 0.015, "{error}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn detail_without_slopes_changes_no_bit() {
    let own: &SurfaceMesh = &ASSET.skin;
    let run = |surface: &Arc<HapticSurface>| {
        let mut bits = Vec::new();
        let mut servo = servo(surface, PointFriction::default());
        slide(&mut servo, |_, output| {
            bits.extend(output.force.iter().map(|x| x.to_bits()));
        });
        bits
    };
    let plain = run(&plate(None));
    assert_eq!(run(&plate(Some(own))), plain);
    assert_ne!(run(&plate(Some(&ripples()))), plain);
}
