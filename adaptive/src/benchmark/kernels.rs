//! Kernels of this crate that `pliant bench` times.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::bench::{BenchCase, BenchKernel, Quantity, Work};
use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};

use crate::bake::bake_single;
use crate::benchmark::frame::frame;
use crate::benchmark::poke::poke;
use crate::force::ElementConstants;
use crate::force::fast::FastForces;
use crate::force::lanes::scalar::ScalarForces;
use crate::force::lanes::{LaneBody, LaneForces, SimdLevel};
use crate::hierarchy::Level;

/// Operations of one elastic force: gradient, strain, stress, corner forces.
const OPERATIONS: f64 = 27.0 * 2.0 + 9.0 + 36.0 + 12.0 + 54.0 + 54.0;
/// Numbers of a tetrahedron that are read: shape, volume, corners at two bytes.
const BYTES: f64 = 40.0 + 8.0;
/// The explicit step over the largest stable one of the body at rest.
const STEP_SHARE: f64 = 0.85;
/// Largest difference of forces in single precision from those in double, over the largest force.
const TOLERANCE: f64 = 1e-5;

/// The kernels: forces and steps of St. Venant–Kirchhoff tetrahedra.
pub const KERNELS: &[BenchKernel] = &[
    BenchKernel {
        name: "fem-force",
        about: "elastic forces of Green-strain tetrahedra, single precision, by tetrahedra (reference: a plain loop)",
        quantity: Quantity::NanosecondsPer("tet"),
        sizes: &[100_000],
        parallel: true,
        prepare: lanes_force,
    },
    BenchKernel {
        name: "fem-step",
        about: "one explicit step of the same (reference: a plain loop)",
        quantity: Quantity::NanosecondsPer("tet"),
        sizes: &[100_000],
        parallel: true,
        prepare: lanes_step,
    },
    BenchKernel {
        name: "fem-force-model",
        about: "the forces as the model uses them: state in double, lanes in single precision (reference: all in double)",
        quantity: Quantity::NanosecondsPer("tet"),
        sizes: &[100_000],
        parallel: true,
        prepare: |size| model_force(size, DampingParameters::default()),
    },
    BenchKernel {
        name: "fem-force-damped",
        about: "the same with viscous forces (reference: all in double)",
        quantity: Quantity::NanosecondsPer("tet"),
        sizes: &[100_000],
        parallel: true,
        prepare: |size| {
            model_force(
                size,
                DampingParameters {
                    phi: 50.0,
                    psi: 50.0,
                },
            )
        },
    },
    BenchKernel {
        name: "fem-cube",
        about: "one second of a clamped cube under gravity, 1 m, 5e5 Pa, by nodes (reference: the same steps in double)",
        quantity: Quantity::MillisecondsPer("second"),
        sizes: &[1000],
        parallel: false,
        prepare: cube_second,
    },
    BenchKernel {
        name: "adaptive-frame",
        about: "a frame of 1/60 s of a cube of 3 cm elements, 2e4 Pa, all nodes moving, by nodes; with how many have time in a frame",
        quantity: Quantity::MillisecondsPer("frame"),
        sizes: &[2197],
        parallel: true,
        prepare: frame,
    },
    BenchKernel {
        name: "adaptive-poke",
        about: "a frame of a held poke on a cut, times faster than on the finest level, by its nodes; with the ratios and differences of the whole poke",
        quantity: Quantity::SpeedUp,
        sizes: &[35_301],
        parallel: false,
        prepare: poke,
    },
];

/// A cube of 1 m with `cells` cells an edge, clamped at its left side.
fn cube(cells: usize) -> Result<Level, String> {
    let mesh = box_tets(Vec3::repeat(1.0), [cells; 3], CellStyle::Alternating);
    let skin = Arc::new(mesh.boundary().surface);
    let wall: Vec<u32> = (0..mesh.nodes.len() as u32)
        .filter(|&n| mesh.nodes[n as usize].x < -0.5 + 1e-6)
        .collect();
    let material = Material {
        elastic: YoungPoisson {
            young: 5e5,
            poisson: 0.3,
        },
        density: 1000.0,
        damping: Damping::Ratio(0.0),
        law: MaterialLaw::Green,
    };
    // without a hierarchy: its lowest mode would take longer than all kernels
    let mut asset =
        bake_single(mesh, skin, material, &wall, &Progress::new()).map_err(|e| e.to_string())?;
    asset.levels.pop().ok_or_else(|| "no level".to_string())
}

fn cells_for(tets: usize) -> Result<usize, String> {
    if !(6..=3_000_000).contains(&tets) {
        return Err("6 to 3 million tetrahedra".into());
    }
    Ok(((tets as f64 / 6.0).cbrt().round() as usize).max(1))
}

fn constants(damping: DampingParameters) -> ElementConstants {
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
fn bent(level: &Level) -> Vec<Vec3> {
    let wave = |x: &Vec3| Vec3::new((3.0 * x.y).sin(), (2.0 * x.z).cos(), (4.0 * x.x).sin());
    let nodes = level.mesh.nodes.iter();
    nodes.map(|x| x + wave(x) * 0.02).collect()
}

fn compare(found: &[Vec3], exact: &[Vec3]) -> Result<(), String> {
    let largest = exact.iter().map(|f| f.norm()).fold(0.0, f64::max);
    for (node, (a, b)) in found.iter().zip(exact).enumerate() {
        let error = (a - b).norm() / largest;
        if error.is_nan() || error > TOLERANCE {
            return Err(format!("the force on node {node} is off by {error:.1e}"));
        }
    }
    Ok(())
}

fn exact_forces(level: &Level, constants: ElementConstants, x: &[Vec3], v: &[Vec3]) -> Vec<Vec3> {
    let mut forces = vec![Vec3::zeros(); x.len()];
    FastForces::new(level, constants).evaluate(x, v, &mut forces);
    forces
}

fn work(tets: usize) -> Work {
    Work {
        bytes: BYTES * tets as f64,
        flops: OPERATIONS * tets as f64,
        double: false,
    }
}

/// A bent cube in lanes, and the same for the plain loop.
struct Prepared {
    level: Level,
    body: LaneBody,
    plain: ScalarForces,
    moved: Vec<[f32; 3]>,
}

/// Checks the lanes against double precision.
fn prepared(tets: usize) -> Result<Prepared, String> {
    let level = cube(cells_for(tets)?)?;
    let constants = constants(DampingParameters::default());
    let x = bent(&level);
    let mut body = LaneBody::new(&level, &constants, SimdLevel::Auto);
    body.set_positions(&x);
    let rest = vec![Vec3::zeros(); x.len()];
    compare(&body.forces(), &exact_forces(&level, constants, &x, &rest))?;
    let plain = ScalarForces::new(&level.mesh, &level.shapes, &constants.lame);
    let narrow = |(x, rest): (&Vec3, &Vec3)| [0, 1, 2].map(|k| (x[k] - rest[k]) as f32);
    let moved = x.iter().zip(&level.mesh.nodes).map(narrow).collect();
    Ok(Prepared {
        level,
        body,
        plain,
        moved,
    })
}

fn lanes_force(tets: usize) -> Result<BenchCase, String> {
    let Prepared {
        level,
        mut body,
        plain,
        moved,
    } = prepared(tets)?;
    let count = level.mesh.tets.len();
    let mut forces = vec![[0.0; 3]; moved.len()];
    let run = move || {
        body.evaluate();
        black_box(&mut body);
    };
    Ok(
        BenchCase::new(count, count as f64, work(count), run).with_reference(
            count as f64,
            move || {
                plain.evaluate(&moved, &mut forces);
                black_box(&mut forces);
            },
        ),
    )
}

fn lanes_step(tets: usize) -> Result<BenchCase, String> {
    let Prepared {
        level,
        mut body,
        plain,
        mut moved,
    } = prepared(tets)?;
    let count = level.mesh.tets.len();
    // so short that it stays bent while it is timed
    let step = 1e-7_f32;
    let mut forces = vec![[0.0_f32; 3]; moved.len()];
    let mut velocities = forces.clone();
    let inverse: Vec<f32> = level.masses.iter().map(|m| (1.0 / m) as f32).collect();
    let run = move || {
        body.step(f64::from(step), &Vec3::new(0.0, -9.81, 0.0));
        black_box(&mut body);
    };
    Ok(
        BenchCase::new(count, count as f64, work(count), run).with_reference(
            count as f64,
            move || {
                plain.evaluate(&moved, &mut forces);
                for (n, v) in velocities.iter_mut().enumerate() {
                    for k in 0..3 {
                        v[k] += step * forces[n][k] * inverse[n];
                        moved[n][k] += step * v[k];
                    }
                }
                black_box(&mut moved);
            },
        ),
    )
}

fn model_force(tets: usize, damping: DampingParameters) -> Result<BenchCase, String> {
    let level = cube(cells_for(tets)?)?;
    let constants = constants(damping);
    let x = bent(&level);
    let v: Vec<Vec3> = x.iter().map(|x| x.yzx()).collect();
    let exact = exact_forces(&level, constants, &x, &v);
    let mut lanes = LaneForces::new(&level, constants, SimdLevel::Auto);
    let mut found = exact.clone();
    lanes.evaluate(&x, &v, &mut found);
    compare(&found, &exact)?;
    let mut double = FastForces::new(&level, constants);
    let count = level.mesh.tets.len();
    let (places, speeds, mut forces) = (x.clone(), v.clone(), exact);
    let run = move || {
        lanes.evaluate(&x, &v, &mut found);
        black_box(&mut found);
    };
    Ok(
        BenchCase::new(count, count as f64, work(count), run).with_reference(
            count as f64,
            move || {
                double.evaluate(&places, &speeds, &mut forces);
                black_box(&mut forces);
            },
        ),
    )
}

/// Highest angular frequency of the level at rest, rad/s, from above: power iteration on `M⁻¹K`, two per cent added for what it has not found.
fn highest_frequency(level: &Level, constants: ElementConstants) -> f64 {
    const SMALL: f64 = 1e-6;
    let mut field = FastForces::new(level, constants);
    let count = level.node_count();
    let held = level.held_flags();
    let rest = vec![Vec3::zeros(); count];
    let mut forces = rest.clone();
    let mut mode: Vec<Vec3> = (0..count)
        .map(|n| {
            let t = n as f64;
            Vec3::new((t * 1.7).sin(), (t * 2.9).cos(), (t * 4.1).sin())
        })
        .collect();
    let mut squared = 0.0;
    for _ in 0..200 {
        let norm = mode.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
        let moved: Vec<Vec3> = (level.mesh.nodes.iter().zip(&mode))
            .map(|(x, m)| x + m * (SMALL / norm))
            .collect();
        field.evaluate(&moved, &rest, &mut forces);
        for (n, m) in mode.iter_mut().enumerate() {
            *m = if held[n] {
                Vec3::zeros()
            } else {
                -forces[n] / (level.masses[n] * SMALL)
            };
        }
        squared = mode.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
    }
    1.02 * squared.sqrt()
}

/// The corner's place at the end of each tenth of a second, in double precision.
fn double_path(level: &Level, constants: ElementConstants, steps: usize) -> Vec<Vec3> {
    let mut field = FastForces::new(level, constants);
    let count = level.node_count();
    let held = level.held_flags();
    let step = 1.0 / steps as f64;
    let mut x = level.mesh.nodes.clone();
    let mut v = vec![Vec3::zeros(); count];
    let mut forces = v.clone();
    let mut path = Vec::new();
    for k in 1..=steps {
        field.evaluate(&x, &v, &mut forces);
        // velocities begin half a step back
        let kick = if k == 1 { 0.5 * step } else { step };
        for n in 0..count {
            if !held[n] {
                v[n] += (forces[n] / level.masses[n] + Vec3::new(0.0, -9.81, 0.0)) * kick;
                x[n] += v[n] * step;
            }
        }
        if k % (steps / 10) == 0 {
            path.push(x[count - 1]);
        }
    }
    path
}

fn cube_second(nodes: usize) -> Result<BenchCase, String> {
    if !(8..=100_000).contains(&nodes) {
        return Err("8 to 100 thousand nodes".into());
    }
    let cells = ((nodes as f64).cbrt().round() as usize - 1).max(1);
    let level = cube(cells)?;
    let constants = constants(DampingParameters::default());
    let rate = highest_frequency(&level, constants) / (2.0 * STEP_SHARE);
    let steps = (rate.ceil() as usize).next_multiple_of(10);
    let rest = level.mesh.nodes.clone();
    let corner = rest.len() - 1;
    let mut body = LaneBody::new(&level, &constants, SimdLevel::Auto);
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    // steps of half the length stand for the exact motion of the mesh
    let exact = double_path(&level, constants, 2 * steps);
    let swing = exact
        .iter()
        .map(|x| (x - rest[corner]).norm())
        .fold(0.0, f64::max);
    let step = 1.0 / steps as f64;
    body.begin(step, &gravity);
    for place in exact {
        for _ in 0..steps / 10 {
            body.step(step, &gravity);
        }
        let error = (body.position(corner) - place).norm() / swing;
        if error.is_nan() || error > 0.01 {
            return Err(format!("the corner is off by {:.2} %", 100.0 * error));
        }
    }
    let count = level.mesh.tets.len() * steps;
    let work = Work {
        bytes: 0.0,
        flops: OPERATIONS * count as f64,
        double: false,
    };
    let run = move || {
        body.set_positions(&rest);
        body.begin(step, &gravity);
        for _ in 0..steps {
            body.step(step, &gravity);
        }
        black_box(&mut body);
    };
    Ok(
        BenchCase::new(corner + 1, 1.0, work, run).with_reference(1.0, move || {
            black_box(double_path(&level, constants, steps));
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_right_at_a_small_size() {
        for kernel in KERNELS {
            let size = if kernel.name == "fem-cube" { 216 } else { 3000 };
            let mut case = (kernel.prepare)(size).expect("agrees with double precision");
            (case.run)();
            assert!((kernel.prepare)(usize::MAX).is_err());
        }
    }
}
