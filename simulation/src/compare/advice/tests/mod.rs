//! Laws of fronts and choices, and scenes whose text gets settings.

use pliant_core::math::Vec3;
use pliant_core::scene::{MeshSource, Method, ShapeDescription};

use super::candidates::{candidates, level_between};
use super::choice::{agreeing_by_chance, choose, judged_front, pareto_front};
use super::*;
use crate::scenes::{ImportOptions, load};
use crate::setup::hand::RestingBlade;
use crate::world::testing::{prepared, scene_in, setup_of};

mod words;

/// Many clouds of points with equal coordinates among them, from a simple generator.
fn clouds() -> Vec<Vec<CostAndError>> {
    let mut state = 1_u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut point = move |_| CostAndError {
        cost_ms: (1 + next(20)) as f64 * 0.5,
        error: next(20) as f64 * 0.01,
        skin: next(20) as f64 * 0.001,
    };
    (0..200)
        .map(|n| (0..n % 25).map(&mut point).collect())
        .collect()
}

fn goals() -> Vec<Goal> {
    let budgets = [0.1, 0.6, 2.0, 5.0, 8.0, 20.0];
    let errors = [0.001, 0.02, 0.05, 0.1, 0.5];
    let goals = budgets
        .iter()
        .flat_map(|b| errors.map(|e| Goal::new(*b, e)));
    goals.map(|goal| goal.expect("a goal")).collect()
}

#[test]
fn no_point_of_the_front_is_dominated_and_every_other_one_is_or_repeats_one() {
    let pair = |point: &CostAndError| (point.cost_ms, point.error);
    for points in clouds() {
        let front = pareto_front(&points);
        assert_eq!(front.is_empty(), points.is_empty());
        for (k, point) in points.iter().enumerate() {
            // as good in both, and better in one
            let is_dominated = points.iter().any(|other| {
                other.cost_ms <= point.cost_ms
                    && other.error <= point.error
                    && pair(other) != pair(point)
            });
            let repeats = front
                .iter()
                .any(|&f| f != k && pair(&points[f]) == pair(point));
            assert_eq!(front.contains(&k), !is_dominated && !repeats, "{points:?}");
        }
        let costs: Vec<f64> = front.iter().map(|&k| points[k].cost_ms).collect();
        assert!(costs.is_sorted());
    }
}

#[test]
fn the_choice_is_on_the_front_and_meets_all_limits_where_any_candidate_does() {
    for points in clouds() {
        for goal in goals() {
            let Some(choice) = choose(&points, &goal) else {
                assert!(points.is_empty());
                continue;
            };
            assert!(judged_front(&points, &goal).contains(&choice.index()));
            let chosen = &points[choice.index()];
            let meeting = points.iter().filter(|p| goal.is_met_by(p));
            let cheapest = meeting.map(|p| p.cost_ms).reduce(f64::min);
            assert_eq!(choice.meets_all(), cheapest.is_some());
            if let Some(cheapest) = cheapest {
                assert!(goal.is_met_by(chosen) && chosen.cost_ms == cheapest);
            }
            let within = points.iter().filter(|p| goal.affords(p));
            let most_exact = within.map(|p| goal.judged(p).error).reduce(f64::min);
            if let (Choice::MostExactWithinBudget(_), Some(error)) = (choice, most_exact) {
                assert!(goal.affords(chosen) && goal.judged(chosen).error == error);
            }
        }
    }
}

#[test]
fn a_larger_budget_never_gives_a_larger_error() {
    for points in clouds().iter().filter(|p| !p.is_empty()) {
        for error in [0.001, 0.02, 0.05, 0.1, 0.5] {
            let budgets = (1..60).map(|k| f64::from(k) * 0.2);
            let errors: Vec<f64> = budgets
                .map(|budget| {
                    let goal = Goal::new(budget, error).expect("a goal");
                    let chosen = choose(points, &goal).expect("one").index();
                    goal.judged(&points[chosen]).error
                })
                .collect();
            assert!(errors.is_sorted_by(|a, b| a >= b), "{error}: {errors:?}");
        }
    }
}

fn measured(
    family: Family,
    resolution: f64,
    cost_ms: f64,
    error: f64,
    nodes: usize,
) -> TriedCandidate {
    TriedCandidate {
        candidate: Candidate {
            method: Method::Adaptive,
            family,
            settings: Vec::new(),
            resolution,
        },
        outcome: Outcome::Measured(CandidateFigures {
            median_ms: cost_ms,
            p99_ms: cost_ms,
            force_error: Some(error),
            active_nodes: nodes,
            ..CandidateFigures::default()
        }),
        chance: None,
    }
}

#[test]
fn a_coarse_candidate_agrees_by_chance_where_a_finer_one_of_its_kind_is_farther_off() {
    let dense = |resolution, error| measured(Family::Dense, resolution, 1.0, error, 10);
    let tried = [
        dense(250.0, 0.02),
        dense(500.0, -0.12),
        dense(1000.0, -0.13),
        // another kind says nothing about these
        measured(Family::Level, 2000.0, 1.0, 0.5, 10),
    ];
    let found = agreeing_by_chance(&tried, ErrorMeasure::Force, 0.01);
    assert_eq!(found, [Some(1), None, None, None]);
    // a reference that is unsure of more cannot tell
    let found = agreeing_by_chance(&tried, ErrorMeasure::Force, 0.2);
    assert_eq!(found, [None; 4]);
    // larger regions are softer on the same cells, which says nothing about small ones
    let cells = |half_width, resolution, error| {
        let half_width = Some(half_width);
        measured(Family::Cells { half_width }, resolution, 1.0, error, 10)
    };
    let tried = [
        cells(1, 6.0, 0.01),
        cells(1, 9.0, -0.08),
        cells(3, 18.0, -0.6),
    ];
    let found = agreeing_by_chance(&tried, ErrorMeasure::Force, 0.01);
    assert_eq!(found, [Some(1), None, None]);
}

#[test]
fn a_level_is_put_where_the_budget_lies_between_two_others() {
    let level = |budget, cost, nodes| measured(Family::Level, budget, cost, 0.1, nodes);
    let goal = Goal::new(8.0 / 0.85, 0.02).expect("a goal");
    // cost grows with the power 1.5 of the nodes: 8 ms, half of the way from 1 to 64, need four times the nodes of 1 ms, in round numbers
    let tried = [level(2.0, 1.0, 800), level(16.0, 64.0, 12800)];
    let between = level_between(&tried, &goal).expect("a gap");
    let nodes = between.settings.iter().find(|s| s.key == "nodes");
    let nodes = nodes.and_then(|s| s.value.clone()).expect("given");
    let SettingValue::Counts(nodes) = nodes else {
        panic!("{nodes:?}");
    };
    // the finest level stays, and no budget that bears it is given
    assert_eq!(nodes[nodes.len() - 2..], [3162, 12800]);
    let budget = between.settings.iter().find(|s| s.key == "budget_ms");
    let budget = budget.and_then(|s| s.value.clone());
    assert_eq!(budget, Some(SettingValue::Number(1.3)));
    assert!(nodes.is_sorted() && nodes[0] >= 40);
    assert_eq!(level_between(&tried[..1], &goal), None);
    let near = [level(2.0, 7.0, 800), level(16.0, 64.0, 12800)];
    assert_eq!(level_between(&near, &goal), None);
}

#[test]
fn points_without_figures_are_never_chosen() {
    let none = CostAndError {
        cost_ms: f64::NAN,
        error: f64::NAN,
        skin: f64::NAN,
    };
    let goal = Goal::new(1.0, 0.1).expect("a goal");
    assert_eq!(choose(&[none, none], &goal), None);
    let one = CostAndError {
        cost_ms: 5.0,
        error: 0.5,
        skin: 0.0,
    };
    assert_eq!(choose(&[none, one], &goal), Some(Choice::Cheapest(1)));
}

#[test]
fn a_right_force_with_a_wrong_skin_is_advised_only_where_nothing_nearer_is_affordable() {
    let point = |cost_ms, error, skin| CostAndError {
        cost_ms,
        error,
        skin,
    };
    let points = [
        point(1.0, 0.01, 0.03),
        point(3.0, 0.04, 0.002),
        point(6.0, 0.02, 0.001),
    ];
    let goal = |budget_ms, error| Goal::new(budget_ms, error).expect("a goal");
    assert_eq!(choose(&points, &goal(8.0, 0.05)), Some(Choice::MeetsAll(1)));
    assert_eq!(judged_front(&points, &goal(8.0, 0.05)), [0, 1, 2]);
    // three times the limit counts like three times the wanted error, which is more than the second is off
    let nearest = choose(&points, &goal(4.0, 0.015));
    assert_eq!(nearest, Some(Choice::MostExactWithinBudget(1)));
    let nearest = choose(&points, &goal(2.0, 0.05));
    assert_eq!(nearest, Some(Choice::MostExactWithinBudget(0)));
    let lenient = goal(8.0, 0.05).with_skin_error(0.03).expect("a goal");
    assert_eq!(choose(&points, &lenient), Some(Choice::MeetsAll(0)));
    for wrong in [0.0, -0.01, 1.0, f64::NAN, f64::INFINITY] {
        assert!(goal(8.0, 0.05).with_skin_error(wrong).is_err(), "{wrong}");
    }
    // a candidate whose force is unknown stays out
    let unknown = goal(8.0, 0.05).judged(&point(1.0, f64::NAN, 0.03));
    assert!(unknown.error.is_nan());
}

const SCENE: &str = r#"# my block
schema = 1
name = "block"
[[body]]
name = "block"
# a fine box
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }
support = [ { name = "base", select = { lowest = 0.01 } } ]
lattice = { cell = 0.02, half_width = 1 } # one
"#;

#[test]
fn every_candidate_of_a_scene_is_a_sound_scene_with_its_settings_and_the_authors_comments() {
    let folder = tempfile::tempdir().expect("a folder");
    let loaded = scene_in(folder.path(), SCENE);
    let setup = prepared(&loaded);
    let goal = Goal::new(4.0, 0.02).expect("a goal");
    let text = SceneText::of(&loaded).expect("a text");
    let all = candidates(&setup, &Method::ALL, &goal);
    let mut said = Vec::new();
    for candidate in &all {
        let written = text.with(&candidate.settings, &["a heading".into()]);
        assert!(
            written.starts_with("# a heading\n# my block\n"),
            "{written}"
        );
        assert!(written.contains("# a fine box") && written.contains("# one"));
        let body = scene_in(folder.path(), &written).description.body;
        let told = text.description(&candidate.settings).expect("sound").body;
        assert_eq!(body, told);
        said.push(body);
    }
    // each method once as it is, and no two alike
    let as_they_are = all.iter().filter(|c| c.settings.is_empty());
    assert_eq!(as_they_are.count(), 3);
    for method in Method::ALL {
        let of = |k: &usize| all[*k].method == method;
        let mine: Vec<usize> = (0..all.len()).filter(of).collect();
        assert!(mine.len() >= 5);
        for (n, &a) in mine.iter().enumerate() {
            assert!(mine[n + 1..].iter().all(|&b| said[a] != said[b]));
        }
    }
    // 0.2 m in cells of 0.02 m are ten along the longest side, between eight and twelve
    let cells = all.iter().filter(|c| c.method == Method::Lattice);
    let cells: Vec<f64> = cells.map(|c| c.resolution).collect();
    assert_eq!(cells[..3], [8.0, 10.0, 12.0]);
}

/// Cells along the longest side of the candidates of a box of this modulus (Pa), and half-widths of their regions.
fn lattices(young: f64) -> (Vec<f64>, Vec<Option<usize>>) {
    let setup = setup_of(format!(
        r#"
        schema = 1
        name = "box"
        [[body]]
        name = "box"
        mesh = {{ procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }}
        material = {{ young = {young:e}, poisson = 0.0, density = 1000.0, zeta = 0.3 }}
        "#
    ));
    let goal = Goal::new(4.0, 0.02).expect("a goal");
    let all = candidates(&setup, &[Method::Lattice], &goal);
    let half_width = |candidate: &Candidate| match candidate.family {
        Family::Cells { half_width } => half_width,
        other => panic!("{other:?}"),
    };
    let cells = all.iter().map(|c| c.resolution).collect();
    (cells, all.iter().map(half_width).collect())
}

#[test]
fn lattices_of_stiff_bodies_have_about_as_many_cells_as_the_automatic_ones() {
    let (cells, half_widths) = lattices(2e4);
    assert_eq!(cells, [8.0, 12.0, 16.0, 24.0, 32.0, 48.0]);
    assert_eq!(half_widths, [Some(1); 6]);
    // E = 1000 kg/m³ (768/n m/s)² w(w+1)/3 in 64 steps a frame
    let (cells, half_widths) = lattices(4e6);
    assert_eq!(cells, [6.0, 9.0, 14.0, 18.0]);
    assert_eq!(half_widths, [Some(1), Some(1), Some(2), Some(3)]);
    let (cells, half_widths) = lattices(1e8);
    assert_eq!(cells, [5.0, 8.0, 12.0, 16.0]);
    assert_eq!(half_widths, [Some(4), Some(6), None, None]);
}

#[test]
fn a_scene_in_any_way_of_writing_gets_the_same_settings_and_paths_from_the_root() {
    let folder = tempfile::tempdir().expect("a folder");
    let inline = "schema = 1\nbody = [ { name = \"a\", mesh = { file = \"m.obj\" } } ]\n";
    let table = "schema = 1\n[[body]]\nname = \"a\"\nmesh.file = \"m.obj\"\n[body.adaptive]\n";
    let settings = [
        Setting::new(Method::Adaptive, "budget_ms", SettingValue::Number(2.0)),
        Setting::new(Method::Adaptive, "resolution", SettingValue::Word("level")),
        Setting::new(Method::Quasistatic, "boundary", SettingValue::Count(500)),
    ];
    let bodies = [inline, table].map(|text| {
        let text = SceneText::of(&scene_in(folder.path(), text)).expect("a text");
        let written = text.with(&settings, &[]);
        let file = folder.path().join("m.obj");
        assert!(written.contains(&file.display().to_string()), "{written}");
        text.description(&settings).expect("sound").body
    });
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!(bodies[0].adaptive.budget_ms, Some(2.0));
    assert_eq!(bodies[0].adaptive.cut, Some(false));
}

#[test]
fn a_blade_at_rest_joins_the_tools_in_any_way_of_writing() {
    let folder = tempfile::tempdir().expect("a folder");
    let head = "schema = 1\nbody = [ { name = \"a\", mesh = { procedural = \"box\" } } ]\n";
    let ball = "name = \"ball\"\nshape = { sphere = { radius = 0.1 } }";
    let inline = format!("tool = [ {{ {} }} ]\n", ball.replace('\n', ", "));
    let table = format!("[[tool]]\n{ball}\n");
    let blade = RestingBlade {
        length: 0.7 / 3.0,
        position: Vec3::new(1.0 / 3.0, 2.0, -1e-7),
    };
    for (tools, count) in [("", 1), (inline.as_str(), 2), (table.as_str(), 2)] {
        let loaded = scene_in(folder.path(), &format!("{head}{tools}"));
        let text = SceneText::of(&loaded).expect("a text").with_blade(&blade);
        let written = text.description(&[]).expect("sound");
        assert_eq!(written.tools.len(), count);
        assert_eq!(written.tools.last(), Some(&blade.tool()));
        assert_eq!(RestingBlade::of(&written), Some(blade));
    }
}

#[test]
fn meshes_of_tools_have_paths_from_the_root() {
    let folder = tempfile::tempdir().expect("a folder");
    let body = "schema = 1\n[[body]]\nname = \"a\"\nmesh = { procedural = \"box\" }\n[[tool]]\nname = \"part\"\n";
    for shape in [
        "shape = { mesh = { file = \"part.stl\", units = \"mm\" } }\nmotion = \"fixed\"\n",
        "motion = \"fixed\"\n[tool.shape.mesh]\nfile = \"part.stl\"\nunits = \"mm\"\n",
    ] {
        let loaded = scene_in(folder.path(), &format!("{body}{shape}"));
        let text = SceneText::of(&loaded).expect("a text");
        let written = text.description(&[]).expect("sound");
        let ShapeDescription::Mesh { source, .. } = &written.tools[0].shape else {
            panic!("{:?}", written.tools[0]);
        };
        let MeshSource::File { path, unit, .. } = source else {
            panic!("{source:?}");
        };
        assert_eq!((path, *unit), (&folder.path().join("part.stl"), 0.001));
    }
}

#[test]
fn a_mesh_that_was_dropped_in_is_named_by_the_scene_that_stands_on_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let import = ImportOptions {
        units: Some("mm".into()),
        z_up: true,
        ..ImportOptions::default()
    };
    let mesh = folder.path().join("my \"best\" mesh.stl");
    let dropped = load(&mesh, &import).expect("not opened yet");
    let text = SceneText::of(&dropped).expect("a text");
    assert_eq!(text.description(&[]).expect("sound"), dropped.description);
    assert!(!text.with(&[], &[]).contains("$MESH"));
    // settings that do not go with the scene are refused, not dropped
    let wrong = Setting::new(Method::Lattice, "sums", SettingValue::Word("magic"));
    assert_eq!(
        text.description(&[wrong]).expect_err("refused").code(),
        "BadValue"
    );
}
