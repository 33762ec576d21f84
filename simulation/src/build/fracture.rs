//! Whether a method can break a body whose material has a strength or a toughness.

use pliant_core::scene::Method;

use super::job::Job;
use crate::error::BuildError;

impl Job<'_> {
    /// Refuses a scene with a material that breaks for a method whose bodies cannot, before anything is baked.
    ///
    /// # Errors
    /// [`BuildError::NotApplicable`].
    pub(super) fn check_fracture(&self) -> Result<(), BuildError> {
        for kind in self.setup.kinds() {
            let body = &kind.description.body;
            let (limits, lattice) = (&body.fracture, &body.lattice);
            let key = match (limits.strength, limits.toughness) {
                (Some(_), _) => "material.strength",
                (_, Some(_)) => "material.toughness",
                _ => continue,
            };
            let is_whole = !lattice.matching.is_empty() && lattice.matching != "lattice";
            let (why, remedy) = match self.method {
                Method::Quasistatic => (
                    "Green's functions are those of a body that stays whole",
                    "use the lattice or the adaptive method",
                ),
                Method::Adaptive if self.setup.is_group() => (
                    "it is one of several bodies or touches itself",
                    "use the lattice, or one body without self_contact",
                ),
                Method::Adaptive if body.adaptive.cut == Some(true) => (
                    "it is to move on a cut through its levels",
                    "adaptive.resolution = \"level\"",
                ),
                Method::Lattice if is_whole => {
                    ("it is matched as a whole", "lattice.matching = \"lattice\"")
                }
                Method::Lattice if lattice.regions_once => (
                    "it is made of regions that count once",
                    "lattice.multiplicity = \"keep\"",
                ),
                _ => continue,
            };
            return Err(BuildError::NotApplicable {
                method: self.method,
                code: "CannotBreak".into(),
                reason: format!(
                    "`{}` has a {key}, but cannot break: {why}\n  remedy: {remedy}, or leave out {key}",
                    body.name
                ),
            });
        }
        Ok(())
    }

    /// Says that a body moves on one level because it may break, where it would move on a cut through all levels otherwise.
    pub(super) fn note_fracture(&self, notes: &mut Vec<String>) {
        let body = &self.setup.description.body;
        let held = !self.setup.geometry.supports.is_empty();
        let is_cut = self.setup.description.blades().next().is_some();
        if self.method == Method::Adaptive
            && body.fracture.breaks()
            && held
            && !is_cut
            && body.adaptive.cut.is_none()
        {
            notes.push(format!(
                "`{}` moves on one level of tetrahedra: a body that may break does not move on a cut through its levels",
                body.name
            ));
        }
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

    /// Code and text of the refusal of a small block with these keys, and what was noted.
    fn outcome(keys: &str, method: Method) -> Result<Vec<String>, (String, String)> {
        let text = format!(
            "[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.1], edge = 0.025 }}\n{keys}\n"
        );
        let scene = LoadedScene::of_text("test", text).expect("valid");
        let setup = prepare(&scene, &Progress::new()).expect("prepared");
        let built = build_method(&setup, method, &AssetCache::disabled(), &Progress::new());
        let told = |built: crate::build::BuiltMethod| built.notes;
        built.map(told).map_err(|e| (e.code(), e.to_string()))
    }

    #[test]
    fn a_method_that_cannot_break_a_body_says_so_in_one_line_with_a_remedy() {
        let refusal = |method: &str, key: &str, why: &str, remedy: &str| {
            let text = format!(
                "{method} is not applicable: `block` has a {key}, but cannot break: {why}\n  remedy: {remedy}, or leave out {key}"
            );
            Err(("CannotBreak".to_string(), text))
        };
        let strong = "material = { strength = 1e3 }\nadaptive = { nodes = [27] }\n";
        assert_eq!(
            outcome("material = { toughness = 2 }", Method::Quasistatic),
            refusal(
                "quasistatic",
                "material.toughness",
                "Green's functions are those of a body that stays whole",
                "use the lattice or the adaptive method"
            )
        );
        assert_eq!(
            outcome(
                "material = { strength = 1e3 }\nadaptive = { resolution = 'cut' }",
                Method::Adaptive
            ),
            refusal(
                "adaptive",
                "material.strength",
                "it is to move on a cut through its levels",
                "adaptive.resolution = \"level\""
            )
        );
        assert_eq!(
            outcome(
                "material = { strength = 1e3 }\nadaptive = { self_contact = true }",
                Method::Adaptive
            ),
            refusal(
                "adaptive",
                "material.strength",
                "it is one of several bodies or touches itself",
                "use the lattice, or one body without self_contact"
            )
        );
        let lattice = |keys: &str| {
            outcome(
                &format!("{strong}lattice = {{ cell = 0.025, {keys} }}"),
                Method::Lattice,
            )
        };
        assert_eq!(
            lattice("matching = 'rigid'"),
            refusal(
                "lattice",
                "material.strength",
                "it is matched as a whole",
                "lattice.matching = \"lattice\""
            )
        );
        assert_eq!(
            lattice("multiplicity = 'unique'"),
            refusal(
                "lattice",
                "material.strength",
                "it is made of regions that count once",
                "lattice.multiplicity = \"keep\""
            )
        );
        assert!(lattice("half_width = 1").is_ok());
        assert!(outcome(strong, Method::Adaptive).is_ok());
    }

    #[test]
    fn a_held_body_says_why_it_moves_on_one_level() {
        let keys = "material = { toughness = 2 }\nadaptive = { nodes = [27] }\nsupport = [{ name = 'foot', select = { lowest = 0.01 }, motion = 'fixed' }]";
        let note = "`block` moves on one level of tetrahedra: a body that may break does not move on a cut through its levels";
        let notes = outcome(keys, Method::Adaptive).expect("a body");
        assert!(notes.iter().any(|n| n == note), "{notes:?}");
    }
}
