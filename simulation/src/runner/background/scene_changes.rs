//! What a window has changed in a scene since its text was read.

use pliant_core::material::Material;
use pliant_core::scene::SceneDescription;

use crate::setup::Setup;
use crate::setup::hand::RestingBlade;

/// What a scene that is opened has in place of what its text says, or beside it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SceneChanges {
    /// Another material of its first body.
    pub material: Option<Material>,
    /// A blade, where the text has none.
    pub blade: Option<RestingBlade>,
}

impl SceneChanges {
    /// The material and the blade of a scene that is shown.
    pub fn of(setup: &Setup) -> Self {
        Self {
            material: Some(setup.description.body.material),
            blade: RestingBlade::of(&setup.description),
        }
    }

    /// Makes the changes.
    pub fn apply(&self, scene: &mut SceneDescription) {
        if let Some(material) = self.material {
            scene.body.material = material;
        }
        if let Some(blade) = self.blade
            && scene.blades().next().is_none()
        {
            scene.tools.push(blade.tool());
        }
    }
}
