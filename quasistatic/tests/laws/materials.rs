//! Bodies of several materials and with fibres.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, SupportRegion};
use pliant_core::boundary::{BoundaryConditions, NodalLoad};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, TetMesh};
use pliant_core::scene::Selection;
use pliant_quasistatic::params::{Fibres, Generator, StiffnessPart};
use pliant_quasistatic::{BakeError, GreensAsset, Precision, QuasistaticParams, bake};

use crate::bodies::{
    RandomNumbers, advance, assert_reciprocal, assert_supported, bake_body, held_box, model_with,
    params, refused,
};

/// Length of the bar along y, and its cross section, m and m².
const LENGTH: f64 = 0.4;
const SECTION: f64 = 0.01;
const YOUNG: f64 = 1e5;

fn bar() -> BodyGeometry {
    let mut geometry = held_box(Vec3::new(0.1, LENGTH, 0.1), [2, 8, 2], None);
    geometry.material.elastic.poisson = 0.0;
    geometry
}

fn lower_half(factor: f64) -> StiffnessPart {
    StiffnessPart::Region {
        selection: Selection::HalfSpace {
            point: [0.0; 3],
            normal: [0.0, -1.0, 0.0],
        },
        factor,
    }
}

fn fibres(direction: Vec3, young: f64, shear: f64) -> Option<Fibres> {
    Some(Fibres {
        direction,
        young,
        shear,
        poisson: None,
    })
}

fn params_with(stiffness: Vec<StiffnessPart>, fibres: Option<Fibres>) -> QuasistaticParams {
    QuasistaticParams {
        stiffness,
        fibres,
        ..params(Precision::Double)
    }
}

/// Forces that pull the top face upwards with a total of `force`, as a uniform traction makes them.
pub fn pulled_top(skin: &SurfaceMesh, force: f64) -> BoundaryConditions {
    let top = skin.bounds().max.y - 1e-9;
    let mut shares = vec![0.0; skin.vertex_count()];
    for (t, triangle) in skin.triangles.iter().enumerate() {
        if triangle.iter().all(|&v| skin.positions[v as usize].y > top) {
            for &v in triangle {
                shares[v as usize] += skin.area_vector(t).norm() / 3.0;
            }
        }
    }
    let whole: f64 = shares.iter().sum();
    let loaded = shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
    let loads = loaded.map(|(v, share)| NodalLoad {
        vertex: v as u32,
        force: Vec3::y() * (force * share / whole),
    });
    let mut boundary = BoundaryConditions::default();
    boundary.set_loads(loads);
    boundary
}

/// Largest error of the displacements of a bar that is pulled with 1 N, against `exact(height)` along y, m.
fn error_of_pull(params: &QuasistaticParams, exact: impl Fn(f64) -> f64) -> f64 {
    let geometry = bar();
    let mut model = model_with(&geometry, params);
    let boundary = pulled_top(&geometry.skin, 1.0);
    advance(&mut model, &boundary).expect("regular");
    let errors = geometry.skin.positions.iter().enumerate().map(|(v, x)| {
        let exact = Vec3::new(0.0, exact(x.y + 0.5 * LENGTH), 0.0);
        (model.displacement(v) - exact).norm()
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn two_materials_in_series_stretch_one_after_the_other() {
    let strain = 1.0 / (SECTION * YOUNG);
    let exact = |y: f64| {
        let lower = y.min(0.5 * LENGTH);
        strain * (lower / 4.0 + (y - lower))
    };
    let tip = exact(LENGTH);
    let error = error_of_pull(&params_with(vec![lower_half(4.0)], None), exact);
    assert!(error < 1e-11 * tip, "{error} of {tip}");
    // the same as factors of tetrahedra, and the last entry applies
    let geometry = bar();
    let mesh = geometry.greens_level.as_deref().expect("set");
    let low = |t: usize| mesh.corners(t).iter().map(|x| x.y).sum::<f64>() < 0.0;
    let factors: Vec<f64> = (0..mesh.tets.len())
        .map(|t| if low(t) { 4.0 } else { 1.0 })
        .collect();
    let listed = params_with(
        vec![
            lower_half(9.0),
            StiffnessPart::Tetrahedra(Arc::from(factors)),
        ],
        None,
    );
    assert!(error_of_pull(&listed, exact) < 1e-11 * tip);
    // factors on the skin, constant in each half except for the cells between
    let painted = |v: &Vec3| if v.y < 1e-9 { 4.0 } else { 1.0 };
    let factors: Vec<f64> = geometry.skin.positions.iter().map(painted).collect();
    let skin = params_with(vec![StiffnessPart::Skin(Arc::from(factors))], None);
    let (soft, firm) = (exact(LENGTH), exact(LENGTH) * 0.7);
    let mut model = model_with(&geometry, &skin);
    let boundary = pulled_top(&geometry.skin, 1.0);
    advance(&mut model, &boundary).expect("regular");
    let top = geometry.skin.positions.iter().position(|x| x.y > 0.199);
    let reached = model.displacement(top.expect("a top")).y;
    assert!(firm < reached && reached < soft, "{reached} {soft}");
}

#[test]
fn a_bar_has_the_modulus_of_its_fibres_along_them_only() {
    let strain = |young: f64| 1.0 / (SECTION * young);
    for (direction, young) in [
        (Vec3::y() * 3.0, 6e5),
        (Vec3::x(), YOUNG),
        (Vec3::z(), YOUNG),
    ] {
        let params = params_with(Vec::new(), fibres(direction, 6e5, 2e5));
        let error = error_of_pull(&params, |y| strain(young) * y);
        assert!(
            error < 1e-11 * strain(young) * LENGTH,
            "{direction} {error}"
        );
    }
}

#[test]
fn a_factor_of_one_and_fibres_like_the_material_change_nothing() {
    let mut geometry = bar();
    geometry.material.elastic.poisson = 0.3;
    let plain = bake_body(&geometry, &params_with(Vec::new(), None));
    let one = bake_body(&geometry, &params_with(vec![lower_half(1.0)], None));
    assert!(plain == one, "the same bits");
    let shear = geometry.material.lame().mu;
    let same = params_with(Vec::new(), fibres(Vec3::new(1.0, 0.4, -2.0), YOUNG, shear));
    let same = bake_body(&geometry, &same);
    let error = difference(&plain, &same, &Mat3::identity());
    assert!(error < 1e-11, "{error}");
}

/// Largest difference between the compliances of `a`, turned by `turn`, and those of `b`, over the largest.
fn difference(a: &GreensAsset, b: &GreensAsset, turn: &Mat3) -> f64 {
    let (mut error, mut largest) = (0.0_f64, 0.0_f64);
    for i in 0..a.nodes() {
        for j in 0..a.nodes() {
            let turned = turn * a.matrix.block(i, j) * turn.transpose();
            error = error.max((turned - b.matrix.block(i, j)).norm());
            largest = largest.max(turned.norm());
        }
    }
    error / largest
}

/// The lowest nodes of a bar that is turned.
fn foot(skin: &SurfaceMesh, turn: &Mat3) -> SupportRegion {
    let below = Selection::HalfSpace {
        point: (turn * Vec3::new(0.0, -0.499 * LENGTH, 0.0)).into(),
        normal: (turn * -Vec3::y()).into(),
    };
    SupportRegion::new("foot", below, skin)
}

fn turned(geometry: &BodyGeometry, turn: &Mat3) -> BodyGeometry {
    let mesh = geometry.greens_level.as_deref().expect("set");
    let all = |positions: &[Vec3]| -> Vec<Vec3> { positions.iter().map(|x| turn * x).collect() };
    let skin = SurfaceMesh::new(
        all(&geometry.skin.positions),
        geometry.skin.triangles.clone(),
    );
    let skin = Arc::new(skin);
    BodyGeometry {
        greens_level: Some(Arc::new(TetMesh {
            nodes: all(&mesh.nodes),
            tets: mesh.tets.clone(),
        })),
        supports: vec![foot(&skin, turn)],
        skin,
        ..geometry.clone()
    }
}

#[test]
fn body_and_fibres_turned_together_have_turned_columns() {
    let mut geometry = bar();
    geometry.material.elastic.poisson = 0.25;
    geometry.supports = vec![foot(&geometry.skin, &Mat3::identity())];
    let mut random = RandomNumbers(5);
    let first = random.unit();
    let second = first.cross(&random.unit()).normalize();
    let turn = Mat3::from_columns(&[first, second, first.cross(&second)]);
    let direction = Vec3::new(0.3, 1.0, -0.6);
    let factors: Vec<f64> = (0..geometry.greens_level.as_deref().expect("set").tets.len())
        .map(|t| 1.0 + 0.5 * (t % 5) as f64)
        .collect();
    let parts = vec![StiffnessPart::Tetrahedra(Arc::from(factors))];
    let still = bake_body(
        &geometry,
        &params_with(parts.clone(), fibres(direction, 4e5, 9e4)),
    );
    let moved = turned(&geometry, &turn);
    let both = bake_body(
        &moved,
        &params_with(parts.clone(), fibres(turn * direction, 4e5, 9e4)),
    );
    let error = difference(&still, &both, &turn);
    assert!(error < 1e-10, "{error}");
    let body_only = bake_body(&moved, &params_with(parts, fibres(direction, 4e5, 9e4)));
    assert!(difference(&still, &body_only, &turn) > 0.05);
}

#[test]
fn columns_of_any_material_are_reciprocal_and_supports_carry_all() {
    let mut geometry = held_box(Vec3::new(0.2, 0.4, 0.2), [3, 5, 3], None);
    geometry.material.elastic.poisson = 0.4;
    let firm = StiffnessPart::Region {
        selection: Selection::Sphere {
            center: [0.05, 0.05, 0.0],
            radius: 0.1,
        },
        factor: 50.0,
    };
    let params = params_with(vec![firm], fibres(Vec3::new(1.0, 1.0, 0.2), 8e5, 7e4));
    let asset = bake_body(&geometry, &params);
    assert_reciprocal(&asset);
    assert_supported(&asset, 1e-10);
}

#[test]
fn materials_that_cannot_be_are_refused_by_name() {
    let geometry = bar();
    let refused = |params: &QuasistaticParams| refused(&geometry, params);
    let code = |stiffness, fibres| refused(&params_with(stiffness, fibres)).code();
    let all = Vec::new;
    assert_eq!(
        code(all(), fibres(Vec3::y(), 1e5, -1.0)),
        "FibresNotPositive"
    );
    assert_eq!(code(vec![lower_half(0.0)], None), "InvalidStiffness");
    assert_eq!(code(vec![lower_half(f64::NAN)], None), "InvalidStiffness");
    let few = StiffnessPart::Tetrahedra(Arc::from([1.0, 2.0]));
    assert_eq!(code(vec![few], None), "StiffnessCount");
    let few = StiffnessPart::Skin(Arc::from([1.0, 2.0]));
    assert_eq!(code(vec![few], None), "StiffnessCount");
    let nothing = StiffnessPart::Region {
        selection: Selection::Group("no such group".into()),
        factor: 2.0,
    };
    assert_eq!(
        refused(&params_with(vec![lower_half(2.0), nothing], None)),
        BakeError::StiffnessNowhere { entry: 1 }
    );
    let locking = Fibres {
        poisson: Some(0.48),
        ..fibres(Vec3::y(), 1e7, 1e5).expect("fibres")
    };
    assert_eq!(code(all(), Some(locking)), "Locking");
    for generator in [Generator::BemLinear, Generator::BemConstant] {
        let cases = [
            (vec![lower_half(2.0)], None, "quasistatic.stiffness"),
            (all(), fibres(Vec3::y(), 1e5, 5e4), "quasistatic.fibres"),
        ];
        for (stiffness, fibres, key) in cases {
            let params = QuasistaticParams {
                generator,
                ..params_with(stiffness, fibres)
            };
            let generator = generator.name();
            assert_eq!(
                refused(&params),
                BakeError::NeedsFiniteElements { key, generator }
            );
        }
    }
}

#[test]
fn all_of_a_material_is_part_of_the_key() {
    let geometry = bar();
    let key = |stiffness, fibres| bake::key(&geometry, &params_with(stiffness, fibres));
    let along = |young| fibres(Vec3::y(), young, 5e4);
    let all = [
        key(Vec::new(), None),
        key(vec![lower_half(2.0)], None),
        key(vec![lower_half(3.0)], None),
        key(vec![lower_half(2.0), lower_half(3.0)], None),
        key(vec![StiffnessPart::Skin(Arc::from([2.0]))], None),
        key(vec![StiffnessPart::Tetrahedra(Arc::from([2.0]))], None),
        key(Vec::new(), along(1e5)),
        key(Vec::new(), along(2e5)),
        key(Vec::new(), fibres(Vec3::x(), 1e5, 5e4)),
        key(
            Vec::new(),
            along(1e5).map(|f| Fibres {
                poisson: Some(0.0),
                ..f
            }),
        ),
    ];
    for (k, one) in all.iter().enumerate() {
        assert!(!all[..k].contains(one), "{k}");
    }
}
