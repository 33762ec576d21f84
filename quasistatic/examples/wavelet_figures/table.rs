//! The table of all figures, our number beside the paper's, and curves as CSV and SVG.

use std::fmt::Write as _;
use std::path::Path;

use pliant_render::{Plot, Series};

use crate::body::Failure;

const HEADER: [&str; 4] = ["figure", "quantity", "ours", "paper"];

/// Rows of section, quantity, our figure and the paper's.
#[derive(Default)]
pub struct Table {
    rows: Vec<[String; 4]>,
    section: String,
}

impl Table {
    /// What the next rows are about.
    pub fn section(&mut self, name: &str) {
        self.section = name.into();
        eprintln!("{name}");
    }

    /// One row; the paper's figure is empty where it gives none.
    pub fn row(&mut self, what: &str, ours: String, paper: &str) {
        let row = [self.section.clone(), what.into(), ours, paper.into()];
        eprintln!("  {what}: {} | {paper}", row[2]);
        self.rows.push(row);
    }

    /// The whole as a table of Markdown.
    pub fn text(&self) -> String {
        markdown(&HEADER, &self.rows)
    }

    /// Writes `table.csv`.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::write(folder.join("table.csv"), csv(&HEADER, &self.rows))?;
        Ok(())
    }
}

/// Rows below a header, as Markdown.
pub fn markdown(header: &[&str], rows: &[impl AsRef<[String]>]) -> String {
    let line = |cells: String| format!("| {cells} |\n");
    let mut out = line(header.join(" | ")) + &format!("|{}\n", "---|".repeat(header.len()));
    for row in rows {
        out.push_str(&line(row.as_ref().join(" | ")));
    }
    out
}

/// Rows below a header, each cell in quotes.
pub fn csv(header: &[&str], rows: &[impl AsRef<[String]>]) -> String {
    let line = |cells: String| format!("\"{cells}\"\n");
    let mut out = line(header.join("\",\""));
    for row in rows {
        out.push_str(&line(row.as_ref().join("\",\"")));
    }
    out
}

/// A name and its points.
pub type Curve = (String, Vec<[f64; 2]>);

/// Colors of curves, in turn.
const COLORS: [[f32; 3]; 6] = [
    [0.15, 0.45, 0.75],
    [0.75, 0.25, 0.2],
    [0.1, 0.6, 0.5],
    [0.85, 0.55, 0.1],
    [0.5, 0.3, 0.65],
    [0.45, 0.45, 0.45],
];

/// Writes curves over a common axis as `name.csv` and `name.svg`. Those whose name begins with `unlifted` or `MAX` are dashed.
pub fn write_curves(
    folder: &Path,
    name: &str,
    title: &str,
    (x, y): (&str, &str),
    list: &[Curve],
) -> Result<(), Failure> {
    let mut csv = format!("curve,{x},{y}\n");
    let mut plot = Plot::new(title, (x, ""), (y, ""));
    for (k, (curve, points)) in list.iter().enumerate() {
        for [x, y] in points {
            writeln!(csv, "{curve},{x:.6e},{y:.6e}")?;
        }
        plot.series.push(Series {
            name: curve.clone(),
            color: COLORS[k % COLORS.len()],
            dashed: curve.starts_with("unlifted") || curve.starts_with("MAX"),
            points: points.clone(),
        });
    }
    std::fs::write(folder.join(format!("{name}.csv")), csv)?;
    std::fs::write(folder.join(format!("{name}.svg")), plot.svg())?;
    Ok(())
}

/// The y of a curve at `x`, straight between points in logarithms; none outside it.
pub fn interpolate_log(points: &[[f64; 2]], x: f64) -> Option<f64> {
    let between = |w: &&[[f64; 2]]| (w[0][0].min(w[1][0])..=w[0][0].max(w[1][0])).contains(&x);
    let [[x0, y0], [x1, y1]] = *points.windows(2).find(between)?.first_chunk::<2>()?;
    let share = (x / x0).ln() / (x1 / x0).ln();
    Some(y0 * (y1 / y0).powf(share))
}

/// A number that may be missing.
pub fn format_optional(value: Option<f64>) -> String {
    value.map_or("none".into(), |value| format!("{value:.1}"))
}
