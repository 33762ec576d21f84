//! Time of the surface work of meshing: decimation, and remeshing with subdivision connectivity.
//!
//! Yardsticks for the decimation, measured on a machine with 2 cores of the Zen 5 class: meshoptimizer (single precision, no test against
//! self-intersection) takes 14 ms from 70,000 to 10,000 triangles and 99 ms from 300,000 to 10,000, fast-simplification 30 and 296 ms. Ours works in double precision and refuses what would
//! fold or cross. The bar is 3 s from 200,000 to 2,000 triangles, and 60 s for four levels on 70,000 triangles.

use divan::Bencher;
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_meshing::decimate::{DecimateTarget, decimate};
use pliant_meshing::remesh::{RemeshSpec, remesh};

fn main() {
    divan::main();
}

/// A torus with bumps, of about so many triangles: smooth, genus 1, curved everywhere.
fn bumpy_torus(triangles: usize) -> SurfaceMesh {
    let around = ((triangles as f64 / 6.0).sqrt() as usize).max(8);
    let along = 3 * around;
    let turn = |k: usize, n: usize| 2.0 * std::f64::consts::PI * k as f64 / n as f64;
    let mut positions = Vec::with_capacity(along * around);
    let mut faces = Vec::with_capacity(2 * along * around);
    for i in 0..along {
        for j in 0..around {
            let (u, v) = (turn(i, along), turn(j, around));
            let radius = 0.35 + 0.03 * (9.0 * u).sin() * (4.0 * v).cos();
            let out = 1.0 + radius * v.cos();
            positions.push(Vec3::new(out * u.cos(), radius * v.sin(), out * u.sin()));
            let at = |i: usize, j: usize| ((i % along) * around + j % around) as u32;
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    SurfaceMesh::new(positions, faces)
}

#[divan::bench(args = [(70_000, 10_000), (200_000, 2_000), (300_000, 10_000)], sample_count = 3, sample_size = 1)]
fn decimation(bencher: Bencher<'_, '_>, (from, to): (usize, usize)) {
    let surface = bumpy_torus(from);
    let target = DecimateTarget::Triangles(to);
    bencher.bench_local(|| {
        let result = decimate(&surface, target, &Progress::new()).expect("a closed manifold");
        result.triangles.len()
    });
}

#[divan::bench(args = [10_000, 70_000], sample_count = 1, sample_size = 1)]
fn semi_regular(bencher: Bencher<'_, '_>, triangles: usize) {
    let surface = bumpy_torus(triangles);
    let spec = RemeshSpec::new(4, None);
    bencher.bench_local(|| {
        let result = remesh(&surface, &spec, &Progress::new()).expect("a closed manifold");
        assert!(result.is_good());
        result.attempts
    });
}
