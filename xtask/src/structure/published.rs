//! What a registry asks of a crate, and what its package has to hold: a crate that cannot be published is noticed before the day of the release.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::dist::packages::{list, metadata, text};
use crate::step::files::{plain, read_text, rust_files, short};
use crate::step::{Outcome, root};

/// Both ask that their text goes with every copy.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// An error names what is missing.
pub fn check() -> Outcome {
    let metadata = metadata(&["--no-deps"])?;
    let packages = list(&metadata["packages"]);
    let kept_back: Vec<String> = packages
        .iter()
        .filter(|p| !is_published(p))
        .map(|p| text(&p["name"]))
        .collect();
    let mut wrong = Vec::new();
    for package in packages.iter().filter(|p| is_published(p)) {
        let name = text(&package["name"]);
        let lacks = missing(package, &kept_back).into_iter();
        wrong.extend(lacks.map(|what| format!("{name}: {what}")));
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().unwrap_or(Path::new(""));
        wrong.extend(licences(folder).map(|what| format!("{name}: {what}")));
        for file in rust_files(&folder.join("src"))? {
            if leaves(folder, &file.with_file_name(""), &read_text(&file)?) {
                let file = short(&file);
                wrong.push(format!(
                    "{name}: {file} includes a file from outside the crate"
                ));
            }
        }
    }
    println!(
        "{} crates can be published, {} are kept back",
        packages.len() - kept_back.len(),
        kept_back.len()
    );
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "crates that cannot be published:\n  {}",
            wrong.join("\n  ")
        )),
    }
}

/// `publish = false` is an empty list of registries.
pub fn is_published(package: &Value) -> bool {
    package["publish"].is_null()
}

/// Licences that the folder of a crate lacks, or has in other words than the root.
fn licences(folder: &Path) -> impl Iterator<Item = String> {
    let differs = move |name: &&str| {
        let ours = read_text(&root().join(name));
        ours.is_err() || read_text(&folder.join(name)) != ours
    };
    let lacking = LICENCES.into_iter().filter(differs);
    lacking.map(|name| format!("no {name}, or another than at the root; `ln -s ../{name}` there"))
}

fn missing(package: &Value, kept_back: &[String]) -> Vec<String> {
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
        if !is_for_tests && kept_back.contains(&name) {
            wrong.push(format!("it uses `{name}`, which is not published"));
        }
    }
    wrong
}

/// Whether a text in `folder` includes something from outside `krate`, which its package does not have. What only tests of documents include does not count.
fn leaves(krate: &Path, folder: &Path, text: &str) -> bool {
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
                && !plain(&folder.join(path)).starts_with(plain(krate))
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
    fn what_a_registry_refuses_is_named() {
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
    fn files_from_outside_are_seen() {
        let (krate, folder) = (Path::new("/w/a"), Path::new("/w/a/src"));
        assert!(!leaves(
            krate,
            folder,
            "const A: &str = include_str!(\"../data/a.toml\");"
        ));
        assert!(leaves(
            krate,
            folder,
            "const A: &str = include_str!(\"../../data/a.toml\");"
        ));
        assert!(!leaves(
            krate,
            folder,
            "#[cfg(doctest)]\n#[doc = include_str!(\"../../README.md\")]"
        ));
    }

    #[test]
    fn a_licence_that_is_missing_or_of_other_words_is_named() {
        assert_eq!(licences(&root()).count(), 0);
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(licences(folder.path()).count(), 2);
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("written");
        };
        write("LICENSE-MIT", "none at all");
        let ours = read_text(&root().join("LICENSE-APACHE")).expect("a licence");
        write("LICENSE-APACHE", &ours);
        let told: Vec<String> = licences(folder.path()).collect();
        assert_eq!(told.len(), 1);
        assert!(told[0].contains("LICENSE-MIT"), "{told:?}");
    }

    #[test]
    fn our_crates_can_be_published() {
        assert_eq!(check(), Ok(()));
    }
}
