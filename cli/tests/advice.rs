//! `pliant advise` on a small body: it runs to its end, and its scene runs as it is.

use std::path::Path;
use std::process::{Command, Output};

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

fn pliant(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pliant"))
        .current_dir(folder)
        .env("PLIANT_CACHE", folder.join("cache"))
        .args(words)
        .output()
        .expect("the program starts")
}

fn object(output: &Output) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    serde_json::from_slice(&output.stdout).expect("one object")
}

/// One after the other: the levels of the reference are baked once for both.
#[test]
fn advice_on_a_small_body() {
    let folder = tempfile::tempdir().expect("temporary folder");
    the_advised_scene_runs_as_it_is_and_feels_what_was_promised(folder.path());
    a_scene_without_a_tool_is_judged_by_its_skin_and_a_group_is_refused_in_one_line(folder.path());
}

fn the_advised_scene_runs_as_it_is_and_feels_what_was_promised(at: &Path) {
    std::fs::write(at.join("block.toml"), SCENE).expect("written");
    let words =
        "advise block.toml --methods lattice --budget-ms 1000 --error 50% --confirm --out a --json";
    let words: Vec<&str> = words.split(' ').collect();
    let advice = object(&pliant(at, &words));
    assert_eq!(advice["judged_by"], "force");
    assert_eq!(advice["meets_both"], true);
    assert_eq!(advice["method"], "lattice");
    let advised = &advice["candidates"][advice["advised"].as_u64().expect("a number") as usize];
    assert_eq!(
        (&advised["on_front"], &advised["meets_both"]),
        (&true.into(), &true.into())
    );
    // the same motion by the ordinary way, from the scene that was written
    let confirmation = &advice["confirmation"];
    assert_eq!(confirmation["surface_hash"], advised["surface_hash"]);
    assert_eq!(confirmation["force_error"], advised["force_error"]);
    let run = object(&pliant(
        at,
        &["run", "a/advised.toml", "--method", "lattice", "--json"],
    ));
    assert_eq!(run["metrics"]["surface_hash"], advised["surface_hash"]);
    let scene = std::fs::read_to_string(at.join("a/advised.toml")).expect("a scene");
    assert!(scene.starts_with("# Advised by Pliant") && scene.contains("# a small block"));
    let page = std::fs::read_to_string(at.join("a/advice.html")).expect("a page");
    assert!(
        page.contains("Take lattice")
            && page.contains("pliant run a/advised.toml --method lattice")
    );
    let kept = std::fs::read(at.join("a/advice.json")).expect("a file");
    let kept: Value = serde_json::from_slice(&kept).expect("one object");
    assert_eq!(kept["reason"], advice["reason"]);
}

fn a_scene_without_a_tool_is_judged_by_its_skin_and_a_group_is_refused_in_one_line(at: &Path) {
    let untouched = &SCENE[..SCENE.find("[[tool]]").expect("a tool")];
    let heavy = untouched.replace("gravity = [0.0, 0.0, 0.0]\n", "");
    std::fs::write(at.join("heavy.toml"), &heavy).expect("written");
    let words = [
        "advise",
        "heavy.toml",
        "--methods",
        "quasistatic",
        "--duration",
        "0.1",
        "--json",
    ];
    let advice = object(&pliant(at, &words));
    assert_eq!(advice["judged_by"], "skin");
    let told = advice["reason"].to_string();
    assert!(told.contains("there is no force to judge"), "{told}");
    let group = heavy.replace("[[body]]\n", "[[body]]\ncount = 2\n");
    std::fs::write(at.join("group.toml"), group).expect("written");
    let refused = pliant(at, &["advise", "group.toml", "--quiet"]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&refused.stderr),
        "pliant: no advice without a reference: a reference is computed for a lone body that does not touch itself (`pliant compare` runs the methods side by side) [ReferenceOfSeveralBodies]\n"
    );
}
