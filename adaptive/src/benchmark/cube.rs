//! The cube for timing the kernels.

use pliant_core::asset::Progress;
use pliant_core::bench::Work;
use pliant_core::material::{DampingParameters, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use crate::asset::LodHierarchy;
use crate::bake::bake_single;
use crate::force::ElementConstants;
use crate::hierarchy::Level;
use crate::study::mesh::wall_nodes;

/// Operations of one elastic force: gradient, strain, stress, corner forces.
pub(crate) const OPERATIONS: f64 = 27.0 * 2.0 + 9.0 + 36.0 + 12.0 + 54.0 + 54.0;
/// Numbers of a tetrahedron that are read: shape, volume, corners at two bytes.
pub(crate) const BYTES: f64 = 40.0 + 8.0;
/// Largest difference of forces in single precision from those in double, over the largest force.
pub(crate) const TOLERANCE: f64 = 1e-5;

/// A cube of 1 m with `cells` cells an edge, clamped at its left side.
pub(crate) fn baked_cube(cells: usize) -> Result<LodHierarchy, String> {
    let size = Vec3::repeat(1.0);
    let mesh = box_tets(size, [cells; 3], CellStyle::Alternating);
    let wall = wall_nodes(&mesh, size);
    let material = Material::isotropic(5e5, 0.3)
        .with_density(1000.0)
        .with_damping_ratio(0.0)
        .with_law(MaterialLaw::Green);
    // without a full bake: the lowest mode would take longer than all kernels
    bake_single(mesh, material, &wall, &Progress::new()).map_err(|e| e.to_string())
}

/// The only level of [`baked_cube`].
pub(crate) fn cube(cells: usize) -> Result<Level, String> {
    let level = baked_cube(cells)?.levels.pop();
    level.ok_or_else(|| "no level".to_string())
}

pub(crate) fn cells_for(tets: usize) -> Result<usize, String> {
    if !(6..=3_000_000).contains(&tets) {
        return Err("6 to 3 million tetrahedra".into());
    }
    Ok(((tets as f64 / 6.0).cbrt().round() as usize).max(1))
}

pub(crate) fn constants(damping: DampingParameters) -> ElementConstants {
    let elastic = YoungPoisson {
        young: 5e5,
        poisson: 0.3,
    };
    ElementConstants {
        lame: elastic.into(),
        damping,
        law: MaterialLaw::Green,
        recover: true,
    }
}

/// A smooth deformation of some per cent.
pub(crate) fn bent(level: &Level) -> Vec<Vec3> {
    let wave = |x: &Vec3| Vec3::new((3.0 * x.y).sin(), (2.0 * x.z).cos(), (4.0 * x.x).sin());
    let nodes = level.mesh.nodes.iter();
    nodes.map(|x| x + wave(x) * 0.02).collect()
}

pub(crate) fn compare(found: &[Vec3], exact: &[Vec3]) -> Result<(), String> {
    let largest = exact.iter().map(|f| f.norm()).fold(0.0, f64::max);
    for (node, (a, b)) in found.iter().zip(exact).enumerate() {
        let error = (a - b).norm() / largest;
        if error.is_nan() || error > TOLERANCE {
            return Err(format!("the force on node {node} is off by {error:.1e}"));
        }
    }
    Ok(())
}

pub(crate) fn work(tets: usize) -> Work {
    Work {
        bytes: BYTES * tets as f64,
        flops: OPERATIONS * tets as f64,
        double: false,
    }
}
