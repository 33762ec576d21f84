//! The documents of the archive: the whole manual with the pictures that it shows, so that every link leads to a file of the archive.

use std::collections::BTreeSet;
use std::path::Path;

use super::contents::Entry;
use crate::step::files::{normalise, read_folder};
use crate::step::{Outcome, fail_if_any, root};
use crate::structure::links_of;

/// Documents at the root of the repository and of the archive.
const AT_ROOT: [&str; 3] = ["CHANGELOG.md", "SECURITY.md", "CITATION.cff"];
/// Folder of the manual in the repository and in the archive.
const MANUAL: &str = "docs";
/// Settings of the program that builds a book from the manual.
const BOOK_SETTINGS: &str = "docs/book.toml";
/// File name extensions of pictures.
const PICTURES: [&str; 2] = [".png", ".svg"];

/// All documents of the archive.
pub fn documents() -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    for name in AT_ROOT {
        entries.push(Entry::file(name, &root().join(name))?);
    }
    collect(MANUAL, &mut entries)?;
    let shown: BTreeSet<String> = links(&entries).map(|(_, to)| to).collect();
    let is_picture = |e: &Entry| PICTURES.iter().any(|end| e.path.ends_with(end));
    entries.retain(|e| e.path != BOOK_SETTINGS && (!is_picture(e) || shown.contains(&e.path)));
    entries.push(c_page()?);
    Ok(entries)
}

/// Adds all files below a folder of the repository.
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

/// The page for C programmers. It is in `ffi` in the repository and at the root of the archive.
fn c_page() -> Result<Entry, String> {
    let Entry { bytes, .. } = Entry::file("C.md", &root().join("ffi/README.md"))?;
    let text = String::from_utf8(bytes).map_err(|e| format!("ffi/README.md: {e}"))?;
    Ok(Entry::text("C.md", text.replace("](../", "](")))
}

/// An error names the links without a target in the archive.
pub fn check(entries: &[Entry]) -> Outcome {
    let paths: BTreeSet<&str> = entries.iter().map(|e| e.path.as_str()).collect();
    let dead = links(entries).filter(|(_, to)| !paths.contains(to.as_str()));
    let dead: Vec<String> = dead.map(|(from, to)| format!("{from} to {to}")).collect();
    fail_if_any("links that lead to nothing in the archive", &dead)
}

/// The links of all Markdown files to other files: the page, and the path of the target in the archive.
fn links(entries: &[Entry]) -> impl Iterator<Item = (&str, String)> {
    let pages = entries.iter().filter(|e| e.path.ends_with(".md"));
    pages.flat_map(|page| {
        let found = links_of(&String::from_utf8_lossy(&page.bytes)).into_iter();
        found.filter_map(move |link| Some((page.path.as_str(), link_target(&page.path, &link)?)))
    })
}

/// The path of the target of a link in `page`; `None` for the page itself and for other machines.
fn link_target(page: &str, link: &str) -> Option<String> {
    let path = link.split('#').next().unwrap_or(link);
    if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
        return None;
    }
    // `..` stays where it leads out of the archive
    let target = normalise(&Path::new(page).with_file_name("").join(path));
    Some(target.to_string_lossy().replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_file_outside_of_the_archive_is_an_error() {
        let page = "[a](b.md#part) [own](#here) [far](https://example.org) ![p](../pictures/p.png)";
        let mut entries = vec![
            Entry::text("docs/a.md", page.into()),
            Entry::text("docs/b.md", "[back](a.md)".into()),
        ];
        let error = check(&entries).expect_err("a picture is missing");
        assert!(error.ends_with("  docs/a.md to pictures/p.png"), "{error}");
        entries.push(Entry::text("pictures/p.png", String::new()));
        assert_eq!(check(&entries), Ok(()));
        entries.push(Entry::text("C.md", "[out](../docs/b.md)".into()));
        let error = check(&entries).expect_err("it leads out of the archive");
        assert!(error.ends_with("  C.md to ../docs/b.md"), "{error}");
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
        // only the README of the repository shows it, not the manual
        assert!(!has("docs/pictures/welcome.png"));
        assert!(!has("docs/book.toml"));
    }
}
