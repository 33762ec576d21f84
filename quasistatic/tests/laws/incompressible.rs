//! The change of volume of a sphere under a force.

use std::collections::BTreeMap;
use std::sync::Mutex;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::scene::Selection;
use pliant_quasistatic::bake::{self, BakeControl, Published};
use pliant_quasistatic::params::Generator;

use crate::bodies::from_generator;
use crate::held::held;

/// An icosahedron of radius 1, its triangles split `levels` times: 12, 42, 162, 642 vertices.
fn sphere(levels: usize) -> SurfaceMesh {
    let t = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut positions = Vec::new();
    for (a, b) in [(1.0, t), (-1.0, t), (1.0, -t), (-1.0, -t)] {
        positions.extend([
            Vec3::new(a, b, 0.0),
            Vec3::new(0.0, a, b),
            Vec3::new(b, 0.0, a),
        ]);
    }
    let near = |p: &Vec3, q: &Vec3| ((p - q).norm() - 2.0).abs() < 1e-9;
    let mut triangles = Vec::new();
    for a in 0..12_u32 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let [p, q, r] = [a, b, c].map(|v| positions[v as usize]);
                if near(&p, &q) && near(&q, &r) && near(&p, &r) {
                    let outward = (q - p).cross(&(r - p)).dot(&p) > 0.0;
                    triangles.push(if outward { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    for _ in 0..levels {
        let mut middles = BTreeMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(p, q): (u32, u32)| {
                *middles.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    positions.push(0.5 * (positions[p as usize] + positions[q as usize]));
                    positions.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    positions.iter_mut().for_each(|p| *p = p.normalize());
    SurfaceMesh::new(positions, triangles)
}

/// Held below -0.6.
fn body(skin: &SurfaceMesh, poisson: f64) -> BodyGeometry {
    let below = Selection::HalfSpace {
        point: [0.0, -0.6, 0.0],
        normal: [0.0, -1.0, 0.0],
    };
    held(skin, below, poisson)
}

/// A change of volume under a force spread over a mask of 0.6 on top.
#[derive(Debug, Clone, Copy)]
struct VolumeChange {
    /// relative to all the volume that moves inwards (`bem.md`, test 10)
    relative_to_pushed: f64,
    /// relative to the volume that the loaded vertices alone displace: a compressible body can lose more than that
    relative_to_mask: f64,
}

/// The changes of volume of the solved columns, of their symmetric part, and of the stored columns.
fn volume_changes(levels: usize, poisson: f64) -> [VolumeChange; 3] {
    let geometry = body(&sphere(levels), poisson);
    let solved = Mutex::new(BTreeMap::new());
    let publish = |what: Published| {
        if let Published::Columns(columns) = what {
            let mut solved = solved.lock().expect("no panic");
            solved.insert(columns.first_node, columns.values);
        }
    };
    let progress = Progress::new();
    let control = BakeControl {
        publish: Some(&publish),
        ..BakeControl::new(&progress)
    };
    let params = from_generator(Generator::BemLinear);
    let (asset, _) = bake::bake_controlled(&geometry, &params, &control).expect("bakes");
    let skin = &asset.skin;
    let n = asset.nodes();
    let areas = skin.nodal_area_vectors();
    let node = |v: usize| asset.rows.row(v).0.first().copied();
    let mut area_of_node = vec![Vec3::zeros(); n];
    let mut forces = vec![Vec3::zeros(); n];
    for (v, area) in areas.iter().enumerate() {
        let Some(j) = node(v) else { continue };
        area_of_node[j as usize] = *area;
        let weight = (1.0 - (skin.positions[v] - Vec3::y()).norm() / 0.6).max(0.0);
        forces[j as usize] = -Vec3::y() * (weight * area.norm());
    }
    let columns: Vec<f64> = solved
        .into_inner()
        .expect("no panic")
        .into_values()
        .flatten()
        .collect();
    assert_eq!(columns.len(), 9 * n * n);
    let mut plain = vec![0.0; 3 * n];
    let mut stored = vec![0.0; 3 * n];
    for (j, force) in forces.iter().enumerate() {
        for axis in 0..3 {
            let column = &columns[(3 * j + axis) * 3 * n..][..3 * n];
            for (sum, u) in plain.iter_mut().zip(column) {
                *sum += u * force[axis];
            }
        }
    }
    let flat: Vec<f64> = forces.iter().flat_map(|f| [f.x, f.y, f.z]).collect();
    let symmetric: Vec<f64> = columns
        .chunks(3 * n)
        .zip(&plain)
        .map(|(column, u)| {
            let transposed: f64 = column.iter().zip(&flat).map(|(x, f)| x * f).sum();
            0.5 * (u + transposed)
        })
        .collect();
    let list: Vec<(u32, Vec3)> = (0..n as u32).zip(forces.iter().copied()).collect();
    asset.matrix.add_columns(&list, &mut stored);
    [plain, symmetric, stored].map(|field| {
        let flux =
            |j: usize| area_of_node[j].dot(&Vec3::from_column_slice(&field[3 * j..3 * j + 3]));
        let change: f64 = (0..n).map(flux).sum();
        let pushed: f64 = (0..n).map(|j| (-flux(j)).max(0.0)).sum();
        let under_mask: f64 = (0..n)
            .filter(|&j| forces[j] != Vec3::zeros())
            .map(|j| -flux(j))
            .sum();
        VolumeChange {
            relative_to_pushed: change / pushed,
            relative_to_mask: change / under_mask,
        }
    })
}

#[test]
fn an_incompressible_sphere_keeps_its_volume_and_a_compressible_one_does_not() {
    // bem.md, test 10: for the solved columns below 0.6 % of the volume pushed in at 162 vertices and 0.1 % at 642. The remaining error does not
    // come from the quadrature (a prototype with 8 × 8 points far and 16 × 16 near changes it by 2e-5 of itself): a vertex has one traction for triangles with a
    // normal each, which is not a uniform pressure. The triangles around the rim of the support add a tenth. It falls by a factor of seven a level. The stored columns have no such error
    for (levels, pushed, mask) in [(2, 0.006, 0.008), (3, 0.001, 0.001)] {
        let found = [0.0, 0.3, 0.5].map(|nu| volume_changes(levels, nu));
        println!("{levels}: {found:?}");
        let [none, some, full] = found;
        assert!((none[0].relative_to_pushed + 0.83).abs() < 0.03, "{none:?}");
        assert!((some[0].relative_to_pushed + 0.50).abs() < 0.03, "{some:?}");
        assert!(
            none[2].relative_to_mask < 1.5 * some[2].relative_to_mask
                && some[2].relative_to_mask < -0.5
        );
        assert!(full[0].relative_to_pushed.abs() < pushed, "{full:?}");
        assert!(full[0].relative_to_mask.abs() < mask, "{full:?}");
        assert!(full[2].relative_to_mask.abs() < 1e-9, "{full:?}");
        // for a compressible body the stored columns are the symmetric part of the solved ones
        for body in [none, some] {
            assert!(
                (body[1].relative_to_mask - body[2].relative_to_mask).abs() < 1e-9,
                "{body:?}"
            );
        }
    }
}
