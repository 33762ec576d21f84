//! The page of a comparison: what it says before its figures, and what it folds away.

mod program;

use std::path::Path;

use program::program;

const SCENE: &str = r#"schema = 1
name = "coarse"
duration = 0.1
gravity = [0.0, 0.0, 0.0]
strain_hint = 0.25
[[body]]
name = "pad"
mesh = { procedural = "box", size = [0.2, 0.1, 0.2], edge = 0.025 }
material = { young = 2.0e4, poisson = 0.4, density = 1000.0 }
support = [ { name = "base", select = { lowest = 0.1 } } ]
lattice = { cell = 0.025, calibrate = false }
[[tool]]
name = "ball"
shape = { sphere = { radius = 0.045 } }
motion = { path = "press" }
[[path]]
name = "press"
keys = [ { t = 0.0, at = [0.0, 0.1, 0.0] }, { t = 0.1, at = [0.0, 0.09, 0.0] } ]
"#;

/// What a command that succeeds writes.
fn told(folder: &Path, words: &str) -> String {
    let output = program(folder).args(words.split(' ')).output();
    let output = output.expect("the program starts");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}");
    told
}

#[test]
fn what_matters_stands_in_sentences_and_the_rest_is_folded_away() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("coarse.toml"), SCENE).expect("written");
    let words = "compare coarse.toml --methods lattice --no-pictures --no-cache --out result";
    let told = told(folder.path(), words);
    let coarse = "the skin is too coarse for `ball`: its edges are 28.5 mm there, 0.63 of the tool's radius, so that forces may be off by 15 % and more in all methods alike; remedy: mesh.edge = 0.011 or less (SkinTooCoarse)";
    let line = format!("note: {coarse}");
    assert_eq!(told.lines().filter(|l| *l == line).count(), 1, "{told}");
    let page = folder.path().join("result/report.html");
    let page = std::fs::read_to_string(page).expect("a page");
    let (before, folded) = page.split_once("<details>").expect("something is folded");
    for sentence in [
        "Limits of these results",
        "The skin is too coarse for <code>ball</code>: its edges are 28.5 mm there",
        "Remedy: mesh.edge = 0.011 or less.",
        "It behaves as if Poisson&#39;s ratio were 0 instead of 0.40: pressed, the body bulges less to the sides.",
    ] {
        assert!(before.contains(sentence), "{sentence}");
    }
    // that method did not run
    assert!(!page.contains("the quasistatic method is linear"));
    assert!(folded.contains("Young&#39;s modulus reached"));
    assert!(!before.contains("Young&#39;s modulus reached"));
}

#[test]
fn what_puts_all_figures_in_doubt_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = SCENE.replace(
        "t = 0.0, at = [0.0, 0.1, 0.0]",
        "t = 0.0, at = [0.0, 0.06, 0.0]",
    );
    assert_ne!(inside, SCENE);
    std::fs::write(folder.path().join("inside.toml"), inside).expect("written");
    let words = "compare inside.toml --methods lattice --no-pictures --no-cache --out result";
    let told = told(folder.path(), words);
    let is_overlap = |line: &&str| line.starts_with("note: `ball` and `pad` overlap by ");
    assert_eq!(told.lines().filter(is_overlap).count(), 1, "{told}");
}

#[test]
fn a_linear_method_that_sags_too_far_is_told_without_opening_the_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let heavy = SCENE.replace("gravity = [0.0, 0.0, 0.0]", "gravity = [0.0, -1000.0, 0.0]");
    assert_ne!(heavy, SCENE);
    std::fs::write(folder.path().join("heavy.toml"), heavy).expect("written");
    let words = "compare heavy.toml --methods quasistatic --no-pictures --no-cache --out result";
    let told = told(folder.path(), words);
    let is_sag = |line: &&str| {
        line.starts_with("note: quasistatic: the weight of") && line.ends_with("(SagTooLarge)")
    };
    assert_eq!(told.lines().filter(is_sag).count(), 1, "{told}");
}

#[test]
fn a_bake_that_was_only_loaded_is_told_to_be_from_the_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("coarse.toml"), SCENE).expect("written");
    let told = |words: &str| {
        let told = told(folder.path(), words);
        let line = told.lines().find(|line| line.starts_with("lattice"));
        line.expect("a line of the method").to_string()
    };
    let compare = "compare coarse.toml --methods lattice --no-pictures";
    assert!(!told(compare).contains("from the cache"));
    assert!(told(compare).ends_with("  (bake from the cache)"));
    assert!(told("run coarse.toml --method lattice").ends_with(" s (from the cache)"));
}
