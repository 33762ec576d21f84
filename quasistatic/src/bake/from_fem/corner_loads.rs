//! The excess compliance of corners of quadratic elements under forces on corners alone.
//!
//! A pressure that is uniform over quadratic faces loads the midside nodes and no corner. Forces on corners alone dent the boundary at each corner, however fine the
//! elements are: a patch that is held by its corners is a tenth too soft. The dents are local. A force on a corner stands for a traction around it, so the local compliance of its dent
//! is subtracted.

use faer::Mat;
use pliant_core::math::Mat3;
use pliant_core::mesh::TetMesh;
use pliant_statics::{FactorError, SparseCholesky};

use crate::finite_elements::boundary_factor::BoundaryFactor;
use crate::finite_elements::linear_system::{LinearSystem, block_of};
use crate::params::GreensLoads;

/// The factor of the stiffness at the boundary corners `rows` (indices of free nodes) of quadratic elements. `None` where the factor of the body serves as well: for loads on corners
/// of a body that is so small that its factor has no blocks.
///
/// With [`GreensLoads::Faces`] the compliance for loads that are smooth from corner to corner is smaller by [`local_compliances`].
///
/// # Errors
/// [`FactorError::NotPositive`] where round-off leaves no positive definite matrix.
pub(super) fn boundary_factor(
    mesh: &TetMesh,
    system: &LinearSystem,
    factor: &SparseCholesky<'_>,
    rows: &[usize],
    loads: GreensLoads,
) -> Result<Option<BoundaryFactor>, FactorError> {
    let corner_factor = factor.schur_complement().map(BoundaryFactor::new);
    if loads == GreensLoads::Corners {
        return Ok(corner_factor);
    }
    let unknown = rows.first().map_or(0, |row| 3 * row);
    let failed = FactorError::NotPositive { unknown };
    let corner_factor = match corner_factor {
        Some(corner_factor) => corner_factor,
        None => BoundaryFactor::from_compliance(compliance(system, factor, rows)).ok_or(failed)?,
    };
    let stiffened = corner_factor.stiffened(&local_compliances(mesh, system, factor, rows));
    stiffened.map(Some).ok_or(failed)
}

/// Local compliance of each corner under its own force, m/N: the displacement for unit traction on corners, minus that for the same traction on faces, over the area of the corner.
///
/// The difference of both loads has neither force nor moment on any edge, so that one solution for each axis serves all corners. Each block is symmetric and positive semidefinite.
fn local_compliances(
    mesh: &TetMesh,
    system: &LinearSystem,
    factor: &SparseCholesky<'_>,
    rows: &[usize],
) -> Vec<Mat3> {
    let boundary = mesh.boundary();
    let mut loads = Mat::<f64>::zeros(system.stiffness.size(), 3);
    let mut areas = vec![0.0; mesh.nodes.len()];
    let mut add = |node: u32, area: f64| {
        if let Some(i) = system.free.get(node) {
            for axis in 0..3 {
                loads[(3 * i + axis, axis)] += area;
            }
        }
    };
    for (t, triangle) in boundary.surface.triangles.iter().enumerate() {
        let corners = triangle.map(|v| boundary.node_of_vertex[v as usize]);
        let third = boundary.surface.area_vector(t).norm() / 3.0;
        for corner in corners {
            add(corner, third);
            areas[corner as usize] += third;
        }
        let tet = system.elements.tet(boundary.tet_of_triangle[t] as usize);
        for &middle in &tet[4..] {
            let ends = system.elements.edges()[middle as usize - mesh.nodes.len()];
            if ends.iter().all(|end| corners.contains(end)) {
                add(middle, -third);
            }
        }
    }
    factor.solve_once(&mut loads);
    let local_compliance = |&row: &usize| {
        let area = areas[system.free.nodes[row] as usize];
        let block = block_of(&loads, row) / area;
        let mut eigen = (0.5 * (block + block.transpose())).symmetric_eigen();
        eigen.eigenvalues.apply(|value| *value = value.max(0.0));
        eigen.recompose()
    };
    rows.iter().map(local_compliance).collect()
}

/// Displacements of the corners `rows` for unit forces on them, m/N.
fn compliance(system: &LinearSystem, factor: &SparseCholesky<'_>, rows: &[usize]) -> Mat<f64> {
    let size = 3 * rows.len();
    let unknown = |k: usize| 3 * rows[k / 3] + k % 3;
    let mut x = Mat::<f64>::zeros(system.stiffness.size(), size);
    for k in 0..size {
        x[(unknown(k), k)] = 1.0;
    }
    factor.solve_once(&mut x);
    Mat::from_fn(size, size, |r, c| {
        0.5 * (x[(unknown(r), c)] + x[(unknown(c), r)])
    })
}
