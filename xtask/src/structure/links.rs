//! Links of the documents: every target exists, and every page of `docs/` is a chapter of the book.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::step::files::{normalise, read_folder, read_text, workspace_path};
use crate::step::{Outcome, fail_if_any, root};

/// Folders that are not searched.
const SKIPPED: [&str; 4] = ["target", "node_modules", "pliant-out", "shared"];
/// The table of contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// The links of a document and the anchors of its headings.
#[derive(Debug, Default)]
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

/// Checks every Markdown file of the workspace. An error names the dead links.
pub fn check() -> Outcome {
    let root = root().canonicalize().map_err(|e| e.to_string())?;
    let mut files = Vec::new();
    find_documents(&root, &mut files)?;
    let mut pages = BTreeMap::new();
    for file in files {
        let page = read(&read_text(&file)?);
        pages.insert(file, page);
    }
    let mut wrong = Vec::new();
    let mut count = 0;
    for (file, page) in &pages {
        for link in page.links.iter().filter(|link| !link.contains("://")) {
            count += 1;
            if !leads_somewhere(file, link, &pages) {
                wrong.push(format!("{}: {link}", workspace_path(file)));
            } else if leaves_the_book(&root, file, link) {
                wrong.push(format!(
                    "{}: {link} is no part of the book; name the file without a link",
                    workspace_path(file)
                ));
            }
        }
    }
    wrong.extend(missing_chapters(&root, &pages));
    fail_if_any(
        "links that lead nowhere, or pages that no chapter leads to",
        &wrong,
    )?;
    println!("{count} links in {} documents lead somewhere", pages.len());
    Ok(())
}

fn find_documents(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    for name in read_folder(folder)? {
        let path = folder.join(&name);
        if path.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
            find_documents(&path, files)?;
        } else if name.ends_with(".md") {
            files.push(path);
        }
    }
    Ok(())
}

/// The targets of links and pictures in a Markdown text, as written.
pub fn links_of(text: &str) -> Vec<String> {
    read(text).links
}

fn read(text: &str) -> Page {
    let mut page = Page::default();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.into_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                page.anchors.extend(heading.take().map(|h| anchor(&h)));
            }
            _ => {}
        }
    }
    page
}

/// The anchor of a heading: lowercase letters, digits and hyphens for spaces.
fn anchor(heading: &str) -> String {
    let characters = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    characters.flat_map(char::to_lowercase).collect()
}

fn leads_somewhere(from: &Path, link: &str, pages: &BTreeMap<PathBuf, Page>) -> bool {
    if link.starts_with("mailto:") {
        return true;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let to = match path {
        "" => from.to_path_buf(),
        _ => normalise(&from.with_file_name("").join(path)),
    };
    let has_anchor = |page: &Page| anchor.is_empty() || page.anchors.contains(anchor);
    match pages.get(&to) {
        Some(page) => has_anchor(page),
        None => to.exists(),
    }
}

/// Whether a page of the book links to a file outside of the built book.
fn leaves_the_book(root: &Path, from: &Path, link: &str) -> bool {
    let path = link.split('#').next().unwrap_or(link);
    let docs = root.join("docs");
    let is_a_path = !path.is_empty() && !path.starts_with("mailto:");
    let to = normalise(&from.with_file_name("").join(path));
    is_a_path && from.starts_with(&docs) && !to.starts_with(&docs)
}

/// Pages of the book that are missing in its table of contents.
fn missing_chapters(root: &Path, pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let summary = root.join(SUMMARY);
    let Some(contents) = pages.get(&summary) else {
        return vec![format!("{SUMMARY} is missing")];
    };
    let docs = root.join("docs");
    let chapters: BTreeSet<PathBuf> = contents.links.iter().map(|l| docs.join(l)).collect();
    let of_book = pages.keys().filter(|file| file.starts_with(&docs));
    of_book
        .filter(|file| **file != summary && !chapters.contains(*file))
        .map(|file| format!("{SUMMARY} has no line for {}", workspace_path(file)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_anchors_are_found_and_followed() {
        let text = "# One `two`, three\n[a](b.md#four) ![p](../x.png)\n```\n[no](link.md)\n```\n";
        let page = read(text);
        assert_eq!(page.links, ["b.md#four", "../x.png"]);
        assert!(page.anchors.contains("one-two-three"));
        let from = Path::new("/docs/a.md");
        let pages = BTreeMap::from([
            (from.to_path_buf(), page),
            (PathBuf::from("/docs/b.md"), read("## Four")),
        ]);
        for (link, leads) in [
            ("b.md", true),
            ("b.md#four", true),
            ("b.md#five", false),
            ("#one-two-three", true),
            ("../docs/b.md#four", true),
            ("c.md", false),
            ("mailto:a@b.c", true),
        ] {
            assert_eq!(leads_somewhere(from, link, &pages), leads, "{link}");
        }
    }

    #[test]
    fn links_out_of_the_book_are_found() {
        let (root, chapter) = (Path::new("/here"), Path::new("/here/docs/book/a.md"));
        for (link, leaves) in [
            ("../cli.md#json", false),
            ("../pictures/a.png", false),
            ("#here", false),
            ("mailto:a@b.c", false),
            ("../../README.md", true),
            ("../../README.md#more", true),
        ] {
            assert_eq!(leaves_the_book(root, chapter, link), leaves, "{link}");
        }
        let outside = Path::new("/here/README.md");
        assert!(!leaves_the_book(root, outside, "CONTRIBUTING.md"));
    }

    #[test]
    fn a_page_without_a_chapter_is_found() {
        let root = Path::new("/here");
        let page = |name: &str, text: &str| (root.join(name), read(text));
        let pages = BTreeMap::from([
            page(SUMMARY, "- [a](a.md)"),
            page("docs/a.md", ""),
            page("docs/b.md", ""),
            page("README.md", ""),
        ]);
        let missing = missing_chapters(root, &pages);
        assert_eq!(missing.len(), 1);
        assert!(missing[0].contains("b.md"));
    }
}
