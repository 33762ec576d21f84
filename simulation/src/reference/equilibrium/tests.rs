//! Bodies without inertia against closed formulas and against each other.

use std::sync::Arc;

use pliant_adaptive::bake::bake_with;
use pliant_adaptive::params::Calibration;
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LevelChoice, LodHierarchy};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, DisplacementConstraint, Friction,
};
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Selection;

use super::{LinearBody, RelaxedBody};

/// Sides of the column, m.
const SIZE: Vec3 = Vec3::new(0.1, 0.2, 0.1);
/// Young's modulus, Pa.
const YOUNG: f64 = 2.0e4;
/// Length of a frame, s.
const FRAME: f64 = 1.0 / 60.0;

/// A column on a floor.
fn column(poisson: f64, law: MaterialLaw) -> Arc<LodHierarchy> {
    let mesh = box_tets(SIZE, [2, 4, 2], CellStyle::Alternating);
    let skin = Arc::new(mesh.boundary().surface);
    let material = Material::isotropic(YOUNG, poisson)
        .with_damping_ratio(0.5)
        .with_law(law);
    let geometry = BodyGeometry {
        levels: vec![Arc::new(mesh)],
        ..BodyGeometry::new(skin, material).held_at("floor", Selection::Lowest(0.01))
    };
    let baked = bake_with(&geometry, Calibration::Off, &Progress::new());
    Arc::new(baked.expect("a box"))
}

fn linear(column: &Arc<LodHierarchy>) -> LinearBody {
    let body = LinearBody::new(Arc::clone(column), 0, &Progress::new());
    body.expect("not cancelled").expect("held")
}

fn dynamic(column: &Arc<LodHierarchy>) -> AdaptiveModel {
    let params = AdaptiveParams {
        level: LevelChoice::Index(0),
        damping_rule: DampingRule::Rayleigh,
        ..AdaptiveParams::default()
    };
    AdaptiveModel::new(Arc::clone(column), params).expect("a level")
}

fn relaxed(column: &Arc<LodHierarchy>) -> RelaxedBody {
    RelaxedBody::new(dynamic(column), Progress::new()).expect("damped")
}

/// Vertices of the upper face.
fn top(column: &LodHierarchy) -> Vec<u32> {
    let skin = &column.skin.positions;
    let height = skin.iter().map(|x| x.y).fold(f64::MIN, f64::max);
    let all = (0..skin.len()).filter(|&v| skin[v].y > height - 1e-6);
    all.map(|v| v as u32).collect()
}

/// The upper face is held at `depth` (m) below its place at rest, and may slide.
fn pressed(column: &LodHierarchy, depth: f64) -> BoundaryConditions {
    let held = top(column).into_iter().map(|vertex| {
        let target = column.skin.positions[vertex as usize] - Vec3::y() * depth;
        DisplacementConstraint {
            directions: ConstrainedDirections::Along(-Vec3::y()),
            ..DisplacementConstraint::held(vertex, target)
        }
    });
    let mut boundary = BoundaryConditions::default();
    boundary.set_displacements(held).expect("valid");
    boundary
}

/// A round tool presses the upper face, to `depth` (m) in its middle and with an open gap at its rim.
fn poked(column: &LodHierarchy, depth: f64, friction: Friction) -> BoundaryConditions {
    let touched = top(column).into_iter().map(|vertex| {
        let x = column.skin.positions[vertex as usize];
        let off_axis = (x.x * x.x + x.z * x.z) / (0.05 * 0.05);
        let target = x - Vec3::y() * (depth * (1.0 - 0.75 * off_axis));
        DisplacementConstraint {
            friction,
            ..DisplacementConstraint::contact(vertex, target, -Vec3::y())
        }
    });
    let mut boundary = BoundaryConditions::default();
    boundary.set_displacements(touched).expect("valid");
    boundary
}

/// Force of the constraints on the body (N) after frames that press it deeper and deeper.
fn force(body: &mut dyn DeformableModel, boundaries: &[BoundaryConditions]) -> Vec3 {
    for boundary in boundaries {
        let request = FrameRequest::new(FRAME, boundary);
        body.advance(request).expect("a frame");
    }
    body.reactions().iter().sum()
}

#[test]
fn a_linear_column_takes_force_in_proportion_to_its_shortening() {
    let column = column(0.0, MaterialLaw::Green);
    let mut body = linear(&column);
    let depth = 0.04;
    let found = force(&mut body, &[pressed(&column, depth)]);
    // E A d / L, however deep
    let expected = YOUNG * SIZE.x * SIZE.z * depth / SIZE.y;
    assert!((found.y + expected).abs() < 1e-6 * expected, "{found:?}");
    let support = body.support_reactions()[0];
    assert!((support + found).norm() < 1e-6 * expected, "{support:?}");
}

#[test]
fn a_linear_poke_is_in_equilibrium_and_twice_as_deep_a_one_has_twice_the_force() {
    let column = column(0.3, MaterialLaw::Green);
    for friction in [Friction::None, Friction::coulomb(0.3)] {
        let of_depth = |depth: f64| {
            let mut body = linear(&column);
            let boundary = poked(&column, depth, friction);
            let force = force(&mut body, std::slice::from_ref(&boundary));
            // no force remains on a free node
            let level = body.level();
            let mut rest = level.element_forces(body.displacements());
            for (constraint, reaction) in boundary.displacements().iter().zip(body.reactions()) {
                level.add_force(constraint.vertex, reaction, &mut rest);
            }
            let held = level.level().held_flags();
            let free = rest.iter().zip(held).filter(|(_, held)| !held);
            let largest = free.map(|(f, _)| f.norm()).fold(0.0, f64::max);
            assert!(largest < 1e-9 * force.norm(), "{largest} of {force:?}");
            force
        };
        let (once, twice) = (of_depth(0.004), of_depth(0.008));
        assert!(once.y < 0.0, "it presses: {once:?}");
        assert!((twice - once * 2.0).norm() < 1e-6 * once.norm());
    }
}

#[test]
fn a_linear_frame_stops_where_the_work_was_cancelled_although_no_vertex_is_new() {
    let column = column(0.3, MaterialLaw::Green);
    let progress = Progress::new();
    let body = LinearBody::new(Arc::clone(&column), 0, &progress);
    let mut body = body.expect("not cancelled").expect("held");
    let boundary = poked(&column, 0.004, Friction::None);
    let mut advance = || body.advance(FrameRequest::new(FRAME, &boundary)).is_ok();
    assert!(advance());
    progress.cancel();
    assert!(!advance());
}

#[test]
fn a_relaxed_body_with_small_strains_is_the_linear_one() {
    let column = column(0.3, MaterialLaw::Cauchy);
    let boundary = [poked(&column, 0.004, Friction::None)];
    let of_linear = force(&mut linear(&column), &boundary);
    let of_relaxed = force(&mut relaxed(&column), &boundary);
    let off = (of_relaxed - of_linear).norm() / of_linear.norm();
    assert!(off < 0.005, "{of_relaxed:?} and {of_linear:?}");
}

#[test]
fn a_relaxed_column_has_the_force_of_its_law_and_that_of_a_dynamic_one_at_rest() {
    let column = column(0.0, MaterialLaw::Green);
    let depths: Vec<f64> = (1..=5).map(|k| 0.004 * f64::from(k)).collect();
    let mut boundaries: Vec<_> = depths.iter().map(|d| pressed(&column, *d)).collect();
    let found = force(&mut relaxed(&column), &boundaries);
    // St. Venant–Kirchhoff: the stress on the rest area is E λ (λ² - 1) / 2
    let stretch: f64 = 1.0 - 0.02 / SIZE.y;
    let expected = YOUNG * SIZE.x * SIZE.z * stretch * (1.0 - stretch * stretch) / 2.0;
    assert!((found.y + expected).abs() < 0.005 * expected, "{found:?}");
    // two seconds later
    let last = boundaries[4].clone();
    boundaries.resize(130, last);
    let at_rest = force(&mut dynamic(&column), &boundaries);
    let off = (at_rest - found).norm() / expected;
    assert!(off < 0.005, "{at_rest:?} and {found:?}");
}
