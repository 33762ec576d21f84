//! Kernels of this crate that `pliant bench` times.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::bench::{BenchCase, BenchKernel, Quantity, Work};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::Selection;

use crate::boundary_elements::element::{Triangle, reference_blocks};
use crate::boundary_elements::quadrature::Rule;
use crate::boundary_elements::{Kelvin, assemble_linear};
use crate::capacitance::factor::DenseLu;
use crate::capacitance::inverse::UpdatedInverse;
use crate::greens::elasticity::BodyElasticity;
use crate::greens::element_mesh::ElementMesh;
use crate::greens::factor::CholeskyPattern;
use crate::greens::from_fem::LinearSystem;
use crate::greens::support::{BoundaryColumns, HeldNodes};
use crate::params::{Elements, Generator, QuasistaticParams};

/// Numbers of contact nodes at which the small systems are timed.
const CONTACT_NODES: &[usize] = &[10, 20, 40, 100, 300];

/// The kernels: sums of dense columns, the capacitance matrix, and the columns themselves.
pub const KERNELS: &[BenchKernel] = &[
    BenchKernel {
        name: "gf-sum-dense",
        about: "sum of scattered columns of Green's functions, single precision, by contact nodes; bytes of the columns and of the field that they are added to",
        quantity: Quantity::GigabytesPerSecond,
        sizes: &[10, 20, 40, 100],
        parallel: true,
        prepare: crate::greens::bench::column_sum,
    },
    BenchKernel {
        name: "capacitance-factor",
        about: "LU of the capacitance matrix, by contact nodes",
        quantity: Quantity::MicrosecondsPer("factor"),
        sizes: CONTACT_NODES,
        parallel: false,
        prepare: factor,
    },
    BenchKernel {
        name: "capacitance-update",
        about: "adding a node to the inverse of the capacitance matrix, by contact nodes (reference: a fresh LU)",
        quantity: Quantity::MicrosecondsPer("node"),
        sizes: CONTACT_NODES,
        parallel: false,
        prepare: update,
    },
    BenchKernel {
        name: "capacitance-solve",
        about: "forces from displacements by the inverse of the capacitance matrix, by contact nodes (reference: by LU)",
        quantity: Quantity::MicrosecondsPer("solve"),
        sizes: CONTACT_NODES,
        parallel: false,
        prepare: solve,
    },
    BenchKernel {
        name: "friction-discs",
        about: "tangential forces of contacts under a finger that partly slides, by contacts (reference: by sweeps alone)",
        quantity: Quantity::MicrosecondsPer("solve"),
        sizes: &[20, 100, 200],
        parallel: false,
        prepare: crate::capacitance::bench::discs,
    },
    BenchKernel {
        name: "haptic-point",
        about: "deformation of a whole body under a masked point contact, by vertices (reference: sum over the mask)",
        quantity: Quantity::MicrosecondsPer("response"),
        sizes: &[620, 2500],
        parallel: false,
        prepare: |vertices| crate::haptics::bench::point_response(&held_cube(vertices)),
    },
    BenchKernel {
        name: "servo-tick",
        about: "one tick of the servo loop, sliding with friction, by vertices",
        quantity: Quantity::MicrosecondsPer("tick"),
        sizes: &[620, 2500],
        parallel: false,
        prepare: |vertices| crate::haptics::bench::servo_tick(&held_cube(vertices)),
    },
    BenchKernel {
        name: "fem-gf",
        about: "all columns of a clamped block by finite elements, by boundary nodes",
        quantity: Quantity::Seconds,
        sizes: &[640, 1585],
        parallel: true,
        prepare: fem_columns,
    },
    BenchKernel {
        name: "bem-assemble",
        about: "boundary element system of a block, linear elements, by vertices (reference: kernels point by point)",
        quantity: Quantity::Seconds,
        sizes: &[642, 2562],
        parallel: true,
        prepare: bem_assembly,
    },
    BenchKernel {
        name: "bem-gf",
        about: "all columns of a clamped block by boundary elements, by vertices",
        quantity: Quantity::Seconds,
        sizes: &[642, 2562],
        parallel: true,
        prepare: bem_columns,
    },
];

/// Compliance between scalar conditions like that of an elastic half space: `1 / (r₀ + r)` between nodes on a spiral.
fn compliance(i: usize, j: usize) -> f64 {
    let place = |k: usize| {
        let t = (k / 3) as f64;
        let angle = 2.399_963 * t;
        let r = 0.01 * t.sqrt();
        (r * angle.cos(), r * angle.sin())
    };
    let ((ax, ay), (bx, by)) = (place(i), place(j));
    let r = ((ax - bx).powi(2) + (ay - by).powi(2)).sqrt();
    let same_axis = if i % 3 == j % 3 { 1.0 } else { 0.15 };
    same_axis / (0.004 + r)
}

fn factor(nodes: usize) -> Result<BenchCase, String> {
    let m = 3 * nodes;
    let mut lu = DenseLu::default();
    lu.factor(m, compliance).map_err(|_| "singular")?;
    let table = table(m);
    let work = Work {
        bytes: 0.0,
        flops: 2.0 / 3.0 * (m as f64).powi(3),
        double: true,
    };
    Ok(BenchCase::new(nodes, 1.0, work, move || {
        let done = lu.factor(m, |i, j| table[j * m + i]);
        let _ = black_box(done);
    }))
}

fn table(m: usize) -> Vec<f64> {
    (0..m * m).map(|k| compliance(k % m, k / m)).collect()
}

/// Nodes that are added in a row before the inverse goes back to where it was.
const ADDED: usize = 8;

fn update(nodes: usize) -> Result<BenchCase, String> {
    // so many that the average addition is at the size that the case is named after
    let first = 3 * (nodes - ADDED / 2);
    let n = first + 3 * ADDED;
    let mut inverse = UpdatedInverse::default();
    inverse.set(first, compliance).map_err(|_| "singular")?;
    let mut before = UpdatedInverse::default();
    before.set(first, compliance).map_err(|_| "singular")?;
    for _ in 0..ADDED {
        inverse.add(3, compliance).map_err(|_| "singular")?;
    }
    check_inverse(&inverse)?;
    let m = 3 * nodes;
    let mut lu = DenseLu::default();
    let (table, larger) = (table(m), table(n));
    let work = Work {
        bytes: 0.0,
        flops: 9.0 * ADDED as f64 * (m as f64).powi(2),
        double: true,
    };
    // going back copies the inverse once for all that are added
    Ok(BenchCase::new(nodes, ADDED as f64, work, move || {
        inverse.go_back_to(&before);
        for _ in 0..ADDED {
            let added = inverse.add(3, |i, j| larger[j * n + i]);
            let _ = black_box(added);
        }
    })
    .with_reference(1.0, move || {
        let _ = black_box(lu.factor(m, |i, j| table[j * m + i]));
    }))
}

fn check_inverse(inverse: &UpdatedInverse) -> Result<(), String> {
    let m = inverse.len();
    for i in (0..m).step_by(7) {
        for j in (0..m).step_by(11) {
            let sum: f64 = (0..m)
                .map(|k| inverse.entry(i, k) * inverse.inverse_entry(k, j))
                .sum();
            if (sum - f64::from(u8::from(i == j))).abs() > 1e-8 {
                return Err(format!("element {i}, {j} of C times its inverse is {sum}"));
            }
        }
    }
    Ok(())
}

fn solve(nodes: usize) -> Result<BenchCase, String> {
    let m = 3 * nodes;
    let mut inverse = UpdatedInverse::default();
    inverse.set(m, compliance).map_err(|_| "singular")?;
    check_inverse(&inverse)?;
    let mut lu = DenseLu::default();
    lu.factor(m, compliance).map_err(|_| "singular")?;
    let right: Vec<f64> = (0..m).map(|k| (k % 7) as f64 - 3.0).collect();
    let (again, mut other) = (right.clone(), right.clone());
    let (mut scratch, mut out) = (Vec::new(), vec![0.0; m]);
    let work = Work {
        bytes: 0.0,
        flops: 2.0 * (m as f64).powi(2),
        double: true,
    };
    Ok(BenchCase::new(nodes, 1.0, work, move || {
        inverse.apply(&right, &mut scratch, &mut out);
        black_box(&mut out);
    })
    .with_reference(1.0, move || {
        other.copy_from_slice(&again);
        lu.solve(&mut other);
        black_box(&mut other);
    }))
}

/// A cube of 0.1 m with about so many boundary nodes, held at its bottom.
fn held_cube(boundary_nodes: usize) -> BodyGeometry {
    // a cube of c cells an edge has 6 c² + 2 boundary nodes
    let cells = ((boundary_nodes.saturating_sub(2) as f64 / 6.0)
        .sqrt()
        .round() as usize)
        .max(2);
    let mesh = box_tets(Vec3::repeat(0.1), [cells; 3], CellStyle::Alternating);
    let skin = Arc::new(mesh.boundary().surface);
    let lowest = Selection::Lowest(0.5 / cells as f64);
    BodyGeometry {
        supports: vec![SupportRegion::new("floor", lowest, &skin)],
        skin,
        material: Material::default(),
        levels: Vec::new(),
        greens_level: Some(Arc::new(mesh)),
        voxels: None,
    }
}

fn columns_of(geometry: BodyGeometry, generator: Generator, columns: f64, flops: f64) -> BenchCase {
    let params = QuasistaticParams {
        generator,
        ..QuasistaticParams::default()
    };
    let work = Work {
        bytes: 36.0 * columns * columns,
        flops,
        double: true,
    };
    BenchCase::new(geometry.skin.vertex_count(), 1.0, work, move || {
        let asset = crate::bake::bake(&geometry, &params, &Progress::new());
        let _ = black_box(asset.is_ok());
    })
}

fn fem_columns(boundary_nodes: usize) -> Result<BenchCase, String> {
    let geometry = held_cube(boundary_nodes);
    let mesh = geometry.greens_level.clone().ok_or("no mesh")?;
    let held = HeldNodes::new(&mesh, &geometry).map_err(|e| e.to_string())?;
    let elasticity = BodyElasticity::isotropic(geometry.material.lame());
    let elements = ElementMesh::new(&mesh, Elements::Linear).map_err(|e| e.to_string())?;
    let system = LinearSystem::assemble(elements, &elasticity, |n| held.is_free(n));
    let pattern = CholeskyPattern::new(&system.stiffness).map_err(|e| format!("{e:?}"))?;
    let factor = pattern
        .factor(&system.stiffness)
        .map_err(|e| format!("{e:?}"))?;
    let columns = BoundaryColumns::new(&mesh.boundary(), &held).nodes.len() as f64;
    // both triangular solutions of every column
    let flops = 3.0 * columns * 4.0 * factor.bytes() as f64 / 8.0;
    Ok(columns_of(geometry, Generator::Fem, columns, flops))
}

/// Operations of both kernels at a point and of their sums over three shape functions.
const FLOPS_A_POINT: f64 = 28.0 + 3.0 * 2.0 * 16.0;

fn bem_assembly(vertices: usize) -> Result<BenchCase, String> {
    let surface = held_cube(vertices).skin;
    let kelvin = Kelvin { poisson: 0.3 };
    let n = surface.vertex_count();
    let pairs = (n * surface.triangles.len()) as f64;
    let check = assemble_linear(&surface, kelvin, |_, _| true, &Progress::new())
        .map_err(|fault| format!("{fault:?}"))?;
    let turn = |x: &Vec3| Vec3::new(0.3, -0.8, 0.5).cross(x);
    let u: Vec<f64> = surface
        .positions
        .iter()
        .flat_map(|x| [turn(x).x, turn(x).y, turn(x).z])
        .collect();
    let size = u.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    for row in check.h.chunks(3 * n) {
        let sum: f64 = row.iter().zip(&u).map(|(h, u)| h * u).sum();
        if sum.abs() > 1e-4 * size {
            return Err(format!("a rotation makes {sum:e} m"));
        }
    }
    let work = Work {
        bytes: 144.0 * (n * n) as f64,
        flops: pairs * 7.0 * FLOPS_A_POINT,
        double: true,
    };
    // the plain sums, of a few vertices
    let triangles: Vec<Triangle> = (0..surface.triangles.len())
        .map(|t| Triangle::new(surface.corners(t)))
        .collect();
    let rule = Rule::seven_points();
    let point = surface.positions[0] * 1.5;
    let skin = surface.clone();
    Ok(BenchCase::new(n, 1.0, work, move || {
        let system = assemble_linear(&skin, kelvin, |_, _| true, &Progress::new());
        let _ = black_box(system.is_ok());
    })
    .with_reference(8.0 / n as f64, move || {
        for k in 0..8 {
            let from = point * (1.0 + 0.01 * f64::from(k));
            for triangle in &triangles {
                black_box(reference_blocks(&kelvin, triangle, &rule, &from));
            }
        }
    }))
}

fn bem_columns(vertices: usize) -> Result<BenchCase, String> {
    let geometry = held_cube(vertices);
    let mesh = geometry.greens_level.clone().ok_or("no mesh")?;
    let held = HeldNodes::new(&mesh, &geometry).map_err(|e| e.to_string())?;
    let columns = BoundaryColumns::new(&mesh.boundary(), &held).nodes.len() as f64;
    let size = 3.0 * geometry.skin.vertex_count() as f64;
    let flops = 2.0 / 3.0 * size.powi(3) + 3.0 * columns * 2.0 * size * size;
    Ok(columns_of(geometry, Generator::BemLinear, columns, flops))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases_run_and_agree_with_their_references() {
        for kernel in KERNELS {
            if kernel.name == "gf-sum-dense" {
                continue; // its table takes 700 MB
            }
            let size = if kernel.sizes[0] >= 620 { 60 } else { 6 };
            let mut case = (kernel.prepare)(size).expect(kernel.name);
            (case.run)();
            if let Some((_, reference)) = &mut case.reference {
                reference();
            }
            assert!(case.work.flops > 0.0);
        }
    }
}
