//! The comparison report: one HTML file with pictures, curves and tables, that needs nothing else.
//!
//! [`Report`] is plain data; whoever ran the methods fills it and [`html`] makes the page. It loads nothing from anywhere,
//! adapts to narrow windows, dark mode and print, and escapes every text.

use std::fmt::Write as _;

use crate::colormap::{css, method_color};
use crate::markup::{base64, escape};
use crate::plot::Plot;
use crate::ticks::{engineering_unit, number};

const STYLE: &str = include_str!("report.css");

/// Everything that a report shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Heading, for example the scene's name.
    pub title: String,
    /// What was compared, in a sentence or two.
    pub subtitle: String,
    /// What came out, in a sentence; empty for none.
    pub summary: String,
    /// The methods, side by side in this order.
    pub methods: Vec<MethodColumn>,
    /// Force, probe and other curves.
    pub curves: Vec<Plot>,
    /// How far the methods' surfaces are apart.
    pub pairs: Vec<PairRow>,
    /// What named points inside bodies felt.
    pub points: Vec<PointRow>,
    /// What was checked and whether it held.
    pub checks: Vec<CheckRow>,
    /// Remarks about the run as a whole.
    pub notes: Vec<String>,
    /// The command that makes the same numbers again; empty for none.
    pub reproduce: String,
    /// Processor, threads, SIMD level and build, in a line; empty for none.
    pub machine: String,
    /// Last line, for example version and date; empty for none.
    pub footer: String,
}

/// One method's picture and figures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MethodColumn {
    /// The method's kind, which gives its colour: `adaptive`, `quasistatic`, `lattice`.
    pub kind: String,
    /// Name to show.
    pub name: String,
    /// One line under the name, for example the paper or the size of the model; may be empty.
    pub tagline: String,
    /// Whether it can run the scene.
    pub applicable: bool,
    /// Why not, where it cannot.
    pub reason: String,
    /// A PNG file; empty for no picture.
    pub picture_png: Vec<u8>,
    /// Figures as (label, value). Equal labels of different methods share a row of the table.
    pub rows: Vec<(String, String)>,
    /// Remarks about this method's run.
    pub notes: Vec<String>,
}

/// Distance between the surfaces of two methods in the frame where they differ most.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRow {
    /// Name of the first method.
    pub a: String,
    /// Name of the second method.
    pub b: String,
    /// Root mean square distance, m.
    pub surface_rms: f64,
    /// Largest distance, m.
    pub surface_max: f64,
    /// Number of that frame.
    pub frame: u64,
}

/// A named point inside a body of one method.
#[derive(Debug, Clone, PartialEq)]
pub struct PointRow {
    /// Name of the point.
    pub name: String,
    /// Name of the method.
    pub method: String,
    /// Displacement at the end and at most, m.
    pub displacement: [f64; 2],
    /// Stress of von Mises at the end and at most, Pa.
    pub von_mises: [f64; 2],
}

/// One check: a value and the bound that it must not exceed.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRow {
    /// What was measured.
    pub metric: String,
    /// On which method or body.
    pub of: String,
    /// Compared with what.
    pub against: String,
    /// The value found.
    pub value: f64,
    /// The largest value allowed.
    pub max: f64,
    /// Whether it held.
    pub pass: bool,
}

/// The whole page. Cost: proportional to its pictures and curves; nothing fails.
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
    verdict(&mut page, &report.checks);
    if !report.methods.is_empty() {
        page.push_str("<div class=\"methods\">\n");
        for method in &report.methods {
            method_card(&mut page, method);
        }
        page.push_str("</div>\n");
        figures(&mut page, &report.methods);
    }
    if !report.curves.is_empty() {
        page.push_str("<h2>Curves</h2>\n<div class=\"curves\">\n");
        for plot in &report.curves {
            let _ = writeln!(
                page,
                "<figure class=\"card\" style=\"margin:0\">{}</figure>",
                plot.svg()
            );
        }
        page.push_str("</div>\n");
    }
    pairs(&mut page, &report.pairs);
    points(&mut page, &report.points);
    checks(&mut page, &report.checks);
    if !report.notes.is_empty() {
        page.push_str("<h2>Notes</h2>\n");
        list(&mut page, "notes card", &report.notes);
    }
    if !report.reproduce.is_empty() {
        let _ = writeln!(
            page,
            "<h2>Again</h2>\n<p>The same numbers (times apart) come from</p>\n<pre><code>{}</code></pre>",
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

fn verdict(page: &mut String, checks: &[CheckRow]) {
    let passed = checks.iter().filter(|c| c.pass).count();
    let all = checks.len();
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
    let name = escape(&method.name);
    let _ = writeln!(
        page,
        "<section class=\"card method\" style=\"--accent:{}\">\n<header><h3>{name}</h3><p>{}</p></header>",
        css(method_color(&method.kind)),
        escape(&method.tagline)
    );
    if !method.applicable {
        let reason = if method.reason.is_empty() {
            "This method cannot run the scene."
        } else {
            &method.reason
        };
        let _ = writeln!(
            page,
            "<p class=\"absent\">Not applicable: {}</p>",
            escape(reason)
        );
    } else if !method.picture_png.is_empty() {
        let _ = writeln!(
            page,
            "<img alt=\"{name}\" src=\"data:image/png;base64,{}\">",
            base64(&method.picture_png)
        );
    }
    if !method.notes.is_empty() {
        list(page, "", &method.notes);
    }
    page.push_str("</section>\n");
}

/// One row for each label, in the order in which labels first appear; one column for each method that ran.
fn figures(page: &mut String, methods: &[MethodColumn]) {
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
    page.push_str("<h2>Figures</h2>\n<div class=\"card scroll\"><table>\n<thead><tr><th></th>");
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
            let hash = value.len() >= 12 && value.bytes().all(|b| b.is_ascii_hexdigit());
            let (open, close) = if hash {
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

fn pairs(page: &mut String, pairs: &[PairRow]) {
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

fn points(page: &mut String, points: &[PointRow]) {
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

/// A value that may not exist, with a unit that suits its size.
fn with_unit(value: f64, unit: &'static str) -> String {
    let (scale, unit) = engineering_unit(value, unit);
    if value.is_finite() {
        format!("{} {unit}", number(value * scale, 3))
    } else {
        "—".to_owned()
    }
}

fn checks(page: &mut String, checks: &[CheckRow]) {
    if checks.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Checks</h2>\n<div class=\"card scroll\"><table>\n<thead><tr><th>what</th><th class=\"name\">of</th><th class=\"name\">against</th>\
         <th>value</th><th>at most</th><th></th></tr></thead>\n<tbody>\n",
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
            number(check.max, 3)
        );
    }
    page.push_str("</tbody></table></div>\n");
}

fn list(page: &mut String, class: &str, items: &[String]) {
    let _ = write!(page, "<ul class=\"{class}\">");
    for item in items {
        let _ = write!(page, "<li>{}</li>", escape(item));
    }
    page.push_str("</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::tests::assert_well_formed;

    fn nasty() -> Report {
        let evil = "<script>alert('x')</script> & \"co\"\u{0}";
        let method = |kind: &str, applicable: bool| MethodColumn {
            kind: kind.into(),
            name: format!("{kind} {evil}"),
            tagline: evil.into(),
            applicable,
            reason: evil.into(),
            picture_png: vec![1, 2, 3, 4],
            rows: vec![
                (evil.into(), evil.into()),
                ("hash".into(), "0123456789abcdef".into()),
            ],
            notes: vec![evil.into()],
        };
        Report {
            title: evil.into(),
            subtitle: evil.into(),
            summary: evil.into(),
            methods: vec![
                method("adaptive", true),
                method("lattice", false),
                method("other", true),
            ],
            curves: vec![Plot::new(evil, (evil, evil), (evil, evil))],
            pairs: vec![PairRow {
                a: evil.into(),
                b: evil.into(),
                surface_rms: f64::NAN,
                surface_max: 0.0042,
                frame: 7,
            }],
            points: vec![PointRow {
                name: evil.into(),
                method: evil.into(),
                displacement: [f64::NAN, 0.0021],
                von_mises: [f64::INFINITY, 33.0],
            }],
            checks: vec![CheckRow {
                metric: evil.into(),
                of: evil.into(),
                against: evil.into(),
                value: f64::INFINITY,
                max: 0.1,
                pass: false,
            }],
            notes: vec![evil.into()],
            reproduce: evil.into(),
            machine: evil.into(),
            footer: evil.into(),
        }
    }

    #[test]
    fn names_are_escaped_and_tags_balance() {
        for report in [nasty(), Report::default()] {
            let page = html(&report);
            assert!(!page.contains("<script") && !page.contains('\u{0}'));
            let body = &page[page.find("<body>").expect("body")..];
            assert_well_formed(
                &body[..body.find("</html>").expect("end")],
                &["img", "meta"],
            );
            assert!(!page.contains("NaN"));
        }
        let page = html(&nasty());
        assert!(page.contains("4.20 mm") && page.contains("2.1"));
        assert!(page.contains("1 of 1 checks failed"));
        assert_eq!(
            page.matches("<img").count(),
            2,
            "no picture of a method that did not run"
        );
        assert!(
            !page.contains("http://")
                || page.matches("http://").count() == page.matches("xmlns=\"http://").count()
        );
    }
}
