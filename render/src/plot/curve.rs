//! A curve and its SVG path.

use std::fmt::Write as _;

/// One curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Colour (sRGB, 0 to 1).
    pub color: [f32; 3],
    /// Dashed, for references and targets.
    pub dashed: bool,
    /// Points `[x, y]` in the units of the plot; a point that is not finite interrupts the curve.
    pub points: Vec<[f64; 2]>,
}

/// Whether both coordinates are finite.
pub(super) fn finite(p: &[f64; 2]) -> bool {
    p[0].is_finite() && p[1].is_finite()
}

/// Path data. Of consecutive points within a pixel column only the first, lowest, highest and last are kept, so spikes
/// are preserved and the text of long recordings stays short.
pub(super) fn path(points: &[[f64; 2]], to_pixels: impl Fn(&[f64; 2]) -> [f64; 2]) -> String {
    let mut out = String::new();
    for run in points.split(|p| !finite(p)).filter(|run| !run.is_empty()) {
        let placed: Vec<[f64; 2]> = run.iter().map(&to_pixels).collect();
        let mut kept: Vec<[f64; 2]> = Vec::new();
        for column in placed.chunk_by(|a, b| a[0].floor() == b[0].floor()) {
            let index = |better: fn(f64, f64) -> bool| {
                (1..column.len()).fold(0, |best, k| {
                    if better(column[k][1], column[best][1]) {
                        k
                    } else {
                        best
                    }
                })
            };
            let mut chosen = [
                0,
                index(|a, b| a < b),
                index(|a, b| a > b),
                column.len() - 1,
            ];
            chosen.sort_unstable();
            for (n, k) in chosen.iter().enumerate() {
                if n == 0 || chosen[n - 1] != *k {
                    kept.push(column[*k]);
                }
            }
        }
        for (k, [x, y]) in kept.iter().enumerate() {
            let _ = write!(out, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" });
        }
        if kept.len() == 1 {
            // a lone point shows as a dot of the stroke's width
            out.push_str("h0");
        }
    }
    out
}
