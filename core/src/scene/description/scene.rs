//! A checked scene: names are resolved and numbers in range; nothing depends on the geometry of its bodies yet.

use crate::math::Vec3;
use crate::scene::body::BodyDescription;
use crate::scene::check::CheckDescription;
use crate::scene::comparison::ReferenceChoice;
use crate::scene::description::view::ViewDescription;
use crate::scene::grab::GrabDescription;
use crate::scene::method::Method;
use crate::scene::probe::ProbeDescription;
use crate::scene::tool::ToolDescription;

/// A whole scene.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneDescription {
    /// Name.
    pub name: String,
    /// One line for lists; empty when the scene has none.
    pub title: String,
    /// Length of a run without a window, s; a scene without an end has 4.
    pub duration: f64,
    /// Frames a second.
    pub frame_rate: f64,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Largest strain that the author expects; 0 where the scene does not say.
    pub strain_hint: f64,
    /// Seed of all random numbers, for example in the poses of copies of a body.
    pub seed: u64,
    /// Methods to compare.
    pub methods: Vec<Method>,
    /// Whether Poisson's ratio is set to zero everywhere, the only strict comparison.
    pub nu0: bool,
    /// The reference that results are compared with.
    pub reference: ReferenceChoice,
    /// The body, or the first of several kinds.
    pub body: BodyDescription,
    /// Further kinds of bodies, in the order of the file.
    pub others: Vec<BodyDescription>,
    /// Tools in the order of the file.
    pub tools: Vec<ToolDescription>,
    /// Grabs in the order of the file.
    pub grabs: Vec<GrabDescription>,
    /// Probes in the order of the file.
    pub probes: Vec<ProbeDescription>,
    /// Checks in the order of the file.
    pub checks: Vec<CheckDescription>,
    /// View in a window; `None` where the scene has none.
    pub view: Option<ViewDescription>,
}

impl SceneDescription {
    /// The tools that cut, in the order of the file.
    pub fn blades(&self) -> impl Iterator<Item = &ToolDescription> {
        self.tools.iter().filter(|tool| tool.shape.is_blade())
    }
}
