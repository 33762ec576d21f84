//! The scenes that the bench targets time: one scene at named sizes, ready to step.
//!
//! ```
//! use pliant_benches::{Size, pressed_pad};
//! use pliant_core::scene::Method;
//! for method in Method::ALL {
//!     let mut world = pressed_pad(method, Size::Small);
//!     let output = world.step_frame(&Default::default()).expect("it moves");
//!     assert!(output.wrenches[0].force.y > 0.1, "{method:?} feels the ball");
//! }
//! ```

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::scene::Method;
use pliant_simulation::build::build_method;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::scenes::LoadedScene;
use pliant_simulation::setup::prepare;
use pliant_simulation::world::{Interaction, World};

/// Frames before the first that is timed.
const WARM_UP_FRAMES: usize = 30;

/// How finely each method resolves the pad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Cells of 25 mm: 9 x 5 x 9 nodes.
    Small,
    /// Cells of 12.5 mm: 17 x 9 x 17 nodes.
    Medium,
}

impl Size {
    /// Edge of the cells of skin, elements and lattice, m.
    pub fn cell(self) -> f64 {
        match self {
            Self::Small => 0.025,
            Self::Medium => 0.0125,
        }
    }
}

/// A pad of 0.2 x 0.1 x 0.2 m in which a ball goes up and down between 1 and 5 mm deep, after half a second.
///
/// Panics where the scene cannot be built, which would be a fault of this crate.
pub fn pressed_pad(method: Method, size: Size) -> World {
    let cell = size.cell();
    let text = format!(
        r#"
        schema = 1
        name = "pad"
        gravity = [0.0, 0.0, 0.0]
        [[body]]
        name = "pad"
        mesh = {{ procedural = "box", size = [0.2, 0.1, 0.2], edge = {cell:?} }}
        material = {{ young = 2.0e4, poisson = 0.3, density = 1000.0, zeta = 0.1 }}
        support = [ {{ name = "base", select = {{ lowest = 0.01 }} }} ]
        adaptive = {{ target_edges = [{cell:?}], budget_ms = 1000.0 }}
        lattice = {{ cell = {cell:?}, half_width = 1 }}
        [[tool]]
        name = "ball"
        shape = {{ sphere = {{ radius = 0.1 }} }}
        motion = {{ path = "press" }}
        [[path]]
        name = "press"
        interpolation = "smooth"
        loop = true
        keys = [ {{ t = 0.0, at = [0.0, 0.149, 0.0] }}, {{ t = 0.25, at = [0.0, 0.145, 0.0] }}, {{ t = 0.5, at = [0.0, 0.149, 0.0] }} ]
        "#
    );
    let scene = LoadedScene::of_text("benches", text).expect("the scene is valid");
    let progress = Progress::new();
    let setup = Arc::new(prepare(&scene, &progress).expect("the scene becomes concrete"));
    let built = build_method(&setup, method, &AssetCache::disabled(), &progress).expect("a model");
    let mut world = World::new(method, built.model, setup);
    for _ in 0..WARM_UP_FRAMES {
        world.step_frame(&Interaction::default()).expect("it moves");
    }
    world
}
