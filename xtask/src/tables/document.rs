//! A table in a document of `docs`, between a start line that names its command and an end line.

use std::path::Path;
use std::process::Command;

use crate::step::files::{read_text, write};
use crate::step::{Outcome, root};

/// The line after the table.
const END_LINE: &str = "<!-- end of table -->";

/// A document with a table in it.
pub struct Document {
    /// Its name in `docs`.
    name: &'static str,
    /// The line before the table.
    start_line: String,
    text: String,
}

impl Document {
    /// Reads the document `name` of `docs`, whose table `cargo xtask COMMAND` makes.
    pub fn read(name: &'static str, command: &str) -> Result<Self, String> {
        Self::new(name, command, read_text(&root().join("docs").join(name))?)
    }

    fn new(name: &'static str, command: &str, text: String) -> Result<Self, String> {
        let start_line = format!("<!-- table: cargo xtask {command} -->");
        let document = Self {
            name,
            start_line,
            text,
        };
        match document.parts() {
            Some(_) => Ok(document),
            None => Err(format!(
                "docs/{name}: no place for the table; put the lines `{}` and `{END_LINE}` there",
                document.start_line
            )),
        }
    }

    /// The document at the last tag of the repository at `folder`, or as committed if there is no tag with a table, and a text that says which. `None` without
    /// repository or table.
    pub fn previous(folder: &Path, name: &'static str, command: &str) -> Option<(Self, String)> {
        let tag = git(folder, &["describe", "--tags", "--abbrev=0"]);
        let tag = tag.map(|tag| tag.trim().to_string());
        let revisions = tag.map(|tag| (format!("at {tag}"), tag));
        let committed = ("as committed".to_string(), "HEAD".to_string());
        revisions
            .into_iter()
            .chain([committed])
            .find_map(|(origin, revision)| {
                let text = git(folder, &["show", &format!("{revision}:docs/{name}")])?;
                let document = Self::new(name, command, text).ok()?;
                (!document.table().is_empty()).then_some((document, origin))
            })
    }

    /// The text before the table, the table, and the text after it.
    fn parts(&self) -> Option<(&str, &str, &str)> {
        let (before, rest) = self.text.split_once(&self.start_line)?;
        let (table, after) = rest.split_once(END_LINE)?;
        Some((before, table, after))
    }

    /// The present table.
    pub fn table(&self) -> &str {
        self.parts().map_or("", |(_, table, _)| table.trim())
    }

    /// The document with another table.
    fn with_table(&self, table: &str) -> String {
        let (before, _, after) = self.parts().unwrap_or((&self.text, "", ""));
        format!(
            "{before}{}\n{}\n{END_LINE}{after}",
            self.start_line,
            table.trim()
        )
    }

    /// Writes the document with another table.
    pub fn write(&self, table: &str) -> Outcome {
        write(&root().join("docs").join(self.name), self.with_table(table))
    }
}

/// The output of git; `None` if it fails or is missing.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    let output = command.current_dir(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_previous_table_is_that_of_the_last_tag_and_else_the_committed_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let previous = || {
            let found = Document::previous(folder, "a.md", "measure");
            found.map(|(document, origin)| (document.table().to_string(), origin))
        };
        let write = |table: &str| {
            let text = format!("<!-- table: cargo xtask measure -->\n{table}\n{END_LINE}\n");
            std::fs::write(folder.join("docs/a.md"), text).expect("written");
        };
        let run = |arguments: &[&str]| {
            let settings = "-c user.name=a -c user.email=a@b -c commit.gpgsign=false";
            let arguments = settings.split(' ').chain(arguments.iter().copied());
            let arguments: Vec<&str> = arguments.collect();
            git(folder, &arguments).unwrap_or_else(|| panic!("git {arguments:?}"));
        };
        let commit = || {
            run(&["add", "."]);
            run(&["commit", "-q", "-m", "a"]);
        };
        std::fs::create_dir(folder.join("docs")).expect("a folder");
        let expected = |table: &str, origin: &str| Some((table.to_string(), origin.to_string()));
        run(&["init", "-q"]);
        write("none is committed");
        assert_eq!(previous(), None);
        // a tag whose document has no table
        std::fs::write(folder.join("docs/a.md"), "no table").expect("written");
        commit();
        run(&["tag", "v0"]);
        write("committed");
        commit();
        write("not committed");
        assert_eq!(previous(), expected("committed", "as committed"));
        run(&["tag", "v1"]);
        write("later");
        commit();
        write("not committed");
        assert_eq!(previous(), expected("committed", "at v1"));
    }

    #[test]
    fn a_table_replaces_the_previous_one() {
        let text = |table: &str| {
            format!("a\n<!-- table: cargo xtask measure -->\n{table}\n<!-- end of table -->\nb\n")
        };
        let document = Document::new("a.md", "measure", text("old")).expect("a place");
        assert_eq!(document.table(), "old");
        assert_eq!(document.with_table("new\n"), text("new"));
        let nowhere = Document::new("a.md", "measure", "nothing".into());
        assert!(nowhere.is_err_and(|e| e.contains("docs/a.md") && e.contains("measure")));
    }
}
