//! The tables of a report.

use std::fmt::Write as _;

use super::content::{CheckRow, MethodColumn, PairRow, PointRow, ResultTable};
use crate::color::{css, method_color};
use crate::markup::escape;
use crate::numbers::{engineering_unit, number};

/// One row for each label, in the order in which labels first appear; one column for each method that ran.
pub(super) fn figures(page: &mut String, methods: &[MethodColumn]) {
    let ran: Vec<&MethodColumn> = methods.iter().filter(|m| m.applicable).collect();
    let mut labels: Vec<&str> = Vec::new();
    for (label, _) in ran.iter().flat_map(|m| &m.rows) {
        if !labels.contains(&label.as_str()) {
            labels.push(label);
        }
    }
    if labels.is_empty() {
        return;
    }
    page.push_str("<h2>Results</h2>\n<div class=\"card scroll\"><table>\n<thead><tr><th></th>");
    for method in &ran {
        let _ = write!(
            page,
            "<th style=\"--accent:{}\"><i></i>{}</th>",
            css(method_color(&method.kind)),
            escape(&method.name)
        );
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for label in labels {
        let _ = write!(page, "<tr><th>{}</th>", escape(label));
        for method in &ran {
            let value = method
                .rows
                .iter()
                .find(|(l, _)| l == label)
                .map_or("—", |(_, v)| v.as_str());
            let is_hash = value.len() >= 12 && value.bytes().all(|b| b.is_ascii_hexdigit());
            let (open, close) = if is_hash {
                ("<code>", "</code>")
            } else {
                ("", "")
            };
            let _ = write!(page, "<td>{open}{}{close}</td>", escape(value));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

/// Distances between the surfaces of methods.
pub(super) fn pairs(page: &mut String, pairs: &[PairRow]) {
    if pairs.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Distance between surfaces</h2>\n<div class=\"card scroll\"><table>\n\
         <thead><tr><th>pair</th><th>root mean square</th><th>largest</th><th>frame</th></tr></thead>\n<tbody>\n",
    );
    let length = |value| with_unit(value, "m");
    for row in pairs {
        let _ = writeln!(
            page,
            "<tr><td class=\"name\">{} – {}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&row.a),
            escape(&row.b),
            length(row.surface_rms),
            length(row.surface_max),
            row.frame
        );
    }
    page.push_str("</tbody></table></div>\n");
}

/// Displacement and stress at points inside bodies.
pub(super) fn points(page: &mut String, points: &[PointRow]) {
    if points.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Points inside</h2>\n<div class=\"card scroll\"><table>\n\
         <thead><tr><th>point</th><th class=\"name\">of</th><th>displacement at the end</th><th>at most</th>\
         <th>von Mises at the end</th><th>at most</th></tr></thead>\n<tbody>\n",
    );
    for row in points {
        let _ = write!(
            page,
            "<tr><td class=\"name\">{}</td><td class=\"name\">{}</td>",
            escape(&row.name),
            escape(&row.method)
        );
        let lengths = row.displacement.map(|value| with_unit(value, "m"));
        let stresses = row.von_mises.map(|value| with_unit(value, "Pa"));
        for text in lengths.into_iter().chain(stresses) {
            let _ = write!(page, "<td>{text}</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

/// A value with a unit that suits its size; a dash where it is not finite.
fn with_unit(value: f64, unit: &'static str) -> String {
    let (scale, unit) = engineering_unit(value, unit);
    if value.is_finite() {
        format!("{} {unit}", number(value * scale, 3))
    } else {
        "—".to_owned()
    }
}

/// The checks and their results.
pub(super) fn checks(page: &mut String, checks: &[CheckRow]) {
    if checks.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Checks</h2>\n<div class=\"card scroll\"><table>\n<thead><tr><th>what</th><th class=\"name\">of</th><th class=\"name\">against</th>\
         <th>value</th><th>allowed</th><th></th></tr></thead>\n<tbody>\n",
    );
    for check in checks {
        let (class, word) = if check.pass {
            ("ok", "passed")
        } else {
            ("no", "failed")
        };
        let _ = writeln!(
            page,
            "<tr><td class=\"name\">{}</td><td class=\"name\">{}</td><td class=\"name\">{}</td><td>{}</td><td>{}</td><td><span class=\"verdict {class}\">{word}</span></td></tr>",
            escape(&check.metric),
            escape(&check.of),
            escape(&check.against),
            number(check.value, 3),
            allowed(check)
        );
    }
    page.push_str("</tbody></table></div>\n");
}

/// The bounds of a check in words.
fn allowed(check: &CheckRow) -> String {
    let (min, max) = (number(check.min, 3), number(check.max, 3));
    match (check.min.is_finite(), check.max.is_finite()) {
        (true, true) if check.min == check.max => format!("exactly {max}"),
        (true, true) => format!("{min} to {max}"),
        (true, false) => format!("at least {min}"),
        _ => format!("at most {max}"),
    }
}

/// A row for each result. The last text of a short row spans the remaining columns.
pub(super) fn results(page: &mut String, table: &ResultTable) {
    let _ = writeln!(page, "<h2>{}</h2>", escape(&table.title));
    if !table.about.is_empty() {
        let _ = writeln!(page, "<p class=\"lead\">{}</p>", escape(&table.about));
    }
    page.push_str("<div class=\"card scroll\"><table>\n<thead><tr><th>method</th>");
    for (k, column) in table.columns.iter().enumerate() {
        let class = if k == 0 { " class=\"name\"" } else { "" };
        let _ = write!(page, "<th{class}>{}</th>", escape(column));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        let class = if row.stands_out { " class=\"out\"" } else { "" };
        let _ = write!(
            page,
            "<tr{class}><th style=\"--accent:{}\"><i></i>{}</th>",
            css(method_color(&row.kind)),
            escape(&row.kind)
        );
        let last = row.cells.len().saturating_sub(1);
        let remaining = table.columns.len().saturating_sub(last).max(1);
        for (k, cell) in row.cells.iter().enumerate() {
            let (class, span) = match (k, remaining) {
                (k, 2..) if k == last => {
                    (" class=\"name why\"", format!(" colspan=\"{remaining}\""))
                }
                (0, _) => (" class=\"name\"", String::new()),
                _ => ("", String::new()),
            };
            let _ = write!(page, "<td{class}{span}>{}</td>", escape(cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_checks_are_worded() {
        let (none, all) = (f64::NEG_INFINITY, f64::INFINITY);
        for (min, max, words) in [
            (none, 0.05, "at most 0.0500"),
            (0.012, all, "at least 0.0120"),
            (1.0, 1.0, "exactly 1.00"),
            (1.0, 2.0, "1.00 to 2.00"),
        ] {
            let check = CheckRow {
                metric: String::new(),
                of: String::new(),
                against: String::new(),
                value: 0.0,
                min,
                max,
                pass: true,
            };
            assert_eq!(allowed(&check), words);
        }
    }
}
