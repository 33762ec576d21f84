//! Single points in a plot, as discs or rings.

use std::fmt::Write as _;

use super::curve::finite;
use crate::color::css;
use crate::markup::escape;

/// A single point in a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Position `[x, y]` in the units of the plot; a point that is not finite is not drawn.
    pub at: [f64; 2],
    /// Colour (sRGB, 0 to 1).
    pub color: [f32; 3],
    /// Whether it is a full disc; a ring otherwise.
    pub is_full: bool,
    /// Whether a wide ring around it makes it stand out.
    pub stands_out: bool,
    /// Text of its tooltip.
    pub name: String,
}

/// Draws the marks.
pub(super) fn marks(svg: &mut String, marks: &[Mark], to_pixels: impl Fn(&[f64; 2]) -> [f64; 2]) {
    for mark in marks.iter().filter(|mark| finite(&mark.at)) {
        let [x, y] = to_pixels(&mark.at);
        let color = css(mark.color);
        let fill = if mark.is_full { color.as_str() } else { "none" };
        // writing to a String cannot fail
        let _ = write!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{color}\"><title>{}</title></circle>",
            escape(&mark.name)
        );
        if mark.stands_out {
            let _ = write!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"10\" stroke=\"{color}\" stroke-width=\"2.4\"/>"
            );
        }
        svg.push('\n');
    }
}
