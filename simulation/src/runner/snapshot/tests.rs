//! What panes tell of their frames, on a small scene.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::PaneSnapshot;
use crate::runner::command::Command;
use crate::runner::simulation::Simulation;
use crate::scenes::LoadedScene;
use crate::setup::prepare;
use crate::world::FrameMetrics;

const SCENE: &str = r#"
    schema = 1
    name = "pad"
    duration = 1.0
    gravity = [0.0, -9.81, 0.0]
    [[body]]
    name = "pad"
    mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }
    material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.1 }
    support = [ { name = "base", select = { lowest = 0.01 } } ]
    lattice = { cell = 0.05, half_width = 1 }
"#;

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
    let scene = LoadedScene::of_text("pad", SCENE).expect("valid");
    let setup = Arc::new(prepare(&scene, &Progress::new()).expect("concrete"));
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
    let wanted = FrameMetrics {
        volume_change: None,
        ..lattice
    };
    assert_eq!(unmeasured, wanted);
    let quasistatic = metrics(&mut simulation, Method::Quasistatic, true);
    assert_eq!(quasistatic.energy, None, "no energy, not zero");
    assert_eq!(quasistatic.violation, Some(0.0));
    simulation.carry_out(Command::Reset);
    let none = metrics(&mut simulation, Method::Lattice, false);
    assert_eq!(none, FrameMetrics::default(), "after a reset");
}
