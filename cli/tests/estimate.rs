//! A dropped mesh is compared with an estimate of the reference without being asked.

mod answer;
mod json_command;
mod page_numbers;
mod program;

use std::path::Path;

use json_command::done;
use page_numbers::missing;
use program::place;
use serde_json::Value;

/// A box, 0.2 by 0.3 by 0.2, as a file of twelve triangles.
const BOX: &str = "v 0 0 0\nv 0.2 0 0\nv 0.2 0.3 0\nv 0 0.3 0\nv 0 0 0.2\nv 0.2 0 0.2\nv 0.2 0.3 0.2\nv 0 0.3 0.2\n\
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 4 7 3\nf 4 8 7\nf 1 5 8\nf 1 8 4\nf 2 3 7\nf 2 7 6\n";

/// The answer of a comparison of the lattice alone in JSON, with further words.
fn compared(folder: &Path, words: &str) -> Value {
    let common = "compare box.obj --methods lattice --no-pictures --out result";
    done(folder, &format!("{common} {words}"))
}

#[test]
fn a_dropped_mesh_is_compared_with_an_estimate_unless_told_otherwise() {
    let at = &place();
    std::fs::write(at.join("box.obj"), BOX).expect("written");
    // until the ball is pressed in, after one second and a half
    let found = compared(at, "--duration 1.5");
    let reference = &found["reference"];
    assert_eq!(reference["kind"], "estimate", "{reference}");
    let nodes = reference["nodes"].as_array().expect("nodes");
    assert_eq!(nodes.len(), 1, "one run");
    let nodes = nodes[0].as_u64().expect("a number");
    assert!((2_000..4_500).contains(&nodes), "{nodes} nodes");
    let firm = |key: &str| reference["firm"][key].as_f64().expect("felt");
    assert!((firm("uncertainty_n") / firm("force_n") - 0.2).abs() < 1e-9);
    let error = &reference["methods"]["lattice"]["force_error"];
    assert!(error.as_f64().is_some_and(|e| e.abs() < 0.5), "{error}");
    let page = std::fs::read_to_string(at.join("result/report.html"));
    let page = page.expect("a page");
    for words in ["estimated reference", "estimate of the reference: "] {
        assert!(page.contains(words), "{words}");
    }
    assert_eq!(missing(&page, &found), [""; 0]);

    let none = compared(at, "--duration 0.1 --reference=none");
    assert_eq!(none["reference"], serde_json::json!({}));
}
