//! Tractions beside a contact: what thresholds do to them, and what coefficients near the own vertex of a column mend.

use pliant_compression::transform::MissingNeighbours;
use pliant_core::math::Vec3;
use pliant_quasistatic::capacitance::compressed::{CompressedCapacitance, HierarchicalConstraint};
use pliant_quasistatic::capacitance::dense_lu::{DenseLu, SingularPivot};
use pliant_quasistatic::greens::wavelets::WaveletSpec;

use crate::body::{Body, Failure, linear_spec};
use crate::table::Table;

/// Nodes of the contact.
const NODES: usize = 13;
const EPSILON: f64 = 0.2;
/// Mean edges, and the prototype's error of tractions and kept blocks a column at 642 vertices.
const NEAR_FIELDS: [(f64, &str); 4] = [
    (0.0, "44 %, 21 blocks"),
    (1.2, "20 %, 27 blocks"),
    (2.2, "9 %, 47 blocks"),
    (3.2, "1 %, 80 blocks"),
];

/// Errors of nodal tractions and of the whole force, and kept blocks.
pub fn write(body: &Body, table: &mut Table) -> Result<(), Failure> {
    table.section("tractions of 13 pressed nodes, epsilon 0.2");
    let patch = body.patch(NODES);
    let target = Vec3::new(0.0, 1e-3, -5e-3);
    let constraint = |&row: &u32| HierarchicalConstraint { level: 0, row };
    let constraints: Vec<HierarchicalConstraint> = patch.iter().map(constraint).collect();
    let targets = vec![target; patch.len()];
    let exact = dense_forces(body, &patch, &target)?;
    for (edges, prototype) in NEAR_FIELDS {
        let spec = WaveletSpec {
            near_field: (edges > 0.0).then_some(edges),
            ..linear_spec(EPSILON, MissingNeighbours::Renormalise)
        };
        let (matrix, report) = body.compressed(&spec)?;
        let mut solver = CompressedCapacitance::default();
        let found = solver
            .solve(&[matrix], &constraints, &targets, &[])
            .map_err(singular)?;
        let (mut error, mut norm) = (0.0, 0.0);
        let (mut total, mut exact_total) = (Vec3::zeros(), Vec3::zeros());
        for ((node, force), exact) in patch.iter().zip(found).zip(&exact) {
            let area = body.areas[*node as usize];
            error += (force - exact).norm_squared() / (area * area);
            norm += exact.norm_squared() / (area * area);
            total += force;
            exact_total += exact;
        }
        let ours = format!(
            "tractions {:.1} %, force {:.2} % off, {:.1} blocks a column, compression {:.1}",
            100.0 * (error / norm).sqrt(),
            100.0 * (total - exact_total).norm() / exact_total.norm(),
            report.kept_blocks as f64 / body.matrix.nodes() as f64,
            report.compression,
        );
        let paper = match body.levels {
            3 => format!("prototype {prototype}"),
            _ => String::new(),
        };
        let what = format!("{} nodes, near field {edges}", body.matrix.nodes());
        table.row(&what, ours, &paper);
    }
    Ok(())
}

/// Forces that hold the nodes at a target, from dense columns.
fn dense_forces(body: &Body, nodes: &[u32], target: &Vec3) -> Result<Vec<Vec3>, Failure> {
    let node = |k: usize| nodes[k / 3] as usize;
    let mut right: Vec<f64> = nodes.iter().flat_map(|_| target).copied().collect();
    let mut factor = DenseLu::default();
    factor
        .factor(right.len(), |r, c| {
            body.matrix.block(node(r), node(c))[(r % 3, c % 3)]
        })
        .map_err(singular)?;
    factor.solve(&mut right);
    let forces = right.as_chunks::<3>().0;
    Ok(forces.iter().map(|f| Vec3::from(*f)).collect())
}

fn singular(pivot: SingularPivot) -> Failure {
    format!("the capacitance matrix is singular at row {}", pivot.row).into()
}
