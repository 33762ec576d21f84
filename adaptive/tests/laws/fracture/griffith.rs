//! A bar with a notch in one edge breaks at the load of Griffith's criterion.

use std::f64::consts::PI;

use pliant_adaptive::{AdaptiveModel, AdaptiveParams};
use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::material::{FractureLimits, Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use crate::blades::{cut, frames, pieces, sweep_down};
use crate::bodies::{baked, body_of, frame, model, rayleigh};

/// Length and width of the bar, m.
const LENGTH: f64 = 0.25;
const WIDTH: f64 = 0.1;
/// Pa
pub const YOUNG: f64 = 1e6;

/// Without lateral contraction plane stress and plane strain are the same.
pub fn material() -> Material {
    Material::isotropic(YOUNG, 0.0)
        .with_density(1000.0)
        .with_damping_ratio(0.7)
        .with_law(MaterialLaw::Green)
}

/// A free bar with `cells` cells over its width.
pub fn bar(cells: usize, thickness: usize, limits: FractureLimits) -> AdaptiveModel {
    let cell = WIDTH / cells as f64;
    let size = Vec3::new(LENGTH, WIDTH, thickness as f64 * cell);
    let mesh = box_tets(
        size,
        [5 * cells / 2, cells, thickness],
        CellStyle::Alternating,
    );
    let params = AdaptiveParams {
        blades: true,
        fracture: limits,
        ..rayleigh()
    };
    model(&baked(&body_of([mesh], material(), None)), params)
}

/// A uniform stress (Pa) that pulls both ends.
pub fn pull(body: &AdaptiveModel, stress: f64) -> BoundaryConditions {
    let skin = &body.asset().skin;
    let mut loads = vec![0.0; skin.vertex_count()];
    for triangle in &skin.triangles {
        let corners = triangle.map(|v| skin.positions[v as usize]);
        let area = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])) / 2.0;
        if corners.iter().all(|x| x.x.abs() > LENGTH / 2.0 - 1e-9) {
            for &v in triangle {
                loads[v as usize] += stress * area.x / 3.0;
            }
        }
    }
    let mut pull = BoundaryConditions::default();
    let loads = loads.iter().enumerate().filter(|(_, load)| **load != 0.0);
    pull.set_loads(loads.map(|(v, load)| NodalLoad {
        vertex: v as u32,
        force: Vec3::x() * *load,
    }));
    pull
}

/// Stress intensity of a notch of this depth (m) in the edge of a strip under this stress (Pa): Tada, Paris, Irwin 2000, 2.10, within 0.5 % up to 0.6 of the width.
fn stress_intensity(depth: f64, stress: f64) -> f64 {
    let r = depth / WIDTH;
    let shape = 1.12 - 0.231 * r + 10.55 * r.powi(2) - 21.72 * r.powi(3) + 30.39 * r.powi(4);
    stress * (PI * depth).sqrt() * shape
}

/// A bar with a notch as deep as half its width, through a plane of nodes.
pub fn notched(cells: usize, thickness: usize, limits: FractureLimits) -> AdaptiveModel {
    let mut body = bar(cells, thickness, limits);
    cut(
        &mut body,
        &[sweep_down(0.0, 0.2, -0.3 * WIDTH / cells as f64)],
    );
    body
}

/// Points where edges are cut, at rest, m.
pub fn cut_places(body: &AdaptiveModel) -> Vec<Vec3> {
    let nodes = &body.asset().levels[0].mesh.nodes;
    let cuts = body.cut_edges().into_iter();
    let place = |(ends, share): ([u32; 2], f64)| {
        let [a, b] = ends.map(|n| nodes[n as usize]);
        a + (b - a) * share
    };
    cuts.map(place).collect()
}

/// The energy release (J/m²) of a notch through half the width under this stress (Pa).
pub fn griffith(stress: f64) -> f64 {
    stress_intensity(WIDTH / 2.0, stress).powi(2) / YOUNG
}

/// Limits of a material that does not break in the tests.
pub const TOUGH: FractureLimits = FractureLimits {
    strength: None,
    toughness: Some(1e9),
};

/// The material whose notched bar breaks at this stress (Pa).
pub fn breaking_at(stress: f64) -> FractureLimits {
    FractureLimits {
        strength: None,
        toughness: Some(griffith(stress)),
    }
}

/// Half a second under a pull that grows to this stress (Pa).
fn pull_slowly(body: &mut AdaptiveModel, stress: f64) {
    for k in 0..30 {
        let load = pull(body, stress * (k as f64 / 10.0).min(1.0));
        frame(body, &load);
    }
}

#[test]
fn the_energy_release_of_a_notch_converges_to_the_handbook() {
    // a strain so small that the geometry does not change as the notch opens
    let stress = 50.0;
    let error = |cells: usize| {
        let mut body = notched(cells, 2, TOUGH);
        let pull = pull(&body, stress);
        frames(&mut body, &pull, 30);
        let front = body.crack_front().expect("a front");
        let (depth, thickness) = (WIDTH / 2.0 - front.middle.y, 2.0 * WIDTH / cells as f64);
        assert!((depth - WIDTH / 2.0).abs() < 1e-6, "{depth}");
        assert!((front.length - thickness).abs() < 1e-9, "{}", front.length);
        1.0 - front.energy_release / griffith(stress)
    };
    let (coarse, fine) = (error(8), error(16));
    // linear tetrahedra are too stiff, with an error of the order of edge length over notch depth
    assert!(coarse > 0.3 && coarse < 0.4, "{coarse}");
    assert!(fine > 0.0 && fine < 0.65 * coarse, "{fine} {coarse}");
}

#[test]
fn a_notched_bar_breaks_at_the_load_of_griffith() {
    let critical = 50.0;
    let mut body = notched(24, 1, breaking_at(critical));
    let notch = body.cut_edges().len();
    pull_slowly(&mut body, critical);
    assert_eq!(body.cut_edges().len(), notch, "it bears the load");
    let load = pull(&body, 1.1 * critical);
    frames(&mut body, &load, 30);
    assert!(body.cut_edges().len() > notch, "it bears a tenth more");
    assert_eq!(pieces(&body), 2);
    // in the plane of the notch
    for place in &cut_places(&body)[notch..] {
        assert!(place.x.abs() < WIDTH / 24.0, "{place}");
    }
}

#[test]
fn far_from_the_surface_ahead_a_notch_bears_the_load_of_griffith_whatever_the_stress_at_it() {
    let critical = 50.0;
    // the notch leaves half the width, twelve cells
    let limits = FractureLimits {
        strength: Some(4.8 * critical),
        ..breaking_at(critical)
    };
    let mut body = notched(24, 1, limits);
    let notch = body.cut_edges().len();
    pull_slowly(&mut body, critical);
    let front = body.crack_front().expect("a front");
    assert!(front.stress > 4.8 * critical, "{front:?}");
    assert_eq!(body.cut_edges().len(), notch, "it bears the load");
}
