//! What is linked into the program and the library, from `cargo metadata` and `Cargo.lock`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use crate::step::{cargo, root};

/// A package.
#[derive(Debug, Clone)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// SPDX expression; empty where it has none.
    pub licence: String,
    /// SHA-256 of what the registry gave; `None` for packages of this workspace.
    pub checksum: Option<String>,
    /// Its folder.
    pub folder: PathBuf,
    /// Those that it uses.
    pub uses: BTreeSet<String>,
}

impl Package {
    /// Whether it is of this workspace.
    pub fn is_own(&self) -> bool {
        self.checksum.is_none()
    }

    /// Its name for programs.
    pub fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// All of them.
#[derive(Debug)]
pub struct Packages {
    /// Version of Pliant.
    pub version: String,
    /// What it is built for: `x86_64-unknown-linux-gnu`.
    pub host: String,
    /// By their names in `cargo metadata`, sorted.
    pub all: BTreeMap<String, Package>,
}

/// The packages from which everything else follows.
const ROOTS: [&str; 2] = ["pliant-cli", "pliant-ffi"];

/// What the roots use when they run, on this machine; what only builds or tests use is left out.
pub fn read() -> Result<Packages, String> {
    let host = host()?;
    let metadata = metadata(&["--filter-platform", &host])?;
    let sums = checksums(
        &std::fs::read_to_string(root().join("Cargo.lock"))
            .map_err(|e| format!("Cargo.lock: {e}"))?,
    );
    let mut known = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let found = Package {
            licence: spdx(&text(&package["license"])),
            checksum: sums.get(&(name.clone(), version.clone())).cloned(),
            folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
            uses: BTreeSet::new(),
            name,
            version,
        };
        known.insert(text(&package["id"]), found);
    }
    let mut uses = BTreeMap::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let runs = |d: &&Value| list(&d["dep_kinds"]).iter().any(|k| k["kind"].is_null());
        let names = list(&node["deps"]).iter().filter(runs);
        let names: BTreeSet<String> = names.map(|d| text(&d["pkg"])).collect();
        uses.insert(text(&node["id"]), names);
    }
    let mut open: Vec<String> = known
        .iter()
        .filter(|(_, p)| ROOTS.contains(&p.name.as_str()))
        .map(|(id, _)| id.clone())
        .collect();
    let mut all = BTreeMap::new();
    while let Some(id) = open.pop() {
        if all.contains_key(&id) {
            continue;
        }
        let mut package = known
            .get(&id)
            .cloned()
            .ok_or_else(|| format!("{id} is no package"))?;
        package.uses = uses.get(&id).cloned().unwrap_or_default();
        open.extend(package.uses.iter().cloned());
        all.insert(id, package);
    }
    let version = all.values().find(|p| p.name == ROOTS[0]);
    let version = version
        .map(|p| p.version.clone())
        .ok_or("the program is no package")?;
    Ok(Packages { version, host, all })
}

/// `cargo metadata` with more arguments.
pub fn metadata(arguments: &[&str]) -> Result<Value, String> {
    let mut command = cargo("metadata --format-version 1 --locked");
    let output = command
        .args(arguments)
        .output()
        .map_err(|e| format!("cargo metadata: {e}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))
}

/// The items of a list; none where it is no list.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text; empty where it is none.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// What the compiler builds for.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(rustc).arg("-vV").output();
    let output = output.map_err(|e| format!("rustc: {e}"))?;
    let words = String::from_utf8_lossy(&output.stdout);
    let host = words.lines().find_map(|l| l.strip_prefix("host: "));
    host.map(ToString::to_string)
        .ok_or_else(|| "rustc does not say what it builds for".into())
}

/// A licence as SPDX writes it: a slash meant OR once.
fn spdx(licence: &str) -> String {
    match licence.contains(" / ") || licence.contains('/') {
        true => licence.replace(" / ", " OR ").replace('/', " OR "),
        false => licence.to_string(),
    }
}

/// Checksums of `Cargo.lock` by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut sums = BTreeMap::new();
    for block in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let line = block
                .lines()
                .find_map(|l| l.strip_prefix(key)?.strip_prefix(" = \""));
            line.and_then(|l| l.strip_suffix('"'))
                .map(ToString::to_string)
        };
        if let (Some(name), Some(version), Some(sum)) =
            (value("name"), value("version"), value("checksum"))
        {
            sums.insert((name, version), sum);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_read_and_packages_of_our_own_have_none() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n\n[[package]]\nname = \"b\"\nversion = \"0.1.0\"\ndependencies = [\n \"a\",\n]\n";
        let sums = checksums(lock);
        assert_eq!(
            sums.get(&("a".into(), "1.0.0".into())).map(String::as_str),
            Some("abc")
        );
        assert_eq!(sums.len(), 1);
    }

    #[test]
    fn slashes_are_alternatives() {
        assert_eq!(spdx("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(spdx("MIT OR Zlib"), "MIT OR Zlib");
    }
}
