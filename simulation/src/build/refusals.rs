//! Refuses before anything is baked what a method cannot do with a scene: cut or break.

use pliant_core::scene::{Method, ShapeMatching};

use super::job::Job;
use crate::error::BuildError;
use crate::parameters::moves_on_cut;
use crate::setup::Setup;

/// Why a body of a group that moves on a cut through its levels is not separated, and the remedy.
const ON_CUT: (&str, &str) = (
    "to move on a cut through its levels",
    "adaptive.resolution = \"level\"",
);

/// Whether a method of a scene can cut its bodies, once the scene has a blade.
pub fn can_be_cut(setup: &Setup) -> bool {
    let mut methods = setup.description.methods.iter();
    methods.any(|&method| {
        let is_separable = |kind| inseparable_reason(setup, method, kind).is_none();
        method != Method::Quasistatic && setup.kinds().all(is_separable)
    })
}

/// Why the tetrahedra or the lattice of a `kind` of bodies of a scene cannot be separated, and the remedy; `None` where they can.
fn inseparable_reason(
    setup: &Setup,
    method: Method,
    kind: &Setup,
) -> Option<(&'static str, &'static str)> {
    let body = &kind.description.body;
    let lattice = &body.lattice;
    match method {
        // a body of a group is not handed over when a blade or a break is near
        Method::Adaptive if setup.is_group() && body.adaptive.cut == Some(true) => Some(ON_CUT),
        Method::Lattice if lattice.matching != ShapeMatching::Lattice => {
            Some(("matched as a whole", "lattice.matching = \"lattice\""))
        }
        Method::Lattice if lattice.regions_once => Some((
            "made of regions that count once",
            "lattice.multiplicity = \"keep\"",
        )),
        _ => None,
    }
}

impl Job<'_> {
    /// Refuses blades for bodies that cannot be cut, but for those of the quasistatic method, which stay whole ([`Self::note_whole`]), and a material that breaks for a method whose bodies cannot.
    pub(super) fn check_abilities(&self) -> Result<(), BuildError> {
        self.check_blades()?;
        self.check_fracture()
    }

    fn check_blades(&self) -> Result<(), BuildError> {
        let Some(blade) = self.setup.description.blades().next() else {
            return Ok(());
        };
        let blade = &blade.name;
        for kind in self.setup.kinds() {
            if let Some((why, remedy)) = inseparable_reason(self.setup, self.method, kind) {
                let body = &kind.description.body.name;
                let reason = format!(
                    "`{body}` is {why}, which the blade `{blade}` cannot cut\n  remedy: {remedy}, or leave out the blade"
                );
                return Err(self.not_applicable("CannotCut", reason));
            }
        }
        Ok(())
    }

    fn check_fracture(&self) -> Result<(), BuildError> {
        for kind in self.setup.kinds() {
            let body = &kind.description.body;
            let key = match (body.fracture.strength, body.fracture.toughness) {
                (Some(_), _) => "material.strength",
                (_, Some(_)) => "material.toughness",
                _ => continue,
            };
            let (why, remedy) = match (
                self.method,
                inseparable_reason(self.setup, self.method, kind),
            ) {
                (Method::Quasistatic, _) => (
                    "Green's functions hold only for a body that does not break".to_string(),
                    "use the lattice or the adaptive method",
                ),
                (_, Some((why, remedy))) => (format!("it is {why}"), remedy),
                (_, None) => continue,
            };
            let reason = format!(
                "`{}` has a {key}, but cannot break: {why}\n  remedy: {remedy}, or leave out {key}",
                body.name
            );
            return Err(self.not_applicable("CannotBreak", reason));
        }
        Ok(())
    }

    /// Adds a note where blades leave the body whole. Nobody would notice otherwise that force and shape are those of an uncut body.
    pub(super) fn note_whole(&self, notes: &mut Vec<String>) {
        let mut blades = self.setup.description.blades();
        if let (Method::Quasistatic, Some(blade)) = (self.method, blades.next()) {
            notes.push(format!(
                "BodyStaysWhole: the blade `{}` does not cut here, because Green's functions hold for the uncut body only: after the cut, force and shape are still those of the uncut body, and the distance from other methods is the error of this\n  remedy: use the lattice or the adaptive method",
                blade.name
            ));
        }
    }

    /// Adds a note where a body moves on a cut through its levels until a blade reaches it or a load comes near breaking it, and on one level from then on.
    pub(super) fn note_one_level(&self, notes: &mut Vec<String>) {
        let is_handed_over = !self.setup.is_group() && moves_on_cut(self.setup);
        if self.method != Method::Adaptive || !is_handed_over {
            return;
        }
        let body = &self.setup.description.body;
        let blade = self.setup.description.blades().next();
        let reached = blade.map(|blade| format!("the blade `{}` reaches it", blade.name));
        // without a strength no crack begins but at the cuts of blades
        let strength = body.fracture.strength;
        let loaded = strength.map(|_| "a load comes near breaking it".to_string());
        let causes: Vec<String> = reached.into_iter().chain(loaded).collect();
        if !causes.is_empty() {
            notes.push(format!(
                "`{}` moves on a cut through its levels until {}, and on one level of tetrahedra from then on",
                body.name,
                causes.join(" or ")
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::scene::Method;

    use super::can_be_cut;
    use crate::setup::Setup;
    use crate::world::World;
    use crate::world::testing::{built, refusal, setup_of, step, world_of};

    /// The key of a block that stands on its foot.
    const HELD: &str =
        "support = [{ name = 'foot', select = { lowest = 0.01 }, motion = 'fixed' }]\n";

    fn block(keys: &str) -> String {
        format!(
            "[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.1], edge = 0.025 }}\n{keys}\n"
        )
    }

    /// A block that a blade goes through; so thin a tool would be too sharp if it pushed.
    fn sliced(keys: &str) -> Setup {
        setup_of(format!(
            "gravity = [0, 0, 0]\n{}\
             [[tool]]\nname = 'knife'\nshape = {{ blade = {{ length = 0.3 }} }}\nmotion = {{ path = 'down' }}\n\
             [[path]]\nname = 'down'\nkeys = [{{ t = 0, at = [0, 0.1, 0] }}, {{ t = 0.6, at = [0, -0.1, 0] }}]\n",
            block(keys)
        ))
    }

    fn lattice(keys: &str) -> String {
        format!("lattice = {{ cell = 0.025, {keys} }}")
    }

    /// What cannot be cut: the method, its keys, why, and the remedy.
    fn inseparable_cases() -> [(Method, String, &'static str, &'static str); 3] {
        [
            (
                Method::Adaptive,
                "count = 2\nadaptive = { resolution = 'cut' }".into(),
                "to move on a cut through its levels",
                "adaptive.resolution = \"level\"",
            ),
            (
                Method::Lattice,
                lattice("matching = 'rigid'"),
                "matched as a whole",
                "lattice.matching = \"lattice\"",
            ),
            (
                Method::Lattice,
                lattice("multiplicity = 'unique'"),
                "made of regions that count once",
                "lattice.multiplicity = \"keep\"",
            ),
        ]
    }

    fn expected_refusal(method: Method, code: &str, reason: &str) -> Option<(String, String)> {
        let text = format!("{} is not applicable: {reason}", method.name());
        Some((code.to_string(), text))
    }

    #[test]
    fn a_method_that_cannot_cut_says_so_in_one_line_with_a_remedy() {
        for (method, keys, why, remedy) in inseparable_cases() {
            let reason = format!(
                "`block` is {why}, which the blade `knife` cannot cut\n  remedy: {remedy}, or leave out the blade"
            );
            let found = refusal(&sliced(&keys), method);
            assert_eq!(found, expected_refusal(method, "CannotCut", &reason));
        }
        for keys in [
            "resolution = 'level'",
            "resolution = 'cut'",
            "self_contact = true",
        ] {
            let keys = format!("adaptive = {{ {keys}, nodes = [27, 125] }}");
            assert_eq!(refusal(&sliced(&keys), Method::Adaptive), None);
        }
        for keys in ["", "matching = 'lattice', toughness = 0.2"] {
            assert_eq!(refusal(&sliced(&lattice(keys)), Method::Lattice), None);
        }
    }

    #[test]
    fn a_scene_can_be_cut_where_one_of_its_methods_can() {
        let is_possible = |methods: &str, keys: &str| {
            can_be_cut(&setup_of(format!("methods = [{methods}]\n{}", block(keys))))
        };
        let rigid = lattice("matching = 'rigid'");
        assert!(is_possible("'quasistatic', 'lattice'", &lattice("")));
        assert!(is_possible("'lattice', 'adaptive'", &rigid));
        assert!(!is_possible("'lattice', 'quasistatic'", &rigid));
        assert!(is_possible(
            "'adaptive'",
            "adaptive = { self_contact = true }"
        ));
        let cut = "adaptive = { resolution = 'cut' }";
        assert!(is_possible("'adaptive'", cut));
        assert!(!is_possible("'adaptive'", &format!("count = 2\n{cut}")));
    }

    #[test]
    fn a_quasistatic_body_stays_whole_under_a_blade_and_says_so() {
        let keys = "support = [{ name = 'foot', select = { lowest = 0.01 } }]\nquasistatic = { boundary = 150 }";
        let setup = Arc::new(sliced(keys));
        let body = built(&setup, Method::Quasistatic).expect("a body");
        let is_told = |n: &String| n.starts_with("BodyStaysWhole: the blade `knife` ");
        assert!(body.notes.iter().any(is_told), "{:?}", body.notes);
        let mut world = World::new(Method::Quasistatic, body.model, setup);
        step(&mut world, 40);
        assert!(world.frame().cut.is_none());
    }

    #[test]
    fn a_method_that_cannot_break_a_body_says_so_in_one_line_with_a_remedy() {
        let found = |material: &str, keys: &str, method: Method| {
            let text = block(&format!("material = {{ {material} }}\n{keys}"));
            refusal(&setup_of(text), method)
        };
        let reason = |key: &str, why: &str, remedy: &str| {
            format!(
                "`block` has a {key}, but cannot break: {why}\n  remedy: {remedy}, or leave out {key}"
            )
        };
        let whole_body = reason(
            "material.toughness",
            "Green's functions hold only for a body that does not break",
            "use the lattice or the adaptive method",
        );
        assert_eq!(
            found("toughness = 2", "", Method::Quasistatic),
            expected_refusal(Method::Quasistatic, "CannotBreak", &whole_body)
        );
        let strong = "strength = 1e3";
        for (method, keys, why, remedy) in inseparable_cases() {
            let reason = reason("material.strength", &format!("it is {why}"), remedy);
            let found = found(strong, &keys, method);
            assert_eq!(found, expected_refusal(method, "CannotBreak", &reason));
        }
        let fine = lattice("half_width = 1");
        assert_eq!(found(strong, &fine, Method::Lattice), None);
        for fine in ["nodes = [27]", "nodes = [27, 125], resolution = 'cut'"] {
            let fine = format!("adaptive = {{ {fine} }}");
            assert_eq!(found(strong, &fine, Method::Adaptive), None);
        }
    }

    #[test]
    fn a_held_body_says_when_it_goes_over_to_one_level() {
        let levels = "adaptive = { nodes = [27, 125] }\n";
        let notes = |setup: &Setup| built(setup, Method::Adaptive).expect("a body").notes;
        let limited = |limit: &str| format!("material = {{ {limit} }}\n{HELD}{levels}");
        let (weak, tough) = (limited("strength = 1e3"), limited("toughness = 2"));
        let held = format!("{HELD}{levels}");
        for (setup, causes) in [
            (sliced(&held), "the blade `knife` reaches it"),
            (setup_of(block(&weak)), "a load comes near breaking it"),
            (
                sliced(&weak),
                "the blade `knife` reaches it or a load comes near breaking it",
            ),
        ] {
            let notes = notes(&setup);
            let note = format!(
                "`block` moves on a cut through its levels until {causes}, and on one level of tetrahedra from then on"
            );
            assert!(notes.contains(&note), "{notes:?}");
        }
        // nothing holds it, or no crack begins in it
        for setup in [sliced(levels), setup_of(block(&tough))] {
            let notes = notes(&setup);
            let is_told = notes
                .iter()
                .any(|n| n.contains("on one level of tetrahedra"));
            assert!(!is_told, "{notes:?}");
        }
    }

    #[test]
    fn a_world_that_goes_back_behind_a_cut_cuts_again_to_the_same_bits() {
        let levels = "nodes = [27, 125]";
        restore_behind_a_cut(Method::Lattice, "", levels);
        restore_behind_a_cut(Method::Adaptive, "", levels);
        // and behind the frame in which the blade reached a body that moved on a cut through its levels
        restore_behind_a_cut(Method::Adaptive, HELD, levels);
        // finds its contacts itself, as bodies of a group do
        let of_group = "nodes = [27, 125], self_contact = true";
        restore_behind_a_cut(Method::Adaptive, "", of_group);
    }

    fn restore_behind_a_cut(method: Method, support: &str, adaptive: &str) {
        let keys = format!("{}\n{support}adaptive = {{ {adaptive} }}", lattice(""));
        let mut world = world_of(&Arc::new(sliced(&keys)), method);
        let run = |world: &mut World| {
            step(world, 20);
            let stats = world.model().stats();
            let cut = stats.counter("broken_links").or(stats.counter("cut_edges"));
            let figures = [stats.counter("components"), cut];
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
