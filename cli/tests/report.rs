//! The page of a comparison: what it says before its figures, and what it folds away.

mod page_numbers;
mod program;

use std::path::Path;

use page_numbers::missing;
use program::{place, program};
use serde_json::Value;

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
    let at = &place();
    std::fs::write(at.join("coarse.toml"), SCENE).expect("written");
    let words = "compare coarse.toml --methods lattice --no-pictures --no-cache --out result";
    let told = told(at, words);
    let coarse = "the skin is too coarse for `ball`: its edges are 28.5 mm there, 0.63 of the tool's radius, so that forces may be off by 15 % and more in all methods alike; remedy: mesh.edge = 0.011 or less (SkinTooCoarse)";
    let line = format!("note: {coarse}");
    assert_eq!(told.lines().filter(|l| *l == line).count(), 1, "{told}");
    let page = at.join("result/report.html");
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
    let at = &place();
    let inside = SCENE.replace(
        "t = 0.0, at = [0.0, 0.1, 0.0]",
        "t = 0.0, at = [0.0, 0.06, 0.0]",
    );
    assert_ne!(inside, SCENE);
    std::fs::write(at.join("inside.toml"), inside).expect("written");
    let words = "compare inside.toml --methods lattice --no-pictures --no-cache --out result";
    let told = told(at, words);
    let is_overlap = |line: &&str| line.starts_with("note: `ball` and `pad` overlap by ");
    assert_eq!(told.lines().filter(is_overlap).count(), 1, "{told}");
}

#[test]
fn a_linear_method_that_sags_too_far_is_told_without_opening_the_report() {
    let at = &place();
    let heavy = SCENE.replace("gravity = [0.0, 0.0, 0.0]", "gravity = [0.0, -1000.0, 0.0]");
    assert_ne!(heavy, SCENE);
    std::fs::write(at.join("heavy.toml"), heavy).expect("written");
    let words = "compare heavy.toml --methods quasistatic --no-pictures --no-cache --out result";
    let told = told(at, words);
    let is_sag = |line: &&str| {
        line.starts_with("note: quasistatic: the weight of") && line.ends_with("(SagTooLarge)")
    };
    assert_eq!(told.lines().filter(is_sag).count(), 1, "{told}");
}

#[test]
fn a_bake_that_was_only_loaded_is_told_to_be_from_the_cache() {
    let at = &place();
    std::fs::write(at.join("coarse.toml"), SCENE).expect("written");
    let told = |words: &str| {
        let told = told(at, words);
        let line = told.lines().find(|line| line.starts_with("lattice"));
        line.expect("a line of the method").to_string()
    };
    let compare = "compare coarse.toml --methods lattice --no-pictures";
    assert!(!told(compare).contains("from the cache"));
    assert!(told(compare).ends_with("  (bake from the cache)"));
    assert!(told("run coarse.toml --method lattice").ends_with(" s (from the cache)"));
}

/// Further parts of the scene, which have tables of their own on the page.
const MEASURED: &str = r#"
[[probe]]
name = "side"
at = { nearest_surface_point = [0.1, 0.0, 0.0] }
[[check]]
metric = "surface_rms"
of = "lattice"
against = "quasistatic"
max = 0.00987
"#;

#[test]
fn every_number_of_the_page_is_in_the_json_and_pictures_say_their_moments() {
    let at = &place();
    let scene = SCENE
        .replace("density = 1000.0", "density = 1234.0")
        .replace(
            "[[tool]]",
            "quasistatic = { inside = [ { name = \"tendon\", point = [0.01, 0.0, 0.02] } ] }\n[[tool]]",
        )
        + MEASURED;
    std::fs::write(at.join("coarse.toml"), scene).expect("written");
    let words = "compare coarse.toml --methods quasistatic,lattice --no-cache --out result";
    told(at, words);
    let read = |name: &str| {
        let file = at.join("result").join(name);
        std::fs::read_to_string(file).expect("written")
    };
    let page = read("report.html");
    let mut json: Value = serde_json::from_str(&read("report.json")).expect("JSON");
    assert_eq!(missing(&page, &json), [""; 0]);
    for table in ["Points inside", "probe side", "Checks", "1234 kg/m³"] {
        assert!(page.contains(table), "{table}");
    }
    let command = "pliant compare coarse.toml --methods quasistatic,lattice";
    assert_eq!(json["repeat"], command);
    assert_eq!(json["material"]["density_kg_m3"], 1234.0);

    // both methods have a picture of each moment, in the order of time
    let moments = json["moments"].as_array().expect("a list").clone();
    assert!((1..=3).contains(&moments.len()), "{moments:?}");
    let times: Vec<f64> = moments
        .iter()
        .map(|moment| moment["time_s"].as_f64().expect("a time"))
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    for time in times {
        let caption = format!(", at {time:.3} s</figcaption>");
        assert_eq!(page.matches(&caption).count(), 2, "{caption}");
    }
    assert_eq!(page.matches("<img ").count(), 2 * moments.len());
    let names: Vec<&Value> = moments.iter().map(|moment| &moment["names"]).collect();
    assert!(
        names.iter().any(|names| names
            .as_array()
            .is_some_and(|n| n.contains(&"largest_force".into()))),
        "{names:?}"
    );
    assert!(page.len() < 10_000_000);

    // what is not there is noticed
    let wrong = page.replace("</main>", "<p>0.98765 mm</p></main>");
    assert_eq!(missing(&wrong, &json), ["0.98765"]);
    json["material"] = Value::Null;
    assert!(missing(&page, &json).contains(&"1234".to_string()));
}
