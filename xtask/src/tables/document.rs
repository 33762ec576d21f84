//! The place of a table in a document of `docs`: between a line that names its command and a line that ends it.

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
        let text = std::fs::read_to_string(root().join("docs").join(name))
            .map_err(|e| format!("docs/{name}: {e}"))?;
        Self::new(name, command, text)
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
        std::fs::write(root().join("docs").join(self.name), self.with(table))
            .map_err(|e| format!("docs/{}: {e}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
