//! Constant elements: integrals against reference numbers, rigid motion, a sphere and a hollow sphere against their exact solutions.

use faer::Mat;
use faer::prelude::Solve;
use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;
use pulp::{Arch, Simd, WithSimd};

use super::element::{ElementBlocks, NearPass, NearRules, Triangle};
use super::tests::{field, largest, on_threads, times};
use super::{BoundarySystem, Kelvin, assemble_constant};
use crate::benchmark::rabbit::icosphere;
use crate::error::BakeError;

const KELVIN: Kelvin = Kelvin { poisson: 0.3 };

/// Two spheres, the inner one with reversed triangles.
fn hollow(level: usize, inner: f64) -> SurfaceMesh {
    let outer = icosphere(level);
    let shift = outer.positions.len() as u32;
    let mut positions = outer.positions.clone();
    positions.extend(outer.positions.iter().map(|x| x * inner));
    let mut triangles = outer.triangles.clone();
    let turned = outer.triangles.iter();
    triangles.extend(turned.map(|[a, b, c]| [a + shift, c + shift, b + shift]));
    SurfaceMesh::new(positions, triangles)
}

fn centers(surface: &SurfaceMesh) -> Vec<Vec3> {
    (0..surface.triangles.len())
        .map(|t| surface.corners(t).iter().sum::<Vec3>() / 3.0)
        .collect()
}

fn assemble(surface: &SurfaceMesh) -> BoundarySystem {
    assemble_constant(surface, KELVIN, &Progress::new()).expect("closed")
}

struct Near(Triangle, Vec3, f64);

impl WithSimd for Near {
    type Output = ElementBlocks;

    fn with_simd<S: Simd>(self, simd: S) -> ElementBlocks {
        let pass = NearPass {
            kelvin: Kelvin { poisson: self.2 },
            rules: &NearRules::new(),
            triangle: self.0,
            point: self.1,
        };
        pass.with_simd(simd)
    }
}

/// `bem_kernels`: shear modulus 1.3, ν = 0.28.
#[test]
fn integrals_over_an_element_have_the_reference_values() {
    let (mu, nu) = (1.3, 0.28);
    let sum = |three: [Mat3; 3]| three[0] + three[1] + three[2];
    let relative = |a: Mat3, b: Mat3| (a - b).norm() / b.norm();
    let regular = Triangle::new([
        Vec3::new(0.273277, -0.469654, 0.206965),
        Vec3::new(-0.125756, -0.409147, 0.1605),
        Vec3::new(0.431464, -0.292809, 0.13009),
    ]);
    let blocks = Arch::new().dispatch(Near(regular, Vec3::new(1.2, -0.4, 0.7), nu));
    #[rustfmt::skip]
    let u = Mat3::new(
        0.0022067813267860215, -7.243635935577543e-06, 0.000346182940720222,
        -7.243635935577543e-06, 0.0015661899551778547, -5.129869704401235e-06,
        0.000346182940720222, -5.129869704401235e-06, 0.0017546857686202655,
    );
    #[rustfmt::skip]
    let t = Mat3::new(
        -0.0020600298434195557, 0.0003415824337550951, -0.00026505122814038346,
        -0.0002926982514674435, -0.0003353023996745729, -0.00016564503545694453,
        -0.0016360476487154094, 0.0001997934851200833, -0.0008624475565541857,
    );
    assert!(relative(sum(blocks.displacement) / mu, u) < 1e-8);
    assert!(relative(sum(blocks.traction), t) < 1e-8);

    let slanted = Triangle::new([
        Vec3::new(-0.201837, 0.241757, 0.222165),
        Vec3::new(-0.281285, 0.329887, 0.157652),
        Vec3::new(0.182799, 0.320076, -0.071427),
    ]);
    let from = Vec3::new(
        -0.11587338854404514,
        0.2607899387228689,
        0.07241846648004377,
    );
    let blocks = Arch::new().dispatch(Near(slanted, from, nu));
    #[rustfmt::skip]
    let t = Mat3::new(
        0.19568692541292976, 0.05112927004979728, 0.004838624600644326,
        0.0432824075318083, 0.2289427418813756, 0.10116103379295362,
        -0.005088932852468014, 0.09332843861904874, 0.23119252231526816,
    );
    assert!(relative(sum(blocks.traction), t) < 1e-4);

    let own = [
        Vec3::new(0.258705, 0.37848, -0.39768),
        Vec3::new(0.349768, -0.106073, -0.020316),
        Vec3::new(-0.353665, 0.198426, -0.208021),
    ];
    let center = (own[0] + own[1] + own[2]) / 3.0;
    #[rustfmt::skip]
    let u = Mat3::new(
        0.0788466011561952, -0.001281475013918824, -0.00030118778531231373,
        -0.001281475013918824, 0.07120456424693258, -0.007501695698083894,
        -0.00030118778531231373, -0.007501695698083894, 0.06759615909789311,
    );
    let closed = Kelvin { poisson: nu }.self_displacement(&own, &center) / mu;
    assert!(relative(closed, u) < 1e-10);
}

/// A translation is exact by construction of the diagonal. A rotation is not constant on elements, and its residual falls with the edge.
#[test]
fn a_rotation_leaves_the_residual_of_the_reference_and_halves_it() {
    let axis = Vec3::new(0.3, -0.8, 0.5);
    let residual = |level: usize| {
        let surface = hollow(level, 0.5);
        let system = assemble(&surface);
        let u = field(&centers(&surface), |_| axis);
        assert!(largest(&times(&system.h, &u)) < 1e-13);
        let u = field(&centers(&surface), |x| axis.cross(x));
        largest(&times(&system.h, &u)) / largest(&u)
    };
    let [coarse, fine] = [1, 2].map(residual);
    assert!(coarse < 1.3 * 0.0669 && coarse > 0.01, "{coarse}");
    assert!(fine < 1.3 * 0.0263, "{fine}");
    assert!(coarse / fine > 2.0);
}

/// Lamé's hollow sphere under inner pressure: radii 0.5 and 1, E = 100 kPa, p = 1 kPa, u = 4 mm and 1.5 mm.
#[test]
fn a_hollow_sphere_widens_as_the_reference_elements_do() {
    let shear = 1e5 / 2.6;
    for (level, outer_bar, inner_bar) in [(1, 0.018, 0.0891), (2, 0.00433, 0.0401)] {
        let surface = hollow(level, 0.5);
        let system = assemble(&surface);
        let at = centers(&surface);
        let n = at.len();
        let pressure: Vec<f64> = (0..n)
            .flat_map(|t| {
                let is_inner = at[t].norm() < 0.75;
                let normal = surface.area_vector(t).normalize();
                let p = normal * if is_inner { -1000.0 / shear } else { 0.0 };
                [p.x, p.y, p.z]
            })
            .collect();
        let right = times(&system.g, &pressure);
        // rigid motions are left free by tractions: multipliers hold them
        let modes: Vec<Vec<f64>> = (0..6)
            .map(|k| {
                field(&at, |x| match k {
                    0..3 => Vec3::ith(k, 1.0),
                    _ => Vec3::ith(k - 3, 1.0).cross(x),
                })
            })
            .collect();
        let size = 3 * n;
        let matrix = Mat::from_fn(size + 6, size + 6, |r, c| match (r < size, c < size) {
            (true, true) => system.h[r * size + c],
            (true, false) => modes[c - size][r],
            (false, true) => modes[r - size][c],
            (false, false) => 0.0,
        });
        let right = Mat::from_fn(size + 6, 1, |r, _| right.get(r).copied().unwrap_or(0.0));
        let u = matrix.partial_piv_lu().solve(&right);
        let mean = |inner: bool| {
            let of = (0..n).filter(|&t| (at[t].norm() < 0.75) == inner);
            let radial: Vec<f64> = of
                .map(|t| {
                    let e = at[t].normalize();
                    e.x * u[(3 * t, 0)] + e.y * u[(3 * t + 1, 0)] + e.z * u[(3 * t + 2, 0)]
                })
                .collect();
            radial.iter().sum::<f64>() / radial.len() as f64
        };
        let errors = [mean(false) / 0.0015 - 1.0, mean(true) / 0.004 - 1.0];
        assert!(errors[0].abs() < 1.3 * outer_bar, "{errors:?}");
        assert!(errors[1].abs() < 1.3 * inner_bar, "{errors:?}");
    }
}

/// Displacements of a sphere under pressure prescribed, tractions found: the error is halved with the edge.
#[test]
fn tractions_on_a_sphere_converge_with_the_edge() {
    let bulk = 2.0 * 1.3 / (3.0 * 0.4);
    let error = |level: usize| {
        let surface = icosphere(level);
        let system = assemble(&surface);
        let at = centers(&surface);
        let u = field(&at, |x| -x / (3.0 * bulk));
        let size = u.len();
        let g = Mat::from_fn(size, size, |r, c| system.g[r * size + c]);
        let right = times(&system.h, &u);
        let right = Mat::from_fn(size, 1, |r, _| right[r]);
        let p = g.partial_piv_lu().solve(&right);
        let mut sum = 0.0;
        for t in 0..at.len() {
            let traction = Vec3::new(p[(3 * t, 0)], p[(3 * t + 1, 0)], p[(3 * t + 2, 0)]);
            let normal = surface.area_vector(t).normalize();
            sum += (traction + normal).norm_squared() * system.areas[t];
        }
        (sum / system.areas.iter().sum::<f64>()).sqrt()
    };
    let errors = [1, 2].map(error);
    assert!((errors[0] / 0.050 - 1.0).abs() < 0.2, "{errors:?}");
    assert!((errors[1] / 0.025 - 1.0).abs() < 0.2, "{errors:?}");
}

/// The hydrostatic state `σ = −y I` needs the body force `e_y`: the relation closes with `g` and not without it.
#[test]
fn the_body_force_balances_a_hydrostatic_state() {
    let residual = |level: usize, with: f64| {
        let surface = icosphere(level);
        let system = assemble(&surface);
        let at = centers(&surface);
        let (young, nu) = (2.0 * 1.3, 0.3);
        let k = (1.0 - 2.0 * nu) / young;
        // strain −k y I, integrated
        let u = field(&at, |x| {
            let [x, y, z] = [x.x, x.y, x.z];
            Vec3::new(x * y, 0.5 * (y * y - x * x - z * z), z * y) * -k
        });
        let p: Vec<f64> = (0..at.len())
            .flat_map(|t| {
                let p = -surface.area_vector(t).normalize() * at[t].y;
                [p.x, p.y, p.z]
            })
            .collect();
        let (left, right) = (times(&system.h, &u), times(&system.g, &p));
        let of_body = times(&system.body_force, &[0.0, with, 0.0]);
        let parts = left.iter().zip(&right).zip(&of_body);
        parts.fold(0.0_f64, |w, ((l, r), b)| w.max((l - r - b).abs())) / largest(&u)
    };
    let [coarse, fine] = [1, 2].map(|level| residual(level, 1.0));
    assert!(fine < 0.05 && coarse / fine > 1.8, "{coarse} {fine}");
    assert!(residual(2, 0.0) > 1.0);
}

#[test]
fn faults_are_named_and_threads_do_not_matter() {
    let surface = icosphere(1);
    let on = |threads: usize| on_threads(threads, || assemble(&surface));
    assert!(on(1) == on(3));
    let mut flat = surface.clone();
    let [a, b, _] = flat.triangles[0].map(|v| v as usize);
    flat.positions[a] = flat.positions[b];
    let fault = assemble_constant(&flat, KELVIN, &Progress::new()).expect_err("degenerate");
    assert!(matches!(fault, BakeError::DegenerateTriangle { .. }));
    let mut twice = surface.clone();
    twice.triangles.extend(surface.triangles.iter());
    let fault = assemble_constant(&twice, KELVIN, &Progress::new()).expect_err("touching");
    assert!(matches!(fault, BakeError::CenterOnForeignElement { .. }));
    let progress = Progress::new();
    progress.cancel();
    let fault = assemble_constant(&surface, KELVIN, &progress).expect_err("cancelled");
    assert!(matches!(fault, BakeError::Cancelled(_)));
}
