//! The table of `docs/accuracy.md` as a chart: frame time and force error.

use std::fmt::Write;

/// Columns of the table and their colours, those of `render/src/color/method_color.rs`.
const METHODS: [(&str, &str); 3] = [
    ("adaptive", "#2961bd"),
    ("quasistatic", "#e6731f"),
    ("lattice", "#1fa880"),
];
/// Size of the chart, and of the margins left of and below the axes, points.
const SIZE: [f64; 2] = [720.0, 360.0];
const MARGIN: [f64; 2] = [76.0, 48.0];
/// Height of title and legend above the axes, points.
const HEAD: f64 = 52.0;
/// Ranges of the axes: frame time, ms, on a logarithmic scale, and force error, percent.
const COST: [f64; 2] = [0.1, 30.0];
const ERROR: [f64; 2] = [-60.0, 140.0];
/// Points with a larger force error are named, percent.
const NAMED_ERROR: f64 = 60.0;

/// The result of a method for a body.
#[derive(Debug, PartialEq)]
struct Point {
    body: String,
    /// Index of the method.
    method: usize,
    /// Force above the reference, percent.
    error: f64,
    /// Median frame time, ms.
    cost: f64,
}

/// The chart of a table as `cargo xtask accuracy` writes it.
pub fn svg(table: &str) -> Result<String, String> {
    let points = points(table);
    let is_outside = |p: &Point| !within(p.cost, COST) || !within(p.error, ERROR);
    if let Some(point) = points.iter().find(|p| is_outside(p)) {
        return Err(format!("{point:?} is outside of the chart's axes"));
    }
    if points.is_empty() {
        return Err("the table has no body with a force".into());
    }
    Ok(draw(&points))
}

fn within(x: f64, [from, to]: [f64; 2]) -> bool {
    (from..=to).contains(&x)
}

/// The points of the rows, without cells that have no force.
fn points(table: &str) -> Vec<Point> {
    let mut found = Vec::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        // before the first bar, body, reference, the methods, the linear reference, after the last bar
        if cells.len() != METHODS.len() + 5 {
            continue;
        }
        for (method, cell) in cells[3..6].iter().enumerate() {
            if let Some((error, cost)) = numbers(cell) {
                found.push(Point {
                    body: body(cells[1]),
                    method,
                    error,
                    cost,
                });
            }
        }
    }
    found
}

/// Force error (percent) and frame time (ms) of a cell such as `-5 %, skin 0.21 %, 7.4 ms`.
fn numbers(cell: &str) -> Option<(f64, f64)> {
    let error = cell.split(',').next()?.strip_suffix(" %")?;
    let cost = cell.rsplit(',').next()?.trim().strip_suffix(" ms")?;
    Some((error.parse().ok()?, cost.parse().ok()?))
}

/// The last word between backticks: the mesh, or the scene.
fn body(cell: &str) -> String {
    let word = cell.trim_end_matches('`').rsplit('`').next();
    word.unwrap_or(cell).to_string()
}

/// The coordinates of a cost and an error in the chart.
fn place(cost: f64, error: f64) -> [f64; 2] {
    let across = (cost / COST[0]).ln() / (COST[1] / COST[0]).ln();
    let up = (error - ERROR[0]) / (ERROR[1] - ERROR[0]);
    [
        MARGIN[0] + across * (SIZE[0] - MARGIN[0] - 16.0),
        HEAD + (1.0 - up) * (SIZE[1] - HEAD - MARGIN[1]),
    ]
}

fn draw(points: &[Point]) -> String {
    let [width, height] = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         fill=\"#6b7684\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
    );
    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    let left = MARGIN[0];
    line(format!(
        "<text x=\"{left}\" y=\"18\" font-size=\"14\" font-weight=\"600\">Force above or below the reference, against the cost of a frame</text>"
    ));
    for (k, (name, colour)) in METHODS.iter().enumerate() {
        let x = left + 6.0 + 110.0 * k as f64;
        line(format!(
            "<circle cx=\"{x}\" cy=\"36\" r=\"5\" fill=\"{colour}\"/><text x=\"{}\" y=\"40\">{name}</text>",
            x + 10.0
        ));
    }
    for cost in [0.1, 1.0, 10.0] {
        let [x, bottom] = place(cost, ERROR[0]);
        line(format!(
            "<path d=\"M{x:.1} {HEAD}V{bottom:.1}\" stroke=\"#6b7684\" stroke-opacity=\"0.2\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{cost} ms</text>",
            bottom + 16.0
        ));
    }
    for error in [-50.0, 0.0, 50.0, 100.0] {
        let [x, y] = place(COST[0], error);
        let (opacity, label) = match error {
            0.0 => (0.8, "reference".to_string()),
            error => (0.2, format!("{error:+} %")),
        };
        line(format!(
            "<path d=\"M{x:.1} {y:.1}H{:.1}\" stroke=\"#6b7684\" stroke-opacity=\"{opacity}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            width - 16.0,
            x - 8.0,
            y + 4.0
        ));
    }
    line(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">median of a frame</text>",
        0.5 * (left + width),
        height - 10.0
    ));
    for point in points {
        let ([x, y], body) = (place(point.cost, point.error), &point.body);
        let (name, colour) = METHODS[point.method];
        let mut text = format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{colour}\" fill-opacity=\"0.75\"><title>{body}, {name}: {:+} %, {} ms</title></circle>",
            point.error, point.cost
        );
        if point.error.abs() > NAMED_ERROR {
            // writing to a string cannot fail
            let _ = write!(
                text,
                "<text x=\"{:.1}\" y=\"{:.1}\">{body}</text>",
                x + 9.0,
                y + 4.0
            );
        }
        line(text);
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "| body | reference | adaptive | quasistatic | lattice | quasistatic, linear reference |\n|---|---|---|---|---|---|\n\
        | `drop-in` with `rabbit` | 0.301 N ± 28 % | +16 %, skin 0.44 %, 4.0 ms | +98 %, skin 0.76 %, 0.4 ms | fails | +3 % of 0.6 N ± 43 % |\n\
        | `cantilever` | no force | no force, skin 0.06 %, 9.9 ms | no force, skin 0.92 %, 0.1 ms | no force, skin 0.36 %, 21.6 ms | — |\n";

    #[test]
    fn rows_become_points_and_far_ones_are_named() {
        let found = points(TABLE);
        let point = |method, error, cost| Point {
            body: "rabbit".into(),
            method,
            error,
            cost,
        };
        assert_eq!(found, [point(0, 16.0, 4.0), point(1, 98.0, 0.4)]);
        let svg = svg(TABLE).expect("two points");
        assert_eq!(svg.matches(">rabbit</text>").count(), 1);
        assert!(svg.contains("rabbit, adaptive: +16 %, 4 ms"));
    }

    #[test]
    fn points_outside_of_the_axes_are_an_error() {
        assert!(svg("").is_err());
        let error_text = svg(&TABLE.replace("+98 %", "+980 %")).expect_err("outside");
        assert!(
            error_text.contains("rabbit") && error_text.contains("980"),
            "{error_text}"
        );
    }
}
