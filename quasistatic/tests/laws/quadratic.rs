//! Green's functions of quadratic elements obey the laws of linear ones, and bend as beams do.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_quasistatic::finite_elements::elasticity::BodyElasticity;
use pliant_quasistatic::finite_elements::element_mesh::ElementMesh;
use pliant_quasistatic::params::{GreensElements, GreensLoads};
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticParams};

use crate::bodies::{
    assert_reciprocal, assert_supported, bake_body, held_box, on_threads, params, point, with_top,
};
use crate::direct_solution::{AppliedForces, PrescribedComponent, prescribed, solve_directly};

fn quadratic() -> QuasistaticParams {
    QuasistaticParams {
        elements: GreensElements::Quadratic,
        ..params(Precision::Double)
    }
}

#[test]
fn affine_fields_are_exact() {
    let mesh = box_tets(Vec3::new(0.3, 0.3, 0.2), [3, 3, 2], CellStyle::Kuhn);
    let elements = ElementMesh::new(&mesh, GreensElements::Quadratic).expect("sound");
    let nodes = &elements.nodes;
    let bounds = mesh.bounds();
    let field = |x: &Vec3| Mat3::new(0.1, 0.2, 0.0, -0.1, 0.3, 0.05, 0.0, 0.2, -0.2) * x;
    let outside = |x: &&Vec3| (0..3).any(|k| x[k] == bounds.min[k] || x[k] == bounds.max[k]);
    let components: Vec<PrescribedComponent> = (0..nodes.len() as u32)
        .filter(|&n| outside(&&nodes[n as usize]))
        .flat_map(|n| prescribed(n, field(&nodes[n as usize]), None))
        .collect();
    assert!(components.len() < 3 * nodes.len());
    let lame = held_box(Vec3::repeat(1.0), [1; 3], None).material.lame();
    let elasticity = BodyElasticity::isotropic(lame);
    let nothing = AppliedForces::default();
    let solved = solve_directly(&elements, &elasticity, 1e3, &[], &components, nothing);
    for (x, u) in nodes.iter().zip(&solved.displacements) {
        assert!((u - field(x)).norm() < 1e-12);
    }
    for (x, f) in nodes.iter().zip(&solved.reactions) {
        assert!(outside(&x) || f.norm() < 1e-8);
    }
}

#[test]
fn columns_are_reciprocal_supports_carry_all_and_threads_change_no_bit() {
    let size = Vec3::new(0.2, 0.4, 0.2);
    let geometry = with_top(held_box(size, [3, 5, 3], Some([5, 7, 5])), 0.19);
    let with_threads = |threads| on_threads(threads, || bake_body(&geometry, &quadratic()));
    let asset = with_threads(1);
    assert_eq!(asset, with_threads(2));
    assert_reciprocal(&asset);
    assert_supported(&asset, 1e-10);
    let weight: Mat3 = asset.supports.iter().map(|s| s.gravity).sum();
    let mass = geometry.material.density * size.x * size.y * size.z;
    assert!((weight + Mat3::identity() * mass).norm() < 1e-9 * mass);
}

#[test]
fn a_released_support_and_a_point_inside_are_as_if_baked_like_that() {
    let foot = held_box(Vec3::new(0.2, 0.4, 0.2), [2, 4, 2], None);
    let both = with_top(foot.clone(), 0.19);
    let params = QuasistaticParams {
        releasable: vec!["top".into()],
        inside: vec![point("core", Vec3::new(0.03, 0.02, -0.01))],
        loads: GreensLoads::Corners,
        ..quadratic()
    };
    let released = bake_body(&both, &params).without_support("top");
    let released = released.expect("releasable");
    let params_without_release = QuasistaticParams {
        releasable: Vec::new(),
        ..params
    };
    let direct = bake_body(&foot, &params_without_release);
    let at = |asset: &GreensAsset, node: usize| {
        let point = &asset.inside[0];
        let rows = point.displacement[node];
        let stress: f64 = point.stress[node].iter().map(|s| s.norm()).sum();
        (rows, stress, asset.matrix.block(node, node))
    };
    // released nodes are numbered last: compare by skin vertex
    for v in 0..foot.skin.vertex_count() {
        let ([a], [b]) = (released.rows.row(v).0, direct.rows.row(v).0) else {
            continue;
        };
        let (one, other) = (at(&released, *a as usize), at(&direct, *b as usize));
        assert!((one.0 - other.0).norm() < 1e-9 * other.0.norm().max(1e-9));
        assert!((one.1 - other.1).abs() < 1e-7 * other.1.max(1e-6));
        assert!((one.2 - other.2).norm() < 1e-9 * other.2.norm());
    }
    let weight = released.inside[0].gravity - direct.inside[0].gravity;
    assert!(weight.norm() < 1e-9 * direct.inside[0].gravity.norm());
}

#[test]
fn a_beam_two_elements_thick_bends_as_timoshenko_says() {
    let (side, length) = (0.04, 0.4);
    let mut geometry = held_box(Vec3::new(side, length, side), [2, 16, 2], None);
    geometry.material.elastic.poisson = 0.0;
    let young = geometry.material.elastic.young;
    let bend = |elements| {
        let params = QuasistaticParams {
            elements,
            ..quadratic()
        };
        let asset = bake_body(&geometry, &params);
        let positions = &geometry.skin.positions;
        let tip: Vec<u32> = (0..positions.len())
            .filter(|&v| positions[v].y > 0.5 * length - 1e-9)
            .flat_map(|v| asset.rows.row(v).0.to_vec())
            .collect();
        assert_eq!(tip.len(), 9);
        let share = 1.0 / tip.len() as f64;
        // the work of evenly spread forces is the mean displacement
        let pairs = tip.iter().flat_map(|i| tip.iter().map(move |j| (*i, *j)));
        let sum: f64 = pairs
            .map(|(i, j)| asset.matrix.block(i as usize, j as usize)[(0, 0)])
            .sum();
        sum * share * share
    };
    let inertia = side.powi(4) / 12.0;
    let shear = young / 2.0 * (5.0 / 6.0) * side * side;
    let beam = length.powi(3) / (3.0 * young * inertia) + length / shear;
    let found = bend(GreensElements::Quadratic) / beam;
    assert!((found - 1.0).abs() < 0.02, "{found}");
    assert!(bend(GreensElements::Linear) / beam < 0.75);
}
