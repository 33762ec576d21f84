//! Displacements, stress and reactions of points inside finite elements are those of a direct solution.

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::{ConstrainedDirections, NodalLoad};
use pliant_core::elasticity::shape_function::ShapeGradients;
use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::asset::inside::{NamedPoint, PointState};
use pliant_quasistatic::finite_elements::elasticity::BodyElasticity;
use pliant_quasistatic::finite_elements::element_mesh::ElementMesh;
use pliant_quasistatic::params::GreensElements;

use super::{body, close, containing_tetrahedron, test_points};
use crate::bodies::{above, advance, constrained, hold, longest, model_with, point, push};
use crate::direct_solution::{AppliedForces, prescribed, solve_directly};

/// The field of a direct solution at points: displacement, and stress by the elasticity of the tetrahedron.
struct Field<'a> {
    mesh: &'a TetMesh,
    elasticity: &'a BodyElasticity,
    displacements: Vec<Vec3>,
}

impl Field<'_> {
    fn at(&self, x: &Vec3) -> PointState {
        let (tet, weights) = containing_tetrahedron(self.mesh, x);
        let corners = self.mesh.tets[tet].map(|v| self.displacements[v as usize]);
        let shape = ShapeGradients::new(self.mesh.corners(tet)).expect("volume");
        PointState {
            displacement: corners.iter().zip(weights).map(|(u, w)| u * w).sum(),
            stress: self.elasticity.stress(tet, &shape.gradient_of(corners)),
        }
    }
}

fn held_nodes(geometry: &BodyGeometry) -> Vec<u32> {
    let mesh = geometry.greens_level.as_deref().expect("set");
    geometry.supports[0].nodes(&mesh.nodes, mesh.mean_edge(), &geometry.skin)
}

/// The node of the mesh at the position of a skin vertex.
fn node_at(geometry: &BodyGeometry, vertex: u32) -> u32 {
    let mesh = geometry.greens_level.as_deref().expect("set");
    let x = geometry.skin.positions[vertex as usize];
    let found = mesh.nodes.iter().position(|y| (y - x).norm() < 1e-12);
    found.expect("the skin is the boundary") as u32
}

#[test]
fn contact_gravity_and_loads_reach_the_inside_as_in_a_direct_solution() {
    let names = ["upper", "low", "core"];
    let mut points: Vec<NamedPoint> = names
        .iter()
        .zip(test_points())
        .map(|(n, x)| point(n, x))
        .collect();
    points[0].load = Vec3::new(0.4, -1.1, 0.2);
    let (geometry, params) = body(points);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let elasticity = BodyElasticity::new(&geometry, mesh, &params).expect("sound");
    let mut model = model_with(&geometry, &params);
    let low_load = Vec3::new(-0.7, 0.3, 0.5);
    model.set_inside_load("low", low_load).expect("a point");
    let top = above(&geometry.skin, 0.149);
    let (pushed, pulled, loaded) = (top[7], top[12], top[3]);
    let rest = |v: u32| geometry.skin.positions[v as usize];
    let gravity = Vec3::new(1.0, -9.81, 0.5);
    let constraints = [
        hold(pulled, rest(pulled) + Vec3::new(0.002, 0.004, -0.001), None),
        push(pushed, rest(pushed) - Vec3::y() * 0.02, -Vec3::y()),
    ];
    let mut boundary = constrained(constraints);
    boundary.gravity = gravity;
    let surface_force = Vec3::new(0.3, 0.1, -0.2);
    boundary.set_loads(vec![NodalLoad {
        vertex: loaded,
        force: surface_force,
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
    let mut nodal = vec![(node_at(&geometry, loaded), surface_force)];
    for (x, load) in [
        (test_points()[0], Vec3::new(0.4, -1.1, 0.2)),
        (test_points()[1], low_load),
    ] {
        let (tet, weights) = containing_tetrahedron(mesh, &x);
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
    let elements = ElementMesh::new(mesh, GreensElements::Linear).expect("sound");
    let solved = solve_directly(&elements, &elasticity, density, &held, &components, applied);
    let field = Field {
        mesh,
        elasticity: &elasticity,
        displacements: solved.displacements,
    };
    for (state, x) in model.inside_states().iter().zip(test_points()) {
        close(state, &field.at(&x), 1e-10);
    }
    for (v, _) in geometry.skin.positions.iter().enumerate() {
        let direct = field.displacements[node_at(&geometry, v as u32) as usize];
        assert!(
            (model.displacement(v) - direct).norm() < 1e-10 * 0.005,
            "{v}"
        );
    }
    // supports carry the loads on points, also the part on held nodes
    let carried: Vec3 = held.iter().map(|&n| solved.reactions[n as usize]).sum();
    let reported = model.support_reactions()[0];
    assert!(
        (reported - carried).norm() < 1e-9 * carried.norm(),
        "{reported} {carried}"
    );
}

#[test]
fn rows_of_a_point_are_the_transposed_columns_of_a_load_on_it() {
    let [a, b, c] = test_points();
    let (geometry, params) = body(vec![point("a", a), point("b", b), point("c", c)]);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let elasticity = BodyElasticity::new(&geometry, mesh, &params).expect("sound");
    let model = model_with(&geometry, &params);
    let asset = model.asset();
    let held = held_nodes(&geometry);
    let elements = ElementMesh::new(mesh, GreensElements::Linear).expect("sound");
    for (k, own) in model.inside().iter().enumerate() {
        let (tet, weights) = containing_tetrahedron(mesh, &own.named.point);
        for axis in 0..3 {
            let load = Vec3::ith(axis, 1.0);
            let shares = mesh.tets[tet].iter().zip(weights);
            let nodal: Vec<(u32, Vec3)> = shares.map(|(&v, w)| (v, load * w)).collect();
            let applied = AppliedForces {
                nodal: &nodal,
                ..AppliedForces::default()
            };
            let column = solve_directly(&elements, &elasticity, 0.0, &held, &[], applied);
            let largest = longest(&column.displacements);
            for v in 0..geometry.skin.vertex_count() {
                if let ([node], _) = asset.rows.row(v) {
                    let row = own.displacement[*node as usize].row(axis).transpose();
                    let direct = column.displacements[node_at(&geometry, v as u32) as usize];
                    assert!((row - direct).norm() < 1e-11 * largest, "{v}");
                }
            }
            let total: Vec3 = own
                .support_reactions
                .iter()
                .map(|r| r.column(axis).into_owned())
                .sum();
            assert!(
                (total + load).norm() < 1e-10,
                "the support carries the load: {total}"
            );
        }
        for (j, other) in model.inside().iter().enumerate() {
            let response = own.of_points[j].displacement;
            let back = other.of_points[k].displacement.transpose();
            assert!((response - back).norm() < 1e-11 * response.norm());
        }
    }
}
