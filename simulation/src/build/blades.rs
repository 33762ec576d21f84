//! Whether a method can cut what the blades of a scene go through.

use pliant_core::contact::cutting::CannotCut;
use pliant_core::scene::Method;

use super::job::Job;
use crate::error::BuildError;

impl Job<'_> {
    /// Refuses a scene with blades for a method that cannot cut, before anything is baked.
    ///
    /// # Errors
    /// [`BuildError::NotApplicable`].
    pub(super) fn check_blades(&self) -> Result<(), BuildError> {
        let Some(blade) = self.setup.description.blades().next() else {
            return Ok(());
        };
        if self.method != Method::Lattice {
            return Err(self.refused(&CannotCut));
        }
        for kind in self.setup.kinds() {
            let lattice = &kind.description.body.lattice;
            let whole = !lattice.matching.is_empty() && lattice.matching != "lattice";
            let (why, remedy) = match (whole, lattice.regions_once) {
                (true, _) => ("matched as a whole", "lattice.matching = \"lattice\""),
                (_, true) => (
                    "made of regions that count once",
                    "lattice.multiplicity = \"keep\"",
                ),
                _ => continue,
            };
            return Err(BuildError::NotApplicable {
                method: self.method,
                code: "CannotCut".into(),
                reason: format!(
                    "`{}` is {why}, which the blade `{}` cannot cut\n  remedy: {remedy}, or leave out the blade",
                    kind.description.body.name, blade.name
                ),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::Progress;
    use pliant_core::scene::{Method, load_scene};

    use crate::build::{BuiltMethod, build_method};
    use crate::cache::AssetCache;
    use crate::error::BuildError;
    use crate::scenes::LoadedScene;
    use crate::setup::{Setup, prepare};
    use crate::world::{Interaction, World};

    fn loaf(lattice: &str) -> Setup {
        let text = format!(
            "gravity = [0, 0, 0]\n[[body]]\nname = 'loaf'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.1], edge = 0.025 }}\nlattice = {{ cell = 0.025, {lattice} }}\n\
             [[tool]]\nname = 'knife'\nshape = {{ blade = {{ length = 0.3 }} }}\nmotion = {{ path = 'down' }}\n\
             [[path]]\nname = 'down'\nkeys = [{{ t = 0, at = [0, 0.1, 0] }}, {{ t = 0.6, at = [0, -0.1, 0] }}]\n"
        );
        let scene = LoadedScene {
            description: load_scene(&text).expect("valid"),
            origin: "test".into(),
            folder: ".".into(),
            text,
        };
        // so thin a tool would be too sharp if it pushed
        prepare(&scene, &Progress::new()).expect("prepared")
    }

    fn built(setup: &Setup, method: Method) -> Result<BuiltMethod, BuildError> {
        build_method(setup, method, &AssetCache::disabled(), &Progress::new())
    }

    fn refused(lattice: &str, method: Method) -> Option<(String, String)> {
        let error = built(&loaf(lattice), method).err();
        error.map(|error| (error.code(), error.to_string()))
    }

    #[test]
    fn a_method_that_cannot_cut_says_so_in_one_line_with_a_remedy() {
        let refusal = |method: &str, reason: &str| {
            let text = format!("{method} is not applicable: {reason}");
            Some(("CannotCut".to_string(), text))
        };
        for method in [Method::Adaptive, Method::Quasistatic] {
            let reason = "it cannot cut a body\n  remedy: use the lattice, or leave out the tools whose shape is a blade";
            assert_eq!(refused("", method), refusal(method.name(), reason));
        }
        assert_eq!(
            refused("matching = 'rigid'", Method::Lattice),
            refusal(
                "lattice",
                "`loaf` is matched as a whole, which the blade `knife` cannot cut\n  remedy: lattice.matching = \"lattice\", or leave out the blade"
            )
        );
        assert_eq!(
            refused("multiplicity = 'unique'", Method::Lattice),
            refusal(
                "lattice",
                "`loaf` is made of regions that count once, which the blade `knife` cannot cut\n  remedy: lattice.multiplicity = \"keep\", or leave out the blade"
            )
        );
        assert_eq!(refused("", Method::Lattice), None);
        assert_eq!(
            refused("matching = 'lattice', toughness = 0.2", Method::Lattice),
            None
        );
    }
    #[test]
    fn a_world_that_goes_back_behind_a_cut_cuts_again_to_the_same_bits() {
        let setup = Arc::new(loaf(""));
        let model = built(&setup, Method::Lattice).expect("a lattice").model;
        let mut world = World::new(Method::Lattice, model, setup);
        let run = |world: &mut World| {
            for _ in 0..20 {
                world.step_frame(&Interaction::default()).expect("a frame");
            }
            let stats = world.model().stats();
            let counter = |name: &str| stats.counters.iter().find(|c| c.0 == name).map(|c| c.1);
            let figures = ["components", "broken_links"].map(counter);
            (world.frame().positions.clone(), figures)
        };
        let before = world.snapshot();
        let (_, [_, half]) = run(&mut world);
        assert!(half > Some(0.0));
        let middle = world.snapshot();
        let last = run(&mut world);
        assert_eq!(last.1[0], Some(2.0));
        world.restore(&middle).expect("the same world");
        assert!(run(&mut world) == last);
        world.restore(&before).expect("the same world");
        assert_eq!(run(&mut world).1[1], half);
        assert!(run(&mut world) == last);
        // the blade felt nothing
        assert_eq!(world.output().wrenches[0].force.norm(), 0.0);
    }
}
