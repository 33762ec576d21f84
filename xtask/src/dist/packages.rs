//! Packages that are linked into the products, from `cargo metadata` and `Cargo.lock`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;

use crate::packages::web;
use crate::robustness::compiler::Compiler;
use crate::step::files::read_text;
use crate::step::{cargo, output, root};

/// A package.
#[derive(Debug, Clone)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// SPDX expression; empty where it has none.
    pub licence: String,
    /// SHA-256 of the package from the registry; `None` for packages of this workspace.
    pub checksum: Option<String>,
    /// Its folder.
    pub folder: PathBuf,
    /// The packages that it uses.
    pub uses: BTreeSet<String>,
}

impl Package {
    /// Whether it belongs to this workspace.
    pub fn is_own(&self) -> bool {
        self.checksum.is_none()
    }

    /// Its package URL.
    pub fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// All packages of a product.
#[derive(Debug)]
pub struct Packages {
    /// Version of Pliant.
    pub version: String,
    /// Target triple, for example `x86_64-unknown-linux-gnu`.
    pub host: String,
    /// Packages by their ids in `cargo metadata`, sorted.
    pub all: BTreeMap<String, Package>,
}

/// A distributed product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// The program with the window, and the library for C.
    Archive,
    /// The program without the window.
    Standalone,
    /// The extension module of the Python wheel.
    Wheel,
    /// The program of the page for a browser.
    Page,
}

impl Product {
    /// The packages at the root of its dependency graph.
    fn roots(self) -> &'static [&'static str] {
        match self {
            Self::Archive => &["pliant-cli", "pliant-ffi"],
            Self::Standalone => &["pliant-cli"],
            Self::Wheel => &["pliant-python"],
            Self::Page => &["pliant-web"],
        }
    }

    /// The folder of its workspace, below the root.
    fn workspace(self) -> &'static str {
        match self {
            Self::Wheel => "python",
            _ => "",
        }
    }

    /// Feature arguments of cargo.
    fn features(self) -> &'static [&'static str] {
        match self {
            Self::Standalone => &["--no-default-features"],
            _ => &[],
        }
    }

    /// Its target triple.
    fn target(self, host: &str) -> &str {
        match self {
            Self::Page => web::TARGET,
            _ => host,
        }
    }
}

/// The packages that a product uses at run time, without those that only builds or tests use.
pub fn read(product: Product) -> Result<Packages, String> {
    let host = Compiler::query()?.host;
    let host = product.target(&host).to_string();
    let workspace = root().join(product.workspace());
    let manifest = workspace.join("Cargo.toml");
    let manifest = manifest.to_string_lossy();
    let words = ["--manifest-path", &manifest, "--filter-platform", &host];
    let metadata = metadata(&[&words, product.features()].concat())?;
    let sums = checksums(&read_text(&workspace.join("Cargo.lock"))?);
    let linked = linked(product, &manifest, &host)?;
    let mut all = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        if !linked.contains(&(name.clone(), version.clone())) {
            continue;
        }
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let package_data = Package {
            licence: spdx(&text(&package["license"])),
            checksum: sums.get(&(name.clone(), version.clone())).cloned(),
            folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
            uses: BTreeSet::new(),
            name,
            version,
        };
        all.insert(text(&package["id"]), package_data);
    }
    for node in list(&metadata["resolve"]["nodes"]) {
        let is_runtime = |d: &&Value| list(&d["dep_kinds"]).iter().any(|k| k["kind"].is_null());
        let ids = list(&node["deps"]).iter().filter(is_runtime);
        let ids = ids.map(|d| text(&d["pkg"]));
        let uses = ids.filter(|id| all.contains_key(id)).collect();
        if let Some(package) = all.get_mut(&text(&node["id"])) {
            package.uses = uses;
        }
    }
    let version = all.values().find(|p| p.name == product.roots()[0]);
    let version = version
        .map(|p| p.version.clone())
        .ok_or("the product is no package")?;
    Ok(Packages { version, host, all })
}

/// Names and versions of the packages that are linked with exactly these features. `cargo metadata` only knows the features of the whole workspace.
fn linked(
    product: Product,
    manifest: &str,
    host: &str,
) -> Result<BTreeSet<(String, String)>, String> {
    let mut command = cargo("tree --locked --edges normal --prefix none --format {p}");
    command.args(["--manifest-path", manifest, "--target", host]);
    command.args(product.features());
    for root in product.roots() {
        command.args(["-p", root]);
    }
    let tree = output("cargo tree", &mut command)?;
    Ok(names_in(&String::from_utf8_lossy(&tree)))
}

/// Names and versions from lines such as `name v1.0.0 (proc-macro)`.
fn names_in(tree: &str) -> BTreeSet<(String, String)> {
    let name = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next()?, words.next()?);
        Some((name.to_string(), version.strip_prefix('v')?.to_string()))
    };
    tree.lines().filter_map(name).collect()
}

/// `cargo metadata` with more arguments.
pub fn metadata(arguments: &[&str]) -> Result<Value, String> {
    let mut command = cargo("metadata --format-version 1 --locked");
    let printed = output("cargo metadata", command.args(arguments))?;
    serde_json::from_slice(&printed).map_err(|e| format!("cargo metadata: {e}"))
}

/// The items of a list; none if the value is no list.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text; empty if the value is no text.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// A licence as an SPDX expression: a slash is the old form of OR.
fn spdx(licence: &str) -> String {
    licence.replace(" / ", " OR ").replace('/', " OR ")
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
    fn packages_of_the_window_are_not_in_the_program_without_it() {
        let names = |product| -> BTreeSet<String> {
            let packages = read(product).expect("cargo metadata");
            packages.all.into_values().map(|p| p.name).collect()
        };
        let (all, few) = (names(Product::Archive), names(Product::Standalone));
        for name in ["eframe", "glow", "pliant-viewer", "pliant-ffi"] {
            assert!(all.contains(name) && !few.contains(name), "{name}");
        }
        assert!(few.contains("nalgebra") && few.contains("pliant-core"));
        assert!(few.is_subset(&all), "{few:?}");
    }

    #[test]
    fn lines_of_a_tree_are_names_and_versions() {
        let tree = "pliant-cli v0.1.0 (/w/cli)\nserde_derive v1.0.2 (proc-macro)\nserde v1.0.2 (*)\n\nserde v1.0.2\n";
        let names = names_in(tree);
        let expected = [
            ("pliant-cli", "0.1.0"),
            ("serde", "1.0.2"),
            ("serde_derive", "1.0.2"),
        ];
        let expected = expected.map(|(name, version)| (name.to_string(), version.to_string()));
        assert_eq!(Vec::from_iter(names), expected);
    }

    #[test]
    fn slashes_are_alternatives() {
        assert_eq!(spdx("MIT/Apache-2.0"), "MIT OR Apache-2.0");
        assert_eq!(spdx("MIT OR Zlib"), "MIT OR Zlib");
    }
}
