//! What panes tell of their frames, on a small scene.

use std::sync::Arc;

use pliant_core::scene::Method;

use super::{PaneSnapshot, WorldSnapshot};
use crate::runner::command::Command;
use crate::runner::simulation::Simulation;
use crate::threads::handover::handover;
use crate::world::FrameMetrics;
use crate::world::testing::{pad, setup_of};

fn metrics(simulation: &mut Simulation, method: Method, measures: bool) -> FrameMetrics {
    let mut panes = simulation.panes.iter_mut();
    let pane = panes.find(|p| p.method == method).expect("a pane");
    let mut shown = PaneSnapshot::waiting(method);
    pane.write(&mut shown, &simulation.rest, measures);
    shown.metrics
}

#[test]
fn a_pane_tells_the_metrics_that_its_method_has_once_it_has_stepped() {
    let methods = [Method::Quasistatic, Method::Lattice];
    let head = "duration = 1.0\ngravity = [0.0, -9.81, 0.0]";
    let scene = pad(head, "lattice = { cell = 0.05, half_width = 1 }");
    let setup = Arc::new(setup_of(scene));
    let mut simulation = Simulation::of_scene(&setup, &methods, None, None);
    for method in methods {
        let none = metrics(&mut simulation, method, false);
        assert_eq!(none, FrameMetrics::default(), "{method:?} at rest");
    }
    for _ in 0..3 {
        simulation.take_frame();
    }
    let lattice = metrics(&mut simulation, Method::Lattice, true);
    let energy = lattice.energy.expect("an energy");
    assert!(energy.kinetic > 0.0 && energy.potential < 0.0, "{energy:?}");
    // its own weight presses it together
    let change = lattice.volume_change.expect("a volume");
    assert!((-0.1..-1e-4).contains(&change), "{change}");
    assert_eq!((lattice.violation, lattice.pull), (Some(0.0), Some(0.0)));
    let unmeasured = metrics(&mut simulation, Method::Lattice, false);
    let expected = FrameMetrics {
        volume_change: None,
        ..lattice
    };
    assert_eq!(unmeasured, expected);
    let quasistatic = metrics(&mut simulation, Method::Quasistatic, true);
    assert_eq!(quasistatic.energy, None, "no energy, not zero");
    assert_eq!(quasistatic.violation, Some(0.0));
    simulation.execute(Command::Reset);
    let none = metrics(&mut simulation, Method::Lattice, false);
    assert_eq!(none, FrameMetrics::default(), "after a reset");
}

#[test]
fn a_scene_that_is_being_prepared_again_is_at_its_beginning() {
    let scene = pad("", "lattice = { cell = 0.05, half_width = 1 }");
    let setup = Arc::new(setup_of(scene));
    let mut simulation = Simulation::of_scene(&setup, &[Method::Lattice], None, None);
    let (writer, mut snapshots) = handover(WorldSnapshot::default());
    simulation.writer = writer;
    let mut shown = |simulation: &mut Simulation| {
        simulation.publish();
        assert!(snapshots.update());
        snapshots.value().time
    };
    for _ in 0..4 {
        simulation.take_frame();
        assert!(shown(&mut simulation) > 0.0);
    }
    for pane in &mut simulation.panes {
        pane.world = None;
    }
    for _ in 0..4 {
        assert_eq!(shown(&mut simulation), 0.0);
    }
}
