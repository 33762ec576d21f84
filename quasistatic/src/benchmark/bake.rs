//! Whole bakes of a clamped block, and the assembly of its boundary elements.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::bench::{BenchCase, Work};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::Selection;
use pliant_statics::CholeskyPattern;

use crate::bake::held_nodes::{BoundaryColumns, HeldNodes};
use crate::boundary_elements::element::{Triangle, reference_blocks};
use crate::boundary_elements::quadrature::Rule;
use crate::boundary_elements::{Kelvin, assemble_linear};
use crate::finite_elements::elasticity::BodyElasticity;
use crate::finite_elements::element_mesh::ElementMesh;
use crate::finite_elements::linear_system::LinearSystem;
use crate::params::{Generator, GreensElements, QuasistaticParams};

/// A cube of 0.1 m with about `boundary_nodes` boundary nodes, held at its bottom.
pub(super) fn held_cube(boundary_nodes: usize) -> BodyGeometry {
    // a cube of c cells an edge has 6 c² + 2 boundary nodes
    let cells = ((boundary_nodes.saturating_sub(2) as f64 / 6.0)
        .sqrt()
        .round() as usize)
        .max(2);
    let mesh = box_tets(Vec3::repeat(0.1), [cells; 3], CellStyle::Alternating);
    let skin = Arc::new(mesh.boundary().surface);
    let lowest = Selection::Lowest(0.5 / cells as f64);
    BodyGeometry {
        greens_level: Some(Arc::new(mesh)),
        ..BodyGeometry::new(skin, Material::default()).held_at("floor", lowest)
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

pub(super) fn fem_columns(boundary_nodes: usize) -> Result<BenchCase, String> {
    let geometry = held_cube(boundary_nodes);
    let mesh = geometry.greens_level.clone().ok_or("no mesh")?;
    let held = HeldNodes::new(&mesh, &geometry).map_err(|e| e.to_string())?;
    let elasticity = BodyElasticity::isotropic(geometry.material.lame());
    let elements = ElementMesh::new(&mesh, GreensElements::Linear).map_err(|e| e.to_string())?;
    let system = LinearSystem::assemble(elements, &elasticity, |n| held.is_free(n));
    let pattern = CholeskyPattern::new(&system.stiffness).map_err(|e| format!("{e:?}"))?;
    let columns = BoundaryColumns::new(&mesh.boundary(), &held).nodes.len() as f64;
    // both triangular solutions of every column
    let flops = 3.0 * columns * 4.0 * pattern.numbers() as f64;
    Ok(columns_of(geometry, Generator::Fem, columns, flops))
}

/// Operations of both kernels at a point and of their sums over three shape functions.
const FLOPS_PER_POINT: f64 = 28.0 + 3.0 * 2.0 * 16.0;

pub(super) fn bem_assembly(vertices: usize) -> Result<BenchCase, String> {
    let surface = held_cube(vertices).skin;
    let kelvin = Kelvin { poisson: 0.3 };
    let n = surface.vertex_count();
    let pairs = (n * surface.triangles.len()) as f64;
    let check = assemble_linear(&surface, kelvin, |_, _| true, &Progress::new())
        .map_err(|e| e.to_string())?;
    let rotation = |x: &Vec3| Vec3::new(0.3, -0.8, 0.5).cross(x);
    let u: Vec<f64> = surface
        .positions
        .iter()
        .flat_map(|x| [rotation(x).x, rotation(x).y, rotation(x).z])
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
        flops: pairs * 7.0 * FLOPS_PER_POINT,
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

pub(super) fn bem_columns(vertices: usize) -> Result<BenchCase, String> {
    let geometry = held_cube(vertices);
    let mesh = geometry.greens_level.clone().ok_or("no mesh")?;
    let held = HeldNodes::new(&mesh, &geometry).map_err(|e| e.to_string())?;
    let columns = BoundaryColumns::new(&mesh.boundary(), &held).nodes.len() as f64;
    let size = 3.0 * geometry.skin.vertex_count() as f64;
    let flops = 2.0 / 3.0 * size.powi(3) + 3.0 * columns * 2.0 * size * size;
    Ok(columns_of(geometry, Generator::BemLinear, columns, flops))
}
