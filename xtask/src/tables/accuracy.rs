//! The table of every method against the reference, for `docs/accuracy.md` or for given meshes.

use std::process::Stdio;

use super::chart;
use super::document::Document;
use crate::examples;
use crate::step::files::write;
use crate::step::{Outcome, example, root};

/// The chart of the table, from the root.
const CHART: &str = "docs/pictures/choosing.svg";

/// Measures the bodies and scenes of the document, writes the table into it and draws its chart. With seconds and meshes in `arguments` it prints the table of these instead. `chart` only draws the present table.
pub fn run(arguments: &[String]) -> Outcome {
    if let [argument] = arguments
        && argument == "chart"
    {
        return draw();
    }
    if !arguments.is_empty() {
        return examples::run("pliant-simulation", "accuracy", arguments, "a body failed");
    }
    let document = Document::read("accuracy.md", "accuracy")?;
    let mut command = example("pliant-simulation", "accuracy");
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| format!("accuracy: {e}"))?;
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(format!("a body failed:\n{table}"));
    }
    document.write(&table)?;
    print!("{table}");
    draw()
}

/// Draws the chart of the present table of the document.
pub fn draw() -> Outcome {
    let svg = chart::svg(Document::read("accuracy.md", "accuracy")?.table())?;
    write(&root().join(CHART), svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell of the table as text: force above the reference (percent), error of the skin (percent), frame time (ms).
    struct Cell<'a> {
        body: &'a str,
        /// `None` where nothing presses.
        force: Option<&'a str>,
        skin: &'a str,
        cost: &'a str,
    }

    impl<'a> Cell<'a> {
        fn read(body: &'a str, text: &'a str) -> Option<Self> {
            let mut parts = text.split(", ");
            let force = parts.next()?.strip_suffix(" %");
            let skin = parts.next()?.strip_prefix("skin ")?.strip_suffix(" %")?;
            let cost = parts.next()?.strip_suffix(" ms")?;
            Some(Self {
                body,
                force,
                skin,
                cost,
            })
        }
    }

    fn number(text: &str) -> f64 {
        text.parse().expect("a number")
    }

    /// The smallest and the largest number, as text.
    fn range<'a>(texts: impl Iterator<Item = &'a str>) -> [&'a str; 2] {
        let mut sorted: Vec<&str> = texts.collect();
        sorted.sort_by(|a, b| number(a).total_cmp(&number(b)));
        [sorted[0], sorted[sorted.len() - 1]]
    }

    /// The cells of a method: 0 adaptive, 1 quasistatic, 2 lattice.
    fn cells<'a>(table: &'a str, method: usize) -> Vec<Cell<'a>> {
        let read = |line: &'a str| {
            let columns: Vec<&str> = line.split(" | ").collect();
            let body = columns[0].trim_end_matches('`').rsplit('`').next()?;
            let cell = columns.get(2 + method)?.trim_end_matches(" |");
            Cell::read(body, cell)
        };
        table.lines().filter_map(read).collect()
    }

    /// A row of the chapter on choosing a method: what each method has there.
    fn row(head: &str, table: &str, of: impl Fn(&[Cell<'_>]) -> String) -> String {
        let columns = [0, 1, 2].map(|method| of(&cells(table, method)));
        format!("| {head} | {} |\n", columns.join(" | "))
    }

    #[test]
    fn chapters_have_the_numbers_of_the_table() {
        let chapter = |name: &str| {
            let file = root().join("docs/book").join(name);
            std::fs::read_to_string(file).expect("a chapter")
        };
        let says = |name: &str, words: &str| {
            let text = chapter(name);
            assert!(
                text.contains(words),
                "docs/book/{name} does not say `{words}`"
            );
        };
        let document = Document::read("accuracy.md", "accuracy").expect("the table");
        let table = document.table();
        assert_eq!(
            cells(table, 0).len(),
            8,
            "the chapters speak of eight bodies"
        );
        let within_5 = |cells: &[Cell<'_>]| {
            let forces = cells.iter().filter_map(|c| c.force);
            let near = forces.clone().filter(|force| number(force).abs() <= 5.0);
            format!("{} of {}", near.count(), forces.count())
        };
        let rows = [
            row(
                "force against the reference, seven pressed bodies",
                table,
                |cells| {
                    let [low, high] = range(cells.iter().filter_map(|c| c.force));
                    format!("{low} to {high} %")
                },
            ),
            row("bodies within 5 % of it", table, within_5),
            row(
                "skin of all eight bodies, rms over the diagonal, at most",
                table,
                |cells| format!("{} %", range(cells.iter().map(|c| c.skin))[1]),
            ),
            row("median of a frame, all eight bodies", table, |cells| {
                let [low, high] = range(cells.iter().map(|c| c.cost));
                format!("{low} to {high} ms")
            }),
        ];
        says("choosing.md", &rows.concat());

        let [adaptive, quasistatic, lattice] = [0, 1, 2].map(|method| cells(table, method));
        assert_eq!(within_5(&adaptive), "6 of 7");
        says(
            "adaptive.md",
            "within 5 % of the reference on six of the seven bodies",
        );
        // without a sign: the words say on which side
        let size = |force: &str| force.trim_start_matches(['+', '-']).to_string();
        let sizes: Vec<String> = lattice.iter().filter_map(|c| c.force).map(size).collect();
        let [low, high] = range(sizes.iter().map(String::as_str));
        says(
            "choosing.md",
            &format!("| roughly: {low} to {high} % off |"),
        );
        let off = |cells: &[Cell<'_>], body: &str| {
            let cell = cells.iter().find(|c| c.body == body).expect(body);
            size(cell.force.expect("it is pressed"))
        };
        let rabbit = off(&adaptive, "rabbit");
        says("adaptive.md", &format!("{rabbit} % above it on the rabbit"));
        let thick = ["penguin", "kidney", "nodule"].map(|body| off(&quasistatic, body));
        let [_, high] = range(thick.iter().map(String::as_str));
        says(
            "quasistatic.md",
            &format!("within {high} % of the reference on three thick bodies"),
        );
        let [rabbit, dragon] = ["rabbit", "dragon"].map(|body| off(&quasistatic, body));
        let [low, high] = range(quasistatic.iter().map(|c| c.cost));
        says(
            "quasistatic.md",
            &format!(
                "{rabbit} and {dragon} % above it on the thin ear and horn of rabbit and dragon. Frames took {low} to {high} ms."
            ),
        );
        let [kidney, penguin, rabbit, dragon, nodule] =
            ["kidney", "penguin", "rabbit", "dragon", "nodule"].map(|body| off(&lattice, body));
        says(
            "lattice.md",
            &format!(
                "{kidney} and {penguin} % below on kidney and penguin, {rabbit} and {dragon} % above on rabbit and dragon, and {nodule} % below on the nodule."
            ),
        );
    }

    #[test]
    fn the_chart_matches_the_table_of_the_document() {
        let document = Document::read("accuracy.md", "accuracy").expect("the table");
        let committed = std::fs::read_to_string(root().join(CHART)).expect("the chart");
        let drawn = chart::svg(document.table()).expect("points");
        assert!(
            drawn == committed,
            "{CHART} is of another table: `cargo xtask accuracy chart` draws it anew"
        );
    }
}
