//! A snapshot without a simulation behind it.

use std::sync::Arc;

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::Friction;
use pliant_core::contact::{Pose, PosePath, Tool, ToolShape};
use pliant_core::inspect::{
    ParameterEffect, ParameterInfo, ParameterValue, PointState, QuantityInfo, QuantityShape,
};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::scene::Method;
use pliant_simulation::error::Fault;
use pliant_simulation::scenes::{ImportOptions, load};
use pliant_simulation::setup::{Setup, SetupTool};
use pliant_simulation::snapshot::{FrameValues, PaneSnapshot, PaneState, PointMark, WorldSnapshot};

use crate::panels::Context;
use crate::state::UiState;

/// A box, a finger, one pane that runs, one that is baked and one that does not apply.
pub fn snapshot() -> WorldSnapshot {
    let setup = setup();
    let shape = setup.tools[0].shape.clone();
    let frame = SurfaceFrame::at_rest(&setup.scene_skin);
    let mut panes = Method::ALL.map(PaneSnapshot::waiting).to_vec();
    for pane in &mut panes {
        pane.frame.clone_from(&frame);
    }
    show_results(&mut panes[0]);
    panes[1].state = PaneState::Baking {
        stage: "Green's functions".into(),
        fraction: 0.4,
    };
    let unsupported = Fault::new("FreeBodyUnsupported", "the body has no support");
    panes[2].state = PaneState::NotApplicable(unsupported);
    WorldSnapshot {
        setup: Some(Arc::new(setup)),
        scene_number: 1,
        version: 1,
        speed: 0.6,
        frames: 1,
        tools: vec![Tool {
            name: "finger".into(),
            shape,
            friction: Friction::None,
            adhesion: None,
            begin: Pose::at(Vec3::y()),
            end: Pose::at(Vec3::y()),
        }],
        panes,
        ..WorldSnapshot::default()
    }
}

/// A box and a finger that follows the pointer.
pub fn setup() -> Setup {
    let scene = load("welcome", &ImportOptions::default()).expect("bundled");
    let skin = Arc::new(box_surface(Vec3::repeat(0.2), [4, 4, 4], CellStyle::Kuhn));
    Setup {
        attributes: Vec::new(),
        origin: "welcome".into(),
        box_size: None,
        tets: None,
        places: Vec::new(),
        others: Vec::new(),
        scene_skin: Arc::clone(&skin),
        unrefined_skin: None,
        tools: vec![SetupTool {
            name: "finger".into(),
            shape: ToolShape::Sphere { radius: 0.02 },
            friction: Friction::None,
            adhesion: None,
            path: PosePath::still(Pose::at(Vec3::y())),
            follows_pointer: true,
            carrier: None,
        }],
        grabs: Vec::new(),
        hand: None,
        probes: Vec::new(),
        held: vec![false; skin.vertex_count()],
        areas: skin.nodal_areas(),
        diagonal: skin.bounds().diagonal(),
        notes: vec![
            "repair: 2 vertices joined with others at the same place"
                .to_string()
                .into(),
        ],
        repairs: Vec::new(),
        findings: Default::default(),
        geometry: BodyGeometry::new(skin, scene.description.body.material),
        description: scene.description,
    }
}

/// Lets a pane run, with a force, a point inside, two parameters and a quantity.
fn show_results(pane: &mut PaneSnapshot) {
    pane.state = PaneState::Ready;
    pane.cost_ms = 1.25;
    pane.tool_forces = vec![Vec3::new(3.0, 4.0, 0.0)];
    pane.points = vec![PointMark {
        name: "tendon".into(),
        place: Vec3::zeros(),
        state: PointState {
            displacement: Vec3::new(0.0, -2e-3, 0.0),
            stress: [3000.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        },
    }];
    pane.stats.active_nodes = 1204;
    pane.stats.notes = vec!["levels: 3 of 4".into()];
    let info = |name, help, max| ParameterInfo {
        name,
        unit: "",
        help,
        min: 0.0,
        max,
        effect: ParameterEffect::Immediate,
    };
    pane.parameters = vec![
        (
            info("damping_ratio", "share of critical damping", 2.0),
            ParameterValue::Number(0.1),
        ),
        (
            info("recover", "recovers after a fault", 1.0),
            ParameterValue::Flag(false),
        ),
    ];
    pane.quantities = vec![QuantityInfo {
        name: "stress",
        unit: "Pa",
        help: "von Mises stress",
        shape: QuantityShape::VertexScalar,
    }];
}

/// Adds the parameter of the adaptive method that explains a vertex.
pub fn add_explained_vertex(snapshot: &mut WorldSnapshot, vertex: f64) {
    let info = ParameterInfo {
        name: "explained_vertex",
        unit: "",
        help: "explains",
        min: -1.0,
        max: 1e9,
        effect: ParameterEffect::Observation,
    };
    let parameter = (info, ParameterValue::Number(vertex));
    snapshot.panes[0].parameters.push(parameter);
}

/// The scene of a snapshot, to be modified.
pub fn setup_mut(snapshot: &mut WorldSnapshot) -> &mut Setup {
    Arc::make_mut(snapshot.setup.as_mut().expect("a scene"))
}

/// Frame `frame` of a run, with its values, as the simulation gives it.
pub fn run_to(snapshot: &mut WorldSnapshot, frame: u64) {
    show_frame(snapshot, frame, frame);
}

/// The same for frame `now` of a run whose last frame is `last`.
pub fn show_frame(snapshot: &mut WorldSnapshot, now: u64, last: u64) {
    let timeline = &mut snapshot.timeline;
    (timeline.now, timeline.last, timeline.end) = (now, last, last);
    snapshot.time = now as f64 / 60.0;
    snapshot.frames += 1;
    snapshot.recent = vec![Arc::new(FrameValues::of(snapshot))];
}

/// Calls `read` with what panels work with.
pub fn with_context<T>(
    snapshot: &WorldSnapshot,
    state: &mut UiState,
    read: impl FnOnce(&Context<'_>) -> T,
) -> T {
    read(&Context {
        snapshot,
        state,
        commands: &mut Vec::new(),
    })
}
