//! The calibrated lattice has the Young's modulus of the scene and Poisson's ratio 0.

use std::sync::Arc;

use pliant_core::scene::Method;
use pliant_simulation::setup::Setup;
use pliant_tests::{run, scene, setup, world};

fn displaced(body: &str, select: &str, to: [f64; 3]) -> Arc<Setup> {
    let [x, y, z] = to;
    setup(&scene(&format!(
        r#"
        schema = 1
        name = "displaced"
        gravity = [0.0, 0.0, 0.0]
        compare = {{ material = "nu0" }}
        [[body]]
        {body}
        [[grab]]
        name = "hand"
        select = {select}
        motion = {{ path = "go" }}
        [[path]]
        name = "go"
        interpolation = "smooth"
        keys = [ {{ t = 0.0, at = [0.0, 0.0, 0.0] }}, {{ t = 1.0, at = [{x:?}, {y:?}, {z:?}] }} ]
        "#
    )))
}

/// Norm of the force on the grab after so many seconds, N.
fn force(setup: &Arc<Setup>, method: Method, seconds: f64) -> f64 {
    let mut world = world(setup, method);
    run(&mut world, setup, seconds);
    world.output().grab_forces[0].norm()
}

#[test]
fn every_length_of_a_bar_adds_the_compliance_of_its_modulus() {
    // A clamped end is softer than a continuum, because its regions are cut off. It adds the same compliance to every bar. The
    // additional compliance of a longer bar is that of the material.
    let (young, area, stretch) = (2.0e4, 0.1 * 0.1, 0.001);
    for (half_width, max_end_compliance) in [(1, 2.0), (2, 6.0)] {
        let compliance = |method, length: f64| {
            let end = length / 2.0 - 0.001;
            let setup = displaced(
                &format!(
                    r#"
                    name = "bar"
                    mesh = {{ procedural = "bar", size = [{length:?}, 0.1, 0.1], edge = 0.05 }}
                    material = {{ young = {young:?}, density = 1000.0, zeta = 1.0 }}
                    support = [ {{ name = "wall", select = {{ half_space = {{ point = [-{end:?}, 0.0, 0.0], normal = [-1.0, 0.0, 0.0] }} }} }} ]
                    lattice = {{ cell = 0.05, half_width = {half_width}, calibrate = false }}
                    quasistatic = {{ elements = "linear" }}
                    "#
                ),
                &format!(
                    "{{ half_space = {{ point = [{end:?}, 0.0, 0.0], normal = [1.0, 0.0, 0.0] }} }}"
                ),
                [stretch, 0.0, 0.0],
            );
            stretch / force(&setup, method, 5.0)
        };
        let (short, long) = (
            compliance(Method::Lattice, 1.0),
            compliance(Method::Lattice, 1.5),
        );
        let modulus = 0.5 / area / (long - short);
        assert!(
            (modulus / young - 1.0).abs() < 0.001,
            "half-width {half_width}: {modulus} Pa"
        );
        // in cells of the bar
        let end_compliance = (short * young * area - 1.0) / 0.05;
        assert!(
            end_compliance > 0.0 && end_compliance < max_end_compliance,
            "half-width {half_width}: the ends add {end_compliance} cells"
        );
        let fem = compliance(Method::Quasistatic, 1.0) * young * area;
        assert!((fem - 1.0).abs() < 1e-6, "{fem}");
    }
}

/// A block of 14 x 10 x 14 cells of 50 mm, held below, half-width 1; what is within `radius`, m, of the middle of its top is displaced downwards by 5 mm.
fn patch(radius: f64) -> Arc<Setup> {
    let select = format!("{{ sphere = {{ center = [0.0, 0.25, 0.0], radius = {radius:?} }} }}");
    displaced(
        r#"
        name = "block"
        mesh = { procedural = "box", size = [0.7, 0.5, 0.7], edge = 0.05 }
        material = { young = 24000.0, density = 1000.0, zeta = 1.0 }
        support = [ { name = "base", select = { lowest = 0.001 } } ]
        lattice = { cell = 0.05, half_width = 1, calibrate = false }
        "#,
        &select,
        [0.0, -0.005, 0.0],
    )
}

#[test]
fn local_loads_are_those_of_an_independent_program() {
    for (radius, expected) in [(0.001, 3.54), (0.125, 30.2)] {
        let setup = patch(radius);
        let held = setup.grabs[0].vertices.len();
        let found = force(&setup, Method::Lattice, 5.0);
        assert!(
            (found / expected - 1.0).abs() < 0.01,
            "{held} vertices: {found} N, expected {expected} N"
        );
    }
}

/// Finite elements on the cells of the block below: trilinear bricks of edge `CELL` with Poisson's ratio 0, held at the bottom.
struct Bricks {
    nodes: [usize; 3],
    /// of one element, N/m
    stiffness: [[f64; 24]; 24],
}

const BLOCK: [usize; 3] = [14, 10, 14];
const CELL: f64 = 0.05;
const YOUNG: f64 = 24_000.0;

impl Bricks {
    fn new() -> Self {
        let mut stiffness = [[0.0; 24]; 24];
        let side = |a: usize, k: usize| if a >> k & 1 == 1 { 1.0 } else { -1.0 };
        for g in 0..8 {
            let at = [0, 1, 2].map(|k| side(g, k) / 3.0_f64.sqrt());
            // slopes of the shape functions, 1/m
            let slope: [[f64; 3]; 8] = std::array::from_fn(|a| {
                std::array::from_fn(|k| {
                    let other = |j: usize| 1.0 + side(a, j) * at[j];
                    side(a, k) / 8.0 * other((k + 1) % 3) * other((k + 2) % 3) * 2.0 / CELL
                })
            });
            let weight = (CELL / 2.0).powi(3);
            for (a, da) in slope.iter().enumerate() {
                for (b, db) in slope.iter().enumerate() {
                    let dot: f64 = (0..3).map(|k| da[k] * db[k]).sum();
                    for i in 0..3 {
                        for j in 0..3 {
                            // 2 mu e : e with mu = E/2
                            let shear = 0.5 * YOUNG * da[j] * db[i];
                            let normal = if i == j { 0.5 * YOUNG * dot } else { 0.0 };
                            stiffness[3 * a + i][3 * b + j] += weight * (shear + normal);
                        }
                    }
                }
            }
        }
        Self {
            nodes: BLOCK.map(|n| n + 1),
            stiffness,
        }
    }

    fn index(&self, at: [usize; 3]) -> usize {
        (at[2] * self.nodes[1] + at[1]) * self.nodes[0] + at[0]
    }

    fn forces(&self, u: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; u.len()];
        for cell in 0..BLOCK.iter().product::<usize>() {
            let at = [
                cell % BLOCK[0],
                cell / BLOCK[0] % BLOCK[1],
                cell / BLOCK[0] / BLOCK[1],
            ];
            let corner: [usize; 8] = std::array::from_fn(|a| {
                self.index([at[0] + (a & 1), at[1] + (a >> 1 & 1), at[2] + (a >> 2)])
            });
            for (row, line) in self.stiffness.iter().enumerate() {
                let force: f64 = (0..24)
                    .map(|c| line[c] * u[3 * corner[c / 3] + c % 3])
                    .sum();
                out[3 * corner[row / 3] + row % 3] += force;
            }
        }
        out
    }

    /// Force that pushes the top down by `depth` within `radius` of its middle, N: conjugate gradients.
    fn poke(&self, radius: f64, depth: f64) -> f64 {
        let count = 3 * self.nodes.iter().product::<usize>();
        let (mut u, mut fixed) = (vec![0.0; count], vec![false; count]);
        for z in 0..self.nodes[2] {
            for x in 0..self.nodes[0] {
                let node = self.index([x, 0, z]);
                (0..3).for_each(|k| fixed[3 * node + k] = true);
                let offset = |n: usize, side: usize| (n as f64 - 0.5 * BLOCK[side] as f64) * CELL;
                if offset(x, 0).hypot(offset(z, 2)) <= radius {
                    let node = self.index([x, BLOCK[1], z]);
                    (0..3).for_each(|k| fixed[3 * node + k] = true);
                    u[3 * node + 1] = -depth;
                }
            }
        }
        let without_fixed = |mut f: Vec<f64>| {
            f.iter_mut()
                .zip(&fixed)
                .filter(|(_, x)| **x)
                .for_each(|(f, _)| *f = 0.0);
            f
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut r: Vec<f64> = without_fixed(self.forces(&u)).iter().map(|f| -f).collect();
        let mut p = r.clone();
        let (mut squared_residual, initial_squared_residual) = (dot(&r, &r), dot(&r, &r));
        while squared_residual > 1e-20 * initial_squared_residual {
            let f = without_fixed(self.forces(&p));
            let step = squared_residual / dot(&p, &f);
            for k in 0..count {
                u[k] += step * p[k];
                r[k] -= step * f[k];
            }
            let next = dot(&r, &r);
            for k in 0..count {
                p[k] = r[k] + p[k] * next / squared_residual;
            }
            squared_residual = next;
        }
        let top = |k: usize| k / 3 / self.nodes[0] % self.nodes[1] == BLOCK[1];
        let forces = self.forces(&u);
        let reaction = forces
            .iter()
            .enumerate()
            .filter(|(k, _)| k % 3 == 1 && top(*k));
        -reaction.map(|(_, f)| f).sum::<f64>()
    }
}

#[test]
fn a_poke_is_within_17_percent_of_finite_elements_without_lateral_strain() {
    // the lattice is softer, because its response to waves shorter than a region is softer; `--nocapture` shows the figures
    let bricks = Bricks::new();
    for radius in [0.5, 1.5, 2.5] {
        let setup = patch(CELL * radius);
        let lattice = force(&setup, Method::Lattice, 5.0);
        let expected = bricks.poke(CELL * radius, 0.005);
        let ratio = lattice / expected;
        eprintln!(
            "poke of {radius} cells at half-width 1: {lattice:.2} N, finite elements {expected:.2} N, ratio {ratio:.3}"
        );
        let percent = 100.0 * (ratio - 1.0).abs();
        assert!(percent.round() <= 17.0, "{radius} cells: {ratio}");
    }
}
