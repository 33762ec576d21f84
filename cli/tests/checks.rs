//! Checks of a scene: the exit code, and the same number in checks and metrics.

mod answer;
mod json_command;
mod program;

use std::path::Path;

use json_command::{done, json};
use program::{place, program};
use serde_json::Value;

/// What a command prints whose words stand between spaces.
fn printed(folder: &Path, words: &str) -> String {
    let output = program(folder).args(words.split(' ')).output();
    let output = output.expect("the program starts").stdout;
    String::from_utf8_lossy(&output).into_owned()
}

/// A block that is squeezed, with a check that this limit of the change of volume decides.
fn scene(limit: f64) -> String {
    format!(
        r#"
schema = 1
name = "squeezed"
duration = 0.5
gravity = [0.0, 0.0, 0.0]
methods = ["adaptive", "lattice"]
[[body]]
name = "block"
mesh = {{ procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.05 }}
material = {{ young = 2.0e4, poisson = 0.0, density = 1000.0, zeta = 0.3 }}
support = [ {{ name = "base", select = {{ lowest = 0.01 }} }} ]
adaptive = {{ target_edges = [0.05] }}
lattice = {{ cell = 0.05, half_width = 1 }}
[[grab]]
name = "lid"
select = {{ half_space = {{ point = [0.0, 0.049, 0.0], normal = [0.0, 1.0, 0.0] }} }}
motion = {{ path = "down" }}
[[path]]
name = "down"
keys = [ {{ t = 0.0, at = [0.0, 0.0, 0.0] }}, {{ t = 0.4, at = [0.0, -0.01, 0.0] }} ]
[[check]]
metric = "volume_change"
of = "adaptive"
max = {limit}
"#
    )
}

#[test]
fn the_change_of_volume_is_a_metric_of_json_and_checks_and_decides_the_exit_code() {
    let at = &place();
    for (limit, exit) in [(0.15, 0), (0.05, 1)] {
        std::fs::write(at.join("scene.toml"), scene(limit)).expect("written");
        let (code, found) = json(at, "compare scene.toml --no-pictures");
        assert_eq!(code, exit, "{found}");
        // a tenth of the height, and no Poisson's ratio
        for method in ["adaptive", "lattice"] {
            let change = found["methods"][method]["volume_change"].as_f64();
            let error = (change.expect("a number") - 0.1).abs();
            assert!(error < 0.02, "{method}: {change:?}");
        }
        let check = &found["checks"][0];
        assert_eq!(check["pass"], exit == 0);
        let error = match exit {
            0 => Value::Null,
            _ => Value::from("1 check failed: volume_change of adaptive"),
        };
        assert_eq!(found["error"]["message"], error);
        assert_eq!(
            check["value"],
            found["methods"]["adaptive"]["volume_change"]
        );
    }
}

#[test]
fn a_check_whose_moment_a_short_run_does_not_reach_is_not_judged_and_fails_nothing() {
    let at = &place();
    // the lid has gone a fourth of its way after a fifth of the scene
    let check = "[[check]]\nmetric = \"volume_change\"\nof = \"lattice\"\nmin = 0.05\n";
    for (from, duration, exit) in [
        ("", "0.1", 0),
        ("from = 0.3\n", "0.1", 0),
        ("from = 0.1\n", "0.1", 1),
        ("", "0.5", 0),
    ] {
        let text = scene(1.0) + check + from;
        std::fs::write(at.join("scene.toml"), text).expect("written");
        let words = format!("compare scene.toml --no-pictures --duration {duration} --out result");
        let (code, found) = json(at, &words);
        assert_eq!(code, exit, "{from}{found}");
        let is_judged = |k: usize| !found["checks"][k]["pass"].is_null();
        let is_whole = duration == "0.5";
        assert_eq!(
            (is_judged(0), is_judged(1)),
            (is_whole, is_whole || exit == 1)
        );
        if !is_whole {
            assert_eq!(found["checks"][0]["skipped"], "needs t >= 0.5 s");
        }
        let page = at.join("result/report.html");
        let page = std::fs::read_to_string(page).expect("written");
        let none = "None of the 2 checks of the scene could be judged";
        assert_eq!(
            page.contains(none),
            !is_judged(0) && !is_judged(1),
            "{from}"
        );
    }
}

/// Largest of the values that a metric had, without their signs.
fn largest(metrics: &Value, name: &str) -> f64 {
    let end = |key: &str| metrics[name][key].as_f64().expect(name).abs();
    end("min").max(end("max"))
}

#[test]
fn metrics_of_each_frame_stand_in_the_table_and_their_ends_in_json() {
    let at = &place();
    std::fs::write(at.join("scene.toml"), scene(1.0)).expect("written");
    let words = "compare scene.toml --no-pictures --out result";
    let found = done(at, words);
    let table = std::fs::read_to_string(at.join("result/curves.csv")).expect("written");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    let column = |name: &str| -> Vec<f64> {
        let place = rows[0].iter().position(|head| *head == name).expect(name);
        let fields = rows[1..].iter().map(|row| row[place]);
        fields.map(|x| x.parse().expect("a number")).collect()
    };
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
    for method in ["adaptive", "lattice"] {
        let run = &found["methods"][method];
        let metrics = &run["frame_metrics"];
        // the figures of the run are made of the same numbers
        let figure = |name: &str| run[name].as_f64().expect(name);
        assert!(near(
            largest(metrics, "volume_change"),
            figure("volume_change")
        ));
        assert!(near(
            largest(metrics, "violation_m"),
            figure("violation_max_m")
        ));
        assert!(near(largest(metrics, "pull_n"), figure("pull_max_n")));
        assert_eq!(run["pop_max_m"].is_number(), method == "adaptive");
        let terms = [
            "energy_kinetic_j",
            "energy_elastic_j",
            "energy_gravity_j",
            "energy_dissipated_j",
            "tool_work_j",
        ];
        let scale = terms.map(|name| largest(metrics, name));
        let scale = scale.into_iter().fold(0.0, f64::max);
        let residual = largest(metrics, "energy_residual_j");
        assert!(near(residual / scale, figure("energy_balance")), "{method}");
        // nothing touches it: what is held may pull
        assert_eq!(metrics["pull_n"]["max"], 0.0);
        let work = column(&format!("{method}.tool_work_j"));
        let last = work.last().copied().expect("frames");
        assert!(near(
            last,
            metrics["tool_work_j"]["final"].as_f64().expect("a number")
        ));
        assert!(last > 0.0, "{method}: the lid is pressed down");
    }
    let apart = column("distance.adaptive.lattice.rms_m");
    let most = apart.into_iter().fold(0.0, f64::max);
    assert!(near(
        most,
        found["pairs"][0]["surface_rms"].as_f64().expect("a number")
    ));
}

#[test]
fn a_run_says_that_a_tool_jumped_and_touched_nothing_there() {
    let at = &place();
    let tool = r#"
[[tool]]
name = "ball"
shape = { sphere = { radius = 0.09 } }
motion = { path = "drop" }
[[path]]
name = "drop"
keys = [ { t = 0.0, at = [0.0, 0.44, 0.0] }, { t = TIME, at = [0.0, 0.13, 0.0] } ]
"#;
    for (time, is_told) in [("0.01", true), ("0.3", false)] {
        let text = scene(1.0) + &tool.replace("TIME", time);
        std::fs::write(at.join("scene.toml"), text).expect("written");
        let found = done(at, "run scene.toml --method lattice");
        let notes = found["metrics"]["notes"].to_string();
        let sentence = "ToolTeleport: 1 time a tool moved by more than a fifth of the body's diagonal within a frame, and touched nothing then";
        assert_eq!(notes.contains(sentence), is_told, "{time}: {notes}");
    }
}

/// A block that a ball presses and lets go of slowly, with this largest fraction of the work that the adaptive method may lose.
fn pressed(limit: f64) -> String {
    format!(
        r#"
schema = 1
name = "pressed"
duration = 0.6
frame_rate = 240.0
gravity = [0.0, 0.0, 0.0]
methods = ["adaptive", "quasistatic"]
[[body]]
name = "block"
mesh = {{ procedural = "box", size = [0.1, 0.2, 0.1], edge = 0.05 }}
material = {{ young = 2.0e4, poisson = 0.0, density = 1000.0, zeta = 0.05 }}
support = [ {{ name = "base", select = {{ lowest = 0.01 }} }} ]
adaptive = {{ target_edges = [0.05] }}
[[tool]]
name = "ball"
shape = {{ sphere = {{ radius = 0.09 }} }}
contact = {{ kind = "frictionless" }}
motion = {{ path = "press" }}
[[path]]
name = "press"
keys = [ {{ t = 0.0, at = [0.0, 0.195, 0.0] }}, {{ t = 0.3, at = [0.0, 0.18, 0.0] }}, {{ t = 0.6, at = [0.0, 0.195, 0.0] }} ]
[[probe]]
name = "top"
at = {{ nearest_surface_point = [0.05, 0.1, 0.05] }}
[[check]]
metric = "hysteresis_fraction:ball"
of = "adaptive"
max = {limit}
[[check]]
metric = "hysteresis_fraction:ball"
of = "quasistatic"
min = -0.005
max = 0.005
[[check]]
metric = "probe_frequency_hz:top"
of = "quasistatic"
max = 100.0
"#
    )
}

#[test]
fn a_method_without_inertia_gives_the_work_of_a_press_back_and_one_with_damping_does_not() {
    let at = &place();
    for (limit, exit) in [(0.5, 0), (0.02, 1)] {
        std::fs::write(at.join("scene.toml"), pressed(limit)).expect("written");
        let (code, found) = json(at, "compare scene.toml --no-pictures");
        assert_eq!(code, exit, "{found}");
        let checks = &found["checks"];
        assert_eq!(checks[0]["pass"], exit == 0);
        assert_eq!(checks[1]["pass"], true);
        // it presses once, and does not oscillate
        assert!(checks[2]["pass"].is_null(), "{}", checks[2]);
        let press = &found["methods"]["adaptive"]["presses"]["ball"];
        assert_eq!(checks[0]["value"], press["hysteresis_fraction"]);
        let figure = |name: &str| press[name].as_f64().expect(name);
        let fraction = figure("hysteresis_j") / figure("work_j");
        assert!((fraction / figure("hysteresis_fraction") - 1.0).abs() < 1e-9);
        let probe = &found["methods"]["quasistatic"]["probes"]["top"];
        assert!(probe["frequency_hz"].is_null() && probe["damping_ratio"].is_null());
    }
}

#[test]
fn a_linear_body_that_is_deformed_far_is_told_beside_its_figures() {
    let at = &place();
    let linear = scene(9.0).replace(r#"["adaptive", "lattice"]"#, r#"["quasistatic"]"#);
    // the block is 0.1 m high
    for (height, is_told) in [("0.06", true), ("0.02", false)] {
        let lifted = linear.replace("-0.01", height);
        std::fs::write(at.join("scene.toml"), lifted).expect("written");
        let words = "compare scene.toml --no-pictures";
        let text = printed(at, words);
        assert!(text.contains("report: "), "{text}");
        let told = text.contains("note: quasistatic: The body changed its volume by 6");
        assert_eq!(told, is_told, "{height}: {text}");
    }
}

#[test]
fn bodies_that_stay_inside_each_other_are_told_and_no_tool_is_blamed() {
    let at = &place();
    let head = scene(9.0);
    let (body, _) = head.split_once("[[grab]]").expect("a grab");
    let body = body.replace("half_width = 1", "half_width = 1, calibrate = false");
    // two blocks of 0.2 m, the second one inside the first by 30 mm or beside it
    for (spacing, is_told) in [("0.17", true), ("0.22", false)] {
        let layout = format!("layout = {{ grid = [2, 1, 1], spacing = {spacing} }}\n");
        std::fs::write(at.join("scene.toml"), body.clone() + &layout).expect("written");
        let words = "compare scene.toml --methods lattice --no-pictures --duration 0.05";
        let text = printed(at, words);
        assert!(text.contains("report: "), "{text}");
        let told = text.contains("note: lattice: Bodies penetrated each other");
        assert_eq!(told, is_told, "{spacing}: {text}");
        assert!(!text.contains("A tool penetrated the skin"), "{text}");
    }
}

#[test]
fn a_run_in_which_no_tool_is_felt_says_so() {
    let at = &place();
    let head = scene(9.0);
    let (body, _) = head.split_once("[[grab]]").expect("a grab");
    for (height, is_told) in [("0.3", true), ("0.13", false)] {
        let tool = format!(
            "[[tool]]\nname = \"ball\"\nshape = {{ sphere = {{ radius = 0.09 }} }}\nmotion = {{ path = \"still\" }}\n\
             [[path]]\nname = \"still\"\nkeys = [ {{ t = 0.0, at = [0.0, {height}, 0.0] }} ]\n"
        );
        std::fs::write(at.join("scene.toml"), body.to_string() + &tool).expect("written");
        for words in [
            "compare scene.toml --no-pictures --duration 0.05",
            "run scene.toml --method lattice --frames 3",
        ] {
            let text = printed(at, words);
            assert!(text.contains("lattice"), "{text}");
            let told = text.contains("note: No tool and no grab is felt");
            assert_eq!(told, is_told, "{height} {words}: {text}");
        }
    }
}

#[test]
fn a_run_that_stops_says_in_json_why_and_in_which_frame() {
    let at = &place();
    let hand = "[hand]\nframe_rate = 60.0\nframes = 6\n\
         [[hand.parameter]]\nframe = 2\nmethod = \"adaptive\"\nname = \"damping_rule\"\nvalue = \"nonsense\"\n";
    std::fs::write(at.join("scene.toml"), scene(9.0) + hand).expect("written");
    for words in [
        "run scene.toml --method adaptive --frames 4",
        // the lattice goes on, and the check passes
        "compare scene.toml --no-pictures --duration 0.1",
    ] {
        let (code, found) = json(at, words);
        assert_eq!(code, 1, "{found}");
        let error = &found["error"];
        assert_eq!(error["code"], "ParameterRefused");
        assert_eq!(error["where"], "adaptive of body block, frame 2");
        let message = error["message"].as_str().expect("a text");
        assert!(message.contains("one of the words"), "{message}");
    }
}
