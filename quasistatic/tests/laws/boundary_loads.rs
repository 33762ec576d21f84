//! Forces on quadratic elements stand for tractions on the faces around each corner.

use std::collections::HashMap;

use pliant_core::asset::BodyGeometry;
use pliant_core::math::Vec3;
use pliant_quasistatic::finite_elements::elasticity::BodyElasticity;
use pliant_quasistatic::finite_elements::element_mesh::ElementMesh;
use pliant_quasistatic::params::{GreensElements, GreensLoads};
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticParams};

use crate::bodies::{RandomNumbers, bake_body, held_box, on_threads, params};
use crate::direct_solution::{AppliedForces, solve_directly};

fn baked(geometry: &BodyGeometry, loads: GreensLoads) -> GreensAsset {
    let params = QuasistaticParams {
        elements: GreensElements::Quadratic,
        loads,
        ..params(Precision::Double)
    };
    bake_body(geometry, &params)
}

fn displacements(asset: &GreensAsset, forces: &[(u32, Vec3)]) -> Vec<Vec3> {
    let mut field = vec![0.0; 3 * asset.nodes()];
    asset.matrix.add_columns(forces, &mut field);
    field.chunks_exact(3).map(Vec3::from_column_slice).collect()
}

fn work(asset: &GreensAsset, forces: &[(u32, Vec3)]) -> f64 {
    let moved = displacements(asset, forces);
    forces.iter().map(|(i, f)| moved[*i as usize].dot(f)).sum()
}

#[test]
fn a_traction_moves_corners_as_the_same_traction_on_faces_does() {
    let size = Vec3::new(0.2, 0.1, 0.2);
    let geometry = held_box(size, [8, 4, 8], None);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let boundary = mesh.boundary();
    let (top, traction) = (0.5 * size.y - 1e-9, Vec3::new(300.0, -500.0, 0.0));
    // consistent loads of quadratic faces, and a third of each face on its corners
    let elements = ElementMesh::new(mesh, GreensElements::Quadratic).expect("sound");
    let first_middle = mesh.nodes.len();
    let middles = elements.edges().iter().zip(first_middle as u32..);
    let middle: HashMap<[u32; 2], u32> = middles
        .flat_map(|(&[a, b], m)| [([a, b], m), ([b, a], m)])
        .collect();
    let (mut on_faces, mut on_corners) = (Vec::new(), HashMap::new());
    for (t, triangle) in boundary.surface.triangles.iter().enumerate() {
        if boundary.surface.corners(t).iter().any(|x| x.y < top) {
            continue;
        }
        let force = traction * (boundary.surface.area_vector(t).norm() / 3.0);
        let nodes = triangle.map(|v| boundary.node_of_vertex[v as usize]);
        for k in 0..3 {
            on_faces.push((middle[&[nodes[k], nodes[(k + 1) % 3]]], force));
            *on_corners.entry(triangle[k]).or_insert(Vec3::zeros()) += force;
        }
    }
    let bottom = |n: &u32| elements.nodes[*n as usize].y < -top;
    let foot: Vec<u32> = (0..elements.nodes.len() as u32).filter(bottom).collect();
    let elasticity = BodyElasticity::isotropic(geometry.material.lame());
    let applied = AppliedForces {
        nodal: &on_faces,
        gravity: Vec3::zeros(),
    };
    let exact = solve_directly(&elements, &elasticity, 1e3, &foot, &[], applied);
    let deviation = |loads| {
        let asset = baked(&geometry, loads);
        let node = |vertex: u32| {
            let skin = &geometry.skin.positions;
            let position = boundary.surface.positions[vertex as usize];
            let skin_vertex = (0..skin.len()).find(|&v| (skin[v] - position).norm() < 1e-9);
            asset
                .rows
                .row(skin_vertex.expect("skin and elements coincide"))
                .0[0]
        };
        let mut forces: Vec<_> = on_corners.iter().map(|(v, f)| (node(*v), *f)).collect();
        forces.sort_unstable_by_key(|(node, _)| *node);
        let moved = displacements(&asset, &forces);
        let pairs = on_corners.keys().map(|v| {
            let exact = exact.displacements[boundary.node_of_vertex[*v as usize] as usize];
            ((moved[node(*v) as usize] - exact).norm(), exact.norm())
        });
        let (error, size) = pairs.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        error / size
    };
    let (faces, corners) = (
        deviation(GreensLoads::Faces),
        deviation(GreensLoads::Corners),
    );
    println!("faces {faces} corners {corners}");
    assert!(faces < 0.3 * corners, "faces {faces}, corners {corners}");
}

#[test]
fn no_load_works_more_than_on_corners_and_every_load_works() {
    let geometry = held_box(Vec3::new(0.3, 0.2, 0.2), [4, 3, 3], None);
    let with_threads = |threads| on_threads(threads, || baked(&geometry, GreensLoads::Faces));
    let corners = baked(&geometry, GreensLoads::Corners);
    let faces = with_threads(1);
    assert_eq!(faces, with_threads(2), "the same bits for any threads");
    assert_eq!(corners.nodes(), faces.nodes());
    let mut random = RandomNumbers(7);
    for trial in 0..50 {
        let count = 1 + random.below(corners.nodes());
        let forces: Vec<(u32, Vec3)> = (0..count as u32).map(|i| (i, random.vector(1.0))).collect();
        let (soft, stiff) = (work(&corners, &forces), work(&faces, &forces));
        assert!(0.0 < stiff && stiff < soft, "{trial}: {stiff} of {soft}");
    }
}
