//! Sums of columns at the nodes that contact asks for.

use pliant_core::math::Vec3;
use pliant_quasistatic::Precision;
use pliant_quasistatic::greens::{GreensMatrix, NodeSums};

use crate::press::{baked_rabbit, rabbit};

/// A number that a field has where nothing is written.
const UNTOUCHED: f64 = 7.0;

/// Computes the sums at `nodes`, and compares them with those of the whole field.
fn check(sums: &mut NodeSums, greens: &GreensMatrix, nodes: &[u32]) {
    let count = greens.nodes();
    let forces: Vec<(u32, Vec3)> = (0..9_u32)
        .map(|k| {
            let x = f64::from(k);
            (13 * k % count as u32, Vec3::new(0.3, x.sin(), -0.1 * x))
        })
        .collect();
    let rest: Vec<f64> = (0..3 * count).map(|k| (k as f64).cos() * 1e-4).collect();
    let mut whole = rest.clone();
    greens.add_columns(&forces, &mut whole);
    let mut field = vec![UNTOUCHED; 3 * count];
    sums.select(greens, nodes.iter().copied());
    sums.copy(&rest, &mut field);
    sums.add_to(greens, &forces, &mut field);
    for node in 0..count {
        for axis in 0..3 {
            let (entry, is_selected) = (3 * node + axis, nodes.contains(&(node as u32)));
            let expected = if is_selected { whole[entry] } else { UNTOUCHED };
            let written = field[entry];
            assert_eq!(written.to_bits(), expected.to_bits(), "{node} {axis}");
        }
    }
}

#[test]
fn displacements_of_few_nodes_have_the_bits_of_the_whole_field() {
    let wavelets = rabbit(2);
    let (_, dense) = baked_rabbit(2, Precision::Single);
    assert!(wavelets.matrix.wavelets().is_some() && dense.matrix.wavelets().is_none());
    let count = dense.matrix.nodes() as u32;
    let mut sums = NodeSums::default();
    for greens in [&wavelets.matrix, &dense.matrix, &wavelets.matrix] {
        check(&mut sums, greens, &[]);
        check(&mut sums, greens, &[count - 1]);
        // backwards and twice, again, a part, spread out, and all
        check(&mut sums, greens, &[40, 12, 40, 11, 3]);
        check(&mut sums, greens, &[40, 12, 11, 3]);
        assert_eq!(sums.nodes(), [3, 11, 12, 40]);
        check(&mut sums, greens, &[12, 40]);
        let spread: Vec<u32> = (0..count).step_by(5).collect();
        check(&mut sums, greens, &spread);
        let all: Vec<u32> = (0..count).collect();
        check(&mut sums, greens, &all);
    }
}
