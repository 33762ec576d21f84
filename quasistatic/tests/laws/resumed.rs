//! A bake that is stopped and resumed, and a body that is used while it is baked.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, StepError};
use pliant_quasistatic::bake::{
    BakeControl, ColumnJournal, ColumnLayout, ColumnRequests, Published,
};
use pliant_quasistatic::haptics::{HapticError, HapticSurface};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{BakeError, GreensAsset, QuasistaticModel, QuasistaticParams, bake};

use crate::bodies::{
    advance, assert_near, bake_body, constrained, haptic_params, held_box, hold, loaded_core,
    on_threads, push,
};

const GENERATORS: [Generator; 3] = [Generator::Fem, Generator::BemLinear, Generator::BemConstant];

fn params(generator: Generator) -> QuasistaticParams {
    // with boundary elements the rows of points inside need all columns, and the body is not published without them
    let inside = match generator {
        Generator::Fem => vec![loaded_core()],
        _ => Vec::new(),
    };
    QuasistaticParams {
        generator,
        inside,
        ..QuasistaticParams::default()
    }
}

fn body() -> BodyGeometry {
    held_box(Vec3::new(0.3, 0.2, 0.3), [6, 4, 6], None)
}

/// Finished columns in memory.
#[derive(Default)]
struct MemoryJournal(Mutex<(Option<ColumnLayout>, Columns)>);

/// Stored columns by the number of the first of them.
type Columns = BTreeMap<usize, Vec<u8>>;

impl ColumnJournal for MemoryJournal {
    fn open(&self, layout: &ColumnLayout) -> Result<bool, BakeError> {
        let mut journal = self.0.lock().expect("no panic");
        if journal.0 != Some(*layout) {
            *journal = (Some(*layout), BTreeMap::new());
        }
        Ok(true)
    }

    fn load(&self, first: usize, out: &mut [u8]) -> bool {
        let journal = self.0.lock().expect("no panic");
        let columns = journal.1.get(&first).filter(|c| c.len() == out.len());
        columns.map(|c| out.copy_from_slice(c)).is_some()
    }

    fn keep(&self, first: usize, columns: &[u8]) -> Result<(), BakeError> {
        let mut journal = self.0.lock().expect("no panic");
        journal.1.insert(first, columns.to_vec());
        Ok(())
    }
}

/// Bakes with a journal and cancels after `tasks` published tasks. Returns the asset and the number of published tasks.
fn run(
    geometry: &BodyGeometry,
    generator: Generator,
    journal: &MemoryJournal,
    tasks: usize,
) -> (Result<GreensAsset, String>, usize) {
    let progress = Progress::new();
    let count = AtomicUsize::new(0);
    let publish = |what: Published| {
        if matches!(what, Published::Columns(_))
            && count.fetch_add(1, Ordering::Relaxed) + 1 >= tasks
        {
            progress.cancel();
        }
    };
    let control = BakeControl {
        journal: Some(journal),
        publish: Some(&publish),
        ..BakeControl::new(&progress)
    };
    let asset = bake::bake_controlled(geometry, &params(generator), &control);
    let asset = asset.map(|(asset, _)| asset).map_err(|e| e.code());
    (asset, count.load(Ordering::Relaxed))
}

#[test]
fn a_resumed_bake_has_the_bits_of_an_uninterrupted_one() {
    for generator in GENERATORS {
        // finer for more tasks; constant elements have enough
        let cells = match generator {
            Generator::BemConstant => [6, 4, 6],
            _ => [9, 6, 9],
        };
        let mut geometry = held_box(Vec3::new(0.3, 0.2, 0.3), cells, None);
        let whole = bake_body(&geometry, &params(generator));
        let journal = MemoryJournal::default();
        let (stopped, _) = run(&geometry, generator, &journal, 2);
        assert_eq!(stopped.err(), Some("Cancelled".into()));
        let count = |journal: &MemoryJournal| journal.0.lock().expect("no panic").1.len();
        assert!(count(&journal) > 0);
        // resumed once more, and then to the end
        let (stopped, _) = run(&geometry, generator, &journal, 4);
        assert_eq!(stopped.err(), Some("Cancelled".into()));
        let (resumed, _) = run(&geometry, generator, &journal, usize::MAX);
        assert!(resumed == Ok(whole), "{generator:?}");
        // with all columns stored they are read, not solved; another body starts anew
        let tasks = count(&journal);
        let (resumed, _) = run(&geometry, generator, &journal, usize::MAX);
        assert!(resumed.is_ok() && count(&journal) == tasks);
        geometry.material.elastic.young *= 2.0;
        let (changed, _) = run(&geometry, generator, &journal, usize::MAX);
        assert!(changed != resumed);
    }
}

/// Everything that a bake publishes, with the columns of `requested_nodes` requested.
fn published(generator: Generator, requested_nodes: &[u32]) -> (Vec<Published>, GreensAsset) {
    let (all, requests) = (Mutex::new(Vec::new()), ColumnRequests::default());
    requests.request(requested_nodes);
    let progress = Progress::new();
    let publish = |what: Published| all.lock().expect("no panic").push(what);
    let control = BakeControl {
        requests: Some(&requests),
        publish: Some(&publish),
        ..BakeControl::new(&progress)
    };
    let asset = on_threads(1, || {
        bake::bake_controlled(&body(), &params(generator), &control)
    });
    let (asset, _) = asset.expect("bakes");
    (all.into_inner().expect("no panic"), asset)
}

#[test]
fn a_body_is_touched_while_it_is_baked() {
    let geometry = body();
    let skin = &geometry.skin;
    let top = skin
        .positions
        .iter()
        .position(|x| (x - Vec3::new(0.05, 0.1, 0.05)).norm() < 1e-9);
    let vertex = top.expect("a vertex there") as u32;
    let down = skin.positions[vertex as usize] - Vec3::y() * 1e-3;
    let gravity = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let mut touch = constrained([hold(vertex, down, None)]);
    touch.gravity = gravity.gravity;
    for generator in GENERATORS {
        let params = params(generator);
        let mut nodes = Vec::new();
        let (first, whole) = published(generator, &[]);
        nodes.extend_from_slice(whole.rows.row(vertex as usize).0);
        let mut complete = QuasistaticModel::new(std::sync::Arc::new(whole), &params);
        advance(&mut complete, &touch).expect("regular");

        let (events, _) = published(generator, &nodes);
        assert_eq!(events.len(), first.len());
        let mut events = events.into_iter();
        let Some(Published::Asset(opened)) = events.next() else {
            panic!("the body comes first");
        };
        let opened = std::sync::Arc::new(*opened);
        let surface = HapticSurface::new(opened.clone(), &haptic_params(0.05, 1000.0));
        assert!(matches!(surface, Err(HapticError::MissingColumns { .. })));
        let mut model = QuasistaticModel::new(opened, &params);
        advance(&mut model, &gravity).expect("hangs without a column");
        // an open contact needs no column, a closed one does
        let far = push(
            vertex,
            skin.positions[vertex as usize] + Vec3::y(),
            -Vec3::y(),
        );
        let mut open = constrained([far]);
        open.gravity = gravity.gravity;
        advance(&mut model, &open).expect("nothing touches");
        let refused = advance(&mut model, &touch).expect_err("no column");
        assert_eq!(refused, StepError::MissingColumn { vertex });

        let mut tasks = 0;
        while advance(&mut model, &touch).is_err() {
            let Some(Published::Columns(columns)) = events.next() else {
                panic!("requested columns come");
            };
            assert!(model.insert(&columns));
            tasks += 1;
        }
        assert!(tasks <= nodes.len().min(5), "{generator:?}: {tasks}");
        let now = (model.displacement(vertex as usize), model.reactions()[0]);
        for event in events {
            let Published::Columns(columns) = event else {
                panic!("columns only");
            };
            assert!(model.insert(&columns));
        }
        assert!(model.asset().matrix.missing().is_empty());
        advance(&mut model, &touch).expect("regular");
        let force = complete.reactions()[0];
        assert!((now.1 - model.reactions()[0]).norm() < 1e-6 * force.norm());
        assert_near(model.reactions()[0], force, 1e-5);
        for v in 0..skin.vertex_count() {
            let difference = (model.displacement(v) - complete.displacement(v)).norm();
            assert!(difference < 1e-8, "{generator:?} {v} {difference}");
        }
        let supports = model
            .support_reactions()
            .iter()
            .zip(complete.support_reactions());
        for (a, b) in supports {
            assert_near(*a, *b, 1e-4);
        }
    }
}
