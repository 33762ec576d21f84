//! The same wavelet columns and capacitance solver on another elliptic problem, with blocks of 1 × 1: steady heat in a body whose support is kept cold (the wider claim of
//! James and Pai 2003).

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};
use pliant_compression::wavelet::{Columns, ThresholdSpec, WaveletMatrix};
use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_quasistatic::benchmark::rabbit::SubdividedRabbit;
use pliant_quasistatic::capacitance::compressed::{CompressedCapacitance, HierarchicalConstraint};
use pliant_quasistatic::greens::wavelets::WaveletSpec;

/// Layers of nodes between the surface and the centre, as factors on positions of the surface.
const LAYERS: [f64; 4] = [1.0, 0.8, 0.55, 0.3];

/// Nodes and tetrahedra of a star-shaped body: layers of prisms, each cut into three, around a centre.
fn star_tets(surface: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<Vec3>, Vec<[usize; 4]>) {
    let n = surface.len();
    let mut nodes: Vec<Vec3> = LAYERS
        .iter()
        .flat_map(|&s| surface.iter().map(move |x| x * s))
        .collect();
    nodes.push(Vec3::zeros());
    let center = nodes.len() - 1;
    let mut tets = Vec::new();
    for t in triangles {
        // equal diagonals on both sides of a prism: corners in order of their numbers
        let mut sorted = t.map(|v| v as usize);
        sorted.sort_unstable();
        for layer in 0..LAYERS.len() - 1 {
            let [a, b, c] = sorted.map(|v| v + layer * n);
            let [d, e, f] = sorted.map(|v| v + (layer + 1) * n);
            tets.extend([[a, b, c, d], [b, c, d, e], [c, d, e, f]]);
        }
        let [a, b, c] = sorted.map(|v| v + (LAYERS.len() - 1) * n);
        tets.push([a, b, c, center]);
    }
    (nodes, tets)
}

/// Conductance between the corners of a tetrahedron of unit conductivity.
fn conductance(x: [Vec3; 4]) -> [[f64; 4]; 4] {
    let edges = Mat3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
    let volume = edges.determinant().abs() / 6.0;
    let inverse = edges.try_inverse().expect("a tetrahedron with a volume");
    let slope = |k: usize| inverse.row(k).transpose();
    let slopes = [
        -(slope(0) + slope(1) + slope(2)),
        slope(0),
        slope(1),
        slope(2),
    ];
    [0, 1, 2, 3].map(|i| [0, 1, 2, 3].map(|j| volume * slopes[i].dot(&slopes[j])))
}

#[test]
fn steady_heat_is_compressed_and_solved_by_the_same_code() {
    let body = SubdividedRabbit::new(3).expect("a small hierarchy");
    let skin = &body.geometry.skin;
    let (nodes, tets) = star_tets(&skin.positions, &skin.triangles);
    let mut number = vec![usize::MAX; nodes.len()];
    let mut count = 0;
    for (node, number) in number.iter_mut().enumerate() {
        if body.free.get(node) != Some(&false) {
            *number = count;
            count += 1;
        }
    }
    let mut system = Mat::<f64>::zeros(count, count);
    for tet in &tets {
        let block = conductance(tet.map(|v| nodes[v]));
        for (i, row) in tet.iter().zip(block) {
            for (j, value) in tet.iter().zip(row) {
                if number[*i] != usize::MAX && number[*j] != usize::MAX {
                    system[(number[*i], number[*j])] += value;
                }
            }
        }
    }
    let rows = body.free.iter().filter(|f| **f).count();
    // temperatures of the surface under unit heat into each of its nodes
    let unit = Mat::<f64>::from_fn(count, rows, |r, c| if r == c { 1.0 } else { 0.0 });
    let greens = system
        .llt(Side::Lower)
        .expect("a positive definite system")
        .solve(&unit);

    let transform = body
        .boundary()
        .transform(&WaveletSpec::default().transform)
        .expect("a transform");
    let fill = |column: usize, out: &mut [f64]| {
        for (row, x) in out.iter_mut().enumerate() {
            *x = greens[(row, column)];
        }
    };
    let columns = Columns::new(rows, 1, &fill);
    let compress = |epsilon: f64| {
        let spec = ThresholdSpec::new(epsilon);
        WaveletMatrix::<f64>::compress(&transform, &columns, &spec, &Progress::new())
            .expect("compressed")
    };
    let (exact, _) = compress(0.0);
    let (small, report) = compress(0.05);
    println!("{report:?}");
    assert!(
        report.compression > 5.0 && report.rms_error < 0.1,
        "{report:?}"
    );

    // a warm patch: the heat that keeps it at one degree
    let patch: Vec<u32> = (0..rows as u32).filter(|r| r % 60 == 7).collect();
    let constraint = |&row: &u32| HierarchicalConstraint { level: 0, row };
    let constraints: Vec<HierarchicalConstraint> = patch.iter().map(constraint).collect();
    let warm = vec![Vec3::x(); patch.len()];
    let heat = |matrix: &WaveletMatrix<f64>| -> (f64, Vec<f64>) {
        let mut solver = CompressedCapacitance::default();
        let matrix = std::slice::from_ref(matrix);
        let heat = solver.solve(matrix, &constraints, &warm, &[]);
        let heat = heat.expect("regular").iter().map(|h| h.x).sum();
        let temperature = |row: usize| solver.displacements().value(row).x;
        (heat, (0..rows).map(temperature).collect())
    };
    let capacitance = Mat::<f64>::from_fn(patch.len(), patch.len(), |r, c| {
        greens[(patch[r] as usize, patch[c] as usize)]
    });
    let ones = Mat::<f64>::from_fn(patch.len(), 1, |_, _| 1.0);
    let direct = capacitance.partial_piv_lu().solve(&ones);
    let dense: f64 = (0..patch.len()).map(|k| direct[(k, 0)]).sum();
    let (total, field) = heat(&exact);
    assert!((total / dense - 1.0).abs() < 1e-10, "{total} {dense}");
    for (row, temperature) in field.iter().enumerate() {
        let sum: f64 = patch
            .iter()
            .enumerate()
            .map(|(k, &j)| greens[(row, j as usize)] * direct[(k, 0)])
            .sum();
        assert!((temperature - sum).abs() < 1e-10);
    }
    let (compressed, _) = heat(&small);
    assert!(
        (compressed / dense - 1.0).abs() < 0.05,
        "{compressed} {dense}"
    );
}
