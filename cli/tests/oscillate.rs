//! `pliant oscillate --mixed`: its runs in JSON.

mod answer;
mod json_command;
mod program;

use json_command::done;
use program::place;

#[test]
fn a_mixed_run_says_so_and_counts_its_nodes() {
    let at = &place();
    let words = "oscillate --model green --nodes 57 --uncalibrated";
    let whole = done(at, words);
    let mixed = done(at, &format!("{words} --mixed --out out"));
    let [of_whole, of_mixed] = [&whole, &mixed].map(|all| &all["runs"][0]);
    assert_eq!(of_whole["mixed"], false);
    assert_eq!(of_mixed["mixed"], true);
    let nodes = of_mixed["nodes"].as_f64().expect("a number");
    assert!((nodes / 57.0 - 1.0).abs() <= 0.15, "{nodes} nodes");
    assert_ne!(of_mixed["y"], of_whole["y"]);
    let checks = mixed["checks"].as_array().expect("a list");
    assert_eq!(checks.len(), 1, "{checks:?}");
    assert_eq!(checks[0]["metric"], "energy_drift");
    let plot = std::fs::read_to_string(at.join("out/oscillate.svg"));
    assert!(plot.expect("a plot").contains("green 57 mixed"));
}

#[test]
fn all_models_can_be_mixed() {
    let at = &place();
    let words = "oscillate --mixed --nodes 57 --uncalibrated --duration 0.8";
    let value = done(at, words);
    let runs = value["runs"].as_array().expect("a list");
    let models: Vec<_> = runs
        .iter()
        .filter_map(|run| run["model"].as_str())
        .collect();
    assert_eq!(models, ["spring", "cauchy", "simplified", "green"]);
    assert!(runs.iter().all(|run| run["mixed"] == true), "{runs:?}");
}
