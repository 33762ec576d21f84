//! The documentation of each published crate, at the start of its `lib.rs` or `main.rs`: it names the required Rust version and the features of the crate.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::published::is_published;
use crate::dist::packages::{list, metadata, text};
use crate::step::files::read_text;
use crate::step::{Outcome, fail_if_any};

/// The sentence of a crate without features.
const NO_FEATURES: &str = "There are no feature flags.";

/// An error names the crates and the missing parts of their documentation.
pub fn check() -> Outcome {
    let metadata = metadata(&["--no-deps"])?;
    let mut wrong = Vec::new();
    for package in list(&metadata["packages"]) {
        if is_published(package) {
            let lacks = missing(package, &crate_doc(package)?);
            let name = text(&package["name"]);
            wrong.extend(lacks.iter().map(|what| format!("{name}: {what}")));
        }
    }
    fail_if_any(
        "front pages of crates that do not say what they need",
        &wrong,
    )
}

/// The documentation of the crate itself.
fn crate_doc(package: &Value) -> Result<String, String> {
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    let source = manifest.parent().unwrap_or(Path::new("")).join("src");
    let library = source.join("lib.rs");
    let file = match library.is_file() {
        true => library,
        false => source.join("main.rs"),
    };
    let text = read_text(&file)?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("//!"));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The missing parts of a page, a sentence each.
fn missing(package: &Value, page: &str) -> Vec<String> {
    let mut required = vec![format!(
        "Needs Rust {} or newer",
        text(&package["rust_version"])
    )];
    let features = package["features"].as_object();
    let names = features.into_iter().flat_map(|all| all.keys());
    let names: Vec<&String> = names.filter(|name| *name != "default").collect();
    match names.is_empty() {
        true => required.push(NO_FEATURES.into()),
        false => required.extend(names.iter().map(|name| format!("| `{name}` |"))),
    }
    required.retain(|words| !page.contains(words));
    let absent = required.iter();
    absent
        .map(|words| format!("its page does not say `{words}`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_missing_part_of_a_page_is_named() {
        let plain = json!({ "rust_version": "1.95", "features": {} });
        let page = " A crate.\n\n Needs Rust 1.95 or newer. There are no feature flags.";
        assert_eq!(missing(&plain, page), Vec::<String>::new());
        let later = json!({ "rust_version": "1.97", "features": {} });
        let problems = missing(&later, page).join("; ");
        assert!(problems.contains("Rust 1.97") && !problems.contains("feature"));
        let featured =
            json!({ "rust_version": "1.95", "features": { "default": ["a"], "a": [], "b": [] } });
        let problems = missing(&featured, " | `a` | on |\n Needs Rust 1.95 or newer.");
        assert_eq!(problems, ["its page does not say `| `b` |`"]);
    }

    #[test]
    fn the_crates_of_the_workspace_have_all_parts() {
        assert_eq!(check(), Ok(()));
    }
}
