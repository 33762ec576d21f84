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
use crate::step::{Outcome, fail_if_any, root};
pub use links::links_of;
pub use modules::{attribute_texts, file_of, has_attribute};

/// Largest number of entries of a folder, files and folders together.
const MAX_ENTRIES: usize = 14;
/// Largest number of lines of a file.
const MAX_LINES: usize = 400;

/// Checks every crate of the workspace. An error names what is wrong.
pub fn run() -> Outcome {
    let root = root();
    let names = crates(&root)?;
    let mut wrong = Vec::new();
    for name in &names {
        check_crate(&root, name, &mut wrong)?;
    }
    fail_if_any(
        "the structure is wrong: break cycles by moving what two files need into a third, and put files into folders by concept",
        &wrong,
    )?;
    println!(
        "{} crates have no cycle of imports, no folder of more than {MAX_ENTRIES} entries, no file of more than {MAX_LINES} lines and none that no module declares",
        names.len()
    );
    published::check()?;
    crate_docs::check()?;
    links::check()
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

/// Adds cycles of imports, files of no module, crowded folders and long files of a crate to `wrong`.
fn check_crate(root: &Path, name: &str, wrong: &mut Vec<String>) -> Outcome {
    let source = root.join(name).join("src");
    check_folder(&source, wrong)?;
    for file in orphans::orphans(&source)? {
        wrong.push(format!("{}: no module declares it", workspace_path(&file)));
    }
    for first in ["lib.rs", "main.rs"] {
        let file = source.join(first);
        if !file.is_file() {
            continue;
        }
        let modules = modules::read(&file)?;
        let edges = imports::edges(&modules);
        for cycle in cycles::cycles(&edges) {
            let mut text = format!("{name}: a cycle of {} files", cycle.len());
            for &file in &cycle {
                let to = edges[file].iter().filter(|t| cycle.contains(t));
                let to: Vec<String> = to.map(|&t| modules[t].name()).collect();
                text += &format!("\n    {} -> {}", modules[file].name(), to.join(", "));
            }
            wrong.push(text);
        }
    }
    Ok(())
}

/// Adds crowded folders and long files below `folder` to `wrong`.
fn check_folder(folder: &Path, wrong: &mut Vec<String>) -> Outcome {
    let entries = read_folder(folder)?;
    if entries.len() > MAX_ENTRIES {
        let count = entries.len();
        wrong.push(format!("{}: {count} entries", workspace_path(folder)));
    }
    for entry in entries {
        let path = folder.join(entry);
        if path.is_dir() {
            check_folder(&path, wrong)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            let lines = read_text(&path)?.lines().count();
            if lines > MAX_LINES {
                wrong.push(format!("{}: {lines} lines", workspace_path(&path)));
            }
        }
    }
    Ok(())
}
