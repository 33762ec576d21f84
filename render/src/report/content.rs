//! The content of a report, as plain data.

use crate::plot::Plot;

/// Everything that a report shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Heading, for example the scene's name.
    pub title: String,
    /// What was compared, in a sentence or two.
    pub subtitle: String,
    /// The result, in a sentence; empty for none.
    pub summary: String,
    /// Further remarks on the result, one sentence each.
    pub remarks: Vec<String>,
    /// What matters for judging the results of all methods, one sentence each.
    pub findings: Vec<String>,
    /// Suggested commands.
    pub commands: Vec<CommandRow>,
    /// The methods, side by side in this order.
    pub methods: Vec<MethodColumn>,
    /// Force, probe and other curves.
    pub curves: Vec<Plot>,
    /// Further tables.
    pub tables: Vec<ResultTable>,
    /// Tables of texts, behind the others.
    pub texts: Vec<TextTable>,
    /// How the run as a whole was computed; collapsed by default.
    pub notes: Vec<String>,
    /// The command that reproduces the numbers; empty for none.
    pub reproduce: String,
    /// Processor, threads, SIMD level and build, in one line; empty for none.
    pub machine: String,
    /// Last line, for example version and date; empty for none.
    pub footer: String,
}

/// One method's pictures and figures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MethodColumn {
    /// The method's kind, which names it and gives its colour: `adaptive`, `quasistatic`, `lattice`.
    pub kind: String,
    /// One line under the name, for example the paper or the size of the model; may be empty.
    pub tagline: String,
    /// Why it cannot run the scene; `None` where it can.
    pub absent: Option<String>,
    /// Pictures, from top to bottom.
    pub pictures: Vec<Picture>,
    /// Figures as (label, value). Equal labels of different methods share a row of the table.
    pub rows: Vec<(String, String)>,
    /// What matters for judging the result of this method, one sentence each.
    pub findings: Vec<String>,
    /// How it was computed; collapsed by default.
    pub notes: Vec<String>,
}

/// A picture and what it shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picture {
    /// The moment and its time.
    pub caption: String,
    /// A PNG file.
    pub png: Vec<u8>,
}

/// A command to type.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandRow {
    /// What it does, in a sentence.
    pub about: String,
    /// The command.
    pub command: String,
}

/// A table with a row for each result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResultTable {
    /// Heading.
    pub title: String,
    /// What the table shows, in a sentence or two; empty for none.
    pub about: String,
    /// Headings of the columns after the first one, which names the method.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<ResultRow>,
}

/// A row of a [`ResultTable`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResultRow {
    /// The method's kind, which names the row and gives its colour.
    pub kind: String,
    /// One text for each column; in a shorter row the last one spans the remaining columns.
    pub cells: Vec<String>,
    /// Whether the row is highlighted.
    pub stands_out: bool,
}

/// A table of texts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextTable {
    /// Heading.
    pub title: &'static str,
    /// Headings of the columns.
    pub columns: Vec<&'static str>,
    /// How many of the columns hold names, from the first one on; the others hold values.
    pub names: usize,
    /// The texts of each row; a table without rows is left out.
    pub rows: Vec<Vec<String>>,
    /// Whether each row passed, in a table of checks; empty in others.
    pub passed: Vec<bool>,
}
