//! The world of one method in a comparison, and the figures that are collected from it.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::math::numbers::counted;
use pliant_recording::hash_surface;
use web_time::Instant;
use xxhash_rust::xxh3::Xxh3;

use super::method_run::{CarrierWrench, MethodRun, PointCurve};
use super::press::PressSearch;
use crate::build::BuiltMethod;
use crate::reference::{Accuracy, Reference, surface_distance};
use crate::setup::Setup;
use crate::world::{Interaction, World};

/// Relative imbalance of energy above which there is a note.
const NOTED_IMBALANCE: f64 = 0.05;

/// Largest energy of a body that nothing moved, over Young's modulus times the volume: a lattice at rest in single precision had 3e-12 of round-off, the pad of `poke` under its
/// ball has 1e-4.
const ROUND_OFF_ENERGY: f64 = 2e-11;

/// A world and the figures that are collected from it.
pub(super) struct Recorder {
    world: World,
    run: MethodRun,
    hash: Xxh3,
    /// one a tool
    presses: Vec<PressSearch>,
    /// largest imbalance of energy, and the largest energy, J
    balance: (f64, f64),
    has_energy: bool,
    /// the largest distance from the skin of the reference so far
    skin: Accuracy,
}

impl Recorder {
    /// At rest.
    pub(super) fn new(built: BuiltMethod, setup: &Arc<Setup>) -> Self {
        let mut point_curves = Vec::new();
        built.model.visit_points(&mut |point| {
            point_curves.push(PointCurve {
                name: point.name.to_string(),
                rest: point.rest,
                states: Vec::new(),
            });
        });
        Self {
            run: MethodRun {
                bake_s: built.seconds,
                from_cache: built.from_cache,
                force_curves: setup
                    .force_names()
                    .map(|name| (name.to_string(), Vec::new()))
                    .collect(),
                probe_curves: setup
                    .probes
                    .iter()
                    .map(|p| (p.name.clone(), Vec::new()))
                    .collect(),
                point_curves,
                notes: built.notes,
                ..MethodRun::default()
            },
            skin: Accuracy::default(),
            world: World::new(built.method, built.model, Arc::clone(setup)),
            hash: Xxh3::new(),
            presses: vec![PressSearch::default(); setup.tools.len()],
            balance: (0.0, 0.0),
            has_energy: false,
        }
    }

    /// The world of the method.
    pub(super) fn world(&self) -> &World {
        &self.world
    }

    /// Whether the method has stopped early.
    pub(super) fn has_stopped(&self) -> bool {
        self.run.diverged.is_some()
    }

    /// Steps and records one frame; a method that stopped stays at its last good frame. `keep` keeps the skin.
    pub(super) fn step(&mut self, keep: bool) {
        if self.run.diverged.is_none() {
            let started = Instant::now();
            match self.world.step_frame(&Interaction::default()) {
                Ok(_) => self.record(started.elapsed().as_secs_f64() * 1e3),
                Err(error) => self.run.diverged = Some(error),
            }
        }
        hash_surface(&mut self.hash, &self.world.frame().positions);
        if keep {
            self.run.kept.push(self.world.frame().clone());
        }
    }

    /// Takes the distance from the reference's skin in this frame into account.
    pub(super) fn compare_skin(&mut self, exact: &[[f32; 3]], frame: usize, areas: &[f64]) {
        if self.run.diverged.is_none() {
            let positions = &self.world.frame().positions;
            self.skin
                .add_surface(&surface_distance(positions, exact, areas), frame);
        }
    }

    fn record(&mut self, cost_ms: f64) {
        let run = &mut self.run;
        let out = self.world.output();
        run.frames += 1;
        run.cost_ms.push(cost_ms);
        run.times.push(out.time);
        for (curve, force) in run.force_curves.iter_mut().zip(out.force_norms()) {
            curve.1.push(force);
            run.force_max = run.force_max.max(force);
        }
        // a model with inertia reports mean forces
        let is_mean = self.world.model().capabilities().inertia;
        let tools = self.world.tools().iter().zip(&out.wrenches);
        for (press, (tool, wrench)) in self.presses.iter_mut().zip(tools) {
            press.add(tool, wrench, is_mean);
        }
        for (curve, value) in run.probe_curves.iter_mut().zip(&out.probes) {
            curve.1.push(*value);
        }
        for (curve, state) in run.point_curves.iter_mut().zip(&out.points) {
            curve.states.push(*state);
        }
        let stats = self.world.model().stats();
        run.active_nodes_max = run.active_nodes_max.max(stats.active_nodes);
        if let Some(pop) = stats.counter("pop_mm") {
            run.pop_max = Some(run.pop_max.unwrap_or(0.0).max(1e-3 * pop));
        }
        let metrics = self.world.metrics();
        let violation = metrics.violation.unwrap_or(0.0);
        run.violation_max = run.violation_max.max(violation);
        let change = metrics.volume_change.unwrap_or(0.0);
        run.volume_change = run.volume_change.max(change.abs());
        if let Some(energy) = &metrics.energy {
            self.has_energy = true;
            self.balance.0 = self.balance.0.max(energy.balance().abs());
            self.balance.1 = self.balance.1.max(energy.scale());
        }
        run.metrics.push(metrics);
    }

    /// The largest imbalance over the largest energy; 0 where that energy is round-off in a body that nothing moved. `None` for a model without energy.
    fn energy_balance(&self, setup: &Setup) -> Option<f64> {
        if !self.has_energy {
            return None;
        }
        let (worst, scale) = self.balance;
        let young = setup.geometry.material.elastic.young;
        let round_off = ROUND_OFF_ENERGY * young * setup.skin().volume();
        Some(match scale > round_off {
            true => worst / scale,
            false => 0.0,
        })
    }

    /// The figures of the whole run.
    pub(super) fn finish(mut self, setup: &Setup, reference: Option<&Reference>) -> MethodRun {
        let out = self.world.output();
        let tools = setup
            .tools
            .iter()
            .zip(&out.wrenches)
            .map(|(t, w)| (t.name.clone(), -w.force));
        let grabs = setup
            .grabs
            .iter()
            .zip(&out.grab_forces)
            .map(|(g, f)| (g.name.clone(), *f));
        let supports = setup
            .supports()
            .zip(&out.support_forces)
            .map(|(s, f)| (s.name.clone(), *f));
        self.run.reactions = tools.chain(grabs).chain(supports).collect();
        let name = |k: usize| setup.tools[k].name.clone();
        let carriers = setup.carriers().map(|k| CarrierWrench {
            name: name(k),
            carried: setup.carried_by(k).map(name).collect(),
            wrench: self.world.wrench_with_carried(k),
        });
        self.run.carriers = carriers.collect();
        let presses = setup.tools.iter().zip(&self.presses);
        let presses = presses.filter_map(|(t, p)| Some((t.name.clone(), p.largest()?)));
        self.run.presses = presses.collect();
        self.run.surface_hash = self.hash.digest();
        self.run.energy_balance = self.energy_balance(setup);
        if let Some(balance) = self.run.energy_balance.filter(|x| *x > NOTED_IMBALANCE) {
            self.run.notes.push(format!(
                "the energy balance is off by up to {:.0} %: energy appeared or vanished that forces, supports and damping do not account for",
                balance * 100.0
            ));
        }
        let jumps = self.world.tool_jumps();
        if jumps > 0 {
            self.run.notes.push(format!(
                "ToolTeleport: {} a tool moved by more than a fifth of the body's diagonal within a frame, and touched nothing then: let it move more slowly",
                counted(jumps as usize, "time")
            ));
        }
        if let Some(reference) = reference {
            let run = &self.run;
            let forces: Vec<&[f64]> = run.force_curves.iter().map(|c| c.1.as_slice()).collect();
            let probes: Vec<&[Vec3]> = run.probe_curves.iter().map(|c| c.1.as_slice()).collect();
            self.run.accuracy = Some(reference.accuracy(&forces, &probes, self.skin));
        }
        let stats = self.world.model().stats();
        self.run.notes.extend(stats.notes);
        self.run.notes.dedup();
        self.run.counters = stats.counters;
        self.run
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::asset::Progress;
    use pliant_core::scene::{Method, ReferenceChoice};

    use crate::cache::AssetCache;
    use crate::compare::{CompareOptions, compare};
    use crate::world::testing::{BALL, pad, setup_of};

    #[test]
    fn a_bake_that_an_estimate_shares_is_counted_for_the_method() {
        let setup = Arc::new(setup_of(pad("gravity = [0.0, 0.0, 0.0]", "") + BALL));
        let folder = tempfile::tempdir().expect("a folder");
        let cache = AssetCache::open(Some(folder.path()));
        let options = CompareOptions {
            methods: Some(vec![Method::Adaptive]),
            duration: Some(0.05),
            reference: Some(ReferenceChoice::Estimate),
            ..CompareOptions::new(&cache)
        };
        let comparison = compare(setup, &options, &Progress::new()).expect("compared");
        assert!(comparison.reference().is_some_and(|r| r.is_estimate()));
        assert_eq!(cache.usage().0, 2, "the levels and the run");
        let run = comparison.run(Method::Adaptive).expect("ran");
        assert!(!run.from_cache && run.bake_s > 0.0);
    }

    #[test]
    fn supports_of_all_kinds_of_bodies_have_a_reaction() {
        let feet = "support = [{ name = 'feet', select = { lowest = 0.01 } }]";
        let block = |name: &str, x: f64, keys: &str| {
            format!(
                "[[body]]\nname = '{name}'\nmesh = {{ procedural = 'box', size = [0.1, 0.05, 0.1], edge = 0.05 }}\n\
                 material = {{ young = 2.0e4, poisson = 0.0, density = 1000.0, zeta = 1.0 }}\nadaptive = {{ target_edges = [0.05] }}\n\
                 lattice = {{ cell = 0.025, half_width = 1 }}\nlayout = {{ grid = [1, 1, 1], origin = [{x}, 0.0, 0.0] }}\n{keys}\n"
            )
        };
        // of half a kilogram each
        let weight = 0.5 * 9.81;
        for (first, expected) in [("", 1), (feet, 2)] {
            let text = format!(
                "duration = 0.4\n{}{}",
                block("first", 1.0, first),
                block("second", 0.0, feet)
            );
            let cache = AssetCache::disabled();
            let options = CompareOptions {
                methods: Some(vec![Method::Adaptive, Method::Lattice]),
                ..CompareOptions::new(&cache)
            };
            let setup = Arc::new(setup_of(text));
            let comparison = compare(setup, &options, &Progress::new()).expect("compared");
            for (method, run) in comparison.runs() {
                assert_eq!(run.reactions.len(), expected, "{method:?}");
                for (name, force) in &run.reactions {
                    assert_eq!(name, "feet");
                    // what still oscillates after 0.4 s
                    assert!((force.y / weight - 1.0).abs() < 1e-3, "{method:?}: {force}");
                }
            }
            assert_eq!(comparison.runs().count(), 2);
        }
    }
}
