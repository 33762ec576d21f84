//! Whether a method can cut what the blades of a scene go through.

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
        match self.method {
            Method::Lattice => {}
            Method::Adaptive => return self.check_tetrahedra(&blade.name),
            Method::Quasistatic => return Err(self.stays_whole(&blade.name)),
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
            return Err(self.cannot_cut(&kind.description.body.name, why, &blade.name, remedy));
        }
        Ok(())
    }

    /// The adaptive method cuts one body that moves on one level.
    fn check_tetrahedra(&self, blade: &str) -> Result<(), BuildError> {
        let body = &self.setup.description.body;
        let (why, remedy) = if self.setup.is_group() {
            (
                "one of several bodies or touches itself",
                "use the lattice, or one body without self_contact",
            )
        } else if body.adaptive.cut == Some(true) {
            (
                "to move on a cut through its levels",
                "adaptive.resolution = \"level\"",
            )
        } else {
            return Ok(());
        };
        Err(self.cannot_cut(&body.name, why, blade, remedy))
    }

    /// From the cut on a quasistatic body would show force and shape of an uncut one, which nobody would notice.
    fn stays_whole(&self, blade: &str) -> BuildError {
        BuildError::NotApplicable {
            method: self.method,
            code: "CannotCut".into(),
            reason: format!(
                "Green's functions are those of the whole body, so that the blade `{blade}` cannot cut it: from the moment of the cut on, its force and shape would be those of the uncut body\n  remedy: use the lattice or the adaptive method, or leave out the blade"
            ),
        }
    }

    fn cannot_cut(&self, body: &str, why: &str, blade: &str, remedy: &str) -> BuildError {
        BuildError::NotApplicable {
            method: self.method,
            code: "CannotCut".into(),
            reason: format!(
                "`{body}` is {why}, which the blade `{blade}` cannot cut\n  remedy: {remedy}, or leave out the blade"
            ),
        }
    }

    /// Says that a body moves on one level for the sake of blades, where it would move on a cut through all levels without them.
    pub(super) fn note_blades(&self, notes: &mut Vec<String>) {
        let body = &self.setup.description.body;
        let held = !self.setup.geometry.supports.is_empty();
        let blade = self.setup.description.blades().next();
        if let Some(blade) = blade.filter(|_| self.method == Method::Adaptive && held)
            && body.adaptive.cut.is_none()
        {
            notes.push(format!(
                "`{}` moves on one level of tetrahedra: the blade `{}` cannot cut a body that moves on a cut through its levels",
                body.name, blade.name
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::Progress;
    use pliant_core::scene::Method;

    use crate::build::{BuiltMethod, build_method};
    use crate::cache::AssetCache;
    use crate::error::BuildError;
    use crate::scenes::LoadedScene;
    use crate::setup::{Setup, prepare};
    use crate::world::{Interaction, World};

    fn loaf(lattice: &str, keys: &str) -> Setup {
        let text = format!(
            "gravity = [0, 0, 0]\n[[body]]\nname = 'loaf'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.1], edge = 0.025 }}\nlattice = {{ cell = 0.025, {lattice} }}\n{keys}\n\
             [[tool]]\nname = 'knife'\nshape = {{ blade = {{ length = 0.3 }} }}\nmotion = {{ path = 'down' }}\n\
             [[path]]\nname = 'down'\nkeys = [{{ t = 0, at = [0, 0.1, 0] }}, {{ t = 0.6, at = [0, -0.1, 0] }}]\n"
        );
        let scene = LoadedScene::of_text("test", text).expect("valid");
        // so thin a tool would be too sharp if it pushed
        prepare(&scene, &Progress::new()).expect("prepared")
    }

    fn built(setup: &Setup, method: Method) -> Result<BuiltMethod, BuildError> {
        build_method(setup, method, &AssetCache::disabled(), &Progress::new())
    }

    fn refused(lattice: &str, method: Method) -> Option<(String, String)> {
        refused_with(lattice, "", method)
    }

    fn refused_with(lattice: &str, keys: &str, method: Method) -> Option<(String, String)> {
        let error = built(&loaf(lattice, keys), method).err();
        error.map(|error| (error.code(), error.to_string()))
    }

    #[test]
    fn a_method_that_cannot_cut_says_so_in_one_line_with_a_remedy() {
        let refusal = |method: &str, reason: &str| {
            let text = format!("{method} is not applicable: {reason}");
            Some(("CannotCut".to_string(), text))
        };
        let reason = "Green's functions are those of the whole body, so that the blade `knife` cannot cut it: from the moment of the cut on, its force and shape would be those of the uncut body\n  remedy: use the lattice or the adaptive method, or leave out the blade";
        assert_eq!(
            refused("", Method::Quasistatic),
            refusal("quasistatic", reason)
        );
        assert_eq!(
            refused_with("", "adaptive = { resolution = 'cut' }", Method::Adaptive),
            refusal(
                "adaptive",
                "`loaf` is to move on a cut through its levels, which the blade `knife` cannot cut\n  remedy: adaptive.resolution = \"level\", or leave out the blade"
            )
        );
        assert_eq!(
            refused_with("", "adaptive = { self_contact = true }", Method::Adaptive),
            refusal(
                "adaptive",
                "`loaf` is one of several bodies or touches itself, which the blade `knife` cannot cut\n  remedy: use the lattice, or one body without self_contact, or leave out the blade"
            )
        );
        let level = "adaptive = { resolution = 'level', nodes = [27, 125] }";
        assert_eq!(refused_with("", level, Method::Adaptive), None);
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
    fn a_held_body_says_why_it_moves_on_one_level() {
        let support = "support = [{ name = 'foot', select = { lowest = 0.01 }, motion = 'fixed' }]\nadaptive = { nodes = [27, 125] }";
        let held = built(&loaf("", support), Method::Adaptive).expect("a body");
        let note = "`loaf` moves on one level of tetrahedra: the blade `knife` cannot cut a body that moves on a cut through its levels";
        assert!(held.notes.iter().any(|n| n == note), "{:?}", held.notes);
        let loose = built(
            &loaf("", "adaptive = { nodes = [27, 125] }"),
            Method::Adaptive,
        )
        .expect("a body");
        assert!(!loose.notes.iter().any(|n| n.contains("knife")));
    }

    #[test]
    fn a_world_that_goes_back_behind_a_cut_cuts_again_to_the_same_bits() {
        for method in [Method::Lattice, Method::Adaptive] {
            goes_back(method);
        }
    }

    fn goes_back(method: Method) {
        let setup = Arc::new(loaf("", "adaptive = { nodes = [27, 125] }"));
        let model = built(&setup, method).expect("a model").model;
        let mut world = World::new(method, model, setup);
        let run = |world: &mut World| {
            for _ in 0..20 {
                world.step_frame(&Interaction::default()).expect("a frame");
            }
            let stats = world.model().stats();
            let counter = |name: &str| stats.counters.iter().find(|c| c.0 == name).map(|c| c.1);
            let cut = counter("broken_links").or(counter("cut_edges"));
            let figures = [counter("components"), cut];
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
