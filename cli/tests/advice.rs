//! `pliant advise` on a small body: it runs to its end, and its scene runs as it is. An interrupt or a full disk leaves nothing half-written.

mod answer;
mod json_command;
mod program;

use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};

use json_command::done;
use program::{place, program};
use serde_json::Value;

/// A block under a ball.
const SCENE: &str = r#"
# a small block
schema = 1
name = "block"
duration = 0.2
gravity = [0.0, 0.0, 0.0]
[[body]]
name = "block"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.025 }
material = { young = 2.0e4, poisson = 0.0, density = 1000.0, zeta = 0.3 }
support = [ { name = "base", select = { lowest = 0.01 } } ]
adaptive = { target_edges = [0.05, 0.025] }
lattice = { cells_longest = 8, half_width = 1 }
[[tool]]
name = "ball"
shape = { sphere = { radius = 0.05 } }
motion = { path = "press" }
[[path]]
name = "press"
keys = [ { t = 0.0, at = [0.0, 0.101, 0.0] }, { t = 0.1, at = [0.0, 0.09, 0.0] } ]
"#;

/// Without its folder.
const ADVISE: &str = "advise block.toml --methods lattice --budget-ms 1000 --error 50%";

/// One after the other: the levels of the reference are baked once for both.
#[test]
fn advice_on_a_small_body() {
    let at = &place();
    #[cfg(unix)]
    an_interrupt_leaves_no_advice(at);
    the_advised_scene_runs_as_it_is_and_feels_what_was_promised(at);
    a_scene_without_a_tool_is_judged_by_its_skin_and_a_group_is_refused_in_one_line(at);
    #[cfg(unix)]
    a_full_disk_is_told_in_one_line_and_leaves_whole_files(at);
}

fn the_advised_scene_runs_as_it_is_and_feels_what_was_promised(at: &Path) {
    std::fs::write(at.join("block.toml"), SCENE).expect("written");
    let advice = done(at, &format!("{ADVISE} --confirm --out a"));
    assert_eq!(advice["judged_by"], "force");
    assert_eq!(advice["meets_both"], true);
    assert_eq!(advice["method"], "lattice");
    assert_eq!(advice["skin_error"], 0.01);
    let advised = &advice["candidates"][advice["advised"].as_u64().expect("a number") as usize];
    assert_eq!(
        (&advised["on_front"], &advised["meets_both"]),
        (&true.into(), &true.into())
    );
    // the same motion by the ordinary way, from the scene that was written
    let confirmation = &advice["confirmation"];
    assert_eq!(confirmation["surface_hash"], advised["surface_hash"]);
    assert_eq!(confirmation["force_error"], advised["force_error"]);
    another_poke_is_predicted(confirmation, advised);
    let run = done(at, "run a/advised.toml --method lattice");
    assert_eq!(run["metrics"]["surface_hash"], advised["surface_hash"]);
    let scene = std::fs::read_to_string(at.join("a/advised.toml")).expect("a scene");
    assert!(scene.starts_with("# Advised by Pliant") && scene.contains("# a small block"));
    let page = std::fs::read_to_string(at.join("a/advice.html")).expect("a page");
    assert!(
        page.contains("Use lattice") && page.contains("pliant run a/advised.toml --method lattice")
    );
    let kept = std::fs::read(at.join("a/advice.json")).expect("a file");
    let kept: Value = serde_json::from_slice(&kept).expect("one object");
    assert_eq!(kept["reason"], advice["reason"]);
}

/// The ball goes 1 cm deep where the candidates were tried.
fn another_poke_is_predicted(confirmation: &Value, advised: &Value) {
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value}"));
    let poke = &confirmation["other_poke"];
    assert!((number(&poke["advised_depth_m"]) - 0.01).abs() < 1e-6);
    assert!((number(&poke["depth_m"]) - 0.008).abs() < 1e-4, "{poke}");
    assert!(number(&poke["force_n"]) < 0.95 * number(&advised["force_n"]));
    assert!(number(&poke["median_ms"]) > 0.0 && number(&poke["uncertainty"]) >= 0.0);
    // of so short a run the skin of the end is kept
    let skin_error = number(&poke["skin_error"]);
    assert!(skin_error > 0.0 && skin_error < 0.01, "{skin_error}");
    let error = number(&poke["force_n"]) / number(&poke["reference_force_n"]) - 1.0;
    assert!((error - number(&poke["force_error"])).abs() < 1e-9);
    // both verdicts follow from their numbers, unless nobody can tell
    let differs = |value: &Value, verdict: &Value, tolerance: f64, expected: f64| {
        let difference = number(value);
        assert!((difference - expected).abs() < 1e-9);
        let is_near = difference.abs() <= tolerance;
        assert!(verdict.is_null() && !is_near || *verdict == is_near);
    };
    let predicted = number(&advised["force_error"]);
    differs(
        &confirmation["error_difference"],
        &confirmation["error_within_30_percent"],
        0.3,
        (error - predicted) / predicted.abs(),
    );
    let predicted = number(&advised["median_ms"]);
    differs(
        &confirmation["cost_difference"],
        &confirmation["cost_within_20_percent"],
        0.2,
        number(&confirmation["median_ms"]) / predicted - 1.0,
    );
    assert!(number(&confirmation["unsteadiness"]) >= 1.0);
    let told = confirmation["summary"].to_string();
    assert!(
        told.contains("Cost ") && told.contains("on a poke of 8.00 mm instead of 10.00 mm"),
        "{told}"
    );
}

fn a_scene_without_a_tool_is_judged_by_its_skin_and_a_group_is_refused_in_one_line(at: &Path) {
    let untouched = &SCENE[..SCENE.find("[[tool]]").expect("a tool")];
    let heavy = untouched.replace("gravity = [0.0, 0.0, 0.0]\n", "");
    std::fs::write(at.join("heavy.toml"), &heavy).expect("written");
    let words = "advise heavy.toml --methods quasistatic --duration 0.1 --confirm";
    let advice = done(at, words);
    assert_eq!(advice["judged_by"], "skin");
    let told = advice["reason"].to_string();
    assert!(told.contains("no force can be compared"), "{told}");
    let confirmation = &advice["confirmation"];
    assert!(
        confirmation["other_poke"].is_null() && confirmation["error_within_30_percent"].is_null()
    );
    let told = confirmation["summary"].to_string();
    assert!(
        told.contains("not checked on another poke: no moving tool is felt"),
        "{told}"
    );
    let group = heavy.replace("[[body]]\n", "[[body]]\ncount = 2\n");
    std::fs::write(at.join("group.toml"), group).expect("written");
    let refused = program(at)
        .args(["advise", "group.toml", "--quiet"])
        .output()
        .expect("the program starts");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&refused.stderr),
        "pliant: no advice without a reference: a reference can be computed only for a single body without self-contact (`pliant compare` runs the methods side by side) [ReferenceOfSeveralBodies]\n"
    );
}

/// Ctrl-C while the first candidates are baked.
#[cfg(unix)]
fn an_interrupt_leaves_no_advice(at: &Path) {
    use std::os::unix::process::ExitStatusExt;
    std::fs::write(at.join("block.toml"), SCENE).expect("written");
    let mut command = program(at);
    command
        .args(ADVISE.split(' '))
        .args(["--out", "a", "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let mut kill = Command::new("kill");
    let sent = kill.args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("a system with signals").success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stderr);
    // on a busy machine the signal comes before the program has a word in it
    let is_stopped = output.status.code() == Some(130) || output.status.signal() == Some(2);
    assert!(is_stopped, "{:?}: {text}", output.status);
    assert!(text.lines().count() <= 1, "{text}");
    assert!(!at.join("a").exists(), "a folder without advice");
}

/// What is cached by now makes this quick.
#[cfg(unix)]
fn a_full_disk_is_told_in_one_line_and_leaves_whole_files(at: &Path) {
    let mut finished = Vec::new();
    for blocks in [0, 4, 1 << 20] {
        let mut command = program::inside(at, "sh");
        let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        command
            .args(["-c", limit.as_str(), env!("CARGO_BIN_EXE_pliant")])
            .args(ADVISE.split(' '))
            .args(["--out", "full", "--quiet"]);
        let output = command.output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => finished.push(blocks),
            code => {
                assert_eq!(code, Some(2), "{blocks} blocks: {text}");
                assert!(text.lines().count() == 1 && text.contains("full"), "{text}");
            }
        }
        for entry in std::fs::read_dir(at.join("full")).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let length = std::fs::metadata(&path).expect("a file").len();
            // shells count blocks of 512 or 1024 bytes
            let is_half = [512, 1024].map(|block| block * blocks).contains(&length);
            let is_part = path.extension().is_some_and(|e| e == "partial");
            assert!(
                length > 0 && !is_half && !is_part,
                "{} is half",
                path.display()
            );
        }
        // there is no folder where nothing was written
        let _ = std::fs::remove_dir_all(at.join("full"));
    }
    assert_eq!(finished, [1 << 20]);
}
