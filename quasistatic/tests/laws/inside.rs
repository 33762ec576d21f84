//! Points inside a body of finite elements: rows, loads, and the reactions to them.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections, NodalLoad};
use pliant_core::elasticity::shape_function::ShapeGradients;
use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_core::material::LameParameters;
use pliant_core::math::barycentric::tetrahedron_weights;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::TetMesh;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;
use pliant_quasistatic::asset::inside::{InsideLoadError, NamedPoint, PointState};
use pliant_quasistatic::finite_elements::elasticity::BodyElasticity;
use pliant_quasistatic::finite_elements::element_mesh::ElementMesh;
use pliant_quasistatic::params::{Elements, Fibres, StiffnessPart};
use pliant_quasistatic::{BakeError, GreensAsset, Precision, QuasistaticParams, bake};

use crate::bodies::{
    advance, held_box, hold, made, model_with, params, point, push, with_loose_part,
};
use crate::direct_solution::{AppliedForces, prescribed, solve_directly};
use crate::materials::pulled_top;

/// A point, and six that lie so near around it that differences between them are slopes.
pub fn star(center: Vec3, step: f64) -> Vec<NamedPoint> {
    let mut points = vec![point("center", center)];
    for axis in 0..3 {
        for side in [1.0, -1.0] {
            let x = center + Vec3::ith(axis, side * step);
            points.push(point(&format!("{axis} {side}"), x));
        }
    }
    points
}

/// The stress that is told, as a matrix, and that of the slope of what the six points around do.
pub fn told_and_sloped(
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

/// A body with everything that finite elements can have, and `points` inside.
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

/// The field of a direct solution at places: displacement, and stress by the elasticity of the tetrahedron.
struct Field<'a> {
    mesh: &'a TetMesh,
    elasticity: &'a BodyElasticity,
    displacements: Vec<Vec3>,
}

/// The deepest tetrahedron around a place, and the weights of its corners.
fn around(mesh: &TetMesh, x: &Vec3) -> (usize, [f64; 4]) {
    let depth = |w: &[f64; 4]| w.iter().copied().fold(f64::INFINITY, f64::min);
    (0..mesh.tets.len())
        .filter_map(|t| tetrahedron_weights(x, mesh.corners(t)).map(|w| (t, w)))
        .max_by(|a, b| depth(&a.1).total_cmp(&depth(&b.1)))
        .expect("a mesh")
}

impl Field<'_> {
    fn at(&self, x: &Vec3) -> PointState {
        let (tet, weights) = around(self.mesh, x);
        let corners = self.mesh.tets[tet].map(|v| self.displacements[v as usize]);
        let shape = ShapeGradients::new(self.mesh.corners(tet)).expect("volume");
        PointState {
            displacement: corners.iter().zip(weights).map(|(u, w)| u * w).sum(),
            stress: self.elasticity.stress(tet, &shape.gradient_of(corners)),
        }
    }
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

fn held_nodes(geometry: &BodyGeometry) -> Vec<u32> {
    let mesh = geometry.greens_level.as_deref().expect("set");
    geometry.supports[0].nodes(&mesh.nodes, mesh.mean_edge(), &geometry.skin)
}

/// The node of the mesh at the place of a skin vertex.
fn node_at(geometry: &BodyGeometry, vertex: u32) -> u32 {
    let mesh = geometry.greens_level.as_deref().expect("set");
    let x = geometry.skin.positions[vertex as usize];
    let found = mesh.nodes.iter().position(|y| (y - x).norm() < 1e-12);
    found.expect("the skin is the boundary") as u32
}

fn places() -> [Vec3; 3] {
    [
        Vec3::new(0.013, 0.061, -0.022),
        // in the lowest layer, beside held nodes
        Vec3::new(-0.031, -0.137, 0.012),
        Vec3::new(0.041, 0.009, 0.037),
    ]
}

#[test]
fn contact_gravity_and_loads_reach_the_inside_as_in_a_direct_solution() {
    let names = ["upper", "low", "core"];
    let mut points: Vec<NamedPoint> = names
        .iter()
        .zip(places())
        .map(|(n, x)| point(n, x))
        .collect();
    points[0].load = Vec3::new(0.4, -1.1, 0.2);
    let (geometry, params) = body(points);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let elasticity = BodyElasticity::new(&geometry, mesh, &params).expect("sound");
    let mut model = model_with(&geometry, &params);
    let second = Vec3::new(-0.7, 0.3, 0.5);
    model.set_inside_load("low", second).expect("a point");
    let top: Vec<u32> = (0..geometry.skin.vertex_count() as u32)
        .filter(|&v| geometry.skin.positions[v as usize].y > 0.149)
        .collect();
    let (pushed, pulled, loaded) = (top[7], top[12], top[3]);
    let rest = |v: u32| geometry.skin.positions[v as usize];
    let gravity = Vec3::new(1.0, -9.81, 0.5);
    let mut boundary = BoundaryConditions::with_gravity(gravity);
    let constraints = [
        hold(pulled, rest(pulled) + Vec3::new(0.002, 0.004, -0.001), None),
        push(pushed, rest(pushed) - Vec3::y() * 0.02, -Vec3::y()),
    ];
    boundary.set_displacements(constraints).expect("two");
    let outside = Vec3::new(0.3, 0.1, -0.2);
    boundary.set_loads(vec![NodalLoad {
        vertex: loaded,
        force: outside,
    }]);
    advance(&mut model, &boundary).expect("regular");
    assert!(model.reactions()[1].norm() > 0.0, "the push is felt");

    let components = constraints.iter().flat_map(|constraint| {
        let along = match constraint.directions {
            ConstrainedDirections::Along(n) => Some(n),
            _ => None,
        };
        let node = node_at(&geometry, constraint.vertex);
        prescribed(node, constraint.target - rest(constraint.vertex), along)
    });
    let components: Vec<_> = components.collect();
    let mut nodal = vec![(node_at(&geometry, loaded), outside)];
    for (x, load) in [
        (places()[0], Vec3::new(0.4, -1.1, 0.2)),
        (places()[1], second),
    ] {
        let (tet, weights) = around(mesh, &x);
        nodal.extend(
            mesh.tets[tet]
                .iter()
                .zip(weights)
                .map(|(&v, w)| (v, load * w)),
        );
    }
    let applied = AppliedForces {
        nodal: &nodal,
        gravity,
    };
    let density = geometry.material.density;
    let held = held_nodes(&geometry);
    let elements = ElementMesh::new(mesh, Elements::Linear).expect("sound");
    let solved = solve_directly(&elements, &elasticity, density, &held, &components, applied);
    let field = Field {
        mesh,
        elasticity: &elasticity,
        displacements: solved.displacements,
    };
    for (state, x) in model.inside_states().iter().zip(places()) {
        close(state, &field.at(&x), 1e-10);
    }
    for (v, _) in geometry.skin.positions.iter().enumerate() {
        let direct = field.displacements[node_at(&geometry, v as u32) as usize];
        assert!(
            (model.displacement(v) - direct).norm() < 1e-10 * 0.005,
            "{v}"
        );
    }
    // supports carry what loads on points make, also where they rest on held nodes
    let carried: Vec3 = held.iter().map(|&n| solved.reactions[n as usize]).sum();
    let told = model.support_reactions()[0];
    assert!(
        (told - carried).norm() < 1e-9 * carried.norm(),
        "{told} {carried}"
    );
}

#[test]
fn rows_of_a_point_are_the_transposed_columns_of_a_load_on_it() {
    let [a, b, c] = places();
    let (geometry, params) = body(vec![point("a", a), point("b", b), point("c", c)]);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let elasticity = BodyElasticity::new(&geometry, mesh, &params).expect("sound");
    let model = model_with(&geometry, &params);
    let asset = model.asset();
    let held = held_nodes(&geometry);
    let elements = ElementMesh::new(mesh, Elements::Linear).expect("sound");
    for (k, own) in model.inside().iter().enumerate() {
        let (tet, weights) = around(mesh, &own.named.point);
        for axis in 0..3 {
            let load = Vec3::ith(axis, 1.0);
            let shares = mesh.tets[tet].iter().zip(weights);
            let nodal: Vec<(u32, Vec3)> = shares.map(|(&v, w)| (v, load * w)).collect();
            let applied = AppliedForces {
                nodal: &nodal,
                ..AppliedForces::default()
            };
            let column = solve_directly(&elements, &elasticity, 0.0, &held, &[], applied);
            let largest = column
                .displacements
                .iter()
                .map(|u| u.norm())
                .fold(0.0, f64::max);
            for v in 0..geometry.skin.vertex_count() {
                if let ([node], _) = asset.rows.row(v) {
                    let row = own.displacement[*node as usize].row(axis).transpose();
                    let direct = column.displacements[node_at(&geometry, v as u32) as usize];
                    assert!((row - direct).norm() < 1e-11 * largest, "{v}");
                }
            }
            let total: Vec3 = own
                .carried
                .iter()
                .map(|r| r.column(axis).into_owned())
                .sum();
            assert!(
                (total + load).norm() < 1e-10,
                "the support carries the load: {total}"
            );
        }
        for (j, other) in model.inside().iter().enumerate() {
            let there = own.of_points[j].displacement;
            let back = other.of_points[k].displacement.transpose();
            assert!((there - back).norm() < 1e-11 * there.norm());
        }
    }
}

#[test]
fn stress_is_that_of_the_slope_of_displacements_inside() {
    let center = places()[2];
    let step = 1e-4;
    let (mut geometry, mut params) = body(star(center, step));
    params.stiffness.clear();
    params.fibres = None;
    geometry.material.elastic.poisson = 0.35;
    let lame = geometry.material.lame();
    let mesh = geometry.greens_level.as_deref().expect("set");
    let tet = around(mesh, &center).0;
    assert!(
        params
            .inside
            .iter()
            .all(|p| around(mesh, &p.point).0 == tet)
    );
    let model = model_with(&geometry, &params);
    let [center, around @ ..] = model.inside() else {
        panic!("points");
    };
    for (node, row) in center.stress.iter().enumerate() {
        for axis in 0..3 {
            let force = Vec3::ith(axis, 1.0);
            let moved = |k: usize| around[k].displacement[node] * force;
            let told = row.map(|r| r.dot(&force));
            let (told, stress) = told_and_sloped(told, moved, step, lame);
            // differences of 1e-7 of the displacements are left in the slopes
            assert!((told - stress).norm() < 1e-6 * told.norm(), "{node} {axis}");
        }
    }
}

#[test]
fn a_bar_under_its_end_load_has_its_force_over_its_section_inside() {
    let mut geometry = held_box(Vec3::new(0.1, 0.4, 0.1), [2, 8, 2], None);
    geometry.material.elastic.poisson = 0.0;
    let params = QuasistaticParams {
        inside: vec![
            point("low", Vec3::new(0.012, -0.13, 0.021)),
            point("high", Vec3::new(-0.033, 0.11, 0.004)),
        ],
        ..params(Precision::Double)
    };
    let mut model = model_with(&geometry, &params);
    let mut boundary = BoundaryConditions::default();
    boundary.set_loads(pulled_top(&geometry.skin, 2.0));
    advance(&mut model, &boundary).expect("regular");
    for (state, point) in model.inside_states().iter().zip(&params.inside) {
        for (k, stress) in state.stress.iter().enumerate() {
            let exact = if k == 1 { 2.0 / 0.01 } else { 0.0 };
            assert!((stress - exact).abs() < 1e-9 * 200.0, "{k} {stress}");
        }
        assert!((state.von_mises() - 200.0).abs() < 1e-7);
        let stretch = 200.0 / 1e5 * (point.point.y + 0.2);
        let error = state.displacement - Vec3::y() * stretch;
        assert!(error.norm() < 1e-11, "{error}");
    }
}

#[test]
fn loads_scale_stay_and_come_back_with_snapshots_and_modulus() {
    let (geometry, params) = body(vec![point("a", places()[0])]);
    let mut model = model_with(&geometry, &params);
    let still = BoundaryConditions::default();
    advance(&mut model, &still).expect("regular");
    assert_eq!(model.inside_states(), [PointState::default()]);
    model.set_inside_load("a", Vec3::x()).expect("a point");
    advance(&mut model, &still).expect("regular");
    let before = model.inside_states()[0];
    let reaction = model.support_reactions()[0];
    assert!((reaction + Vec3::x()).norm() < 1e-10, "{reaction}");
    // twice as stiff: half the way, the same stress and reaction
    let doubled = model.set_parameter("young", ParameterValue::Number(2e5));
    doubled.expect("in range");
    let snapshot = model.snapshot();
    model.reset();
    advance(&mut model, &still).expect("regular");
    let after = model.inside_states()[0];
    let half = PointState {
        displacement: before.displacement * 0.5,
        ..before
    };
    close(&after, &half, 1e-12);
    assert!((model.support_reactions()[0] - reaction).norm() < 1e-10);
    model.set_inside_load("a", Vec3::zeros()).expect("a point");
    advance(&mut model, &still).expect("regular");
    assert_eq!(model.inside_states()[0].displacement, Vec3::zeros());
    model.restore(&snapshot).expect("of the same body");
    assert_eq!(
        (model.inside_loads(), model.inside_states()),
        (&[Vec3::x()][..], &[before][..])
    );

    let missing = model.set_inside_load("b", Vec3::x()).expect_err("no such");
    assert!(missing.to_string().contains("it has a"), "{missing}");
    let infinite = model.set_inside_load("a", Vec3::repeat(f64::NAN));
    assert!(matches!(
        infinite,
        Err(InsideLoadError::LoadNotFinite { .. })
    ));
}

#[test]
fn the_stress_under_a_force_does_not_know_the_modulus() {
    let (geometry, params) = body(vec![point("a", places()[0])]);
    let mut model = model_with(&geometry, &params);
    let mut boundary = BoundaryConditions::default();
    boundary.set_loads(pulled_top(&geometry.skin, 2.0));
    advance(&mut model, &boundary).expect("regular");
    let before = model.inside_states()[0];
    let doubled = model.set_parameter("young", ParameterValue::Number(2e5));
    doubled.expect("in range");
    advance(&mut model, &boundary).expect("regular");
    let half = PointState {
        displacement: before.displacement * 0.5,
        ..before
    };
    close(&model.inside_states()[0], &half, 1e-12);
}

#[test]
fn assets_keep_their_points_and_points_outside_are_refused() {
    let mut loaded = point("a", places()[0]);
    loaded.load = Vec3::new(1.0, 2.0, 3.0);
    let (geometry, params) = body(vec![loaded, point("b", places()[1])]);
    let asset = made(&geometry, &params);
    let bytes = asset.to_bytes();
    let again = GreensAsset::from_bytes(&bytes).expect("its own bytes");
    assert!(again == asset && again.to_bytes() == bytes);
    assert!(GreensAsset::from_bytes(&bytes[..bytes.len() - 9]).is_err());

    let key = |points| bake::key(&geometry, &body(points).1);
    let plain = key(vec![point("a", places()[0])]);
    assert_ne!(plain, key(Vec::new()));
    assert_ne!(plain, key(vec![point("a", places()[1])]));
    assert_ne!(plain, key(vec![point("b", places()[0])]));
    let (_, outside) = body(vec![point("far", Vec3::new(0.0, 0.25, 0.0))]);
    match bake::bake(&geometry, &outside, &Progress::new()) {
        Err(BakeError::PointOutside { name, distance, .. }) => {
            assert_eq!(name, "far");
            assert!((distance - 0.1).abs() < 1e-12);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_point_in_a_part_that_nothing_holds_is_refused() {
    let mut geometry = held_box(Vec3::repeat(0.2), [2, 2, 2], None);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let shift = Vec3::new(0.5, 0.3, 0.0);
    geometry.greens_level = Some(Arc::new(with_loose_part(mesh, shift)));
    let params = QuasistaticParams {
        inside: vec![point("held", Vec3::zeros()), point("loose", shift)],
        ..params(Precision::Double)
    };
    let refused = bake::bake(&geometry, &params, &Progress::new()).err();
    let name = "loose".to_string();
    assert_eq!(refused, Some(BakeError::PointLoose { name }));
}
