//! The documents of the archive: the whole manual with the pictures that it shows, so that every link leads to a file beside it.

use std::collections::BTreeSet;

use super::contents::Entry;
use crate::step::files::read_folder;
use crate::step::{Outcome, root};
use crate::structure::links_of;

/// Documents that stand at the root of the repository and of the archive.
const AT_ROOT: [&str; 3] = ["CHANGELOG.md", "SECURITY.md", "CITATION.cff"];
/// The manual, in the repository and in the archive.
const MANUAL: &str = "docs";
/// Settings of the program that makes a book of the manual.
const OF_THE_BOOK: &str = "docs/book.toml";
/// Endings of pictures.
const PICTURES: [&str; 2] = [".png", ".svg"];

/// All of them.
pub fn documents() -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    for name in AT_ROOT {
        entries.push(Entry::file(name, &root().join(name))?);
    }
    collect(MANUAL, &mut entries)?;
    let shown: BTreeSet<String> = links(&entries).map(|(_, to)| to).collect();
    let is_picture = |e: &Entry| PICTURES.iter().any(|end| e.path.ends_with(end));
    entries.retain(|e| e.path != OF_THE_BOOK && (!is_picture(e) || shown.contains(&e.path)));
    entries.push(for_c()?);
    Ok(entries)
}

/// Files below a folder of the repository.
fn collect(folder: &str, entries: &mut Vec<Entry>) -> Outcome {
    for name in read_folder(&root().join(folder))? {
        let path = format!("{folder}/{name}");
        let from = root().join(&path);
        match from.is_dir() {
            true => collect(&path, entries)?,
            false => entries.push(Entry::file(&path, &from)?),
        }
    }
    Ok(())
}

/// The page for people who write C. It stands in `ffi` in the repository, and at the root here.
fn for_c() -> Result<Entry, String> {
    let Entry { bytes, .. } = Entry::file("C.md", &root().join("ffi/README.md"))?;
    let text = String::from_utf8(bytes).map_err(|e| format!("ffi/README.md: {e}"))?;
    Ok(Entry::text("C.md", text.replace("](../", "](")))
}

/// An error names links that lead to no other file of the archive.
pub fn check(entries: &[Entry]) -> Outcome {
    let paths: BTreeSet<&str> = entries.iter().map(|e| e.path.as_str()).collect();
    let dead = links(entries).filter(|(_, to)| !paths.contains(to.as_str()));
    let dead: Vec<String> = dead.map(|(from, to)| format!("{from} to {to}")).collect();
    match dead.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "links that lead to nothing in the archive: {}",
            dead.join(", ")
        )),
    }
}

/// The links of all Markdown files to other files: from which, and the path inside to which they lead.
fn links(entries: &[Entry]) -> impl Iterator<Item = (&str, String)> {
    let pages = entries.iter().filter(|e| e.path.ends_with(".md"));
    pages.flat_map(|page| {
        let found = links_of(&String::from_utf8_lossy(&page.bytes)).into_iter();
        found.filter_map(move |link| Some((page.path.as_str(), led_to(&page.path, &link)?)))
    })
}

/// The path to which a link of `page` leads; `None` where it leads to the page itself or to another machine.
fn led_to(page: &str, link: &str) -> Option<String> {
    let path = link.split('#').next().unwrap_or(link);
    if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
        return None;
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            // `..` too, where it leads out of the archive
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_what_is_not_packed_is_told() {
        let page = "[a](b.md#part) [own](#here) [far](https://example.org) ![p](../pictures/p.png)";
        let mut entries = vec![
            Entry::text("docs/a.md", page.into()),
            Entry::text("docs/b.md", "[back](a.md)".into()),
        ];
        let told = check(&entries).expect_err("a picture is missing");
        assert!(told.ends_with(": docs/a.md to pictures/p.png"), "{told}");
        entries.push(Entry::text("pictures/p.png", String::new()));
        assert_eq!(check(&entries), Ok(()));
        entries.push(Entry::text("C.md", "[out](../docs/b.md)".into()));
        let told = check(&entries).expect_err("it leads out of the archive");
        assert!(told.ends_with(": C.md to ../docs/b.md"), "{told}");
    }

    #[test]
    fn the_manual_is_whole_and_has_the_pictures_that_it_shows() {
        let entries = documents().expect("all files are there");
        let has = |path: &str| entries.iter().any(|e| e.path == path);
        for path in [
            "docs/SUMMARY.md",
            "docs/cli.md",
            "docs/scene.schema.json",
            "docs/book/choosing.md",
            "docs/decisions/README.md",
            "docs/pictures/choosing.svg",
            "C.md",
        ] {
            assert!(has(path), "{path}");
        }
        // the README of the repository shows it, and the manual does not
        assert!(!has("docs/pictures/welcome.png"));
        assert!(!has("docs/book.toml"));
    }
}
