//! Files that no module declares and that are thus never compiled, for example after a rename or a merge.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use syn::visit::{Visit, visit_item_mod};

use super::modules::{attribute_texts, file_of};
use crate::step::files::{parse_rust, rust_files};

/// Files below `source` that no other file declares as a module, tests included.
pub fn orphans(source: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = rust_files(source)?;
    let mut declared = HashSet::new();
    for file in &files {
        let parsed = parse_rust(file)?;
        let mut declarations = Declarations(Vec::new());
        declarations.visit_file(&parsed);
        let children = declarations.0.iter();
        declared.extend(children.map(|(name, path)| file_of(file, name, path.as_deref())));
    }
    let roots = ["lib.rs", "main.rs"].map(|root| source.join(root));
    files.retain(|file| !declared.contains(file) && !roots.contains(file));
    Ok(files)
}

/// Declared modules with separate files, and their `path` attributes.
struct Declarations(Vec<(String, Option<String>)>);

impl<'ast> Visit<'ast> for Declarations {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        match module.content {
            Some(_) => visit_item_mod(self, module),
            None => {
                let path = attribute_texts("path", &module.attrs).next();
                self.0.push((module.ident.to_string(), path));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nobody_declares_is_found() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
        write("lib.rs", "mod kept; #[cfg(test)] mod tests;")?;
        write("kept.rs", "")?;
        write("tests.rs", "")?;
        write("energy.rs", "")?;
        assert_eq!(orphans(folder.path())?, [folder.path().join("energy.rs")]);
        Ok(())
    }
}
