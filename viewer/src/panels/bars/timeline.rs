//! The timeline: playing, stepping, and going back to recent frames.

use egui::{Align, Button, Layout, Rect, RichText, Stroke, Ui};
use pliant_simulation::command::Command;
use pliant_simulation::runner::TimelineStatus;
use pliant_simulation::snapshot::PaneState;

use super::button;
use crate::panels::Context;
use crate::panels::commands::{BACK, LOOP, PLAY, RESET, START, STEP};
use crate::style;

/// Width of the times at the right, points.
const TIMES_WIDTH: f32 = 150.0;
/// Width of the text beside the clock (its speed, or why it stands), points.
const SPEED_WIDTH: f32 = 96.0;
/// Width of the clock and of a usable slider, without that text, points.
const CLOCK_AND_SLIDER: f32 = 200.0;

/// Shows the bar.
pub fn show(ui: &mut Ui, cx: &mut Context<'_>) {
    ui.horizontal(|ui| {
        buttons(ui, cx);
        ui.separator();
        // a narrow window shows the text when the pointer is on the clock
        let has_speed = ui.available_width() > CLOCK_AND_SLIDER + SPEED_WIDTH;
        clock(ui, cx, has_speed);
        // a narrow window has the slider alone
        let times_width = if ui.available_width() > 2.0 * TIMES_WIDTH {
            TIMES_WIDTH
        } else {
            0.0
        };
        slider(ui, cx, times_width);
        if times_width > 0.0 {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| times(ui, cx));
        }
    });
}

fn buttons(ui: &mut Ui, cx: &mut Context<'_>) {
    START.button(ui, cx, Button::new("Start"));
    BACK.button(ui, cx, Button::new("Back"));
    let label = if cx.snapshot.playing { "Pause" } else { "Play" };
    // the width is the same for both labels, so that nothing moves
    let play = Button::new(label).min_size(egui::vec2(58.0, 0.0));
    PLAY.button(ui, cx, play);
    STEP.button(ui, cx, Button::new("Step"));
    let looping = button::toggle(cx.snapshot.timeline.loops, "Loop");
    LOOP.button(ui, cx, looping);
    RESET.button(ui, cx, Button::new("Reset"));
}

/// The time, with its speed beside it where there is room.
fn clock(ui: &mut Ui, cx: &Context<'_>, has_speed: bool) {
    let time = RichText::new(format!("{:6.2} s", cx.snapshot.time)).monospace();
    let time = ui.label(time);
    let timeline = &cx.snapshot.timeline;
    let (text, hint) = match (cx.snapshot.playing, timeline.is_in_the_past()) {
        // nothing runs yet
        _ if cx.snapshot.setup.is_none() => (String::new(), String::new()),
        (true, _) if !has_running_pane(cx) => (
            "waiting".to_string(),
            "time begins once a method is ready".to_string(),
        ),
        (true, false) => (
            speed_text(cx.snapshot.speed),
            format!(
                "all methods together: {:.1} ms a frame",
                cx.snapshot.frame_ms
            ),
        ),
        (true, true) => (
            "repeating".to_string(),
            "the recorded input is repeated".to_string(),
        ),
        (false, false) => ("paused".to_string(), String::new()),
        (false, true) => ("in the past".to_string(), String::new()),
    };
    if !has_speed {
        let all = [text, hint].join("\n");
        if !all.trim().is_empty() {
            time.on_hover_text(all.trim_end());
        }
        return;
    }
    // the width is the same for all texts, so that the slider does not move
    let size = egui::vec2(SPEED_WIDTH, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(size.x);
        let label = ui.label(style::secondary(ui, text));
        if !hint.is_empty() {
            label.on_hover_text(hint);
        }
    });
}

/// Whether any method runs, or has run.
fn has_running_pane(cx: &Context<'_>) -> bool {
    let mut panes = cx.snapshot.panes.iter();
    panes.any(|pane| matches!(pane.state, PaneState::Ready | PaneState::Stopped(_)))
}

/// The slider over all that is kept, before `times_width` points that stay free.
fn slider(ui: &mut Ui, cx: &mut Context<'_>, times_width: f32) {
    let timeline = cx.snapshot.timeline;
    let before = timeline.seek_target.unwrap_or(timeline.now);
    let mut frame = before;
    let room = ui.available_width() - times_width - ui.spacing().item_spacing.x;
    ui.spacing_mut().slider_width = room.max(60.0);
    let end = timeline.end.max(timeline.first + 1);
    let slider = egui::Slider::new(&mut frame, timeline.first..=end)
        .show_value(false)
        .trailing_fill(true)
        .step_by(1.0);
    let response = ui.add_enabled(!timeline.is_empty(), slider);
    marks(ui, response.rect, &timeline, end);
    marked_part(ui, response.rect, cx, end);
    let mut changed = response.changed() && frame != before;
    // pressed and released within one slow frame, a slider notices nothing
    let id = response.id.with("click");
    let click = ui.interact(response.rect, id, egui::Sense::click());
    let clicked = click.interact_pointer_pos();
    if let Some(at) = clicked.filter(|_| click.clicked() && !changed && !timeline.is_empty()) {
        let share = ((at.x - response.rect.left()) / response.rect.width()).clamp(0.0, 1.0);
        frame = timeline.first + (f64::from(share) * (end - timeline.first) as f64).round() as u64;
        changed = frame != before;
    }
    let response = response.on_hover_text(hint(&timeline));
    if (response.drag_started() || click.clicked() && changed) && cx.snapshot.playing {
        cx.commands.push(Command::Pause);
    }
    if changed {
        cx.commands.push(Command::Seek(frame.min(timeline.last)));
    }
    let info = || egui::WidgetInfo::slider(!timeline.is_empty(), before as f64, "Timeline");
    response.widget_info(info);
}

/// Where a frame is along the slider in `rect`, which ends with frame `end`, points.
fn place_of(frame: u64, timeline: &TimelineStatus, rect: Rect, end: u64) -> f32 {
    let share = (frame - timeline.first) as f32 / (end - timeline.first) as f32;
    rect.left() + share * rect.width()
}

/// Below the slider: frames with other parameters, and those whose input alone is known.
fn marks(ui: &Ui, rect: Rect, timeline: &TimelineStatus, end: u64) {
    let dark = ui.visuals().dark_mode;
    let y = rect.bottom() - 1.0;
    let part = |frame: u64| place_of(frame, timeline, rect, end);
    let faint = Stroke::new(2.0, style::faint(dark));
    if timeline.exact_from > timeline.first {
        let old = part(timeline.first)..=part(timeline.exact_from.min(end));
        ui.painter().hline(old, y, faint);
    }
    if timeline.end > timeline.last {
        let ahead = [part(timeline.last.max(timeline.first)), part(timeline.end)];
        let ends = ahead.map(|x| egui::pos2(x, y));
        let dashes = egui::Shape::dashed_line(&ends, faint, 4.0, 4.0);
        ui.painter().extend(dashes);
    }
}

/// Above the slider: the part that an animation can show.
fn marked_part(ui: &Ui, rect: Rect, cx: &Context<'_>, end: u64) {
    let timeline = &cx.snapshot.timeline;
    let part = cx.state.pictures.part(timeline.first, timeline.last);
    let Some(part) = part else {
        return;
    };
    let [from, to] = part.map(|frame| place_of(frame, timeline, rect, end));
    let stroke = Stroke::new(2.0, style::strong(ui.visuals().dark_mode));
    let y = rect.top() + 1.0;
    ui.painter().hline(from..=to, y, stroke);
    for x in [from, to] {
        ui.painter().vline(x, y..=y + 5.0, stroke);
    }
}

fn hint(timeline: &TimelineStatus) -> String {
    let mut text = format!(
        "the last frames, in {:.0} MB of at most 256 MB",
        timeline.bytes as f64 / 1e6
    );
    if timeline.exact_from > timeline.first {
        text += "\nunderlined: computed with other parameters; only some of these frames can be shown again";
    }
    if timeline.end > timeline.last {
        text += "\ndashed: recorded input, which is repeated with the new parameters";
    }
    text
}

/// First and last time that the timeline holds.
fn times(ui: &mut Ui, cx: &Context<'_>) {
    let timeline = &cx.snapshot.timeline;
    let Some(setup) = cx.snapshot.setup.as_ref().filter(|_| !timeline.is_empty()) else {
        return;
    };
    let second = |frame: u64| frame as f64 * setup.frame_duration();
    let text = match timeline.seek_target {
        Some(seek_target) => format!("going to {:.2} s", second(seek_target)),
        None => format!(
            "{:.1} to {:.1} s",
            second(timeline.first),
            second(timeline.end)
        ),
    };
    ui.label(style::small(ui, text))
        .on_hover_text("oldest and newest moment to which the slider can go");
}

/// Speed of the simulation relative to real time.
fn speed_text(speed: f64) -> String {
    if speed >= 0.1 {
        format!("{speed:.1}x real time")
    } else {
        format!("{speed:.2}x real time")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_told_as_a_factor() {
        assert_eq!(speed_text(1.0), "1.0x real time");
        assert_eq!(speed_text(0.6), "0.6x real time");
        assert_eq!(speed_text(0.034), "0.03x real time");
    }
}
