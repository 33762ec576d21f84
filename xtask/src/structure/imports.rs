//! Which file of a crate uses items of which other file.

use std::collections::{HashMap, HashSet};

use super::modules::Module;

/// Largest number of re-exports that are followed for one path.
const MAX_REEXPORTS: usize = 16;

/// For each module, the modules whose items it imports or names. A re-export (`pub use`) counts for the modules that use it, not for the module that has it.
pub fn edges(modules: &[Module]) -> Vec<HashSet<usize>> {
    let module_indices = modules.iter().enumerate().map(|(k, m)| (&m.path[..], k));
    let crate_map = CrateMap {
        modules,
        module_indices: module_indices.collect(),
    };
    let dependencies = |from: usize| {
        let module = &modules[from];
        let private_imports = module.imports.iter().filter(|i| !i.is_public);
        let paths = private_imports.map(|i| &i.path).chain(&module.named);
        paths
            .filter_map(|path| crate_map.definition(&crate_map.absolute(from, path)?))
            .filter(|&to| to != from)
            .collect()
    };
    (0..modules.len()).map(dependencies).collect()
}

struct CrateMap<'a> {
    modules: &'a [Module],
    module_indices: HashMap<&'a [String], usize>,
}

impl CrateMap<'_> {
    /// A path from the crate's root; `None` for a path into another crate.
    fn absolute(&self, from: usize, path: &[String]) -> Option<Vec<String>> {
        let module = &self.modules[from];
        let first = path.first()?;
        let mut base = module.path.clone();
        match first.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => base.extend_from_slice(&path[1..]),
            "super" => {
                let up = path.iter().take_while(|s| *s == "super").count();
                base.truncate(base.len().checked_sub(up)?);
                base.extend_from_slice(&path[up..]);
            }
            _ => {
                base.push(first.clone());
                if !self.module_indices.contains_key(&base[..]) {
                    let import = module.imports.iter().find(|i| i.name == *first)?;
                    // `use a::b; b::c` is `a::b::c`; a name that imports itself comes from another crate
                    if import.path.first() == Some(first) {
                        return None;
                    }
                    base = self.absolute(from, &import.path)?;
                }
                base.extend_from_slice(&path[1..]);
            }
        }
        Some(base)
    }

    /// The module that defines the item of a path from the root, through re-exports.
    fn definition(&self, path: &[String]) -> Option<usize> {
        let mut path = path.to_vec();
        for _ in 0..MAX_REEXPORTS {
            let depth = (0..=path.len()).rev();
            let (depth, at) = depth
                .filter_map(|d| Some((d, *self.module_indices.get(&path[..d])?)))
                .next()?;
            let module = &self.modules[at];
            let Some(name) = path.get(depth) else {
                return Some(at);
            };
            if module.defined.contains(name) {
                return Some(at);
            }
            let named = module.imports.iter().find(|i| i.name == *name);
            let next = match named {
                Some(import) => self.absolute(at, &import.path),
                None => self.through_glob(at, name),
            };
            let Some(mut next) = next else {
                return Some(at);
            };
            if named.is_some() {
                next.extend_from_slice(&path[depth + 1..]);
            } else {
                next.extend_from_slice(&path[depth..]);
            }
            path = next;
        }
        None
    }

    /// The module of a `use module::*` that defines `name`.
    fn through_glob(&self, at: usize, name: &str) -> Option<Vec<String>> {
        let globs = self.modules[at].imports.iter().filter(|i| i.name == "*");
        globs
            .filter_map(|i| self.absolute(at, &i.path))
            .find(|path| {
                let found = self.module_indices.get(&path[..]);
                found.is_some_and(|&m| self.modules[m].defined.contains(name))
            })
    }
}
