//! The table of every method against the reference, for `docs/accuracy.md` or for meshes of one's own.

use std::process::Stdio;

use crate::step::{Outcome, cargo, root};

/// Where the table stands in the document: between these lines.
const BEGIN: &str = "<!-- table: cargo xtask accuracy -->";
const END: &str = "<!-- end of table -->";

/// Measures the bodies and scenes of the document and puts the table into it; with `words` (seconds, meshes) prints one of these instead.
pub fn run(words: &[String]) -> Outcome {
    let mut command = cargo("run --release -p pliant-simulation --example accuracy --");
    command.args(words).stderr(Stdio::inherit());
    if !words.is_empty() {
        let status = command.status().map_err(|e| format!("accuracy: {e}"))?;
        return status.success().then_some(()).ok_or("a body failed".into());
    }
    let output = command.output().map_err(|e| format!("accuracy: {e}"))?;
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(format!("a body failed:\n{table}"));
    }
    let path = root().join("docs").join("accuracy.md");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("docs/accuracy.md: {e}"))?;
    let text = with_table(&text, &table).ok_or("docs/accuracy.md: no place for the table")?;
    std::fs::write(&path, text).map_err(|e| format!("docs/accuracy.md: {e}"))?;
    print!("{table}");
    Ok(())
}

/// The document with another table.
fn with_table(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!(
        "{before}{BEGIN}\n{}\n{END}{after}",
        table.trim_end()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_the_place_of_the_one_before() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        let new = with_table(&text, "new\n").expect("a place");
        assert_eq!(new, format!("a\n{BEGIN}\nnew\n{END}\nb\n"));
        assert_eq!(with_table("no place", "new"), None);
    }
}
