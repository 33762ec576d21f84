//! Single points in a plot: discs, squares and crosses.

use std::fmt::Write as _;

use super::curve::finite;
use crate::color::css;
use crate::markup::escape;

/// Shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkShape {
    /// A disc or a ring.
    Circle,
    /// A square.
    Square,
    /// Two crossed strokes, which have no inside.
    Cross,
}

/// What a mark looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkStyle {
    /// Shape.
    pub shape: MarkShape,
    /// Colour (sRGB, 0 to 1).
    pub color: [f32; 3],
    /// Whether its inside has that colour; only its outline otherwise.
    pub is_full: bool,
}

/// A single point in a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Position `[x, y]` in the units of the plot; a point that is not finite is not drawn.
    pub at: [f64; 2],
    /// What it looks like.
    pub style: MarkStyle,
    /// Whether a wide ring around it makes it stand out.
    pub stands_out: bool,
    /// Text of its tooltip.
    pub name: String,
}

/// Draws the marks.
pub(super) fn marks(svg: &mut String, marks: &[Mark], to_pixels: impl Fn(&[f64; 2]) -> [f64; 2]) {
    for mark in marks.iter().filter(|mark| finite(&mark.at)) {
        let [x, y] = to_pixels(&mark.at);
        let tooltip = format!("<title>{}</title>", escape(&mark.name));
        svg.push_str(&element(&mark.style, [x, y], &tooltip));
        if mark.stands_out {
            // writing to a String cannot fail
            let _ = write!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"10\" stroke=\"{}\" stroke-width=\"2.4\"/>",
                css(mark.style.color)
            );
        }
        svg.push('\n');
    }
}

/// The SVG element of a mark at a place in pixels, with `inside` as its content.
pub(super) fn element(style: &MarkStyle, [x, y]: [f64; 2], inside: &str) -> String {
    let color = css(style.color);
    let fill = if style.is_full {
        color.as_str()
    } else {
        "none"
    };
    let (left, top) = (x - 4.0, y - 4.0);
    match style.shape {
        MarkShape::Circle => format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{color}\">{inside}</circle>"
        ),
        MarkShape::Square => format!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"8\" height=\"8\" fill=\"{fill}\" stroke=\"{color}\">{inside}</rect>"
        ),
        // the circle is not seen: it takes the pointer, which would hardly hit the strokes
        MarkShape::Cross => format!(
            "<g fill=\"none\" pointer-events=\"all\">{inside}<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>\
             <path d=\"M{left:.1} {top:.1}l8 8m0 -8l-8 8\" stroke=\"{color}\"/></g>"
        ),
    }
}
