//! Curves as SVG text: axes with round ticks and units, a grid, a legend; readable on light and on dark pages.
//!
//! Text and grid use `currentColor`, so they follow the `color` of a page; without one they are a middle grey.

use std::fmt::Write as _;

use super::axis::Axis;
use super::curve::{Series, finite, path};
use super::legend::legend;
use super::mark::{Mark, MarkStyle, marks};
use crate::color::css;
use crate::markup::escape;

/// Margins of the drawing area, user units: left, right, bottom.
const MARGIN: (f64, f64, f64) = (58.0, 14.0, 42.0);
/// Margin for the width of a stroke at the border of the drawing area, user units.
const STROKE_MARGIN: f64 = 2.0;

/// A diagram of one or more curves over a common axis.
///
/// ```
/// use pliant_render::{Plot, Series};
/// let mut plot = Plot::new("Force", ("time", "s"), ("force", "N"));
/// plot.series.push(Series {
///     name: "lattice".into(),
///     color: [0.1, 0.6, 0.5],
///     dashed: false,
///     points: vec![[0.0, 0.0], [1.0, 0.004]],
/// });
/// // the largest force is 4 mN, so the axis is in millinewtons
/// assert!(plot.svg().contains("force (mN)"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Heading.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Its unit; empty for none. SI units without prefix get one where it helps.
    pub x_unit: String,
    /// Label of the vertical axis.
    pub y_label: String,
    /// Its unit; empty for none.
    pub y_unit: String,
    /// The curves, drawn in this order.
    pub series: Vec<Series>,
    /// Single points, drawn over the curves.
    pub marks: Vec<Mark>,
    /// Marks in the legend, behind the curves, with what they mean.
    pub mark_legend: Vec<(MarkStyle, String)>,
    /// Whether x is logarithmic; values of x that are not above zero then lie outside.
    pub x_is_logarithmic: bool,
    /// Whether y is logarithmic.
    pub y_is_logarithmic: bool,
    /// Range of y to show; `None` shows all finite values. Points outside are clipped.
    pub y_range: Option<(f64, f64)>,
    /// Width, user units (pixels where nothing scales it).
    pub width: f64,
    /// Height, user units.
    pub height: f64,
}

impl Plot {
    /// An empty diagram of 560 x 300 with (label, unit) of both axes.
    pub fn new(title: &str, x: (&str, &str), y: (&str, &str)) -> Self {
        Self {
            title: title.to_owned(),
            x_label: x.0.to_owned(),
            x_unit: x.1.to_owned(),
            y_label: y.0.to_owned(),
            y_unit: y.1.to_owned(),
            series: Vec::new(),
            marks: Vec::new(),
            mark_legend: Vec::new(),
            x_is_logarithmic: false,
            y_is_logarithmic: false,
            y_range: None,
            width: 560.0,
            height: 300.0,
        }
    }

    /// The diagram as one `<svg>` element. Cost: one pass over the points; the length of the text depends on the width, not on the points.
    pub fn svg(&self) -> String {
        let sane = |v: f64, fallback: f64| {
            if v.is_finite() {
                v.clamp(160.0, 4000.0)
            } else {
                fallback
            }
        };
        let (width, height) = (sane(self.width, 560.0), sane(self.height, 300.0));
        let legend = legend(&self.series, &self.mark_legend, (MARGIN.0, width));
        let top = 34.0 + 18.0 * legend.1 as f64;
        let (area_width, area_height) = (
            width - MARGIN.0 - MARGIN.1,
            (height - top - MARGIN.2).max(40.0),
        );
        let height = top + area_height + MARGIN.2;
        let x = match self.x_is_logarithmic {
            true => Axis::logarithmic(self.range(0), &self.x_unit),
            false => Axis::new(self.range(0), &self.x_unit, (area_width / 80.0) as usize),
        };
        let range = self.y_range.unwrap_or_else(|| self.range(1));
        let y = match self.y_is_logarithmic {
            true => Axis::logarithmic(range, &self.y_unit),
            false => Axis::new(range, &self.y_unit, (area_height / 45.0) as usize),
        };

        let mut svg = String::new();
        let title = escape(&self.title);
        // writing to a String cannot fail
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" aria-label=\"{title}\" color=\"#6b7684\" fill=\"currentColor\" \
             font-family=\"system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif\" font-size=\"12\">\n\
             <text x=\"{}\" y=\"18\" font-size=\"14\" font-weight=\"600\">{title}</text>\n{}",
            MARGIN.0, legend.0
        );
        self.frame(&mut svg, &x, &y, [MARGIN.0, top, area_width, area_height]);
        // an inner element clips curves at the border without an id, so many plots can share a page
        let _ = writeln!(
            svg,
            "<svg x=\"{}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" overflow=\"hidden\" fill=\"none\" \
             stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke-linecap=\"round\">",
            MARGIN.0 - STROKE_MARGIN,
            top - STROKE_MARGIN,
            area_width + 2.0 * STROKE_MARGIN,
            area_height + 2.0 * STROKE_MARGIN
        );
        let to_pixels = |p: &[f64; 2]| {
            [
                STROKE_MARGIN + x.fraction(p[0]) * area_width,
                STROKE_MARGIN + (1.0 - y.fraction(p[1])) * area_height,
            ]
        };
        for series in &self.series {
            let path = path(&series.points, to_pixels);
            if !path.is_empty() {
                let dash = if series.dashed {
                    " stroke-dasharray=\"6 5\""
                } else {
                    ""
                };
                let _ = writeln!(
                    svg,
                    "<path d=\"{path}\" stroke=\"{}\"{dash}/>",
                    css(series.color)
                );
            }
        }
        marks(&mut svg, &self.marks, to_pixels);
        svg.push_str("</svg>\n");
        if !self.points().any(|p| finite(&p)) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" opacity=\"0.7\">no data</text>",
                MARGIN.0 + area_width * 0.5,
                top + area_height * 0.5
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// All points that are drawn.
    fn points(&self) -> impl Iterator<Item = [f64; 2]> {
        let curves = self.series.iter().flat_map(|s| s.points.iter().copied());
        curves.chain(self.marks.iter().map(|mark| mark.at))
    }

    /// Smallest and largest finite coordinate; (∞, -∞) without any.
    fn range(&self, axis: usize) -> (f64, f64) {
        let is_logarithmic = [self.x_is_logarithmic, self.y_is_logarithmic];
        let is_inside = |p: &[f64; 2], k: usize| !is_logarithmic[k] || p[k] > 0.0;
        let is_shown = |p: &[f64; 2]| finite(p) && is_inside(p, 0) && is_inside(p, 1);
        self.points()
            .filter(is_shown)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                (low.min(p[axis]), high.max(p[axis]))
            })
    }

    fn frame(&self, svg: &mut String, x: &Axis, y: &Axis, [left, top, width, height]: [f64; 4]) {
        let bottom = top + height;
        svg.push_str("<g stroke=\"currentColor\" stroke-opacity=\"0.16\" fill=\"none\">");
        for value in &x.ticks.at {
            let _ = write!(
                svg,
                "<path d=\"M{:.1} {top:.1}v{height:.1}\"/>",
                left + x.fraction_of_shown(*value) * width
            );
        }
        for value in &y.ticks.at {
            let _ = write!(
                svg,
                "<path d=\"M{left} {:.1}h{width:.1}\"/>",
                bottom - y.fraction_of_shown(*value) * height
            );
        }
        svg.push_str("</g>\n<g text-anchor=\"middle\">");
        for value in &x.ticks.at {
            let at = left + x.fraction_of_shown(*value) * width;
            let _ = write!(
                svg,
                "<text x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
                bottom + 16.0,
                x.text(*value)
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            left + width * 0.5,
            bottom + 35.0,
            axis_name(&self.x_label, &x.unit)
        );
        let (cx, cy) = (13.0, top + height * 0.5);
        let _ = write!(
            svg,
            "<text transform=\"translate({cx} {cy:.1}) rotate(-90)\">{}</text></g>\n<g text-anchor=\"end\">",
            axis_name(&self.y_label, &y.unit)
        );
        for value in &y.ticks.at {
            let at = bottom - y.fraction_of_shown(*value) * height + 4.0;
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{at:.1}\">{}</text>",
                left - 7.0,
                y.text(*value)
            );
        }
        svg.push_str("</g>\n");
        if y.ticks.low < 0.0 && y.ticks.high > 0.0 {
            let zero = bottom - y.fraction_of_shown(0.0) * height;
            let _ = writeln!(
                svg,
                "<path d=\"M{left} {zero:.1}h{width:.1}\" stroke=\"currentColor\" stroke-opacity=\"0.5\"/>"
            );
        }
    }
}

fn axis_name(label: &str, unit: &str) -> String {
    if unit.is_empty() {
        escape(label)
    } else {
        format!("{} ({})", escape(label), escape(unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::tests::assert_well_formed;
    use crate::plot::MarkShape;

    fn series(points: Vec<[f64; 2]>) -> Series {
        Series {
            name: "<a & \"b\">".into(),
            color: [0.1, 0.5, 0.9],
            dashed: true,
            points,
        }
    }

    const fn style(shape: MarkShape) -> MarkStyle {
        MarkStyle {
            shape,
            color: [0.1, 0.5, 0.9],
            is_full: true,
        }
    }

    const STYLES: [MarkStyle; 3] = [
        style(MarkShape::Circle),
        style(MarkShape::Square),
        style(MarkShape::Cross),
    ];

    #[test]
    fn nasty_data_gives_well_formed_svg_without_nan() {
        let nan = f64::NAN;
        let cases = vec![
            vec![],
            vec![[nan, nan]],
            vec![[0.0, 5.0]],
            vec![[1.0, 2.0], [1.0, 2.0]],
            vec![[0.0, 1e300], [1.0, -1e300], [2.0, f64::INFINITY]],
            vec![[0.0, 1.0], [nan, 1.0], [2.0, 1.0], [3.0, nan], [4.0, 2.0]],
            vec![[f64::MAX, -f64::MAX], [-f64::MAX, f64::MAX]],
            vec![[0.0, 5e-324], [1e-320, 0.0]],
        ];
        for points in cases {
            let mut plot = Plot::new("T<itle>", ("x\u{0}", "s"), ("y & z", "m"));
            plot.series = vec![series(points.clone()), series(vec![])];
            plot.marks = points
                .iter()
                .flat_map(|at| {
                    STYLES.map(|style| Mark {
                        at: *at,
                        style,
                        stands_out: true,
                        name: "<m>".into(),
                    })
                })
                .collect();
            plot.mark_legend = STYLES.map(|style| (style, "<k>".to_string())).to_vec();
            for (width, range, is_logarithmic) in [
                (560.0, None, false),
                (560.0, None, true),
                (nan, Some((nan, 1.0)), false),
                (-4.0, Some((2.0, 1.0)), true),
            ] {
                (plot.width, plot.y_range) = (width, range);
                plot.x_is_logarithmic = is_logarithmic;
                plot.y_is_logarithmic = is_logarithmic;
                let svg = plot.svg();
                assert_well_formed(&svg, &[]);
                assert!(
                    !svg.contains("NaN") && !svg.contains("inf"),
                    "{points:?}: {svg}"
                );
            }
        }
    }

    #[test]
    fn a_long_recording_is_short_text_and_keeps_its_spike() {
        let mut points: Vec<[f64; 2]> = (0..200_000).map(|k| [f64::from(k) * 1e-3, 0.0]).collect();
        points[123_456][1] = 1.0;
        let mut plot = Plot::new("", ("time", "s"), ("y", ""));
        plot.series.push(series(points));
        let svg = plot.svg();
        assert!(svg.len() < 40_000, "{}", svg.len());
        let path = svg
            .lines()
            .find(|l| l.contains("<path d=\"M2.0"))
            .expect("curve");
        assert!(path.contains(" 2.0L"), "the spike reaches the top");
    }
}
