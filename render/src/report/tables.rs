//! The tables of a report.

use std::fmt::Write as _;

use super::content::{MethodColumn, ResultTable, TextTable};
use crate::color::{css, method_color};
use crate::markup::escape;

/// One row for each label, in the order in which labels first appear; one column for each method that ran.
pub(super) fn figures(page: &mut String, methods: &[MethodColumn]) {
    let ran: Vec<&MethodColumn> = methods.iter().filter(|m| m.absent.is_none()).collect();
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
            escape(&method.kind)
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

/// A row of texts for each row, with its verdict behind it where it has one.
pub(super) fn texts(page: &mut String, table: &TextTable) {
    if table.rows.is_empty() {
        return;
    }
    let _ = write!(
        page,
        "<h2>{}</h2>\n<div class=\"card scroll\"><table>\n<thead><tr>",
        escape(table.title)
    );
    let class = |is_name: bool| if is_name { " class=\"name\"" } else { "" };
    for (k, column) in table.columns.iter().enumerate() {
        let class = class((1..table.names).contains(&k));
        let _ = write!(page, "<th{class}>{}</th>", escape(column));
    }
    if !table.passed.is_empty() {
        page.push_str("<th></th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for (n, row) in table.rows.iter().enumerate() {
        page.push_str("<tr>");
        for (k, text) in row.iter().enumerate() {
            let class = class(k < table.names);
            let _ = write!(page, "<td{class}>{}</td>", escape(text));
        }
        if let Some(passed) = table.passed.get(n) {
            let (class, word) = match passed {
                true => ("ok", "passed"),
                false => ("no", "failed"),
            };
            let _ = write!(
                page,
                "<td><span class=\"verdict {class}\">{word}</span></td>"
            );
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
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
