//! Cost against error of all candidates.

use egui::{RichText, TextStyle, Ui};
use egui_plot::{AxisHints, GridMark, Line, LineStyle, MarkerShape, PlotPoints, Points};
use pliant_core::scene::Method;
use pliant_simulation::advice::{Advice, Doubt, ErrorMeasure};

use crate::panels::bars::width::text_size;
use crate::panels::curves::axes;
use crate::style;

/// Height of the numbers below the chart and of their name, points.
const COST_AXIS: f32 = 33.0;

/// A candidate in the chart.
struct Dot {
    /// decimal logarithm of the cost in ms, and the error in per cent
    at: [f64; 2],
    method: Method,
    name: String,
    doubt: Option<Doubt>,
    is_front: bool,
    is_advised: bool,
}

impl Dot {
    fn shape(&self) -> MarkerShape {
        match self.doubt {
            _ if self.is_advised => MarkerShape::Diamond,
            None => MarkerShape::Circle,
            Some(Doubt::ByChance) => MarkerShape::Cross,
            Some(Doubt::SkinTooFarOff) => MarkerShape::Square,
        }
    }
}

/// Shows the chart; below it what grey marks mean, and the name of the candidate under the pointer.
pub fn show(ui: &mut Ui, advice: &Advice) {
    let dark = ui.visuals().dark_mode;
    let dots = dots(advice);
    let (budget, max_error) = (advice.goal.budget_ms(), advice.error_limit() * 100.0);
    let ends = ends(&dots, budget.log10());
    let top = dots.iter().fold(max_error, |top, dot| top.max(dot.at[1])) * 1.08;
    // the whole panel fits into a window of 600 points
    let height = (0.25 * ui.ctx().content_rect().height()).clamp(130.0, 230.0);
    let names = match advice.error_measure {
        ErrorMeasure::Force => ["error of the force (%)", "force error (%)"],
        ErrorMeasure::Skin => ["distance of the skin (% of the diagonal)", "skin error (%)"],
    };
    // a longer name would reach into what is above and below
    let font = TextStyle::Small.resolve(ui.style());
    let fits = text_size(ui, names[0], font).x <= height - COST_AXIS;
    let what = if fits { names[0] } else { names[1] };
    let response = axes::still_plot("advice")
        .height(height)
        .x_grid_spacer(|input| decades(input.bounds))
        .custom_x_axes(vec![
            axes::styled(ui, AxisHints::new_x(), "median of a frame (ms)")
                .formatter(|mark, _| cost(mark.value)),
        ])
        .custom_y_axes(vec![
            axes::styled(ui, AxisHints::new_y(), what).min_thickness(36.0),
        ])
        .default_x_bounds(ends[0], ends[1])
        .default_y_bounds(0.0, top)
        .show(ui, |plot| {
            let faint = style::faint(dark);
            let limits = vec![
                [budget.log10(), 0.0],
                [budget.log10(), max_error],
                [ends[0], max_error],
            ];
            let limits = Line::new("budget and wanted error", PlotPoints::from(limits));
            plot.line(limits.color(faint).style(LineStyle::dashed_loose()));
            // through those that are as good as they look
            let front = advice.front.iter().filter_map(|&k| dot_of(advice, k));
            let front = front.filter(|dot| dot.doubt.is_none());
            let front: Vec<[f64; 2]> = front.map(|dot| dot.at).collect();
            plot.line(Line::new("Pareto front", PlotPoints::from(front)).color(faint));
            for dot in &dots {
                let color = match dot.doubt {
                    None => style::accent(dot.method, dark),
                    Some(_) => faint,
                };
                let points = Points::new(dot.name.clone(), PlotPoints::from(vec![dot.at]))
                    .shape(dot.shape())
                    .radius(if dot.is_advised { 7.0 } else { 4.0 })
                    .filled(dot.is_front || dot.is_advised)
                    .color(color);
                plot.points(points);
            }
        });
    if let Some(meaning) = meaning_of_grey(&dots) {
        ui.label(style::small(ui, meaning));
    }
    let hovered = response.response.hover_pos().and_then(|pointer| {
        let distance = |dot: &&Dot| {
            let at = response.transform.position_from_point(&dot.at.into());
            at.distance(pointer)
        };
        let nearest = dots
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest) < 14.0).then_some(nearest)
    });
    let advised = dots.iter().find(|dot| dot.is_advised);
    if let Some(dot) = hovered.or(advised) {
        let text = RichText::new(&dot.name).small();
        let label = egui::Label::new(text.color(style::accent(dot.method, dark)));
        ui.add(label.truncate());
    }
}

fn dots(advice: &Advice) -> Vec<Dot> {
    (0..advice.tried.len())
        .filter_map(|k| dot_of(advice, k))
        .collect()
}

/// Candidate `k` in the chart; `None` for one that did not run.
fn dot_of(advice: &Advice, k: usize) -> Option<Dot> {
    let one = advice.tried.get(k)?;
    let point = one.figures()?.point(advice.error_measure);
    let at = [point.cost_ms.max(1e-3).log10(), point.error * 100.0];
    let doubt = advice.doubt(k);
    at.iter().all(|x| x.is_finite()).then(|| Dot {
        at,
        method: one.candidate.method,
        name: advice.summary(k).unwrap_or_default(),
        doubt,
        is_front: advice.front.contains(&k),
        is_advised: k == advice.choice.index(),
    })
}

/// What the grey marks that occur mean.
fn meaning_of_grey(dots: &[Dot]) -> Option<String> {
    let shapes = [(Doubt::ByChance, "cross"), (Doubt::SkinTooFarOff, "square")];
    let occur = |(doubt, _): &(Doubt, &str)| dots.iter().any(|dot| dot.doubt == Some(*doubt));
    let found = shapes.into_iter().filter(occur);
    let texts: Vec<String> = found
        .map(|(doubt, shape)| format!("grey {shape}: {}", doubt.words()))
        .collect();
    (!texts.is_empty()).then(|| texts.join("  ·  "))
}

/// Smallest and largest logarithm of the cost, with a margin.
fn ends(dots: &[Dot], budget: f64) -> [f64; 2] {
    let all = || dots.iter().map(|dot| dot.at[0]).chain([budget]);
    let (low, high) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(f64::NEG_INFINITY, f64::max),
    );
    [low - 0.12, high + 0.12]
}

/// Marks at 1, 2 and 5 times each power of ten, in logarithms. None is at the left end, where the other axis has its 0.
fn decades((low, high): (f64, f64)) -> Vec<GridMark> {
    let powers = (low.floor() as i32)..=(high.ceil() as i32);
    let marks = powers.flat_map(|power| {
        [1.0_f64, 2.0, 5.0].map(|digit| GridMark {
            value: f64::from(power) + digit.log10(),
            step_size: 1.0,
        })
    });
    let first = low + 0.05 * (high - low);
    marks
        .filter(|m| (first..=high).contains(&m.value))
        .collect()
}

/// A cost from its logarithm.
fn cost(logarithm: f64) -> String {
    let ms = 10_f64.powf(logarithm);
    match ms {
        ms if ms < 0.0095 => format!("{ms:.3}"),
        ms if ms < 0.095 => format!("{ms:.2}"),
        ms if ms < 0.95 => format!("{ms:.1}"),
        ms => format!("{ms:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_stand_at_round_numbers() {
        let marks: Vec<String> = decades((-1.5, 1.4)).iter().map(|m| cost(m.value)).collect();
        assert_eq!(
            marks,
            ["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20"]
        );
        assert!(decades((0.35, 0.4)).is_empty());
        assert_eq!(cost(0.005_f64.log10()), "0.005");
    }
}
