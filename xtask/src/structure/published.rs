//! The requirements of a registry on a crate and its package, so that a crate that cannot be published is noticed before a release.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::dist::packages::{list, metadata, text};
use crate::step::files::{normalise, read_text, rust_files, workspace_path};
use crate::step::{Outcome, fail_if_any, root};

/// Both licences require their text in every copy.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// An error names what is missing.
pub fn check() -> Outcome {
    let metadata = metadata(&["--no-deps"])?;
    let packages = list(&metadata["packages"]);
    let unpublished: Vec<String> = packages
        .iter()
        .filter(|p| !is_published(p))
        .map(|p| text(&p["name"]))
        .collect();
    let mut wrong = Vec::new();
    for package in packages.iter().filter(|p| is_published(p)) {
        let name = text(&package["name"]);
        let lacks = missing(package, &unpublished).into_iter();
        wrong.extend(lacks.map(|what| format!("{name}: {what}")));
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().unwrap_or(Path::new(""));
        wrong.extend(licences(folder).map(|what| format!("{name}: {what}")));
        for file in rust_files(&folder.join("src"))? {
            if includes_outside_file(folder, &file.with_file_name(""), &read_text(&file)?) {
                let file = workspace_path(&file);
                wrong.push(format!(
                    "{name}: {file} includes a file from outside the crate"
                ));
            }
        }
    }
    println!(
        "{} crates can be published, {} are kept back",
        packages.len() - unpublished.len(),
        unpublished.len()
    );
    fail_if_any("crates that cannot be published", &wrong)
}

/// Whether the crate is published: in the metadata `publish = false` is an empty list of registries.
pub fn is_published(package: &Value) -> bool {
    package["publish"].is_null()
}

/// Licence files that are missing in the folder of a crate or differ from those of the root.
fn licences(folder: &Path) -> impl Iterator<Item = String> {
    let differs = move |name: &&str| {
        let ours = read_text(&root().join(name));
        ours.is_err() || read_text(&folder.join(name)) != ours
    };
    let lacking = LICENCES.into_iter().filter(differs);
    lacking.map(|name| format!("no {name}, or another than at the root; `ln -s ../{name}` there"))
}

fn missing(package: &Value, unpublished: &[String]) -> Vec<String> {
    let mut wrong = Vec::new();
    for key in ["description", "license", "readme", "rust_version"] {
        if text(&package[key]).is_empty() {
            wrong.push(format!("no {key}"));
        }
    }
    let count = list(&package["keywords"]).len();
    if count == 0 || count > 5 {
        wrong.push(format!("{count} keywords; one to five are taken"));
    }
    if list(&package["categories"]).is_empty() {
        wrong.push("no categories".into());
    }
    for dependency in list(&package["dependencies"]) {
        let name = text(&dependency["name"]);
        let is_for_tests = text(&dependency["kind"]) == "dev";
        let of_this_workspace = !dependency["path"].is_null();
        if of_this_workspace && !is_for_tests && text(&dependency["req"]) == "*" {
            wrong.push(format!("`{name}` has a path and no version"));
        }
        if !is_for_tests && unpublished.contains(&name) {
            wrong.push(format!("it uses `{name}`, which is not published"));
        }
    }
    wrong
}

/// Whether a source in `folder` includes a file from outside `krate`, which is not in its package. Includes in tests do not count.
fn includes_outside_file(krate: &Path, folder: &Path, text: &str) -> bool {
    let mut before = "";
    for line in text.lines() {
        let is_for_tests = before.contains("cfg(doctest)") || before.contains("cfg(test)");
        for word in ["include_str!(\"", "include_bytes!(\""] {
            let path = line
                .split(word)
                .nth(1)
                .and_then(|rest| rest.split('"').next());
            if let Some(path) = path
                && !is_for_tests
                && !normalise(&folder.join(path)).starts_with(normalise(krate))
            {
                return true;
            }
        }
        before = line;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn missing_requirements_of_a_registry_are_named() {
        let good = json!({
            "description": "a", "license": "MIT", "readme": "README.md", "rust_version": "1.95", "keywords": ["a"], "categories": ["science"],
            "dependencies": [{ "name": "b", "kind": null, "path": "/b", "req": "^0.1.0" }, { "name": "c", "kind": "dev", "path": "/c", "req": "*" }],
        });
        assert_eq!(missing(&good, &["c".into()]), Vec::<String>::new());
        let mut bad = good.clone();
        bad["description"] = Value::Null;
        bad["dependencies"][0]["req"] = json!("*");
        let wrong = missing(&bad, &["b".into()]).join("; ");
        for words in [
            "no description",
            "`b` has a path and no version",
            "`b`, which is not published",
        ] {
            assert!(wrong.contains(words), "{wrong}");
        }
    }

    #[test]
    fn includes_from_outside_are_found() {
        let leaves =
            |text: &str| includes_outside_file(Path::new("/w/a"), Path::new("/w/a/src"), text);
        assert!(!leaves("const A: &str = include_str!(\"../data/a.toml\");"));
        assert!(leaves(
            "const A: &str = include_str!(\"../../data/a.toml\");"
        ));
        let of_tests = "#[cfg(doctest)]\n#[doc = include_str!(\"../../README.md\")]";
        assert!(!leaves(of_tests));
    }

    #[test]
    fn a_licence_that_is_missing_or_different_is_named() {
        assert_eq!(licences(&root()).count(), 0);
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(licences(folder.path()).count(), 2);
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("written");
        };
        write("LICENSE-MIT", "none at all");
        let ours = read_text(&root().join("LICENSE-APACHE")).expect("a licence");
        write("LICENSE-APACHE", &ours);
        let problems: Vec<String> = licences(folder.path()).collect();
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("LICENSE-MIT"), "{problems:?}");
    }

    #[test]
    fn the_crates_of_the_workspace_can_be_published() {
        assert_eq!(check(), Ok(()));
    }
}
