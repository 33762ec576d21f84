//! `cargo xtask structure`: import cycles among the files of a crate, crowded folders, long files, files that no module declares, crates that cannot be published or lack documentation, and dead links of documents.
//!
//! Files are parsed as Rust: modules as declared, imports and paths as they resolve through re-exports inside the crate. Tests do not count.

mod crate_docs;
mod cycles;
mod imports;
mod links;
mod modules;
mod orphans;
mod published;

use std::path::Path;

use crate::step::files::{read_folder, read_text, workspace_path};
use crate::step::{Outcome, root};
pub use links::links_of;
pub use modules::{attribute_texts, file_of, has_attribute};

/// Largest number of entries of a folder, files and folders together.
const MAX_ENTRIES: usize = 14;
/// Largest number of lines of a file.
const MAX_LINES: usize = 400;
/// Number of problems of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    cycles: usize,
    folders: usize,
    files: usize,
    orphans: usize,
}

/// Checks every crate of the workspace. An error names the crates with problems.
pub fn run() -> Outcome {
    let root = root();
    let mut wrong = Vec::new();
    for name in crates(&root)? {
        let found = check_crate(&root, &name)?;
        println!(
            "{name}: {} cycles of imports, {} folders of more than {MAX_ENTRIES}, {} files of more than {MAX_LINES} lines, {} files of no module",
            found.cycles, found.folders, found.files, found.orphans
        );
        if found != Counts::default() {
            wrong.push(name);
        }
    }
    match wrong.is_empty() {
        true => {
            published::check()?;
            crate_docs::check()?;
            links::check()
        }
        false => Err(format!(
            "the structure is wrong in {}: break cycles by moving what two files need into a third, and put files into folders by concept",
            wrong.join(", ")
        )),
    }
}

/// Folders of the workspace that hold a crate, in the order of their names.
fn crates(root: &Path) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for entry in read_folder(root)? {
        if root.join(&entry).join("Cargo.toml").is_file() {
            names.push(entry);
        }
    }
    Ok(names)
}

fn check_crate(root: &Path, name: &str) -> Result<Counts, String> {
    let source = root.join(name).join("src");
    let mut found = Counts::default();
    check_folder(&source, &mut found)?;
    for file in orphans::orphans(&source)? {
        found.orphans += 1;
        println!("{}: no module declares it", workspace_path(&file));
    }
    for first in ["lib.rs", "main.rs"] {
        let file = source.join(first);
        if !file.is_file() {
            continue;
        }
        let modules = modules::read(&file)?;
        let edges = imports::edges(&modules);
        for cycle in cycles::cycles(&edges) {
            found.cycles += 1;
            println!("{name}: a cycle of {} files", cycle.len());
            for &file in &cycle {
                let to = edges[file].iter().filter(|t| cycle.contains(t));
                let to: Vec<String> = to.map(|&t| modules[t].name()).collect();
                println!("    {} -> {}", modules[file].name(), to.join(", "));
            }
        }
    }
    Ok(found)
}

/// Counts and prints crowded folders and long files below `folder`.
fn check_folder(folder: &Path, found: &mut Counts) -> Outcome {
    let entries = read_folder(folder)?;
    if entries.len() > MAX_ENTRIES {
        found.folders += 1;
        println!("{}: {} entries", workspace_path(folder), entries.len());
    }
    for entry in entries {
        let path = folder.join(entry);
        if path.is_dir() {
            check_folder(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            let lines = read_text(&path)?.lines().count();
            if lines > MAX_LINES {
                found.files += 1;
                println!("{}: {lines} lines", workspace_path(&path));
            }
        }
    }
    Ok(())
}
