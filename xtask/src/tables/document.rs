//! The place of a table in a document of `docs`: between a line that names its command and a line that ends it.

use std::path::Path;
use std::process::Command;

use crate::step::files::{read_text, write};
use crate::step::{Outcome, root};

const END: &str = "<!-- end of table -->";

/// A document with a table in it.
pub struct Document {
    /// Its name in `docs`.
    name: &'static str,
    /// The line before the table.
    begin: String,
    text: String,
}

impl Document {
    /// Reads the document `name` of `docs`, whose table `cargo xtask COMMAND` makes.
    pub fn read(name: &'static str, command: &str) -> Result<Self, String> {
        Self::new(name, command, read_text(&root().join("docs").join(name))?)
    }

    fn new(name: &'static str, command: &str, text: String) -> Result<Self, String> {
        let begin = format!("<!-- table: cargo xtask {command} -->");
        let document = Self { name, begin, text };
        match document.parts() {
            Some(_) => Ok(document),
            None => Err(format!(
                "docs/{name}: no place for the table; put the lines `{}` and `{END}` there",
                document.begin
            )),
        }
    }

    /// The document of the repository at `folder` as it was at its last tag, or as it was committed where no tag has a table, and which of the two it is. `None` where
    /// there is no repository, or no table in it.
    pub fn before(folder: &Path, name: &'static str, command: &str) -> Option<(Self, String)> {
        let tag = git(folder, &["describe", "--tags", "--abbrev=0"]);
        let tag = tag.map(|tag| tag.trim().to_string());
        let places = tag.map(|tag| (format!("at {tag}"), tag));
        let committed = ("as committed".to_string(), "HEAD".to_string());
        places
            .into_iter()
            .chain([committed])
            .find_map(|(of, reference)| {
                let text = git(folder, &["show", &format!("{reference}:docs/{name}")])?;
                let document = Self::new(name, command, text).ok()?;
                (!document.table().is_empty()).then_some((document, of))
            })
    }

    /// What stands before the table, the table, and what stands after it.
    fn parts(&self) -> Option<(&str, &str, &str)> {
        let (before, rest) = self.text.split_once(&self.begin)?;
        let (table, after) = rest.split_once(END)?;
        Some((before, table, after))
    }

    /// The table as it stands.
    pub fn table(&self) -> &str {
        self.parts().map_or("", |(_, table, _)| table.trim())
    }

    /// The document with another table.
    fn with(&self, table: &str) -> String {
        let (before, _, after) = self.parts().unwrap_or((&self.text, "", ""));
        format!("{before}{}\n{}\n{END}{after}", self.begin, table.trim())
    }

    /// Writes the document with another table.
    pub fn write(&self, table: &str) -> Outcome {
        write(&root().join("docs").join(self.name), self.with(table))
    }
}

/// What git prints; `None` where it fails or is missing.
fn git(folder: &Path, words: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    let output = command.current_dir(folder).args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_before_is_that_of_the_last_tag_and_else_the_committed_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let before = || {
            let found = Document::before(folder, "a.md", "measure");
            found.map(|(document, of)| (document.table().to_string(), of))
        };
        let write = |table: &str| {
            let text = format!("<!-- table: cargo xtask measure -->\n{table}\n{END}\n");
            std::fs::write(folder.join("docs/a.md"), text).expect("written");
        };
        let run = |words: &[&str]| {
            let who = [
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "-c",
                "commit.gpgsign=false",
            ];
            let words: Vec<&str> = who.iter().chain(words).copied().collect();
            git(folder, &words).unwrap_or_else(|| panic!("git {words:?}"));
        };
        let commit = || {
            run(&["add", "."]);
            run(&["commit", "-q", "-m", "a"]);
        };
        std::fs::create_dir(folder.join("docs")).expect("a folder");
        let expected = |table: &str, of: &str| Some((table.to_string(), of.to_string()));
        run(&["init", "-q"]);
        write("none is committed");
        assert_eq!(before(), None);
        // a tag whose document has no table
        std::fs::write(folder.join("docs/a.md"), "no table").expect("written");
        commit();
        run(&["tag", "v0"]);
        write("committed");
        commit();
        write("not committed");
        assert_eq!(before(), expected("committed", "as committed"));
        run(&["tag", "v1"]);
        write("later");
        commit();
        write("not committed");
        assert_eq!(before(), expected("committed", "at v1"));
    }

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let text = |table: &str| {
            format!("a\n<!-- table: cargo xtask measure -->\n{table}\n<!-- end of table -->\nb\n")
        };
        let document = Document::new("a.md", "measure", text("old")).expect("a place");
        assert_eq!(document.table(), "old");
        assert_eq!(document.with("new\n"), text("new"));
        let nowhere = Document::new("a.md", "measure", "nothing".into());
        assert!(nowhere.is_err_and(|e| e.contains("docs/a.md") && e.contains("measure")));
    }
}
