//! Several bodies of one method, or one that touches itself.

use std::sync::Arc;

use pliant_adaptive::AdaptiveModel;
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::diagnostics::with_body_name;
use pliant_core::model::SteppedModel;
use pliant_lattice::LatticeModel;

use super::job::Job;
use crate::error::BuildError;
use crate::parameters::{adaptive_params, body_contact, lattice_params_of};

/// Makes bodies of one kind, and whether their asset came from the cache.
type BodyKind<'k, M> = (Box<dyn Fn() -> Result<M, BuildError> + 'k>, bool);

impl Job<'_> {
    /// The lattices of all kinds in their places, and whether all assets came from the cache.
    pub(crate) fn lattice_group(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<(BodyGroup<LatticeModel>, bool), BuildError> {
        self.group_of(notes, |job, notes| {
            let (asset, hit) = job.lattice(notes)?;
            let params = lattice_params_of(job.setup, &asset)?;
            let asset = Arc::new(asset);
            let make =
                move || LatticeModel::new(Arc::clone(&asset), &params).map_err(|e| job.refused(&e));
            Ok((Box::new(make), hit))
        })
    }

    /// The finite elements of all kinds in their places: one level of each body, or a cut through its levels. The bodies share the budget of the frame.
    pub(crate) fn adaptive_group(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<(BodyGroup<AdaptiveModel>, bool), BuildError> {
        for kind in self.setup.kinds() {
            let adaptive = &kind.description.body.adaptive;
            if adaptive.cut != Some(true) || !adaptive.node_jump {
                continue;
            }
            let reason = format!(
                "`{}` has an adaptive.scheme in which each node has its own time step: such a body cannot touch other bodies or itself\n  remedy: adaptive.scheme = \"element-impulses\", or a scene with one body and without self_contact",
                kind.description.body.name
            );
            return Err(self.not_applicable("OneBodyOnly", reason));
        }
        let bodies = self.setup.body_count() as u64;
        self.group_of(notes, |job, notes| {
            let (asset, hit) = job.adaptive(notes)?;
            let (asset, mut params) = (Arc::new(asset), adaptive_params(job.setup));
            params.budget_units /= bodies;
            let make =
                move || AdaptiveModel::new(Arc::clone(&asset), params).map_err(|e| job.refused(&e));
            Ok((Box::new(make), hit))
        })
    }

    /// Bodies of all kinds in their places. `kind_of` makes those of a kind; where there are several bodies, its notes get the name of the kind.
    fn group_of<'k, M: SteppedModel>(
        &'k self,
        notes: &mut Vec<String>,
        mut kind_of: impl FnMut(Job<'k>, &mut Vec<String>) -> Result<BodyKind<'k, M>, BuildError>,
    ) -> Result<(BodyGroup<M>, bool), BuildError> {
        let (mut models, mut contacts, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut names: Vec<String> = Vec::new();
        let mut all_cached = true;
        let are_several = self.setup.body_count() > 1;
        for kind in self.setup.kinds() {
            let mut own = Vec::new();
            let (make, hit) = kind_of(self.of_kind(kind), &mut own)?;
            let name = &kind.description.body.name;
            if are_several {
                notes.extend(own.iter().map(|note| with_body_name(name, note)));
            } else {
                notes.append(&mut own);
            }
            all_cached &= hit;
            for place in &kind.places {
                names.extend(are_several.then(|| name.clone()));
                models.push(make()?);
                contacts.push(body_contact(kind, self.method));
                places.push(*place);
            }
        }
        let group = BodyGroup::with_contacts(models, places, contacts, GroupOptions::default());
        Ok((group.named(names), all_cached))
    }

    /// Why the quasistatic method takes no group. One body that nothing holds has no equilibrium, whether it touches itself or not.
    pub(crate) fn group_refusal(&self) -> BuildError {
        if self.setup.body_count() == 1
            && let Err(error) = self.require_support()
        {
            return error;
        }
        let reason = "it supports one body only, without self-contact\n  remedy: use the lattice or the adaptive method, or leave out count, layout and self_contact";
        self.not_applicable("OneBodyOnly", reason)
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::asset::Progress;
    use pliant_core::boundary::BoundaryConditions;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::SurfaceFrame;
    use pliant_core::mesh::validate::topology;
    use pliant_core::model::{DeformableModel, FrameRequest};
    use pliant_core::scene::Method;

    use super::*;
    use crate::build::build_method;
    use crate::cache::AssetCache;
    use crate::setup::Setup;
    use crate::world::testing::{built, refusal, setup_of, step, world_of};
    use crate::world::{Interaction, World};

    fn body(name: &str, keys: &str) -> String {
        format!(
            "[[body]]\nname = \"{name}\"\nmesh = {{ procedural = \"box\", size = [0.1, 0.1, 0.1], edge = 0.025 }}\n{keys}\n"
        )
    }

    fn model(setup: &Setup) -> Box<dyn DeformableModel> {
        built(setup, Method::Adaptive).expect("a model").model
    }

    #[test]
    fn finite_elements_of_two_kinds_fall_as_one_model_and_share_the_budget() {
        let levels = "adaptive = { nodes = [27, 125], budget_ms = 0.2 }";
        let many = body("a", &format!("count = 3\n{levels}")) + &body("b", levels);
        let setup = setup_of(many);
        assert!(setup.is_group() && setup.body_count() == 4);
        let mut model = model(&setup);
        let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
        for _ in 0..6 {
            let report = model
                .advance(FrameRequest::new(1.0 / 60.0, &boundary))
                .expect("falls");
            assert!(report.energy.is_some());
        }
        let stats = model.stats();
        assert_eq!(stats.counter("bodies"), Some(4.0));
        // alone it would have the finer level: a quarter of 0.2 ms is too little for that
        assert_eq!(stats.active_nodes, 4 * 27);
        let alone = self::model(&setup_of(body("a", levels)));
        assert_eq!(alone.stats().active_nodes, 125);
    }

    #[test]
    fn notes_of_several_bodies_name_them_also_from_the_cache() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = AssetCache::open(Some(folder.path()));
        let bar = |name: &str, height: f64| {
            format!(
                "[[body]]\nname = \"{name}\"\nmesh = {{ procedural = \"box\", size = [1.0, 0.125, 0.125], edge = 0.125 }}\n\
                 layout = {{ grid = [1, 1, 1], origin = [0, {height}, 0] }}\n"
            )
        };
        let heads = |text: &str| -> Vec<String> {
            let built = build_method(&setup_of(text), Method::Lattice, &cache, &Progress::new());
            let built = built.expect("bodies");
            let heads = built.notes.iter().filter_map(|note| {
                let (head, _) = note.split_once(" cells along the longest side")?;
                Some(
                    head.trim_end_matches(|c: char| c.is_ascii_digit())
                        .to_string(),
                )
            });
            heads.collect()
        };
        let two = bar("bear", 0.0) + &bar("ball", 1.0);
        // baked, and from the cache
        for _ in 0..2 {
            assert_eq!(heads(&two), ["bear: ", "ball: "]);
            assert_eq!(heads(&bar("bear", 0.0)), [""]);
        }
    }

    #[test]
    fn notes_of_several_running_bodies_name_them() {
        let notes = |text: String| {
            let built = built(&setup_of(text), Method::Lattice).expect("bodies");
            built.model.stats().notes
        };
        let alone = notes(body("bear", ""));
        let named = |name| alone.iter().map(move |note| with_body_name(name, note));
        let expected: Vec<String> = named("bear").chain(named("ball")).collect();
        assert!(!alone.is_empty());
        assert_eq!(
            notes(body("bear", "count = 2") + &body("ball", "")),
            expected
        );
    }

    #[test]
    fn cuts_of_a_scene_are_refined_by_what_they_touch() {
        let cut =
            "count = 2\nadaptive = { resolution = \"cut\", nodes = [27, 125], budget_ms = 20.0 }";
        let floor = "[[tool]]\nname = \"floor\"\nshape = { half_space = { point = [0.0, -0.051, 0.0], normal = [0.0, 1.0, 0.0] } }\n";
        let setup = Arc::new(setup_of(body("a", cut) + floor));
        let mut model = model(&setup);
        assert!(model.own_contact().is_some());
        assert_eq!(model.stats().active_nodes, 2 * 27);
        let mut world = World::new(Method::Adaptive, model, Arc::clone(&setup));
        for _ in 0..12 {
            let output = world.step_frame(&Interaction::default()).expect("falls");
            assert!(output.report.energy.is_some() && output.report.work_used > 0);
        }
        assert!(
            world.output().wrenches[0].force.y < 0.0,
            "the floor carries"
        );
        assert!(world.model().stats().active_nodes > 2 * 27);
    }

    #[test]
    fn a_body_that_is_cut_among_others_is_drawn_cut_and_keeps_its_volume() {
        for method in [Method::Lattice, Method::Adaptive] {
            cut_one_of_two(method);
        }
    }

    fn cut_one_of_two(method: Method) {
        let bodies = body(
            "a",
            "count = 2\nlayout = { grid = [1, 1, 2], spacing = 0.5 }\nlattice = { cell = 0.025 }\nadaptive = { nodes = [27, 125] }",
        );
        let blade = "[[tool]]\nname = \"knife\"\nshape = { blade = { length = 0.3 } }\nmotion = { path = \"down\" }\n\
            [[path]]\nname = \"down\"\nkeys = [{ t = 0.0, at = [0.0, 0.1, 0.26] }, { t = 0.5, at = [0.0, -0.1, 0.26] }]\n";
        let text = format!("gravity = [0.0, 0.0, 0.0]\n{bodies}{blade}");
        let mut world = world_of(&Arc::new(setup_of(text)), method);
        step(&mut world, 40);
        let cut = world.frame().cut.as_ref().expect("a cut");
        assert!(topology(&cut.closed()).is_sound());
        let stats = world.model().stats();
        assert_eq!(stats.counter("components"), Some(3.0));
        let change = world.metrics().volume_change.expect("a volume");
        assert!(change.abs() < 1e-3, "{change}");
        let (seen, snapshot) = (world.frame().clone(), world.snapshot());
        world.reset();
        assert!(world.frame().cut.is_none());
        world.restore(&snapshot).expect("the same world");
        let mut drawn = SurfaceFrame::default();
        world.model().write_surface(&mut drawn);
        assert!(*world.frame() == seen && drawn.positions == seen.positions);
        step(&mut world, 1);
        assert!(world.frame().cut.is_some());
    }

    #[test]
    fn bodies_touch_as_the_lattice_says_where_the_adaptive_keys_do_not() {
        let setup = setup_of(body(
            "a",
            "lattice = { self_contact = true, friction = 0.7 }\nadaptive = { friction = 0.2, body_contact = false }",
        ));
        let [lattice, adaptive] =
            [Method::Lattice, Method::Adaptive].map(|method| body_contact(&setup, method));
        assert!(lattice.with_itself && adaptive.with_itself);
        assert!(lattice.with_others && !adaptive.with_others);
        assert_eq!((lattice.friction, adaptive.friction), (0.7, 0.2));
        let own = setup_of(body("a", "adaptive = { self_contact = true }"));
        assert!(own.is_group() && body_contact(&own, Method::Adaptive).with_itself);
        assert!(!body_contact(&own, Method::Lattice).with_itself);
        assert!(!setup_of(body("a", "adaptive = { self_contact = false }")).is_group());
    }

    #[test]
    fn nodes_with_own_steps_and_the_quasistatic_method_refuse_several_bodies_with_a_remedy() {
        let by_node = "adaptive = { resolution = \"cut\", scheme = \"node-jump\" }";
        let setup = setup_of(body("a", "count = 2") + &body("soft", by_node));
        let (code, text) = refusal(&setup, Method::Adaptive).expect("refused");
        assert_eq!(code, "OneBodyOnly");
        assert!(text.contains("`soft` has an adaptive.scheme"), "{text}");
        assert!(
            text.contains("remedy: adaptive.scheme = \"element-impulses\""),
            "{text}"
        );
        let (_, text) = refusal(&setup, Method::Quasistatic).expect("refused");
        assert!(
            text.contains("remedy: use the lattice or the adaptive method"),
            "{text}"
        );
    }

    #[test]
    fn a_lone_body_that_nothing_holds_is_refused_for_that_though_it_touches_itself() {
        let refused = |keys: &str| {
            let setup = setup_of(body("a", keys));
            assert!(setup.is_group());
            refusal(&setup, Method::Quasistatic).expect("refused")
        };
        let (code, free) = refused("lattice = { self_contact = true }");
        assert_eq!(code, "Unconstrained");
        assert!(
            free.ends_with(
                "it needs a support: without one the body has no equilibrium\n  remedy: add a [[body.support]]"
            ),
            "{free}"
        );
        let support = "support = [{ name = \"foot\", select = { lowest = 0.1 } }]";
        let held = format!("lattice = {{ self_contact = true }}\n{support}");
        assert_eq!(refused(&held).0, "OneBodyOnly");
        assert_eq!(refused("count = 2").0, "OneBodyOnly");
    }
}
