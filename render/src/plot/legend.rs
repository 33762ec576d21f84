//! The legend of a plot: curves and marks with their names, in lines under the title.

use std::fmt::Write as _;

use super::curve::Series;
use super::mark::{MarkStyle, element};
use crate::color::css;
use crate::markup::escape;

/// Estimated width of a character, user units.
const CHARACTER_WIDTH: f64 = 6.6;

/// What stands in front of a name.
enum Sample<'a> {
    Curve(&'a Series),
    Mark(&'a MarkStyle),
}

/// The entries from `left` to `right` (user units), and the number of lines that they take. Curves without a name have none.
pub(super) fn legend(
    series: &[Series],
    marks: &[(MarkStyle, String)],
    (left, right): (f64, f64),
) -> (String, usize) {
    let mut out = String::new();
    let (mut x, mut line) = (left, 0);
    let curves = series.iter().filter(|s| !s.name.is_empty());
    let curves = curves.map(|s| (Sample::Curve(s), &s.name));
    let marks = marks
        .iter()
        .map(|(style, name)| (Sample::Mark(style), name));
    for (sample, name) in curves.chain(marks) {
        let needed = 30.0 + CHARACTER_WIDTH * name.chars().count() as f64 + 14.0;
        if x > left && x + needed > right {
            (x, line) = (left, line + 1);
        }
        let y = 36.0 + 18.0 * line as f64;
        // writing to a String cannot fail
        let _ = match sample {
            Sample::Curve(series) => write!(
                out,
                "<path d=\"M{x:.1} {:.1}h22\" stroke=\"{}\" stroke-width=\"2.6\" stroke-linecap=\"round\"{}/>",
                y - 4.0,
                css(series.color),
                if series.dashed {
                    " stroke-dasharray=\"5 4\""
                } else {
                    ""
                }
            ),
            Sample::Mark(style) => write!(
                out,
                "<g stroke-width=\"1.8\" stroke-linecap=\"round\">{}</g>",
                element(style, [x + 11.0, y - 4.0], "")
            ),
        };
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            x + 29.0,
            escape(name)
        );
        x += needed;
    }
    let lines = if out.is_empty() { 0 } else { line + 1 };
    (out, lines)
}
