//! `cargo xtask structure`: circles of imports among the files of a crate, crowded folders, long files, files that no module declares, crates that cannot be published or do not say what they need, and links of documents that lead nowhere.
//!
//! Files are read as Rust (not as text): modules as they are declared, imports and paths as they resolve through re-exports inside the crate. Tests do not count.

mod circles;
mod front_pages;
mod imports;
mod links;
mod modules;
mod orphans;
mod published;

use std::path::Path;

use crate::step::files::{read_folder, read_text, short};
use crate::step::{Outcome, root};
pub use links::links_of;
pub use modules::{file_of, has_list, text_of};

/// Most entries of a folder: files and folders together.
const MOST_ENTRIES: usize = 14;
/// Most lines of a file.
const MOST_LINES: usize = 400;
/// How many of each were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Found {
    circles: usize,
    folders: usize,
    files: usize,
    orphans: usize,
}

/// Looks at every crate of the workspace; an error names the crates that have any of these.
pub fn run() -> Outcome {
    let root = root();
    let mut wrong = Vec::new();
    for name in crates(&root)? {
        let found = look(&root, &name)?;
        println!(
            "{name}: {} circles of imports, {} folders of more than {MOST_ENTRIES}, {} files of more than {MOST_LINES} lines, {} files of no module",
            found.circles, found.folders, found.files, found.orphans
        );
        if found != Found::default() {
            wrong.push(name);
        }
    }
    match wrong.is_empty() {
        true => {
            published::check()?;
            front_pages::check()?;
            links::check()
        }
        false => Err(format!(
            "the structure is wrong in {}: break circles by moving what two files need into a third, and put files into folders by concept",
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

fn look(root: &Path, name: &str) -> Result<Found, String> {
    let source = root.join(name).join("src");
    let mut found = Found::default();
    folders(&source, &mut found)?;
    for file in orphans::orphans(&source)? {
        found.orphans += 1;
        println!("{}: no module declares it", short(&file));
    }
    for first in ["lib.rs", "main.rs"] {
        let file = source.join(first);
        if !file.is_file() {
            continue;
        }
        let modules = modules::read(&file)?;
        let edges = imports::edges(&modules);
        for circle in circles::circles(&edges) {
            found.circles += 1;
            println!("{name}: a circle of {} files", circle.len());
            for &file in &circle {
                let to = edges[file].iter().filter(|t| circle.contains(t));
                let to: Vec<String> = to.map(|&t| modules[t].name()).collect();
                println!("    {} -> {}", modules[file].name(), to.join(", "));
            }
        }
    }
    Ok(found)
}

/// Counts crowded folders and long files below `folder`, and names them.
fn folders(folder: &Path, found: &mut Found) -> Outcome {
    let entries = read_folder(folder)?;
    if entries.len() > MOST_ENTRIES {
        found.folders += 1;
        println!("{}: {} entries", short(folder), entries.len());
    }
    for entry in entries {
        let path = folder.join(entry);
        if path.is_dir() {
            folders(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "rs") {
            let lines = read_text(&path)?.lines().count();
            if lines > MOST_LINES {
                found.files += 1;
                println!("{}: {lines} lines", short(&path));
            }
        }
    }
    Ok(())
}
