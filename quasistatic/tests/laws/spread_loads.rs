//! Loads spread over the faces around a corner: bonded patches are as stiff as they should be, and columns are those of the tractions.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::QuadraticTetMesh;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::greens::elasticity::BodyElasticity;
use pliant_quasistatic::greens::element_mesh::ElementMesh;
use pliant_quasistatic::greens::spread::spread_rows;
use pliant_quasistatic::params::{BoundaryLoads, Elements};
use pliant_quasistatic::reference::{AppliedForces, solve_elements};
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticModel, QuasistaticParams, bake};

use crate::bodies::{advance, held_box, hold};

fn spread() -> QuasistaticParams {
    QuasistaticParams {
        elements: Elements::Quadratic,
        loads: BoundaryLoads::Spread,
        precision: Precision::Double,
        ..QuasistaticParams::default()
    }
}

fn baked(geometry: &BodyGeometry) -> GreensAsset {
    bake::bake(geometry, &spread(), &Progress::new()).expect("a held box can be baked")
}

#[test]
fn a_bonded_patch_is_as_stiff_as_the_converged_block() {
    // N/m, spectral elements: the block of the static case that crosses methods
    let converged = [(Vec3::y(), 65_632.063), (Vec3::x(), 15_647.186)];
    let geometry = held_box(Vec3::repeat(1.0), [8; 3], None);
    let params = spread();
    let mut model = QuasistaticModel::new(Arc::new(baked(&geometry)), &params);
    let positions = &geometry.skin.positions;
    let in_patch = |x: &Vec3| x.y > 0.499 && x.x.abs() < 0.251 && x.z.abs() < 0.251;
    let patch: Vec<u32> = (0..positions.len() as u32)
        .filter(|&v| in_patch(&positions[v as usize]))
        .collect();
    assert_eq!(patch.len(), 25);
    for (direction, stiffness) in converged {
        let held = patch.iter().map(|&v| {
            let target = positions[v as usize] + direction * 1e-3;
            hold(v, target, None)
        });
        let mut boundary = BoundaryConditions::default();
        boundary.set_displacements(held).expect("distinct");
        advance(&mut model, &boundary).expect("regular");
        let force: Vec3 = model.reactions().iter().sum();
        let found = force.dot(&direction) / 1e-3 / stiffness - 1.0;
        // from above, as finite elements are; loads at corners are 0.127 and 0.038 below
        assert!((0.0..0.085).contains(&found), "{direction:?}: {found}");
        let foot = model.support_reactions()[0];
        assert!((force + foot).norm() < 1e-9 * force.norm());
    }
}

#[test]
fn columns_are_mean_displacements_under_tractions_whatever_the_springs() {
    let geometry = held_box(Vec3::new(0.3, 0.3, 0.2), [4, 4, 3], None);
    let mesh = geometry.greens_level.as_deref().expect("set");
    let boundary = mesh.boundary();
    let nodes = &boundary.node_of_vertex;
    let faces = boundary.surface.triangles.iter();
    let faces: Vec<[u32; 3]> = faces.map(|t| t.map(|v| nodes[v as usize])).collect();
    let rows = spread_rows(&QuadraticTetMesh::new(mesh), &faces, nodes.iter().copied());
    let asset = baked(&geometry);
    let lowest = mesh.bounds().min.y;
    let elements = ElementMesh::new(mesh, Elements::Quadratic).expect("sound");
    let foot: Vec<u32> = (0..elements.nodes.len() as u32)
        .filter(|&n| elements.nodes[n as usize].y <= lowest + 1e-9)
        .collect();
    let elasticity = BodyElasticity::isotropic(geometry.material.lame());
    let free = rows
        .iter()
        .filter(|row| mesh.nodes[row.corner as usize].y > lowest + 1e-9);
    let free: Vec<_> = free.collect();
    assert_eq!(free.len(), asset.nodes());
    for loaded in [0, 17, asset.nodes() - 1] {
        let force = Vec3::new(1.0, -2.0, 0.5);
        let parts = free[loaded].parts.iter();
        let nodal: Vec<(u32, Vec3)> = parts.map(|&(n, w)| (n, force * w)).collect();
        let applied = AppliedForces {
            nodal: &nodal,
            gravity: Vec3::zeros(),
        };
        let elements = elements.clone();
        let density = geometry.material.density;
        let direct = solve_elements(elements, &elasticity, density, &foot, &[], applied);
        let direct = direct.expect("regular");
        let own = free[loaded].mean(&direct.displacements).norm();
        for (i, row) in free.iter().enumerate() {
            let expected = row.mean(&direct.displacements);
            let found = asset.matrix.block(i, loaded) * force;
            assert!((found - expected).norm() < 1e-9 * own, "{i} {loaded}");
        }
        let on_foot: Vec3 = foot.iter().map(|&n| direct.reactions[n as usize]).sum();
        let found = asset.supports[0].shares[loaded] * force;
        assert!((found - on_foot).norm() < 1e-9 * force.norm());
    }
}

#[test]
fn columns_are_reciprocal_and_the_support_carries_all() {
    let size = Vec3::new(0.2, 0.4, 0.2);
    let geometry = held_box(size, [3, 5, 3], Some([5, 7, 5]));
    let asset = baked(&geometry);
    let n = asset.nodes();
    let own = (0..n).map(|i| asset.matrix.block(i, i).norm());
    let largest = own.fold(0.0, f64::max);
    for i in 0..n {
        for j in 0..i {
            let difference = asset.matrix.block(i, j) - asset.matrix.block(j, i).transpose();
            assert!(difference.norm() < 1e-12 * largest, "{i} {j}");
        }
        let own = asset.matrix.block(i, i);
        assert!(own.symmetric_eigenvalues().min() > 0.0, "{i}");
        let sum = asset.supports[0].shares[i] + Mat3::identity();
        assert!(sum.norm() < 1e-10);
    }
    let mass = geometry.material.density * size.x * size.y * size.z;
    let weight = asset.supports[0].gravity + Mat3::identity() * mass;
    assert!(weight.norm() < 1e-9 * mass);
}
