//! A body that is touched while it is baked.

use std::sync::{Arc, Mutex};

use pliant_core::asset::Progress;
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_quasistatic::bake::bake_controlled;
use pliant_quasistatic::bake::{BakeControl, Published};
use pliant_quasistatic::inside::NamedPoint;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{GreensAsset, Precision, QuasistaticModel, QuasistaticParams};

use super::LiveFeed;
use super::feed::MAX_QUEUED_TASKS;
use crate::threads::lock::lock;
use crate::world::testing::box_on_floor;

/// A baked cube, and everything that its bake published.
fn baked(generator: Generator) -> (Arc<GreensAsset>, Vec<Published>) {
    let geometry = box_on_floor(Vec3::repeat(0.1), [5; 3], Material::default());
    let params = QuasistaticParams {
        inside: vec![NamedPoint {
            name: "middle".into(),
            point: Vec3::new(0.004, 0.01, -0.002),
            load: Vec3::new(0.01, 0.0, 0.02),
        }],
        generator,
        precision: Precision::Double,
        ..QuasistaticParams::default()
    };
    let messages = Mutex::new(Vec::new());
    let publish = |published| lock(&messages).push(published);
    let progress = Progress::new();
    let control = BakeControl {
        publish: Some(&publish),
        ..BakeControl::new(&progress)
    };
    let (asset, _) = bake_controlled(&geometry, &params, &control).expect("bakes");
    (Arc::new(asset), std::mem::take(&mut *lock(&messages)))
}

fn model(asset: Arc<GreensAsset>) -> QuasistaticModel {
    QuasistaticModel::new(asset, &QuasistaticParams::default())
}

/// The middle of the top face pressed down by 2 mm.
fn press(asset: &GreensAsset) -> BoundaryConditions {
    let top = (0..asset.skin.vertex_count() as u32).filter(|&v| {
        let x = asset.skin.positions[v as usize];
        x.y > 0.0499 && x.x.abs() < 0.025 && x.z.abs() < 0.025
    });
    let mut boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let constraints = top.map(|vertex| {
        DisplacementConstraint::held(
            vertex,
            asset.skin.positions[vertex as usize] - Vec3::y() * 2e-3,
        )
    });
    boundary
        .set_displacements(constraints)
        .expect("valid conditions");
    assert!(boundary.displacements().len() > 3);
    boundary
}

fn frame(model: &mut dyn DeformableModel, boundary: &BoundaryConditions) -> (Vec<Vec3>, Vec3) {
    model
        .advance(FrameRequest::new(1.0 / 60.0, boundary))
        .expect("answers");
    let mut out = SurfaceFrame::default();
    model.write_surface(&mut out);
    let places = (0..out.positions.len()).map(|v| out.position(v)).collect();
    (places, model.reactions().iter().sum())
}

#[test]
fn touches_are_answered_as_their_columns_arrive_and_like_the_whole_body() {
    for generator in [Generator::Fem, Generator::BemLinear] {
        let (asset, messages) = baked(generator);
        let boundary = press(&asset);
        let mut body = model(Arc::clone(&asset));
        let (places, force) = frame(&mut body, &boundary);
        let inside = |model: &QuasistaticModel| model.inside_states()[0];
        let expected_inside = inside(&body);
        let mut free = model(Arc::clone(&asset));
        frame(
            &mut free,
            &BoundaryConditions::with_gravity(boundary.gravity),
        );
        let feed = LiveFeed::default();
        let mut messages = messages.into_iter();
        let Some(Published::Asset(body)) = messages.next() else {
            panic!("the body comes before its columns");
        };
        let mut live = feed.open(model(Arc::from(body)));
        // no column is there: only gravity acts, and the columns of the touch are requested
        let (unloaded, none) = frame(&mut live, &boundary);
        assert_eq!(none, Vec3::zeros());
        assert_eq!(live.reactions().len(), boundary.displacements().len());
        assert!((unloaded[0] - places[0]).norm() < 1e-3);
        // gravity and the load on the point itself need no columns
        assert_eq!(inside(&live.model), inside(&free), "{generator:?}");
        let pressed = expected_inside.displacement - inside(&free).displacement;
        assert!(pressed.norm() > 5e-2 * expected_inside.displacement.norm());
        let mut asked = Vec::new();
        while let Some(node) = feed.requests().take() {
            asked.push(node);
        }
        assert!(asked.len() >= boundary.displacements().len(), "{asked:?}");
        // only what was asked for: a node once, and it is enough
        for published in messages {
            let Published::Columns(columns) = published else {
                continue;
            };
            let nodes = (columns.values.len() / (9 * asset.nodes())) as u32;
            let range = columns.first_node..columns.first_node + nodes;
            if asked.iter().any(|node| range.contains(node)) {
                feed.send_columns(columns);
                frame(&mut live, &boundary);
            }
        }
        assert!(
            !live.model.asset().matrix.missing().is_empty(),
            "too small a cube"
        );
        let (partial_places, partial_force) = frame(&mut live, &boundary);
        assert!(
            (partial_force - force).norm() < 2e-2 * force.norm(),
            "{partial_force} {force}"
        );
        let now = inside(&live.model);
        let (moved, expected_displacement) = (now.displacement, expected_inside.displacement);
        assert!(
            (moved - expected_displacement).norm() < 2e-2 * expected_displacement.norm(),
            "{moved} {expected_displacement}"
        );
        for (a, b) in now.stress.iter().zip(expected_inside.stress) {
            assert!(
                (a - b).abs() < 4e-2 * expected_inside.von_mises(),
                "{a} {b}"
            );
        }
        let far = partial_places
            .iter()
            .zip(&places)
            .map(|(a, b)| (a - b).norm());
        assert!(far.fold(0.0, f64::max) < 1e-4);
        // and the whole asset at the end, to the bit
        feed.finish(&asset);
        live.insert_arrived_columns();
        live.reset();
        assert_eq!(frame(&mut live, &boundary), (places, force));
        assert_eq!(inside(&live.model), expected_inside);
    }
}

#[test]
fn a_paused_model_queues_a_bounded_number_of_columns() {
    let (asset, messages) = baked(Generator::Fem);
    let feed = LiveFeed::default();
    let mut messages = messages.into_iter();
    let Some(Published::Asset(body)) = messages.next() else {
        panic!("the body comes before its columns");
    };
    let mut live = feed.open(model(Arc::from(body)));
    let Some(Published::Columns(columns)) = messages.next() else {
        panic!("columns follow");
    };
    for _ in 0..3 * MAX_QUEUED_TASKS {
        feed.send_columns(columns.clone());
    }
    assert_eq!(lock(&live.inbox).columns.len(), MAX_QUEUED_TASKS);
    feed.finish(&asset);
    // a model that has the complete asset gets no more columns
    feed.send_columns(columns);
    let boundary = press(&asset);
    let plain = frame(&mut model(Arc::clone(&asset)), &boundary);
    assert_eq!(frame(&mut live, &boundary), plain);
    assert!(lock(&live.inbox).columns.is_empty());
}
