//! Which file of a crate uses what another one defines.

use std::collections::{HashMap, HashSet};

use super::modules::Module;

/// Re-exports that lead from one to the next.
const MOST_STEPS: usize = 16;

/// For each module the modules whose items it imports or names. What a module only hands on (`pub use`) counts for those who use it, not for the module itself.
pub fn edges(modules: &[Module]) -> Vec<HashSet<usize>> {
    let places = modules.iter().enumerate().map(|(k, m)| (&m.path[..], k));
    let crate_map = CrateMap {
        modules,
        places: places.collect(),
    };
    let of = |from: usize| {
        let module = &modules[from];
        let taken = module.imports.iter().filter(|i| !i.is_public);
        let paths = taken.map(|i| &i.path).chain(&module.named);
        paths
            .filter_map(|path| crate_map.definition(&crate_map.absolute(from, path)?))
            .filter(|&to| to != from)
            .collect()
    };
    (0..modules.len()).map(of).collect()
}

struct CrateMap<'a> {
    modules: &'a [Module],
    places: HashMap<&'a [String], usize>,
}

impl CrateMap<'_> {
    /// A path from the crate's root; `None` for what comes from elsewhere.
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
                if !self.places.contains_key(&base[..]) {
                    let import = module.imports.iter().find(|i| i.name == *first)?;
                    // `use a::b; b::c` is `a::b::c`, and a name that imports itself comes from elsewhere
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

    /// The module that defines what a path from the root names, through re-exports.
    fn definition(&self, path: &[String]) -> Option<usize> {
        let mut path = path.to_vec();
        for _ in 0..MOST_STEPS {
            let depth = (0..=path.len()).rev();
            let (depth, at) = depth
                .filter_map(|d| Some((d, *self.places.get(&path[..d])?)))
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

    /// The module behind a `use module::*` that defines `name`.
    fn through_glob(&self, at: usize, name: &str) -> Option<Vec<String>> {
        let globs = self.modules[at].imports.iter().filter(|i| i.name == "*");
        globs
            .filter_map(|i| self.absolute(at, &i.path))
            .find(|path| {
                let found = self.places.get(&path[..]);
                found.is_some_and(|&m| self.modules[m].defined.contains(name))
            })
    }
}
