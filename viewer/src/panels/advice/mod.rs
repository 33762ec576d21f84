//! The panel of advice: it starts the search for a method and settings that suit the scene, shows the result, and applies it.

mod chart;

use egui::{Button, Pos2, Rect, RichText, Ui};
use pliant_simulation::advice::{Advice, AdviceProgress};
use pliant_simulation::command::Command;
use pliant_simulation::snapshot::AdviceStatus;

use super::bars::button;
use super::bars::stages::in_words;
use super::commands::without_scene;
use super::context::Context;
use super::overlay::color_bar;
use crate::state::AdvicePanel;
use crate::style;

/// Width of the panel, points.
const WIDTH: f32 = 430.0;

/// Height of the bar at the top and of the space below it, points.
const TOP_BAR_HEIGHT: f32 = 56.0;

/// Height of the panel's title and of the space around it, points.
const TITLE_HEIGHT: f32 = 80.0;

/// Width of the panel's border on both sides together, points.
const BORDER: f32 = 14.0;

/// Distance from the sides of the window, points.
const MARGIN: f32 = 24.0;

/// Height below the header of the first pane and its colour bar from which the panel stands there, points.
const MIN_ROOM: f32 = 300.0;

/// Where the panel opens: below the header of the first pane and its colour bar, or in a low window at the right, so that the first pane stays visible.
fn place(screen: Rect) -> Pos2 {
    let below_bar = screen.top() + TOP_BAR_HEIGHT;
    let below_header = below_bar + style::HEADER_HEIGHT + color_bar::HEIGHT;
    if screen.bottom() - below_header >= MIN_ROOM {
        return Pos2::new(screen.left() + MARGIN, below_header);
    }
    let left = screen.right() - MARGIN - BORDER - WIDTH;
    Pos2::new(left.max(screen.left()), below_bar)
}

/// Shows the panel over the panes, if it is open.
pub fn show(ui: &Ui, cx: &mut Context<'_>) {
    if !cx.state.advice.open {
        return;
    }
    let mut open = true;
    let screen = ui.ctx().content_rect();
    // the bar at the top stays free
    let room = screen.with_min_y(screen.top() + TOP_BAR_HEIGHT);
    let max_height = (room.height() - TITLE_HEIGHT).max(120.0);
    egui::Window::new("Advice")
        .open(&mut open)
        .default_width(WIDTH)
        .default_pos(place(screen))
        .constrain_to(room)
        .resizable(false)
        .collapsible(true)
        .show(ui.ctx(), |ui| {
            ui.set_width(WIDTH);
            egui::ScrollArea::vertical()
                .max_height(max_height)
                .min_scrolled_height(max_height)
                .auto_shrink([false, true])
                .show(ui, |ui| content(ui, cx));
        });
    cx.state.advice.open = open;
}

fn content(ui: &mut Ui, cx: &mut Context<'_>) {
    let dark = ui.visuals().dark_mode;
    let running = matches!(cx.snapshot.advice, AdviceStatus::Running(_));
    ui.add_enabled_ui(!running, |ui| goal_fields(ui, cx));
    let snapshot = cx.snapshot;
    match &snapshot.advice {
        AdviceStatus::None => {
            start_button(ui, cx, "Find");
            let about = "Tries each method at several resolutions on this scene, against a reference of fine finite elements. That takes minutes; what it bakes is kept.";
            ui.label(style::small(ui, about));
        }
        AdviceStatus::Running(progress) => {
            if ui.button("Cancel").clicked() {
                cx.commands.push(Command::CancelAdvice);
            }
            progress_lines(ui, progress);
        }
        AdviceStatus::Failed(fault) => {
            start_button(ui, cx, "Find again");
            let reason = fault.reason.replace("\n  ", "\n");
            let text = RichText::new(reason).color(style::alarm(dark));
            ui.label(text).on_hover_text(&fault.code);
        }
        AdviceStatus::Ready(advice) => {
            start_button(ui, cx, "Find again");
            result(ui, advice, cx);
        }
    }
}

/// Fields for the limits, and whether the panes pause.
fn goal_fields(ui: &mut Ui, cx: &mut Context<'_>) {
    let panel = &mut cx.state.advice;
    let default = AdvicePanel::default();
    ui.horizontal(|ui| {
        let field = LimitField {
            label: "A frame may take",
            about: "median computing time of a frame on this machine",
            unit: "ms",
            range: [0.05, 1000.0],
            default: default.budget_ms,
            speed: 0.05,
            decimals: 2,
        };
        field.show(ui, &mut panel.budget_ms);
    });
    ui.horizontal(|ui| {
        let field = LimitField {
            label: "with a force error of at most",
            about: "how far the force may be off from that of the reference; or the skin, where no tool or grab moves the body",
            unit: "%",
            range: [0.1, 99.0],
            default: default.error_percent,
            speed: 0.1,
            decimals: 1,
        };
        field.show(ui, &mut panel.error_percent);
    });
    ui.horizontal(|ui| {
        let field = LimitField {
            label: "and a skin error of at most",
            about: "how far the skin may be off from that of the reference: the largest root mean square distance, over the diagonal of the body",
            unit: "%",
            range: [0.05, 99.0],
            default: default.skin_percent,
            speed: 0.05,
            decimals: 2,
        };
        field.show(ui, &mut panel.skin_percent);
        ui.label("of the diagonal");
    });
    let hint = "panes that run make the times of the trials longer";
    ui.checkbox(&mut panel.pauses, "Pause the panes meanwhile")
        .on_hover_text(hint);
}

/// A field for a limit behind its label.
struct LimitField {
    label: &'static str,
    about: &'static str,
    unit: &'static str,
    range: [f64; 2],
    default: f64,
    /// change with a point of dragging
    speed: f64,
    decimals: usize,
}

impl LimitField {
    /// Shows it, with its range and its default on hovering.
    fn show(&self, ui: &mut Ui, value: &mut f64) {
        let (unit, [low, high]) = (self.unit, self.range);
        let hint = format!(
            "{}\nfrom {low} to {high} {unit}\ndefault: {} {unit}",
            self.about, self.default
        );
        let name = ui.label(self.label).on_hover_text(&hint);
        let field = egui::DragValue::new(value)
            .range(low..=high)
            .speed(self.speed)
            // as many at every scale of the window
            .fixed_decimals(self.decimals)
            .suffix(format!(" {unit}"));
        ui.add(field).labelled_by(name.id).on_hover_text(hint);
    }
}

fn start_button(ui: &mut Ui, cx: &mut Context<'_>, label: &str) {
    let hint = "computes the reference first, then tries all candidates";
    if button::show(ui, Button::new(label), hint, without_scene(cx)).clicked() {
        match cx.state.advice.goal() {
            Ok(goal) => {
                if cx.state.advice.pauses {
                    cx.commands.push(Command::Pause);
                }
                cx.commands.push(Command::Advise(goal));
            }
            // unreachable: every goal within the ranges of the fields is valid
            Err(error) => cx.state.saved = Some(Err(error.to_string())),
        }
    }
}

/// Share and text of the progress bar. Before the number of candidates is known, it is the progress of the stage.
fn progress_bar(progress: &AdviceProgress) -> (f64, String) {
    let (tried, of) = (progress.tried, progress.of);
    match of {
        // candidates are counted once the reference is there; the bake of its levels has stages without the prefix
        0 => (progress.fraction, "the reference first".into()),
        // the best candidates are measured again
        of if tried >= of => (1.0, format!("all {of} candidates tried, finishing")),
        of => (
            tried as f64 / of as f64,
            format!("candidate {} of {of}", tried + 1),
        ),
    }
}

fn progress_lines(ui: &mut Ui, progress: &AdviceProgress) {
    let (share, text) = progress_bar(progress);
    ui.add(egui::ProgressBar::new(share as f32).text(text));
    let stage = in_words(&progress.stage);
    let mut lines = vec![format!("{stage}, {:.0} %", progress.fraction * 100.0)];
    if !progress.last.is_empty() {
        lines.push(format!("last: {}", progress.last));
    }
    for line in lines {
        ui.add(egui::Label::new(style::small(ui, line)).truncate());
    }
}

/// The chart, the reason, and a button that applies the advice.
fn result(ui: &mut Ui, advice: &Advice, cx: &mut Context<'_>) {
    let dark = ui.visuals().dark_mode;
    chart::show(ui, advice);
    let [main, rest] = match advice.reason.split_first() {
        Some((main, rest)) => [main.clone(), rest.join(" ")],
        None => [String::new(), String::new()],
    };
    let main = RichText::new(main).color(style::strong(dark));
    ui.label(main);
    ui.label(style::small(ui, rest));
    let candidate = advice.advised();
    let mut panes = cx.snapshot.panes.iter();
    let is_shown = panes.any(|p| p.method == candidate.method);
    ui.horizontal(|ui| {
        let label = format!("Apply to {}", style::title(candidate.method));
        let hint = match candidate.settings.is_empty() {
            true => "the scene has these settings".to_string(),
            false => format!(
                "prepares it with {}; its pane runs on meanwhile",
                candidate.label()
            ),
        };
        let refused = (!is_shown).then_some("no pane shows this method");
        if button::show(ui, Button::new(label), &hint, refused).clicked() {
            cx.commands.push(Command::ApplyAdvice);
        }
        let when = "It starts when nothing touches the body, or with Reset (R).";
        ui.label(style::small(ui, when));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_panel_opens_below_the_first_header_and_in_a_low_window_beside_the_first_pane() {
        let at = |width: f32, height: f32| {
            place(Rect::from_min_size(Pos2::ZERO, egui::vec2(width, height)))
        };
        let high = at(1280.0, 720.0);
        assert!(high.x < 100.0 && high.y > TOP_BAR_HEIGHT + style::HEADER_HEIGHT);
        let low = at(640.0, 360.0);
        assert_eq!(low.y, TOP_BAR_HEIGHT);
        assert!(low.x + WIDTH + BORDER <= 640.0 && low.x > 100.0, "{low:?}");
        assert_eq!(at(300.0, 360.0).x, 0.0);
    }

    #[test]
    fn the_bar_moves_with_the_reference_and_then_with_the_candidates() {
        let at = |stage: &str, fraction, tried, of| {
            progress_bar(&AdviceProgress {
                stage: stage.into(),
                fraction,
                tried,
                of,
                last: String::new(),
            })
        };
        let (share, text) = at("reference: simulating", 0.78, 0, 0);
        assert_eq!((share, text.as_str()), (0.78, "the reference first"));
        assert_eq!(at("tetrahedra", 0.2, 0, 0).1, "the reference first");
        assert_eq!(at("simulating", 0.2, 0, 20).1, "candidate 1 of 20");
        let (share, text) = at("simulating", 0.9, 5, 20);
        assert_eq!((share, text.as_str()), (0.25, "candidate 6 of 20"));
        let (share, text) = at("simulating", 0.36, 20, 20);
        assert_eq!(share, 1.0);
        assert_eq!(text, "all 20 candidates tried, finishing");
    }
}
