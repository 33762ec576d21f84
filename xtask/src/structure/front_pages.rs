//! The front page of each crate that is published, the head of its `lib.rs` or `main.rs`: it says which Rust the crate needs, and what its features are.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::published::is_published;
use crate::dist::packages::{list, metadata, text};
use crate::step::Outcome;
use crate::step::files::read_text;

/// What a crate without features says.
const NO_FEATURES: &str = "There are no feature flags.";

/// An error names the crates and what their pages lack.
pub fn check() -> Outcome {
    let metadata = metadata(&["--no-deps"])?;
    let mut wrong = Vec::new();
    for package in list(&metadata["packages"]) {
        if is_published(package) {
            let lacks = missing(package, &front_page(package)?);
            let name = text(&package["name"]);
            wrong.extend(lacks.iter().map(|what| format!("{name}: {what}")));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "front pages of crates that do not say what they need:\n  {}",
            wrong.join("\n  ")
        )),
    }
}

/// The words at the head of the crate.
fn front_page(package: &Value) -> Result<String, String> {
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

/// What a page does not say.
fn missing(package: &Value, page: &str) -> Vec<String> {
    let mut said = vec![format!(
        "Needs Rust {} or newer",
        text(&package["rust_version"])
    )];
    let features = package["features"].as_object();
    let names = features.into_iter().flat_map(|all| all.keys());
    let names: Vec<&String> = names.filter(|name| *name != "default").collect();
    match names.is_empty() {
        true => said.push(NO_FEATURES.into()),
        false => said.extend(names.iter().map(|name| format!("| `{name}` |"))),
    }
    said.retain(|words| !page.contains(words));
    let told = said.iter();
    told.map(|words| format!("its page does not say `{words}`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_that_lacks_something_is_told() {
        let plain = json!({ "rust_version": "1.95", "features": {} });
        let page = " A crate.\n\n Needs Rust 1.95 or newer. There are no feature flags.";
        assert_eq!(missing(&plain, page), Vec::<String>::new());
        let later = json!({ "rust_version": "1.97", "features": {} });
        let told = missing(&later, page).join("; ");
        assert!(told.contains("Rust 1.97") && !told.contains("feature"));
        let featured =
            json!({ "rust_version": "1.95", "features": { "default": ["a"], "a": [], "b": [] } });
        let told = missing(&featured, " | `a` | on |\n Needs Rust 1.95 or newer.");
        assert_eq!(told, ["its page does not say `| `b` |`"]);
    }

    #[test]
    fn our_crates_say_what_they_need() {
        assert_eq!(check(), Ok(()));
    }
}
