//! Short peaks that would flatten all curves: the axis ends below them, and their height is written where they are.

use egui::{Align2, Color32, RichText};
use egui_plot::{PlotPoint, PlotUi, Text};
use pliant_render::numbers::number;

/// Smallest share of the values that are below the end of the axis.
const SHOWN_SHARE: f64 = 0.98;
/// A peak is cut if it is more than this many times as high as those values.
const PEAK_RATIO: f64 = 4.0;
/// End of the axis over the highest of those values.
const HEADROOM: f64 = 1.6;
/// Fewest values with which a peak is cut.
const MIN_VALUES: usize = 60;

/// End of an axis that cuts short peaks; `None` where the axis shows all values. The `values` have any order and are not negative.
pub fn ceiling(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.filter(|v| *v > 0.0).collect();
    if values.len() < MIN_VALUES {
        return None;
    }
    let peak = values.iter().copied().fold(0.0, f64::max);
    let at = (SHOWN_SHARE * (values.len() - 1) as f64) as usize;
    let (_, usual, _) = values.select_nth_unstable_by(at, f64::total_cmp);
    (peak > PEAK_RATIO * *usual).then_some(HEADROOM * *usual)
}

/// The highest point of all, time and value; `None` without one.
pub fn highest(points: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 2]> {
    points.max_by(|a, b| a[1].total_cmp(&b[1]))
}

/// Writes the height of a cut peak at the end of the axis, on the side with more room: `middle` is the middle of the times that are shown.
pub fn label_peak(
    plot: &mut PlotUi<'_>,
    [time, value]: [f64; 2],
    (middle, ceiling): (f64, f64),
    unit: &str,
    color: Color32,
) {
    let text = format!("peak {} {unit}", number(value, 3));
    let at = PlotPoint::new(time, ceiling);
    let label = Text::new("peak", at, RichText::new(text).small());
    let anchor = if time < middle {
        Align2::LEFT_TOP
    } else {
        Align2::RIGHT_TOP
    };
    plot.text(label.color(color).anchor(anchor));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_peak_is_cut_and_labelled_and_a_tall_curve_is_not() {
        let usual = |k: usize| 1.0 + (k as f64 * 0.1).sin();
        let curve: Vec<f64> = (0..300).map(usual).collect();
        assert_eq!(ceiling(curve.iter().copied()), None);
        let mut spike = curve.clone();
        spike[100] = 490.0;
        let cut = ceiling(spike.iter().copied()).expect("the peak is cut");
        assert!((2.0..4.0).contains(&cut), "{cut}");
        let points = (0..300).map(|k| [k as f64, spike[k]]);
        assert_eq!(highest(points), Some([100.0, 490.0]));
        // a tool that presses a twentieth of the time is no peak
        let mut pressed = vec![0.0; 285];
        pressed.extend(vec![5.0; 15]);
        assert_eq!(ceiling(pressed.into_iter()), None);
    }

    #[test]
    fn a_peak_that_lasts_is_shown_whole() {
        let lasts = (0..300).map(|k| if k < 270 { 1.0 } else { 20.0 });
        assert_eq!(ceiling(lasts), None);
    }
}
