//! The comparison report: one self-contained HTML file with pictures, curves and tables.
//!
//! [`Report`] is plain data, filled by the caller; [`html`] renders the page. The page loads nothing, adapts to narrow
//! windows, dark mode and print, and every text in it is escaped.

use std::fmt::Write as _;

use pliant_core::asset::bytes::base64;

use super::content::{MethodColumn, Report, TextTable};
use super::tables::{figures, results, texts};
use crate::color::{css, method_color};
use crate::markup::escape;
use crate::note::{Note, sentences};

const STYLE: &str = include_str!("report.css");

/// The whole page. Cost: proportional to its pictures and curves. Never fails.
pub fn html(report: &Report) -> String {
    let mut page = String::new();
    let title = escape(&report.title);
    // writing to a String cannot fail
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    if !report.subtitle.is_empty() {
        let _ = writeln!(page, "<p class=\"lead\">{}</p>", escape(&report.subtitle));
    }
    if !report.summary.is_empty() {
        let summary = escape(&report.summary);
        let _ = writeln!(page, "<p class=\"summary\">{summary}</p>");
    }
    if !report.remarks.is_empty() {
        let remarks = escape(&report.remarks.join(" "));
        let _ = writeln!(page, "<p class=\"remarks\">{remarks}</p>");
    }
    for row in &report.commands {
        let (about, command) = (escape(&row.about), escape(&row.command));
        let _ = writeln!(page, "<p>{about}</p>\n<pre><code>{command}</code></pre>");
    }
    verdict(&mut page, &report.texts);
    if !report.findings.is_empty() {
        page.push_str("<section class=\"findings card\"><h2>Limits of these results</h2>");
        findings(&mut page, &report.findings);
        page.push_str("</section>\n");
    }
    if !report.methods.is_empty() {
        page.push_str("<div class=\"methods\">\n");
        for method in &report.methods {
            method_card(&mut page, method);
        }
        page.push_str("</div>\n");
        figures(&mut page, &report.methods);
    }
    if !report.curves.is_empty() {
        // a page without methods has a diagram instead, which has its own title
        if !report.methods.is_empty() {
            page.push_str("<h2>Curves</h2>\n");
        }
        page.push_str("<div class=\"curves\">\n");
        for plot in &report.curves {
            let _ = writeln!(
                page,
                "<figure class=\"card\" style=\"margin:0\">{}</figure>",
                plot.svg()
            );
        }
        page.push_str("</div>\n");
    }
    for table in &report.tables {
        results(&mut page, table);
    }
    for table in &report.texts {
        texts(&mut page, table);
    }
    if !report.notes.is_empty() {
        page.push_str("<div class=\"card folded\">");
        collapsed_notes(&mut page, "Notes of the run", &report.notes);
        page.push_str("</div>\n");
    }
    if !report.reproduce.is_empty() {
        let _ = writeln!(
            page,
            "<h2>Repeat this run</h2>\n<p>This command gives the same numbers, except for times:</p>\n<pre><code>{}</code></pre>",
            escape(&report.reproduce)
        );
    }
    if !report.machine.is_empty() || !report.footer.is_empty() {
        page.push_str("<footer>\n");
        for line in [&report.machine, &report.footer] {
            if !line.is_empty() {
                let _ = writeln!(page, "<p>{}</p>", escape(line));
            }
        }
        page.push_str("</footer>\n");
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn verdict(page: &mut String, tables: &[TextTable]) {
    let verdicts = || tables.iter().flat_map(|table| &table.passed);
    let (passed, all) = (
        verdicts().filter(|passed| **passed).count(),
        verdicts().count(),
    );
    if all > 0 {
        let (class, text) = match all - passed {
            0 if all == 1 => ("ok", "The check passed".to_owned()),
            0 => ("ok", format!("All {all} checks passed")),
            failed => ("no", format!("{failed} of {all} checks failed")),
        };
        let _ = writeln!(page, "<p><span class=\"verdict {class}\">{text}</span></p>");
    }
}

fn method_card(page: &mut String, method: &MethodColumn) {
    let name = escape(&method.kind);
    let _ = writeln!(
        page,
        "<section class=\"card method\" style=\"--accent:{}\">\n<header><h3>{name}</h3><p>{}</p></header>",
        css(method_color(&method.kind)),
        escape(&method.tagline)
    );
    if let Some(reason) = &method.absent {
        let _ = writeln!(
            page,
            "<p class=\"absent\">Not applicable: {}</p>",
            with_names(reason)
        );
    } else {
        for picture in &method.pictures {
            let caption = escape(&picture.caption);
            let _ = writeln!(
                page,
                "<figure><img alt=\"{name}: {caption}\" src=\"data:image/png;base64,{}\"><figcaption>{caption}</figcaption></figure>",
                base64(&picture.png)
            );
        }
    }
    if !method.findings.is_empty() {
        findings(page, &method.findings);
    }
    if !method.notes.is_empty() {
        collapsed_notes(page, "How it was computed", &method.notes);
    }
    page.push_str("</section>\n");
}

fn findings(page: &mut String, items: &[String]) {
    page.push_str("<ul>");
    for item in items {
        let _ = write!(page, "<li>{}</li>", with_names(item));
    }
    page.push_str("</ul>\n");
}

/// Escaped text in which names between backticks become `<code>` elements.
fn with_names(text: &str) -> String {
    let mut parts: Vec<String> = text.split('`').map(escape).collect();
    // an unpaired backtick stays
    if parts.len().is_multiple_of(2)
        && let Some(last) = parts.pop()
        && let Some(before) = parts.last_mut()
    {
        *before = format!("{before}`{last}");
    }
    let markup = |(k, part): (usize, &String)| match k % 2 {
        1 => format!("<code>{part}</code>"),
        _ => part.clone(),
    };
    parts.iter().enumerate().map(markup).collect()
}

/// Notes in a collapsed list; print shows all of them.
fn collapsed_notes(page: &mut String, title: &str, notes: &[String]) {
    let _ = write!(page, "<details><summary>{}</summary><ul>", escape(title));
    for text in notes {
        let note = Note::read(text);
        let sentence = with_names(&sentences(&note.sentence));
        let _ = match note.about().as_str() {
            "" => write!(page, "<li>{sentence}</li>"),
            about => write!(page, "<li title=\"{}\">{sentence}</li>", escape(about)),
        };
    }
    page.push_str("</ul></details>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::tests::assert_well_formed;
    use crate::plot::Plot;
    use crate::report::{CommandRow, Picture, ResultRow, ResultTable};

    fn hostile_report() -> Report {
        let hostile = "<script>alert('x')</script> & \"co\"\u{0}";
        let method = |kind: &str, runs: bool| MethodColumn {
            kind: format!("{kind} {hostile}"),
            tagline: hostile.into(),
            absent: (!runs).then(|| hostile.into()),
            pictures: vec![
                Picture {
                    caption: hostile.into(),
                    png: vec![1, 2, 3, 4],
                };
                2
            ],
            rows: vec![
                (hostile.into(), hostile.into()),
                ("hash".into(), "0123456789abcdef".into()),
            ],
            findings: vec![hostile.into()],
            notes: vec![hostile.into()],
        };
        Report {
            title: hostile.into(),
            subtitle: hostile.into(),
            summary: hostile.into(),
            methods: vec![
                method("adaptive", true),
                method("lattice", false),
                method("other", true),
            ],
            curves: vec![Plot::new(hostile, (hostile, hostile), (hostile, hostile))],
            remarks: vec![hostile.into()],
            findings: vec![hostile.into()],
            commands: vec![CommandRow {
                about: hostile.into(),
                command: hostile.into(),
            }],
            tables: vec![ResultTable {
                title: hostile.into(),
                about: hostile.into(),
                columns: vec![hostile.into(); 2],
                rows: vec![
                    ResultRow {
                        kind: hostile.into(),
                        cells: vec![hostile.into(); 2],
                        stands_out: true,
                    },
                    ResultRow {
                        kind: "lattice".into(),
                        cells: vec![hostile.into()],
                        stands_out: false,
                    },
                ],
            }],
            texts: vec![TextTable {
                title: hostile,
                columns: vec![hostile; 2],
                names: 1,
                rows: vec![vec![hostile.into(); 2]],
                passed: vec![false],
            }],
            notes: vec![hostile.into()],
            reproduce: hostile.into(),
            machine: hostile.into(),
            footer: hostile.into(),
        }
    }

    #[test]
    fn names_between_backticks_become_code() {
        for (text, set) in [
            (
                "`ball` & `<b>`.",
                "<code>ball</code> &amp; <code>&lt;b&gt;</code>.",
            ),
            ("5` wide", "5` wide"),
            ("`a` and `b", "<code>a</code> and `b"),
        ] {
            assert_eq!(with_names(text), set);
        }
    }

    #[test]
    fn names_are_escaped_and_tags_balance() {
        for report in [hostile_report(), Report::default()] {
            let page = html(&report);
            assert!(!page.contains("<script") && !page.contains('\u{0}'));
            let body = &page[page.find("<body>").expect("body")..];
            assert_well_formed(
                &body[..body.find("</html>").expect("end")],
                &["img", "meta"],
            );
            assert!(!page.contains("NaN"));
        }
        let page = html(&hostile_report());
        assert_eq!(
            page.matches("<details><summary>How it was computed")
                .count(),
            3
        );
        assert_eq!(
            page.matches("<details><summary>Notes of the run").count(),
            1
        );
        assert!(page.contains("1 of 1 checks failed"));
        assert_eq!(
            page.matches("<img").count(),
            4,
            "no picture of a method that did not run"
        );
        assert!(
            !page.contains("http://")
                || page.matches("http://").count() == page.matches("xmlns=\"http://").count()
        );
    }
}
