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
            // as in the text of a saved scene
            let before_copies = scene.tools.iter().filter(|tool| !tool.is_copy).count();
            scene.tools.insert(before_copies, blade.tool());
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;

    use super::*;
    use crate::compare::advice::SceneText;
    use crate::world::testing::scene_in;

    #[test]
    fn a_blade_has_the_place_among_the_tools_that_it_has_in_a_saved_scene() {
        let folder = tempfile::tempdir().expect("a folder");
        let finger = "name = 'finger'\nshape = { sphere = { radius = 0.01 } }\nmotion = { path = 'still' }\nrepeat = { count = 3, about = [0, 1, 0], step_degrees = 120 }";
        let path = "name = 'still'\nkeys = [{ t = 0, at = [0, 9, 0] }]";
        let loaded = scene_in(
            folder.path(),
            &format!(
                "schema = 1\n[[body]]\nname = 'a'\nmesh = {{ procedural = 'box' }}\n[[tool]]\n{finger}\n[[path]]\n{path}\n"
            ),
        );
        let blade = RestingBlade {
            length: 0.25,
            position: Vec3::new(1.0, 2.0, 0.5),
        };
        let changes = SceneChanges {
            blade: Some(blade),
            ..SceneChanges::default()
        };
        let mut scene = loaded.description.clone();
        changes.apply(&mut scene);
        let saved = SceneText::of(&loaded).expect("a text").with_blade(&blade);
        assert_eq!(scene.tools, saved.description(&[]).expect("sound").tools);
        let names: Vec<&str> = scene.tools.iter().map(|t| t.name.as_str()).collect();
        let expected = ["finger", RestingBlade::NAME, "finger 2", "finger 3"];
        assert_eq!(names, expected);
    }
}
