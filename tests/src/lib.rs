//! Helpers of the tests across crates: scenes from text, models from scenes, a plate that presses.
//!
//! If a step fails that is not the subject of the test, the helper panics with a message.
//!
//! ```
//! use pliant_core::scene::Method;
//! use pliant_tests::{PAD, model, scene, setup};
//!
//! let pad = setup(&scene(PAD));
//! let lattice = model(&pad, Method::Lattice);
//! // corners of 8 x 4 x 8 cells without those inside: 9 · 5 · 9 - 7 · 3 · 7
//! assert_eq!(lattice.surface().vertex_count(), 258);
//! ```

pub mod conformance;

/// The programs of the book run.
#[cfg(doctest)]
#[doc = include_str!("../../docs/book/first-ten-minutes.md")]
struct FirstTenMinutes;
#[cfg(doctest)]
#[doc = include_str!("../../docs/book/extending.md")]
struct Extending;

use std::sync::{Arc, OnceLock};

use pliant_core::asset::Progress;
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::material::MaterialLaw;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest, StepError};
use pliant_core::scene::{BoundaryChoice, Method};
pub use pliant_fuzzing::on_threads;
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::compare::{CompareOptions, Comparison, MethodResult, MethodRun, compare};
use pliant_simulation::scenes::{ImportOptions, LoadedScene, load};
use pliant_simulation::setup::{Setup, prepare};
use pliant_simulation::world::{Interaction, World};

/// A pad of 0.2 x 0.1 x 0.2 m in cells of 25 mm, held at its base, without gravity; a ball of 50 mm hovers above it.
pub const PAD: &str = r#"
    schema = 1
    name = "pad"
    gravity = [0.0, 0.0, 0.0]
    [[body]]
    name = "pad"
    mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.025 }
    material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
    support = [ { name = "base", select = { lowest = 0.01 } } ]
    adaptive = { target_edges = [0.05, 0.025], budget_ms = 1000.0 }
    lattice = { cell = 0.025, half_width = 1 }
    [[tool]]
    name = "ball"
    shape = { sphere = { radius = 0.05 } }
    motion = { device = "pointer", script = "$POKE" }
"#;

/// A kidney of 0.2 m, held at its lowest part, without gravity: a curved body whose skin is embedded in every method.
pub const KIDNEY: &str = r#"
    schema = 1
    name = "kidney"
    gravity = [0.0, 0.0, 0.0]
    [[body]]
    name = "kidney"
    mesh = { procedural = "kidney", longest = 0.2, edge = 0.012 }
    material = { young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.3 }
    support = [ { name = "foot", select = { lowest = 0.15 } } ]
    adaptive = { nodes = [60, 250], budget_ms = 1000.0 }
    lattice = { cells_longest = 12, half_width = 1 }
    quasistatic = { boundary = 200 }
    [[tool]]
    name = "ball"
    shape = { sphere = { radius = 0.03 } }
    motion = { device = "pointer", script = "$POKE" }
"#;

/// A scene from its text.
pub fn scene(text: &str) -> LoadedScene {
    LoadedScene::of_text("test", text).expect("the scene is valid")
}

/// A bundled scene.
pub fn bundled(name: &str) -> LoadedScene {
    load(name, &ImportOptions::default()).expect("bundled")
}

/// The setup of a scene, which all methods share.
pub fn setup(scene: &LoadedScene) -> Arc<Setup> {
    Arc::new(prepare(scene, &Progress::new()).expect("the scene becomes concrete"))
}

/// A model of a scene, baked anew.
pub fn model(setup: &Setup, method: Method) -> Box<dyn DeformableModel> {
    model_from(setup, method, &AssetCache::disabled()).0
}

/// A model of a scene and whether its asset came from the cache.
pub fn model_from(
    setup: &Setup,
    method: Method,
    cache: &AssetCache,
) -> (Box<dyn DeformableModel>, bool) {
    let built = build_method(setup, method, cache, &Progress::new()).expect("the method is built");
    (built.model, built.from_cache)
}

/// A world at rest.
pub fn world(setup: &Arc<Setup>, method: Method) -> World {
    World::new(method, model(setup, method), Arc::clone(setup))
}

/// Advances by one frame.
pub fn step(world: &mut World) {
    if let Err(error) = world.step_frame(&Interaction::default()) {
        panic!("{error}");
    }
}

/// Advances by so many seconds.
pub fn run(world: &mut World, setup: &Setup, seconds: f64) {
    for _ in 0..setup.frames(seconds) {
        step(world);
    }
}

/// All cases of the tests of every model, on both bodies: a name for messages, the shared setup, and the method. Skins are generated once in a process.
///
/// Names of cases on an adaptive cut begin with [`CUT`].
pub fn cases() -> Vec<(String, Arc<Setup>, Method)> {
    static SETUPS: OnceLock<Vec<Arc<Setup>>> = OnceLock::new();
    let setups = SETUPS.get_or_init(|| vec![setup(&scene(PAD)), setup(&scene(KIDNEY))]);
    let mut all = Vec::new();
    for original in setups {
        let body = &original.description.name;
        let mut with_levels = Setup::clone(original);
        with_levels.description.body.adaptive.cut = Some(false);
        let with_levels = Arc::new(with_levels);
        for method in Method::ALL {
            let name = format!("{} {body}", method.name());
            all.push((name, Arc::clone(&with_levels), method));
        }
        let name = format!("{CUT} {body}");
        all.push((name, Arc::clone(original), Method::Adaptive));
        let mut stable_neo_hookean = Setup::clone(&with_levels);
        stable_neo_hookean.description.body.material.law = MaterialLaw::StableNeoHookean;
        stable_neo_hookean.geometry.material.law = MaterialLaw::StableNeoHookean;
        let name = format!("adaptive stable_neo_hookean {body}");
        all.push((name, Arc::new(stable_neo_hookean), Method::Adaptive));
    }
    all
}

/// Prefix of the names of cases on an adaptive cut.
pub const CUT: &str = "adaptive cut";

/// Replaces levels, lattice and boundary mesh of a bundled scene by coarser ones.
pub fn coarsen(scene: &mut LoadedScene) {
    let body = &mut scene.description.body;
    body.adaptive.target_edges.clear();
    body.adaptive.nodes = vec![60, 250];
    body.lattice.cell = None;
    body.lattice.cells_longest = Some(12);
    body.quasistatic.boundary = BoundaryChoice::Nodes(250);
}

/// Compares all methods of a scene for so many seconds, without stored frames.
pub fn compared(setup: &Arc<Setup>, duration: f64, cache: &AssetCache) -> Comparison {
    let options = CompareOptions {
        duration: Some(duration),
        ..CompareOptions::new(cache)
    };
    compare(Arc::clone(setup), &options, &Progress::new()).expect("the comparison runs")
}

/// Name and run of every method. Panics if a method does not apply.
pub fn runs(comparison: &Comparison) -> Vec<(&'static str, &MethodRun)> {
    let mut all = Vec::new();
    for MethodResult { method, outcome } in &comparison.methods {
        all.push((method.name(), outcome.as_ref().expect("the method applies")));
    }
    all
}

/// A frictionless horizontal plate above a body: a unilateral constraint for every free skin vertex in the uppermost
/// quarter of the body. It has no state, so that the same height gives the same constraints.
pub fn plate(setup: &Setup, height: f64) -> BoundaryConditions {
    let skin = setup.skin();
    let bounds = skin.bounds();
    let lowest_height = bounds.max.y - 0.25 * bounds.size().y;
    let mut boundary = BoundaryConditions::with_gravity(setup.description.gravity);
    let constraints = (0..skin.vertex_count())
        .filter(|&v| !setup.held[v] && skin.positions[v].y >= lowest_height)
        .map(|v| {
            DisplacementConstraint::contact(
                v as u32,
                Vec3::new(skin.positions[v].x, height, skin.positions[v].z),
                -Vec3::y(),
            )
        });
    boundary
        .set_displacements(constraints)
        .expect("each vertex once");
    boundary
}

/// A plate that is pressed below the top of the body by `depth` diagonals.
pub fn plate_at_depth(setup: &Setup, depth: f64) -> BoundaryConditions {
    plate(setup, setup.skin().bounds().max.y - depth * setup.diagonal)
}

/// One frame of the scene's length without a limit of work.
///
/// # Errors
/// Those of the model.
pub fn advance(
    model: &mut dyn DeformableModel,
    setup: &Setup,
    boundary: &BoundaryConditions,
) -> Result<FrameReport, StepError> {
    model.advance(FrameRequest::new(setup.frame_duration(), boundary))
}

/// The current skin of a model.
pub fn surface(model: &dyn DeformableModel) -> SurfaceFrame {
    let mut frame = SurfaceFrame::default();
    model.write_surface(&mut frame);
    frame
}

/// Largest distance between equal vertices of two skins, m.
pub fn distance(a: &SurfaceFrame, b: &SurfaceFrame) -> f64 {
    assert_eq!(a.positions.len(), b.positions.len());
    (0..a.positions.len())
        .map(|v| (a.position(v) - b.position(v)).norm())
        .fold(0.0, f64::max)
}

/// Bits of a skin.
pub fn bits(frame: &SurfaceFrame) -> Vec<[u32; 3]> {
    frame
        .positions
        .iter()
        .map(|x| x.map(f32::to_bits))
        .collect()
}

/// Whether every coordinate is a finite number.
pub fn finite(frame: &SurfaceFrame) -> bool {
    frame.positions.iter().flatten().all(|x| x.is_finite())
}
