//! Imported columns: complete, with some of them missing, and with faults.

use std::sync::Arc;

use pliant_core::asset::BodyGeometry;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::model::{DeformableModel, StepError};
use pliant_quasistatic::bake::foreign::{ForeignColumns, gravity_rows, import, transposed};
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticModel};

use crate::bodies::{advance, assert_near, baked, constrained, held_box, hold, params};

fn body() -> BodyGeometry {
    held_box(Vec3::new(0.3, 0.2, 0.3), [3, 2, 3], None)
}

/// The columns of this body as another program would export them.
fn exported_columns(asset: &GreensAsset, keep: impl Fn(u32) -> bool) -> ForeignColumns {
    let count = asset.skin.vertex_count();
    let node = |v: usize| asset.rows.row(v).0.first().copied();
    let vertices: Vec<u32> = (0..count as u32)
        .filter(|&v| node(v as usize).is_some() && keep(v))
        .collect();
    let mut values = Vec::new();
    for &v in &vertices {
        let from = node(v as usize).expect("free") as usize;
        for axis in 0..3 {
            for to in 0..count {
                let block =
                    node(to).map_or(Mat3::zeros(), |to| asset.matrix.block(to as usize, from));
                values.extend(block.column(axis).iter());
            }
        }
    }
    let gravity = (0..count)
        .map(|v| node(v).map_or(Mat3::zeros(), |n| asset.gravity[n as usize]))
        .collect();
    ForeignColumns {
        vertices,
        values,
        gravity: Some(gravity),
    }
}

#[test]
fn columns_that_go_out_and_come_in_answer_as_before() {
    let geometry = body();
    let own = baked(&geometry, Precision::Double);
    let params = params(Precision::Double);
    let columns = exported_columns(&own, |_| true);
    let (asset, report) = import(&geometry, &columns, &params).expect("sound");
    assert_eq!(report.known, report.free);
    assert!(report.asymmetry < 1e-12 && report.positive_definite && report.held_motion == 0.0);
    assert!(asset.notes.is_empty(), "{:?}", asset.notes);
    let again = GreensAsset::from_bytes(&asset.to_bytes()).expect("a whole file");
    assert_eq!(again, asset);

    let touched = *columns.vertices.last().expect("some");
    let x = geometry.skin.positions[touched as usize];
    let mut boundary = constrained([hold(touched, x + Vec3::new(1e-3, -1e-3, 0.0), None)]);
    boundary.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut models = [own, Arc::new(asset)].map(|a| QuasistaticModel::new(a, &params));
    for model in &mut models {
        advance(model, &boundary).expect("regular");
    }
    let [a, b] = &models;
    assert_near(b.reactions()[0], a.reactions()[0], 1e-9);
    for v in 0..geometry.skin.vertex_count() {
        assert!((a.displacement(v) - b.displacement(v)).norm() < 1e-12);
    }
    // the supports have to carry the weight of the body: that of the volume of the skin
    let (s, t) = (a.support_reactions()[0], b.support_reactions()[0]);
    assert_near(t, s, 1e-6);
}

#[test]
fn a_missing_column_is_refused_by_name_and_the_rest_is_used() {
    let geometry = body();
    let own = baked(&geometry, Precision::Double);
    let params = params(Precision::Double);
    let columns = exported_columns(&own, |v| v % 2 == 0);
    let (asset, report) = import(&geometry, &columns, &params).expect("sound");
    assert!(report.known < report.free && report.known > 3);
    assert!(asset.notes[0].contains("have no column"));
    let asset = GreensAsset::from_bytes(&asset.to_bytes()).expect("a whole file");
    assert_eq!(asset.matrix.missing().len(), report.free - report.known);
    let is_free = |v: u32| !own.rows.row(v as usize).0.is_empty();
    let known = columns.vertices[2];
    let unknown = (0..).find(|&v| v % 2 == 1 && is_free(v)).expect("some");
    let mut model = QuasistaticModel::new(Arc::new(asset), &params);
    let touch = |v: u32| {
        let to = geometry.skin.positions[v as usize] + Vec3::x() * 1e-3;
        constrained([hold(v, to, None)])
    };
    assert_eq!(
        advance(&mut model, &touch(unknown)).err(),
        Some(StepError::MissingColumn { vertex: unknown })
    );
    advance(&mut model, &touch(known)).expect("known");
    let mut complete = QuasistaticModel::new(own, &params);
    advance(&mut complete, &touch(known)).expect("regular");
    // vertices without columns have rows, so that they are drawn
    let (a, b) = (
        model.displacement(unknown as usize),
        complete.displacement(unknown as usize),
    );
    assert!((a - b).norm() < 1e-12 && a.norm() > 0.0);
}

#[test]
fn what_columns_violate_is_reported() {
    let geometry = body();
    let own = baked(&geometry, Precision::Double);
    let params = params(Precision::Double);
    let sound = exported_columns(&own, |_| true);
    let height = 3 * geometry.skin.vertex_count();
    // a rotation of the response: no longer reciprocal
    let mut skew = sound.clone();
    let size = sound.values.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let v = skew.vertices[4] as usize;
    skew.values[3 * 7 * height + 3 * v] += 0.1 * size;
    let (_, report) = import(&geometry, &skew, &params).expect("usable");
    assert!(report.asymmetry > 1e-3, "{report:?}");
    assert_eq!(report.worst_pair, [skew.vertices[4], skew.vertices[7]]);
    // a vertex that moves against the force on it
    let mut towards = sound.clone();
    let own_vertex = towards.vertices[4] as usize;
    for axis in 0..3 {
        let at = (3 * 4 + axis) * height + 3 * own_vertex + axis;
        towards.values[at] *= -1.0;
    }
    let (asset, report) = import(&geometry, &towards, &params).expect("usable");
    assert!(
        !report.positive_definite && report.most_negative < -1e-3,
        "{report:?}"
    );
    assert!(asset.notes.iter().any(|n| n.contains("positive definite")));
    // a support that moves
    let mut loose = sound.clone();
    let held = geometry.supports[0].skin_vertices[0] as usize;
    loose.values[3 * held] = 0.5 * size;
    let (_, report) = import(&geometry, &loose, &params).expect("usable");
    assert!((report.held_motion - 0.5).abs() < 0.3, "{report:?}");
    // no columns of gravity
    let mut weightless = sound.clone();
    weightless.gravity = None;
    let (asset, _) = import(&geometry, &weightless, &params).expect("usable");
    let reports_missing_gravity = |n: &String| n.starts_with("NoBodyForceColumns: ");
    assert!(
        asset.notes.iter().any(reports_missing_gravity),
        "{:?}",
        asset.notes
    );
    let mut weak = sound;
    for x in &mut weak.values[..3 * height] {
        *x = 0.0;
    }
    assert_eq!(
        import(&geometry, &weak, &params).err().map(|e| e.code()),
        Some("DeadColumn".into())
    );
}

#[test]
fn columns_without_meaning_are_refused() {
    let geometry = body();
    let own = baked(&geometry, Precision::Double);
    let sound = exported_columns(&own, |_| true);
    let code = |geometry: &BodyGeometry, change: &dyn Fn(&mut ForeignColumns)| {
        let mut columns = sound.clone();
        change(&mut columns);
        let error = import(geometry, &columns, &params(Precision::Double)).expect_err("refused");
        assert!(error.to_string().contains("\n  remedy: "), "{error}");
        error.code()
    };
    assert_eq!(code(&geometry, &|c| c.values.truncate(9)), "WrongSize");
    assert_eq!(
        code(&geometry, &|c| c.gravity = Some(Vec::new())),
        "WrongSize"
    );
    assert_eq!(code(&geometry, &|c| c.vertices[1] = 9999), "NoSuchVertex");
    assert_eq!(
        code(&geometry, &|c| c.vertices[1] = c.vertices[0]),
        "VertexTwice"
    );
    assert_eq!(code(&geometry, &|c| c.values[40] = f64::NAN), "NonFinite");
    let none = |c: &mut ForeignColumns| {
        c.vertices.clear();
        c.values.clear();
    };
    assert_eq!(code(&geometry, &none), "NoColumns");
    let mut floating = body();
    floating.supports.clear();
    assert_eq!(code(&floating, &|_| ()), "Unconstrained");
    assert_eq!(
        transposed(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3),
        [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]
    );
    assert_eq!(
        gravity_rows(&[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0])[0][(0, 1)],
        1.0
    );
}
