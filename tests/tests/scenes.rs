//! Every bundled scene, made coarser and shorter, with each of its methods.

use std::sync::Arc;

use pliant_core::mesh::SurfaceFrame;
use pliant_core::scene::{ConstraintLevel, MeshSource, Method, ShapeMatching};
use pliant_simulation::cache::AssetCache;
use pliant_simulation::compare::MethodRun;
use pliant_simulation::scenes::BUNDLED;
use pliant_simulation::setup::Setup;
use pliant_tests::{bundled, coarsen, compared, runs, setup};

/// Scenes that only the lattice runs.
const LATTICE_SCENES: [&str; 8] = [
    "penguins",
    "heap",
    "shatter",
    "buddha",
    "buddha-shell",
    "infant",
    "pull",
    "abuse",
];

/// The scene of free bodies.
const FREE_BODIES: &str = "blocks";
/// Other scenes with tests of their own below: those of blades, on which no force acts, and those of bodies that break or are thrown.
const TESTED_BELOW: [&str; 6] = ["cut", "slice", "incision", "tear", "fracture", "toy"];

/// A bundled scene with a coarse skin, coarse levels and a coarse lattice.
fn coarse(name: &str) -> Arc<Setup> {
    let mut scene = bundled(name);
    if let MeshSource::Procedural {
        edge: Some(edge), ..
    } = &mut scene.description.body.mesh
    {
        *edge *= 2.0;
    }
    coarsen(&mut scene);
    // a surface with subdivision levels has many nodes in any case
    let quasistatic = &mut scene.description.body.quasistatic;
    quasistatic.wavelet = None;
    quasistatic.constraint_level = ConstraintLevel::Fine;
    setup(&scene)
}

/// Largest depth of the scripted tools in the free part of the body at rest during so many seconds, m.
fn max_tool_depth(setup: &Setup, duration: f64) -> f64 {
    let rest = SurfaceFrame::at_rest(setup.skin());
    let mut deepest = 0.0_f64;
    for frame in 1..=setup.frames(duration) {
        let time = frame as f64 * setup.frame_duration();
        for tool in &setup.tools {
            let pose = tool.path.pose(time);
            for v in (0..setup.held.len()).filter(|&v| !setup.held[v]) {
                let depth = -tool
                    .shape
                    .signed_distance(&pose.to_local(&rest.position(v)))
                    .0;
                deepest = deepest.max(depth);
            }
        }
    }
    deepest
}

#[test]
fn every_bundled_scene_runs_with_each_of_its_methods() {
    // the scenes that only the lattice can run have tests of their own below
    let excluded = [&LATTICE_SCENES[..], &TESTED_BELOW[..], &[FREE_BODIES]].concat();
    let is_tested_here = |name: &str| !excluded.contains(&name);
    for (name, _) in BUNDLED.iter().filter(|(name, _)| is_tested_here(name)) {
        let setup = coarse(name);
        // long enough for every scripted tool to touch; those without tools run for longer in the tests of their checks
        let duration = if setup.tools.is_empty() { 0.5 } else { 2.0 };
        let comparison = compared(&setup, duration, &AssetCache::disabled());
        let runs = runs(&comparison);
        assert_eq!(runs.len(), setup.description.methods.len(), "{name}");
        let touches = max_tool_depth(&setup, duration) > 0.005 * setup.diagonal;
        assert_eq!(touches, !setup.tools.is_empty(), "{name}");
        for (method, run) in runs {
            assert_eq!(run.diverged, None, "{name} {method}");
            assert_eq!(run.frames, setup.frames(duration), "{name} {method}");
            let numbers = [run.force_max, run.violation_max];
            assert!(numbers.iter().all(|x| x.is_finite()), "{name} {method}");
            let curves = run.force_curves.iter().flat_map(|c| &c.1);
            assert!(curves.clone().all(|x| x.is_finite()), "{name} {method}");
            assert!(
                !touches || run.force_max > 0.0,
                "{name} {method}: the tool reaches into the body and feels nothing"
            );
            if setup.description.gravity.norm() > 0.0 {
                let (_, support) = run.reactions.last().expect("a support");
                assert!(support.y > 0.0, "{name} {method}: it carries {support:?}");
            }
        }
    }
}

/// The run of the only method of a scene, for so many seconds.
fn only_run(setup: &Arc<Setup>, duration: f64) -> MethodRun {
    let comparison = compared(setup, duration, &AssetCache::disabled());
    let run = runs(&comparison)[0].1.clone();
    assert_eq!(run.diverged, None, "{}", setup.description.name);
    run
}

/// A figure of one method at the end of its run.
fn counter(run: &MethodRun, name: &str) -> f64 {
    let found = run.counters.iter().find(|c| c.0 == name);
    found.unwrap_or_else(|| panic!("no {name}")).1
}

#[test]
fn only_the_lattice_runs_the_scenes_of_the_lattice() {
    for (name, _) in BUNDLED {
        let methods = bundled(name);
        let alone = methods.description.methods == [Method::Lattice];
        assert_eq!(alone, LATTICE_SCENES.contains(name), "{name}");
    }
}

#[test]
fn free_blocks_come_to_rest_on_each_other_in_both_methods() {
    let scene = bundled(FREE_BODIES);
    let setup = setup(&scene);
    let comparison = compared(&setup, 4.0, &AssetCache::disabled());
    let weight = 9.81 * (1000.0 * 0.3 * 0.2 * 0.3 + 300.0 * 0.008 + 500.0 * 0.12_f64.powi(3));
    let all = runs(&comparison);
    assert_eq!(all.len(), 2);
    for (method, run) in all {
        assert_eq!(run.diverged, None, "{method}");
        assert_eq!(counter(run, "bodies"), 3.0, "{method}");
        assert_eq!(counter(run, "bodies_asleep"), 3.0, "{method}");
        assert_eq!(counter(run, "bodies_frozen"), 0.0, "{method}");
        let (_, floor) = run.reactions.last().expect("a floor");
        let share = floor.y / weight;
        assert!((share - 1.0).abs() < 0.01, "{method}: {share}");
    }
}

#[test]
fn a_body_that_nothing_moved_has_no_energy_to_be_out_of_balance() {
    // cells as fine as the scene's are in single precision
    let mut scene = bundled("poke");
    scene.description.methods = vec![Method::Lattice];
    // the ball touches after half a second
    let run = only_run(&setup(&scene), 0.3);
    assert_eq!((run.force_max, run.energy_balance), (0.0, Some(0.0)));
}

#[test]
fn the_figure_shatters_and_its_base_stays() {
    // the toughness of the scene fits its own cells, so that it is not made coarser
    let run = only_run(&setup(&bundled("shatter")), 2.0);
    let [broken, pieces] = ["broken_links", "components"].map(|name| counter(&run, name));
    assert!(broken > 500.0 && pieces >= 5.0, "{broken} {pieces}");
    let balance = run.energy_balance.expect("energy");
    assert!(balance < 0.1, "{balance}");
}

#[test]
fn the_cube_swings_at_its_first_frequency_without_damping() {
    let mut scene = bundled("cube-oscillation");
    scene.description.methods = vec![Method::Adaptive];
    let run = only_run(&setup(&scene), 1.5);
    let corner = run.probe_oscillation(0).expect("it oscillates");
    assert!((corner.frequency / 3.35 - 1.0).abs() < 0.03, "{corner:?}");
    assert!(corner.damping_ratio < 0.02, "{corner:?}");
}

/// Displacements of the probes at the end of a bundled scene, m, the number of pieces, and that of cut links or edges.
fn cut_results(name: &str, method: Method, with_blades: bool) -> (Vec<f64>, [f64; 2]) {
    let mut scene = bundled(name);
    scene.description.methods = vec![method];
    let mut setup = Setup::clone(&setup(&scene));
    if !with_blades {
        setup.tools.retain(|tool| !tool.shape.is_blade());
    }
    let duration = setup.description.duration;
    let run = only_run(&Arc::new(setup), duration);
    let probes = 0..run.probe_curves.len();
    let displacements = probes.map(|k| run.probe_summary(k).0.norm()).collect();
    let cut = match method {
        Method::Lattice => "broken_links",
        _ => "cut_edges",
    };
    (
        displacements,
        ["components", cut].map(|figure| counter(&run, figure)),
    )
}

#[test]
fn a_blade_opens_a_bar_and_two_make_slices_that_fall() {
    check_opening_and_slices(Method::Lattice);
}

#[test]
fn a_blade_opens_and_slices_finite_elements_too() {
    check_opening_and_slices(Method::Adaptive);
}

fn check_opening_and_slices(method: Method) {
    let (cut_probes, [pieces, broken]) = cut_results("cut", method, true);
    let (uncut_probes, [_, uncut_edges]) = cut_results("cut", method, false);
    assert!(pieces == 1.0 && broken > 100.0 && uncut_edges == 0.0);
    for (cut, uncut) in cut_probes.iter().zip(&uncut_probes) {
        assert!(*cut > uncut + 0.01, "{cut_probes:?} {uncut_probes:?}");
    }
    let (slices, [pieces, _]) = cut_results("slice", method, true);
    assert_eq!(pieces, 3.0);
    assert!(slices[0] > 0.08 && slices[1] < 0.02, "{slices:?}");
    let (uncut_slices, [pieces, _]) = cut_results("slice", method, false);
    assert_eq!(pieces, 1.0);
    assert!(
        uncut_slices.iter().all(|displacement| *displacement < 0.02),
        "{uncut_slices:?}"
    );
}

#[test]
fn a_knife_goes_through_a_liver_in_both_methods() {
    for method in [Method::Adaptive, Method::Lattice] {
        let (_, [pieces, cut]) = cut_results("incision", method, true);
        assert!(pieces == 2.0 && cut > 100.0, "{method:?}: {pieces}, {cut}");
    }
}

#[test]
fn a_strip_tears_from_its_notch_and_without_one_it_holds() {
    for method in [Method::Adaptive, Method::Lattice] {
        let (notch_opening, [pieces, _]) = cut_results("tear", method, true);
        assert!(
            pieces == 2.0 && notch_opening[0] > 0.018,
            "{method:?}: {pieces} {notch_opening:?}"
        );
        let (notch_opening, [pieces, cut]) = cut_results("tear", method, false);
        assert!(
            pieces == 1.0 && notch_opening[0] < 0.012,
            "{method:?}: {pieces} {notch_opening:?}"
        );
        // strains are larger at the corners that hands hold, where links of the lattice may break
        assert!(cut == 0.0 || method == Method::Lattice, "{cut}");
    }
}

#[test]
fn a_bent_bar_breaks_and_its_parts_fall_in_both_methods() {
    for method in [Method::Adaptive, Method::Lattice] {
        let (displacements, [pieces, broken]) = cut_results("fracture", method, true);
        assert!(
            pieces >= 2.0 && broken > 100.0 && displacements[0] > 0.05,
            "{method:?}: {pieces} {broken} {displacements:?}"
        );
    }
}

#[test]
fn a_toy_is_thrown_and_caught_by_its_tray_in_both_methods() {
    let mut scene = bundled("toy");
    coarsen(&mut scene);
    // the tray rises from 0.6 s to 0.85 s
    let comparison = compared(&setup(&scene), 1.5, &AssetCache::disabled());
    for (method, run) in runs(&comparison) {
        assert_eq!(run.diverged, None, "{method}");
        let heights = run.probe_curves[0].1.iter().map(|at| at.y);
        let highest = heights.fold(0.0, f64::max);
        let last = run.probe_summary(0).0.y;
        assert!(highest > 0.35, "{method}: {highest}");
        assert!((0.05..0.35).contains(&last), "{method}: {last}");
        assert!(run.force_max > 20.0, "{method}: {}", run.force_max);
    }
}

/// A scene of the lattice with coarse cells, run so long, s.
fn lattice_run(name: &str, cells: usize, duration: f64) -> MethodRun {
    let mut scene = bundled(name);
    scene.description.body.lattice.cells_longest = Some(cells);
    let setup = setup(&scene);
    let run = only_run(&setup, duration);
    assert_eq!(run.frames, setup.frames(duration), "{name}");
    run
}

#[test]
fn the_scenes_of_the_lattice_touch_pull_and_hold() {
    for name in ["buddha", "buddha-shell"] {
        let run = lattice_run(name, 20, 0.9);
        assert!(run.force_max > 1.0, "{name}: the ball feels the head");
    }
    // the support carries the weight
    let run = lattice_run("infant", 24, 0.5);
    let (_, hand) = run.reactions.last().expect("a support");
    assert!(hand.y > 0.5, "{hand:?}");
    let run = lattice_run("abuse", 12, 1.0);
    assert!(run.force_max > 100.0, "the press crushes");
    for matching in [
        ShapeMatching::Lattice,
        ShapeMatching::Rigid,
        ShapeMatching::Linear { beta: 0.8 },
        ShapeMatching::Quadratic { beta: 0.8 },
    ] {
        let mut scene = bundled("pull");
        scene.description.body.lattice.cells_longest = Some(10);
        scene.description.body.lattice.matching = matching;
        let run = only_run(&setup(&scene), 1.2);
        assert!(run.force_max > 1.0, "{matching:?}");
        let has_account = matching == ShapeMatching::Lattice;
        assert_eq!(run.energy_balance.is_some(), has_account);
    }
}

#[test]
fn penguins_fall_through_the_pins_and_lie_on_the_floor() {
    let mut scene = bundled("penguins");
    let layout = scene.description.body.layout.as_mut().expect("a layout");
    (layout.count, layout.grid, layout.spacing) = (12, [2, 3, 2], Some(0.42));
    let setup = setup(&scene);
    assert_eq!(setup.held.len(), setup.skin().vertex_count());
    let run = only_run(&setup, 2.5);
    let max_force = |name: &str| -> f64 {
        let curves = run.force_curves.iter().filter(|c| c.0.starts_with(name));
        curves.flat_map(|c| &c.1).copied().fold(0.0, f64::max)
    };
    assert!(max_force("pin") > 1.0 && max_force("floor") > 1.0);
    let skins = setup.skin().vertex_count() / 12;
    assert_eq!(skins, setup.geometry.skin.vertex_count());
}

#[test]
fn bodies_of_three_kinds_lie_on_each_other() {
    let mut scene = bundled("heap");
    let kinds = &mut scene.description.others;
    for (kind, count) in kinds.iter_mut().zip([4, 6]) {
        let layout = kind.layout.as_mut().expect("a layout");
        (layout.count, layout.grid) = (count, [2, 2, 2]);
    }
    let setup = setup(&scene);
    assert_eq!(setup.body_count(), 1 + 4 + 6);
    assert_eq!(setup.held.len(), setup.skin().vertex_count());
    let run = only_run(&setup, 4.0);
    // skins have about the volume of their bodies
    let weight = |kind: &Setup| {
        let count = kind.places.len() as f64;
        9.81 * count * kind.geometry.skin.volume() * kind.geometry.material.density
    };
    let weight: f64 = setup.kinds().map(weight).sum();
    let floor_force = run.force_curves.iter().find(|c| c.0 == "floor");
    let floor_force = floor_force.and_then(|c| c.1.last()).expect("a force");
    assert!(
        (floor_force / weight - 1.0).abs() < 0.03,
        "{floor_force} of {weight} N"
    );
}

#[test]
fn the_cube_that_swings_without_damping_keeps_its_energy() {
    let comparison = compared(&coarse("cube-oscillation"), 1.0, &AssetCache::disabled());
    for (method, run) in runs(&comparison) {
        let balance = run.energy_balance.expect("a method with energy");
        assert!(balance < 0.02, "{method}: {balance}");
        let (_, swing) = run.probe_summary(0);
        assert!(swing > 0.03, "{method}: the corner moves by {swing} m");
    }
}

#[test]
fn all_three_methods_resist_the_poke_with_different_surfaces() {
    let setup = coarse("poke");
    let folder = tempfile::tempdir().expect("temporary folder");
    let cache = AssetCache::open(Some(folder.path()));
    let first = compared(&setup, 2.2, &cache);
    let again = compared(&setup, 2.2, &cache);
    assert_eq!(first.methods.len(), 3);
    for ((method, run), (_, second)) in runs(&first).into_iter().zip(runs(&again)) {
        assert_eq!(run.diverged, None, "{method}");
        // 8 mm of a pad of 100 mm with E = 20 kPa under a ball of 30 mm
        assert!(
            run.force_max > 0.3 && run.force_max < 10.0,
            "{method}: {} N",
            run.force_max
        );
        let held_force = run.force_curves[0].1.last().copied().unwrap_or(0.0);
        assert!(
            held_force > 0.5 * run.force_max,
            "{method}: the ball is let go"
        );
        let (side, _) = run.probe_summary(0);
        assert!(side.norm() > 1e-5, "{method}: {side:?}");
        assert!(!run.from_cache && second.from_cache, "{method}");
        assert_eq!(run.surface_hash, second.surface_hash, "{method}");
    }
    assert_eq!(first.pairs.len(), 3);
    for (pair, same) in first.pairs.iter().zip(&again.pairs) {
        assert!(pair.distance.rms > 0.0, "{pair:?} show the same surface");
        assert!(pair.distance.max < 0.1 * setup.diagonal, "{pair:?}");
        assert_eq!(pair, same);
    }
}
