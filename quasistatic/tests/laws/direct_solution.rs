//! The changed boundary value problem solved from scratch, as the reference for the capacitance matrix algorithm.

use faer::Mat;
use pliant_core::math::{Mat3, Vec3};
use pliant_quasistatic::finite_elements::elasticity::BodyElasticity;
use pliant_quasistatic::finite_elements::element_mesh::ElementMesh;
use pliant_statics::{CholeskyPattern, FreeNodes, SymmetricBlocks};

/// One prescribed displacement component of a node. Directions of the same node are orthogonal.
pub struct PrescribedComponent {
    pub node: u32,
    /// Unit vector.
    pub direction: Vec3,
    /// Displacement along it, m.
    pub displacement: f64,
}

/// The whole displacement of a node, or only its component along `along`.
pub fn prescribed(node: u32, displacement: Vec3, along: Option<Vec3>) -> Vec<PrescribedComponent> {
    let directions = match along {
        Some(n) => vec![n],
        None => vec![Vec3::x(), Vec3::y(), Vec3::z()],
    };
    let component = |direction: Vec3| PrescribedComponent {
        node,
        direction,
        displacement: displacement.dot(&direction),
    };
    directions.into_iter().map(component).collect()
}

/// Forces on the body besides prescribed displacements.
#[derive(Default)]
pub struct AppliedForces<'a> {
    /// Nodal forces: node and N.
    pub nodal: &'a [(u32, Vec3)],
    /// Gravity, m/s².
    pub gravity: Vec3,
}

pub struct DirectSolution {
    /// Displacement of every node, m.
    pub displacements: Vec<Vec3>,
    /// Force that supports and prescribed components apply to every node, N; zero elsewhere but for round-off.
    pub reactions: Vec<Vec3>,
}

/// Solves the finite element system with `held` nodes fixed and further components prescribed.
///
/// Every call assembles and factorises, so that the algorithm under test shares only the element stiffness with it.
pub fn solve_directly(
    elements: &ElementMesh,
    elasticity: &BodyElasticity,
    density: f64,
    held: &[u32],
    prescribed: &[PrescribedComponent],
    applied: AppliedForces<'_>,
) -> DirectSolution {
    let nodes = elements.nodes.len();
    let mut is_held = vec![false; nodes];
    for &node in held {
        is_held[node as usize] = true;
    }
    let free = FreeNodes::new(nodes, |n| !is_held[n]);
    let masses = elements.masses(density);
    let mut external: Vec<Vec3> = masses.iter().map(|m| applied.gravity * *m).collect();
    for (node, force) in applied.nodal {
        external[*node as usize] += force;
    }
    let frames = frames(nodes, prescribed);

    // the matrix in the frames of the nodes, prescribed unknowns moved to the right-hand side
    let mut matrix = SymmetricBlocks::zeros(elements.tets(), &free);
    let mut right = Mat::<f64>::zeros(matrix.size(), 1);
    for (i, &node) in free.nodes.iter().enumerate() {
        let frame = &frames[node as usize];
        let force = frame.axes.transpose() * external[node as usize];
        for axis in 0..3 {
            right[(3 * i + axis, 0)] += frame.value[axis].unwrap_or(force[axis]);
        }
    }
    for (t, tet) in elements.tets().enumerate() {
        for (a, &row_node) in tet.iter().enumerate() {
            for (b, &column_node) in tet.iter().enumerate() {
                let (Some(i), Some(j)) = (free.get(row_node), free.get(column_node)) else {
                    continue;
                };
                let (row, column) = (&frames[row_node as usize], &frames[column_node as usize]);
                let mut block =
                    row.axes.transpose() * elements.block(elasticity, t, a, b) * column.axes;
                for r in 0..3 {
                    for c in 0..3 {
                        if row.value[r].is_some() {
                            block[(r, c)] = 0.0;
                        } else if let Some(value) = column.value[c] {
                            right[(3 * i + r, 0)] -= block[(r, c)] * value;
                            block[(r, c)] = 0.0;
                        }
                    }
                }
                matrix.add(i, j, &block);
            }
        }
    }
    for (i, &node) in free.nodes.iter().enumerate() {
        let value = &frames[node as usize].value;
        let unit = Mat3::from_diagonal(&Vec3::from_fn(|k, _| f64::from(value[k].is_some())));
        matrix.add(i, i, &unit);
    }
    let pattern = CholeskyPattern::new(&matrix).expect("a small factor");
    let factor = pattern.factor(&matrix).expect("regular");
    factor.solve_once(&mut right);

    let mut displacements = vec![Vec3::zeros(); nodes];
    for (i, &node) in free.nodes.iter().enumerate() {
        let local = Vec3::from_fn(|axis, _| right[(3 * i + axis, 0)]);
        displacements[node as usize] = frames[node as usize].axes * local;
    }
    let mut reactions: Vec<Vec3> = external.iter().map(|f| -f).collect();
    for (t, tet) in elements.tets().enumerate() {
        for (a, &row) in tet.iter().enumerate() {
            for (b, &column) in tet.iter().enumerate() {
                reactions[row as usize] +=
                    elements.block(elasticity, t, a, b) * displacements[column as usize];
            }
        }
    }
    DirectSolution {
        displacements,
        reactions,
    }
}

/// Orthonormal axes of one node (the columns) and the prescribed displacement along each.
struct NodeFrame {
    axes: Mat3,
    value: [Option<f64>; 3],
}

fn frames(nodes: usize, prescribed: &[PrescribedComponent]) -> Vec<NodeFrame> {
    let mut directions: Vec<Vec<(Vec3, f64)>> = vec![Vec::new(); nodes];
    for component in prescribed {
        directions[component.node as usize].push((component.direction, component.displacement));
    }
    directions
        .into_iter()
        .map(|mut given| {
            let mut value = [None; 3];
            for (slot, (_, displacement)) in value.iter_mut().zip(&given) {
                *slot = Some(*displacement);
            }
            // complete the given directions by the axes least along them
            for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
                let mut rest = axis;
                for (d, _) in &given {
                    rest -= d * d.dot(&rest);
                }
                if given.len() < 3 && rest.norm() > 0.5 {
                    given.push((rest.normalize(), 0.0));
                }
            }
            let axes = match given.as_slice() {
                [a, b, c, ..] => Mat3::from_columns(&[a.0, b.0, c.0]),
                [a, b] => Mat3::from_columns(&[a.0, b.0, a.0.cross(&b.0)]),
                _ => Mat3::identity(),
            };
            NodeFrame { axes, value }
        })
        .collect()
}
