//! Points inside a body.

mod asset;
mod boundary_elements;
mod direct;
mod loads;
mod stress;

use pliant_core::asset::BodyGeometry;
use pliant_core::material::LameParameters;
use pliant_core::math::barycentric::tetrahedron_weights;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::TetMesh;
use pliant_core::scene::Selection;
use pliant_quasistatic::asset::inside::{NamedPoint, PointState};
use pliant_quasistatic::params::{Fibres, StiffnessPart};
use pliant_quasistatic::{Precision, QuasistaticParams};

use crate::bodies::{held_box, params, point};

/// A point, and six points at the distance `step` (m) along the axes for central differences.
fn point_with_neighbours(center: Vec3, step: f64) -> Vec<NamedPoint> {
    let mut points = vec![point("center", center)];
    for axis in 0..3 {
        for side in [1.0, -1.0] {
            let x = center + Vec3::ith(axis, side * step);
            points.push(point(&format!("{axis} {side}"), x));
        }
    }
    points
}

/// The reported stress as a matrix, and the stress from central differences of the displacements `moved` of the six neighbours.
fn reported_and_numerical_stress(
    [xx, yy, zz, yz, xz, xy]: [f64; 6],
    moved: impl Fn(usize) -> Vec3,
    step: f64,
    lame: LameParameters,
) -> (Mat3, Mat3) {
    let slopes = [0, 2, 4].map(|k| (moved(k) - moved(k + 1)) / (2.0 * step));
    let gradient = Mat3::from_columns(&slopes);
    let strain = 0.5 * (gradient + gradient.transpose());
    let stress = Mat3::identity() * (lame.lambda * strain.trace()) + strain * (2.0 * lame.mu);
    (Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz), stress)
}

/// A body with regions of other stiffness and with fibres, and `points` inside.
fn body(points: Vec<NamedPoint>) -> (BodyGeometry, QuasistaticParams) {
    let geometry = held_box(Vec3::new(0.2, 0.3, 0.2), [4, 6, 4], None);
    let params = QuasistaticParams {
        stiffness: vec![StiffnessPart::Region {
            selection: Selection::Sphere {
                center: [0.02, 0.0, 0.03],
                radius: 0.08,
            },
            factor: 7.0,
        }],
        fibres: Some(Fibres {
            direction: Vec3::new(0.2, 1.0, 0.4),
            young: 3e5,
            shear: 6e4,
            poisson: Some(0.2),
        }),
        inside: points,
        ..params(Precision::Double)
    };
    (geometry, params)
}

/// The tetrahedron that contains a point, the one with the largest least weight if several do, and the weights of its corners.
fn containing_tetrahedron(mesh: &TetMesh, x: &Vec3) -> (usize, [f64; 4]) {
    let depth = |w: &[f64; 4]| w.iter().copied().fold(f64::INFINITY, f64::min);
    (0..mesh.tets.len())
        .filter_map(|t| tetrahedron_weights(x, mesh.corners(t)).map(|w| (t, w)))
        .max_by(|a, b| depth(&a.1).total_cmp(&depth(&b.1)))
        .expect("a mesh")
}

fn close(a: &PointState, b: &PointState, tolerance: f64) {
    let error = (a.displacement - b.displacement).norm();
    assert!(
        error <= tolerance * b.displacement.norm(),
        "{error} {a:?} {b:?}"
    );
    let difference: [f64; 6] = std::array::from_fn(|k| a.stress[k] - b.stress[k]);
    let norm = |s: &[f64; 6]| s.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!(
        norm(&difference) <= tolerance * norm(&b.stress),
        "{a:?} {b:?}"
    );
}

fn test_points() -> [Vec3; 3] {
    [
        Vec3::new(0.013, 0.061, -0.022),
        // in the lowest layer, beside held nodes
        Vec3::new(-0.031, -0.137, 0.012),
        Vec3::new(0.041, 0.009, 0.037),
    ]
}
