//! The capacitance matrix algorithm gives the solution of the changed system, solved from scratch.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, NodalLoad};
use pliant_core::material::{LameParameters, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;
use pliant_quasistatic::finite_elements::elasticity::BodyElasticity;
use pliant_quasistatic::finite_elements::element_mesh::ElementMesh;
use pliant_quasistatic::params::{GreensElements, GreensLoads};
use pliant_quasistatic::{Precision, QuasistaticParams};

use crate::bodies::{
    RandomNumbers, advance, assert_near, assert_solved, constrained, held_box, hold, model,
    model_with, params, set,
};
use crate::direct_solution::{AppliedForces, prescribed, solve_directly};

/// Random switches, loads and gravity on a box. Quadratic elements have forces on their corners, which a direct solution reproduces exactly.
fn assert_random_switches(elements: GreensElements, cells: [usize; 3], trials: usize, bar: f64) {
    let geometry = held_box(Vec3::new(0.3, 0.3, 0.2), cells, None);
    let params = QuasistaticParams {
        elements,
        loads: GreensLoads::Corners,
        ..params(Precision::Double)
    };
    let mut model = model_with(&geometry, &params);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let node_of_vertex = mesh.boundary().node_of_vertex;
    let skin = &geometry.skin;
    let elements = ElementMesh::new(mesh, elements).expect("sound");
    let is_low = |x: &Vec3| x.y <= mesh.bounds().min.y + 1e-9;
    let foot: Vec<u32> = (0..elements.nodes.len() as u32)
        .filter(|&n| is_low(&elements.nodes[n as usize]))
        .collect();
    let free: Vec<u32> = (0..skin.vertex_count() as u32)
        .filter(|&v| !is_low(&skin.positions[v as usize]))
        .collect();
    let elasticity = BodyElasticity::isotropic(geometry.material.lame());
    let density = geometry.material.density;
    let mut random = RandomNumbers(7);
    for trial in 0..trials {
        let mut constraints: Vec<DisplacementConstraint> = Vec::new();
        let mut held = Vec::new();
        for _ in 0..random.below(9) {
            let vertex = free[random.below(free.len())];
            let node = node_of_vertex[vertex as usize];
            if constraints.iter().any(|c| c.vertex == vertex) {
                continue;
            }
            let moved = random.vector(0.01);
            let along = (random.signed() > 0.0).then(|| random.unit());
            let target = skin.positions[vertex as usize] + moved;
            constraints.push(hold(vertex, target, along));
            held.extend(prescribed(node, moved, along));
        }
        let gravity = random.vector(10.0);
        let loads: Vec<NodalLoad> = (0..random.below(3))
            .map(|_| NodalLoad {
                vertex: random.below(skin.vertex_count()) as u32,
                force: random.vector(5.0),
            })
            .collect();
        let nodal: Vec<(u32, Vec3)> = loads
            .iter()
            .map(|l| (node_of_vertex[l.vertex as usize], l.force))
            .collect();
        let mut boundary = constrained(constraints);
        boundary.gravity = gravity;
        boundary.set_loads(loads);
        let report = advance(&mut model, &boundary).expect("regular");
        let applied = AppliedForces {
            nodal: &nodal,
            gravity,
        };
        let direct = solve_directly(&elements, &elasticity, density, &foot, &held, applied);
        let scale = assert_solved((&model, &boundary), &direct, &node_of_vertex, &foot, bar);
        assert!(report.max_violation < bar * scale, "trial {trial}");
    }
}

#[test]
fn random_switches_equal_a_direct_solution() {
    assert_random_switches(GreensElements::Linear, [3, 3, 2], 300, 1e-10);
    // large enough for a factorisation in blocks, whose tail is solved separately
    assert_random_switches(GreensElements::Quadratic, [4, 4, 3], 6, 1e-9);
}

#[test]
fn a_stiffer_body_needs_proportionally_more_force_and_sags_less() {
    let geometry = held_box(Vec3::new(0.3, 0.3, 0.2), [2, 2, 2], None);
    let mut model = model(&geometry, Precision::Double);
    let top = 20;
    let target = geometry.skin.positions[top] + Vec3::new(0.01, 0.02, 0.0);
    let pull = constrained([hold(top as u32, target, None)]);
    let sag = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    advance(&mut model, &pull).expect("regular");
    let (force, field) = (model.reactions()[0], model.displacement(3));
    advance(&mut model, &sag).expect("regular");
    let soft = model.displacement(top);
    set(&mut model, "young", 4e5);
    advance(&mut model, &pull).expect("regular");
    assert_near(model.reactions()[0], force * 4.0, 2.5e-13);
    assert!((model.displacement(3) - field).norm() < 1e-15);
    advance(&mut model, &sag).expect("regular");
    assert_near(model.displacement(top) * 4.0, soft, 1e-12);
    set(&mut model, "density", 2000.0);
    advance(&mut model, &sag).expect("regular");
    assert_near(model.displacement(top) * 2.0, soft, 1e-12);
}

/// One switched node: rest position, prescribed displacement, force in the solution.
type Switch = ([f64; 3], [f64; 3], [f64; 3]);

/// Results of an independent program: the same box, its stiffness condensed on the surface and switched nodes by dense algebra.
#[test]
fn forces_of_an_independent_implementation() {
    const THIRD: f64 = 1.0 / 3.0;
    #[rustfmt::skip]
    let one: &[Switch] = &[
        ([2.0 * THIRD, 2.0 * THIRD, 0.8], [0.015852374948187215, 0.014325219563356358, -0.019886918712535197], [606.7392380816068, 545.5936424083858, -1523.0891988799574]),
    ];
    #[rustfmt::skip]
    let five: &[Switch] = &[
        ([0.0, 0.0, 0.8], [0.0016586464687517698, -0.0157259490390504, -0.009681801649560388], [4.065877687948486, -196.42239841258245, -92.72004446018512]),
        ([0.0, 2.0 * THIRD, 0.8], [-0.0033241583746758917, -0.0018553551258689398, -0.001274136362243973], [-310.6134293570604, 116.84518874138489, 53.08976400384159]),
        ([0.0, 1.0, 0.4], [0.01710066803489305, -0.009649156423113982, -0.012484391568618483], [842.0083545382996, -550.529759969486, -674.4670771826519]),
        ([1.0, 2.0 * THIRD, 0.4], [0.0068204189621800075, 0.017864748134079112, 0.01691243501775006], [32.857092472784885, 1844.239760166271, 1216.4552694199733]),
        ([1.0, 2.0 * THIRD, 0.8], [0.015209999996938946, -0.01742577216305541, 0.01746784497016535], [866.6252586217526, -918.0760699971268, 557.8131998093679]),
    ];
    // displacements of four free nodes: (0, 0, 0.4), (0, 0, 0.8), (0, 1/3, 0.4), (0, 1/3, 0.8)
    #[rustfmt::skip]
    let field = [
        [0.004493223153346728, 0.004310211262932197, 0.004391804252869145],
        [0.009624281007208442, 0.009153291250782562, 0.005375159144757021],
        [0.004426100567671407, 0.0037571505325186072, 0.0023897652773233794],
        [0.010583506235197238, 0.008832909224361819, 0.0032504709463674723],
    ];
    let size = Vec3::new(1.0, 1.0, 0.8);
    let mut geometry = held_box(size, [3, 3, 2], None);
    geometry.material.elastic = YoungPoisson::from(LameParameters {
        lambda: 1e5,
        mu: 8e4,
    });
    // that program has its origin in a corner and holds z = 0
    geometry.supports[0].selection = Selection::HalfSpace {
        point: [0.0, 0.0, -0.4],
        normal: [0.0, 0.0, -1.0],
    };
    let mut model = model(&geometry, Precision::Double);
    let vertex_at = |x: [f64; 3]| {
        let position = Vec3::from(x) - size / 2.0;
        let found = geometry
            .skin
            .positions
            .iter()
            .position(|p| (p - position).norm() < 1e-9);
        found.expect("a grid point")
    };
    for case in [five, one] {
        let boundary = constrained(case.iter().map(|(x, u, _)| {
            let v = vertex_at(*x);
            hold(v as u32, geometry.skin.positions[v] + Vec3::from(*u), None)
        }));
        advance(&mut model, &boundary).expect("regular");
        let largest = case
            .iter()
            .map(|c| Vec3::from(c.2).norm())
            .fold(0.0, f64::max);
        for (x, _, force) in case {
            let v = vertex_at(*x) as u32;
            let k = boundary.displacements().iter().position(|c| c.vertex == v);
            let found = model.reactions()[k.expect("constrained")];
            assert!((found - Vec3::from(*force)).norm() < 1e-9 * largest);
        }
    }
    for (k, u) in field.iter().enumerate() {
        let v = vertex_at([0.0, (k / 2) as f64 * THIRD, 0.4 + 0.4 * (k % 2) as f64]);
        assert!((model.displacement(v) - Vec3::from(*u)).norm() < 1e-11);
    }
}
