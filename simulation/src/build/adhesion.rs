//! Whether bodies can stick to the tools of a scene.

use super::job::Job;
use crate::error::BuildError;

impl Job<'_> {
    /// Refuses a scene with a tool to which bodies stick where bodies find their contacts themselves, before anything is baked: their rows only push.
    ///
    /// # Errors
    /// [`BuildError::NotApplicable`].
    pub(super) fn check_adhesion(&self) -> Result<(), BuildError> {
        let sticky = (self.setup.tools.iter()).find(|tool| tool.adhesion.is_some());
        let Some(tool) = sticky.filter(|_| self.setup.is_group()) else {
            return Ok(());
        };
        Err(BuildError::NotApplicable {
            method: self.method,
            code: "CannotStick".into(),
            reason: format!(
                "several bodies, or one that touches itself, find their contacts with tools themselves, and these only push: nothing sticks to the tool `{}`\n  remedy: contact.kind = \"coulomb\", a [[grab]], or one body without self_contact",
                tool.name
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::Progress;
    use pliant_core::scene::Method;

    use crate::build::build_method;
    use crate::cache::AssetCache;
    use crate::scenes::LoadedScene;
    use crate::setup::prepare;

    #[test]
    fn several_bodies_do_not_stick_to_a_tool_and_say_so() {
        let refused = |kind: &str| {
            let text = format!(
                "[[body]]\nname = 'a'\nmesh = {{ procedural = 'box', size = [0.1, 0.1, 0.1], edge = 0.05 }}\ncount = 2\nlattice = {{ cell = 0.05 }}\n\
                 [[tool]]\nname = 'cup'\nshape = {{ sphere = {{ radius = 0.1 }} }}\ncontact = {{ kind = '{kind}' }}\n"
            );
            let scene = LoadedScene::of_text("test", text).expect("valid");
            let setup = prepare(&scene, &Progress::new()).expect("prepared");
            let (cache, progress) = (AssetCache::disabled(), Progress::new());
            let error = build_method(&setup, Method::Lattice, &cache, &progress).err();
            error.map(|error| (error.code(), error.to_string()))
        };
        let (code, text) = refused("sticky").expect("refused");
        assert_eq!(code, "CannotStick");
        assert!(text.contains("the tool `cup`\n  remedy: "), "{text}");
        assert_eq!(refused("coulomb"), None);
    }
}
