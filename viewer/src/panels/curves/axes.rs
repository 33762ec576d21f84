//! What curves and charts share: a plot that stands still, how axes look, and their marks.

use egui::{FontId, Ui};
use egui_plot::{AxisHints, GridMark, Plot};
use pliant_render::numbers::nice_step;

use crate::style;

/// A plot that the pointer neither moves nor scales, with horizontal lines alone and without texts at the pointer.
pub fn still_plot<'a>(name: &str) -> Plot<'a> {
    Plot::new(name)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .show_background(false)
        .show_grid([false, true])
        .label_formatter(|_| None)
}

/// An axis with its name and numbers in the secondary colour.
pub fn styled(ui: &Ui, hints: AxisHints<'static>, name: &str) -> AxisHints<'static> {
    hints
        .label(style::small(ui, name))
        .tick_label_font(FontId::proportional(11.0))
        .tick_label_color(style::faint(ui.visuals().dark_mode))
}

/// Round values between the bounds, at least `count` where the bounds are not round themselves, at most about twice as many.
pub fn marks((low, high): (f64, f64), count: f64) -> Vec<GridMark> {
    let step_size = nice_step((high - low).max(1e-12) / count);
    let (first, last) = ((low / step_size).ceil(), (high / step_size).floor());
    let marks = (last - first).clamp(0.0, 4.0 * count) as usize;
    let mark = |k: usize| GridMark {
        value: (first + k as f64) * step_size,
        step_size,
    };
    (0..=marks).map(mark).collect()
}

/// A mark with as many decimals as its distance to the next one needs.
pub fn tick(value: f64, step: f64) -> String {
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_have_the_decimals_that_they_need() {
        assert_eq!(tick(6.0, 2.0), "6");
        assert_eq!(tick(0.15, 0.05), "0.15");
        assert_eq!(tick(400.0, 200.0), "400");
    }

    #[test]
    fn marks_are_round_and_inside() {
        for high in [0.1, 0.37, 8.0, 950.0] {
            let values: Vec<f64> = marks((0.0, high), 3.0).iter().map(|m| m.value).collect();
            assert!(values.len() >= 3 && values.len() <= 8, "{high}: {values:?}");
            assert!(values[0] == 0.0 && values.iter().all(|v| *v <= high * 1.000_001));
        }
    }
}
