//! The forces of a grab in the quasistatic method are those of the capacitance matrix: the inverse of the compliance between the held vertices.
//!
//! The compliance is measured through the interface, by a unit force on each held vertex.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, NodalLoad};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Selection;
use pliant_quasistatic::{Precision, QuasistaticModel, QuasistaticParams, bake};

/// Sides of the block, m, held below.
const SIDES: [f64; 3] = [0.2, 0.1, 0.2];

/// Where it is held, m at rest, and by how much it is displaced there, m.
const GRABS: [([f64; 3], [f64; 3]); 4] = [
    ([0.1, 0.05, 0.1], [0.004, 0.007, -0.002]),
    ([-0.1, 0.05, 0.0], [0.0, -0.01, 0.003]),
    ([0.0, 0.05, -0.1], [-0.006, 0.002, 0.005]),
    ([0.1, 0.0, -0.1], [0.003, 0.001, 0.001]),
];

/// A model in double precision on a mesh of 50 mm cells, whose skin has `skin_cells`.
fn block(skin_cells: [usize; 3]) -> QuasistaticModel {
    let size = Vec3::from(SIDES);
    let skin = Arc::new(box_surface(size, skin_cells, CellStyle::Kuhn));
    let body = BodyGeometry {
        greens_level: Some(Arc::new(box_tets(size, [4, 2, 4], CellStyle::Kuhn))),
        ..BodyGeometry::new(skin, Material::isotropic(2e4, 0.3))
            .held_at("foot", Selection::Lowest(0.01))
    };
    let params = QuasistaticParams {
        precision: Precision::Double,
        ..QuasistaticParams::default()
    };
    let asset = bake::bake(&body, &params, &Progress::new()).expect("a held body can be baked");
    QuasistaticModel::new(Arc::new(asset), &params)
}

/// Displacements of all skin vertices under some conditions, m.
fn displacements(model: &mut QuasistaticModel, boundary: &BoundaryConditions) -> Vec<Vec3> {
    let frame = FrameRequest::new(1.0 / 60.0, boundary);
    model.advance(frame).expect("regular");
    let vertices = 0..model.surface().vertex_count();
    vertices.map(|v| model.displacement(v)).collect()
}

fn check_formula(skin_cells: [usize; 3]) {
    let mut model = block(skin_cells);
    let rest = model.surface().positions.clone();
    let nearest = |place: [f64; 3]| -> u32 {
        let distance = |v: &usize| (rest[*v] - Vec3::from(place)).norm();
        let vertices = 0..rest.len();
        let found = vertices.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        found.expect("a skin") as u32
    };
    let mut held: Vec<(u32, Vec3)> = GRABS
        .iter()
        .map(|(place, moved)| (nearest(*place), Vec3::from(*moved)))
        .collect();
    held.sort_by_key(|h| h.0);
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let sag = displacements(&mut model, &BoundaryConditions::with_gravity(gravity));
    // displacements of all vertices for 1 N on each held vertex along each axis
    let columns: Vec<Vec<Vec3>> = (0..3 * held.len())
        .map(|k| {
            let mut force = Vec3::zeros();
            force[k % 3] = 1.0;
            let vertex = held[k / 3].0;
            let mut boundary = BoundaryConditions::default();
            boundary.set_loads([NodalLoad { vertex, force }]);
            displacements(&mut model, &boundary)
        })
        .collect();
    let compliance = DMatrix::from_fn(columns.len(), columns.len(), |row, column| {
        columns[column][held[row / 3].0 as usize][row % 3]
    });
    let target = DVector::from_fn(columns.len(), |row, _| {
        let (vertex, moved) = held[row / 3];
        moved[row % 3] - sag[vertex as usize][row % 3]
    });
    let forces = compliance.lu().solve(&target).expect("independent");
    let mut boundary = BoundaryConditions::with_gravity(gravity);
    let constraints = held
        .iter()
        .map(|(v, moved)| DisplacementConstraint::held(*v, rest[*v as usize] + moved));
    boundary
        .set_displacements(constraints)
        .expect("each vertex once");
    let found = displacements(&mut model, &boundary);
    let largest = forces.amax();
    assert!(largest > 0.1, "{largest} N");
    for (k, reaction) in model.reactions().iter().enumerate() {
        let formula = Vec3::new(forces[3 * k], forces[3 * k + 1], forces[3 * k + 2]);
        let error = (reaction - formula).norm();
        assert!(
            error < 1e-10 * largest,
            "grab {k}: {reaction:?} {formula:?}"
        );
    }
    let largest_displacement = found.iter().map(Vec3::norm).fold(0.0, f64::max);
    for (v, found) in found.iter().enumerate() {
        let mut formula = sag[v];
        for (column, force) in columns.iter().zip(forces.iter()) {
            formula += column[v] * *force;
        }
        let error = (found - formula).norm();
        assert!(
            error < 1e-10 * largest_displacement,
            "vertex {v}: {found:?} {formula:?}"
        );
    }
}

#[test]
fn a_grab_of_nodes_has_the_forces_of_the_capacitance_matrix() {
    check_formula([4, 2, 4]);
}

/// A constraint acts through the weights of its vertex: `W F W'` in place of `F`.
#[test]
fn a_grab_of_a_finer_skin_has_them_too() {
    check_formula([7, 3, 7]);
}
