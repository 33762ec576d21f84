//! Licences of the linked packages.

use std::collections::BTreeMap;

use super::packages::{Package, Packages};
use crate::step::files::{read_bytes, read_folder};
use crate::step::{Outcome, fail_if_any};

/// Licences that only require that their text is included.
const PERMISSIVE: [&str; 13] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "Zlib",
    "0BSD",
    "CC0-1.0",
    "Unlicense",
    "Unicode-3.0",
    "MIT-0",
];
/// Licences of fonts that may be distributed with a program.
const FONTS: [&str; 2] = ["OFL-1.1", "Ubuntu-font-1.0"];
/// Starts of the names of files with licences.
const FILE_PREFIXES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// An error names the packages without a permissive licence.
pub fn check(packages: &Packages) -> Outcome {
    let refused = packages.all.values().filter(|p| !is_permissive(&p.licence));
    let refused: Vec<String> = refused
        .map(|p| format!("{} {} ({})", p.name, p.version, p.licence))
        .collect();
    fail_if_any("licences that are not permissive", &refused)
}

/// Whether an SPDX expression of OR, AND and one level of brackets can be satisfied by permissive licences.
fn is_permissive(expression: &str) -> bool {
    let mut depth = 0;
    let mut flat = String::new();
    // the text in brackets is evaluated first
    let mut inside = String::new();
    for c in expression.chars() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                flat.push_str(if is_permissive(&inside) {
                    "MIT"
                } else {
                    "refused"
                });
                inside.clear();
            }
            c if depth > 0 => inside.push(c),
            c => flat.push(c),
        }
    }
    let is_accepted = |licence: &str| PERMISSIVE.contains(&licence) || FONTS.contains(&licence);
    flat.split(" OR ")
        .any(|all| all.split(" AND ").all(|l| is_accepted(l.trim())))
}

/// A table: package, version, licence.
pub fn list(packages: &Packages) -> String {
    let mut text = String::from(
        "# Packages that are linked\n\nTheir licences stand in THIRD-PARTY-LICENSES.txt.\n\n| package | version | licence |\n|---|---|---|\n",
    );
    for package in third_party(packages) {
        text.push_str(&format!(
            "| {} | {} | {} |\n",
            package.name, package.version, package.licence
        ));
    }
    text
}

/// The licence texts, each once, with the packages that have it.
pub fn texts(packages: &Packages) -> Result<String, String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in third_party(packages) {
        for name in read_folder(&package.folder)? {
            let (path, name) = (package.folder.join(&name), name.to_uppercase());
            if path.is_file() && FILE_PREFIXES.iter().any(|f| name.starts_with(f)) {
                let bytes = read_bytes(&path)?;
                let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
                let package = format!("{} {}", package.name, package.version);
                texts
                    .entry(text.trim().to_string())
                    .or_default()
                    .push(package);
            }
        }
    }
    let mut sorted: Vec<(Vec<String>, String)> = texts
        .into_iter()
        .map(|(text, mut packages)| {
            packages.sort();
            packages.dedup();
            (packages, text)
        })
        .collect();
    sorted.sort();
    let line = "=".repeat(80);
    let blocks = sorted
        .iter()
        .map(|(packages, text)| format!("{line}\n{}\n{line}\n\n{text}\n\n", packages.join(", ")));
    Ok(blocks.collect())
}

/// The list of packages and the licence texts as one file.
pub fn list_with_texts(packages: &Packages) -> Result<String, String> {
    let list = list(packages).replace("stand in THIRD-PARTY-LICENSES.txt", "stand below");
    Ok(format!("{list}\n{}", texts(packages)?))
}

/// Third-party packages, by name and version.
fn third_party(packages: &Packages) -> Vec<&Package> {
    let mut packages: Vec<&Package> = packages.all.values().filter(|p| !p.is_own()).collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_permissive_alternative_is_enough_and_all_parts_are_needed() {
        for good in [
            "MIT",
            "GPL-2.0-only OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR MIT",
        ] {
            assert!(is_permissive(good), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0-only",
            "MIT AND MPL-2.0",
            "(MIT OR GPL-2.0-only) AND GPL-2.0-only",
        ] {
            assert!(!is_permissive(bad), "{bad}");
        }
    }

    #[test]
    fn everything_that_is_linked_is_permissive() {
        let packages = super::super::packages::read(super::super::packages::Product::Archive)
            .expect("cargo metadata");
        assert_eq!(check(&packages), Ok(()));
        let table = list(&packages);
        assert!(
            table.contains("| nalgebra |") && !table.contains("| pliant"),
            "{table}"
        );
        let list_with_texts = list_with_texts(&packages).expect("their files");
        assert!(
            list_with_texts.contains("| nalgebra |") && list_with_texts.contains("stand below")
        );
        assert!(list_with_texts.contains("Permission is hereby granted"));
    }
}
