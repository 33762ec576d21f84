//! Point contact: stiffness under refinement, everywhere on the skin and in the limits of the device.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::material::{Material, YoungPoisson};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, SurfacePoint, TetMesh};
use pliant_core::scene::Selection;
use pliant_quasistatic::capacitance::nodal::NodalForces;
use pliant_quasistatic::haptics::geodesic_step::triangle_neighbours;
use pliant_quasistatic::haptics::mask::MaskSpec;
use pliant_quasistatic::haptics::response::MaskedColumns;
use pliant_quasistatic::haptics::stiffness::triangle_compliance;
use pliant_quasistatic::haptics::{HapticError, HapticParams, HapticSurface, StiffnessMode};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticParams, bake};

use crate::bodies::{Numbers, baked, held_box};

/// Ten vertices and sixteen triangles, refined by Loop subdivision: the nodule of the haptics chapter.
fn nodule(levels: usize) -> SurfaceMesh {
    let mut positions = vec![Vec3::new(0.0, 1.25, 0.0)];
    for (height, turn) in [(0.45, 0.0), (-0.45, 0.5)] {
        for k in 0..4 {
            let angle = (f64::from(k) + turn) * std::f64::consts::FRAC_PI_2;
            positions.push(Vec3::new(angle.cos(), height, -angle.sin()));
        }
    }
    positions.push(Vec3::new(0.0, -1.25, 0.0));
    let mut triangles = Vec::new();
    for k in 0..4 {
        let (a, b, c, d) = (1 + k, 1 + (k + 1) % 4, 5 + k, 5 + (k + 1) % 4);
        triangles.extend([[0, a, b], [a, c, b], [b, c, d], [9, d, c]]);
    }
    let mut mesh = SurfaceMesh::new(positions, triangles);
    if mesh.volume() < 0.0 {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    for _ in 0..levels {
        mesh = loop_subdivided(&mesh);
    }
    mesh
}

fn loop_subdivided(mesh: &SurfaceMesh) -> SurfaceMesh {
    let across = triangle_neighbours(&mesh.triangles);
    let neighbours = mesh.vertex_neighbours();
    let x = &mesh.positions;
    let mut positions: Vec<Vec3> = (0..x.len())
        .map(|v| {
            let ring = neighbours.row(v);
            let count = ring.len() as f64;
            let angle = 2.0 * std::f64::consts::PI / count;
            let share = (0.625 - (0.375 + 0.25 * angle.cos()).powi(2)) / count;
            let sum: Vec3 = ring.iter().map(|&w| x[w as usize]).sum();
            x[v] * (1.0 - count * share) + sum * share
        })
        .collect();
    let mut middle = std::collections::BTreeMap::new();
    for (t, corners) in mesh.triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
            let other = mesh.triangles[across[t][k] as usize];
            let opposite = other.iter().find(|v| **v != a && **v != b).expect("closed");
            middle.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let ends = (x[a as usize] + x[b as usize]) * 0.375;
                positions.push(ends + (x[corners[k] as usize] + x[*opposite as usize]) * 0.125);
                positions.len() as u32 - 1
            });
        }
    }
    let mut triangles = Vec::new();
    for &[a, b, c] in &mesh.triangles {
        let mid = |u: u32, v: u32| middle[&(u.min(v), u.max(v))];
        let (ab, bc, ca) = (mid(a, b), mid(b, c), mid(c, a));
        triangles.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    SurfaceMesh::new(positions, triangles)
}

/// Green's functions from boundary elements; the inside is a fan around the centre, which only carries the boundary.
fn star_asset(skin: SurfaceMesh, held: f64) -> Arc<GreensAsset> {
    let mut nodes = skin.positions.clone();
    nodes.push(Vec3::zeros());
    let centre = skin.vertex_count() as u32;
    let tets = skin.triangles.iter().map(|&[a, b, c]| [centre, a, b, c]);
    let mesh = TetMesh {
        tets: tets.collect(),
        nodes,
    };
    let skin = Arc::new(mesh.boundary().surface);
    let geometry = BodyGeometry {
        material: Material {
            elastic: YoungPoisson {
                young: 1e5,
                poisson: 0.3,
            },
            ..Material::default()
        },
        supports: vec![SupportRegion::new("base", Selection::Lowest(held), &skin)],
        levels: Vec::new(),
        greens_level: Some(Arc::new(mesh)),
        voxels: None,
        skin,
    };
    let params = QuasistaticParams {
        generator: Generator::BemLinear,
        precision: Precision::Double,
        ..QuasistaticParams::default()
    };
    let asset = bake::bake(&geometry, &params, &Progress::new());
    Arc::new(asset.expect("a star can be baked"))
}

fn haptic_params(radius: f64) -> HapticParams {
    HapticParams {
        mask: MaskSpec::cone(radius),
        rigid_stiffness: 1e9,
        mode: StiffnessMode::Interpolated,
        young: None,
    }
}

/// Table 1.1 of the haptics chapter: a vertex loses its stiffness with the mesh, a mask keeps it.
#[test]
fn masked_stiffness_settles_under_refinement_and_single_vertices_vanish() {
    let radius = nodule(1).mean_edge();
    let mut table = Vec::new();
    for level in 1..=3 {
        let asset = star_asset(nodule(level), 0.35);
        let top = (0..asset.skin.vertex_count())
            .max_by(|&a, &b| {
                let height = |v: usize| asset.skin.positions[v].y;
                height(a).total_cmp(&height(b))
            })
            .expect("vertices");
        let stiffness = |radius: f64| {
            let surface = HapticSurface::new(asset.clone(), &haptic_params(radius)).expect("made");
            (
                surface.elastic_stiffness(top).norm(),
                surface.masks().row(top).0.len(),
            )
        };
        let (single, one) = stiffness(1e-6);
        let (masked, count) = stiffness(radius);
        assert_eq!(one, 1);
        table.push((asset.skin.vertex_count(), single, masked, count));
    }
    let sizes: Vec<usize> = table.iter().map(|row| row.0).collect();
    assert_eq!(sizes, [34, 130, 514]);
    for pair in table.windows(2) {
        let falls = pair[0].1 / pair[1].1;
        assert!(falls >= 2.2, "{table:?}");
    }
    let change = |k: usize| (table[k + 1].2 / table[k].2 - 1.0).abs();
    assert!(change(0) < 0.15 && change(1) < 0.06, "{table:?}");
    for ((_, single, masked, _), expected) in table.iter().zip([0.55, 0.24, 0.10]) {
        let ratio = single / masked;
        assert!((ratio / expected - 1.0).abs() < 0.15, "{table:?}");
    }
}

fn plate(cells: usize) -> Arc<GreensAsset> {
    let geometry = held_box(
        Vec3::new(0.2, 0.08, 0.2),
        [cells, cells * 2 / 5, cells],
        None,
    );
    baked(&geometry, Precision::Single)
}

fn random_point(skin: &SurfaceMesh, random: &mut Numbers) -> SurfacePoint {
    let (a, b) = (random.signed().abs(), random.signed().abs());
    let (a, b) = if a + b > 1.0 {
        (1.0 - a, 1.0 - b)
    } else {
        (a, b)
    };
    SurfacePoint {
        triangle: random.below(skin.triangles.len()) as u32,
        weights: [1.0 - a - b, a, b],
    }
}

#[test]
fn stiffness_is_definite_within_the_device_and_continuous_across_edges() {
    let asset = plate(10);
    for mode in [StiffnessMode::Interpolated, StiffnessMode::Consistent] {
        let params = HapticParams {
            rigid_stiffness: 3000.0,
            mode,
            ..haptic_params(0.05)
        };
        let surface = HapticSurface::new(asset.clone(), &params).expect("made");
        let report = surface.report();
        assert_eq!(report.repaired, 0);
        assert!(report.limited > 10 && report.limited < asset.skin.vertex_count());
        let most = 3.0_f64.sqrt() * 3000.0 * (1.0 + 1e-9);
        let mut random = Numbers(3);
        let skin = surface.skin();
        for _ in 0..10_000 {
            let at = random_point(skin, &mut random);
            let k = surface.stiffness(&at);
            assert!(k.norm() <= most);
            assert!(k.symmetric_eigenvalues().min() > 0.0);
            assert_eq!(k, k.transpose());
        }
        // both sides of an edge say the same
        let across = triangle_neighbours(&skin.triangles);
        for (t, corners) in skin.triangles.iter().enumerate().step_by(3) {
            for k in 0..3 {
                let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
                let other = across[t][k];
                let weights = |triangle: u32| {
                    skin.triangles[triangle as usize].map(|v| match v {
                        v if v == a => 0.3,
                        v if v == b => 0.7,
                        _ => 0.0,
                    })
                };
                let point = |triangle: u32| SurfacePoint {
                    triangle,
                    weights: weights(triangle),
                };
                let (here, there) = (point(t as u32), point(other));
                let (x, y) = (surface.stiffness(&here), surface.stiffness(&there));
                assert!((x - y).norm() < 1e-6 * x.norm(), "triangle {t}, edge {k}");
            }
        }
    }
}

#[test]
fn the_consistent_mode_is_what_the_surface_does_and_the_interpolated_one_is_stiffer() {
    let asset = plate(15);
    let radius = 3.0 * asset.skin.mean_edge();
    let consistent = HapticParams {
        mode: StiffnessMode::Consistent,
        ..haptic_params(radius)
    };
    let consistent = HapticSurface::new(asset.clone(), &consistent).expect("made");
    let interpolated = HapticSurface::new(asset.clone(), &haptic_params(radius)).expect("made");
    let columns = MaskedColumns::new(&interpolated);
    let mut random = Numbers(8);
    let (mut mismatch, mut count) = (0.0, 0);
    let mut nodal = NodalForces::default();
    while count < 60 {
        let at = random_point(&asset.skin, &mut random);
        if asset.skin.point(&at).y < 0.0 {
            continue;
        }
        count += 1;
        let force = random.vector(3.0);
        nodal.clear(asset.nodes());
        let held = interpolated.spread(&at, force, &mut nodal);
        let sum: Vec3 = nodal.list().iter().map(|(_, f)| *f).sum();
        assert!(
            (sum + held - force).norm() < 1e-12 * force.norm(),
            "no force is lost"
        );
        let mut field = vec![0.0; 3 * asset.nodes()];
        asset.matrix.add_columns(nodal.list(), &mut field);
        let mut kept = vec![0.0; 3 * asset.nodes()];
        columns.add(&interpolated, &at, force, &mut kept);
        let largest = field.iter().fold(0.0_f64, |a, u| a.max(u.abs()));
        for (a, b) in field.iter().zip(&kept) {
            assert!((a - b).abs() < 1e-5 * largest);
        }
        // the place under the force moves by what the consistent stiffness says
        let corners = asset.skin.triangles[at.triangle as usize];
        let moved: Vec3 = corners
            .iter()
            .zip(at.weights)
            .map(|(&v, w)| asset.rows.interpolate(v as usize, &field) * w)
            .sum();
        let blocks = triangle_compliance(&asset, interpolated.masks(), at.triangle as usize);
        let compliance: Mat3 = (0..9)
            .map(|k| blocks[k / 3][k % 3] * (at.weights[k / 3] * at.weights[k % 3]))
            .sum();
        // columns are kept and summed in single precision
        assert!((compliance * force - moved).norm() < 1e-5 * moved.norm());
        let k = consistent.elastic_at(&at);
        let error = (k * moved - force).norm() / force.norm();
        assert!(error < 0.10, "only the antisymmetric part is left: {error}");
        mismatch += (interpolated.elastic_at(&at) - k).norm() / k.norm();
    }
    let mean = mismatch / 60.0;
    assert!(mean < 0.10, "{mean}");
}

#[test]
fn parameters_without_meaning_are_refused_by_name() {
    let asset = plate(5);
    for radius in [0.0, -1.0, 5.0, f64::NAN] {
        let refused = HapticSurface::new(asset.clone(), &haptic_params(radius));
        assert!(matches!(refused, Err(HapticError::MaskRadius { .. })));
    }
    let params = HapticParams {
        rigid_stiffness: -2.0,
        ..haptic_params(0.05)
    };
    let refused = HapticSurface::new(asset, &params)
        .map(|_| ())
        .expect_err("no stiffness");
    assert_eq!(refused.code(), "RigidStiffness");
    assert!(refused.to_string().contains("remedy:"));
}
