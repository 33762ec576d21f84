//! No text is cut, and none lies on another, in windows of several sizes and scales.

use egui::accesskit::Role;
use egui::{Align2, Color32, FontId, Rect, Shape, Theme};
use pliant_core::scene::Method;

use super::pictures::{Window, accuracy_and_curves, advised, reported, window};
use super::*;
use crate::state::Layer;

/// Sizes of the window, pixels, and its scales.
const WINDOWS: [([f32; 2], f32); 4] = [
    ([1280.0, 720.0], 1.0),
    ([1280.0, 720.0], 2.0),
    ([2560.0, 1440.0], 1.0),
    ([2560.0, 1440.0], 2.0),
];
/// How far a text may reach beyond its place: rounding to pixels, points.
const TOLERANCE: f32 = 1.0;
/// How far a shadow may lie within its window, points.
const SHADOW_OFFSET: f32 = 24.0;

/// A text of a frame: where its letters are, and where they can be seen.
struct Written {
    text: String,
    ink: Rect,
    clip: Rect,
    is_elided: bool,
}

impl Written {
    /// The part that is seen.
    fn seen(&self) -> Rect {
        self.ink.intersect(self.clip)
    }

    /// Whether the text ends before its time. A text in `scrolled` may be cut above and below.
    fn is_cut(&self, scrolled: Rect) -> bool {
        let room = self.clip.expand(TOLERANCE);
        let is_beyond =
            |ink: egui::Rangef, room: egui::Rangef| ink.min < room.min || ink.max > room.max;
        self.is_elided
            || is_beyond(self.ink.x_range(), room.x_range())
            || !scrolled.contains(self.seen().center())
                && is_beyond(self.ink.y_range(), room.y_range())
    }
}

/// The texts of a shape, without those that are scrolled away. A window or a menu removes those that it covers from `all`.
fn collect(shape: &Shape, clip: Rect, all: &mut Vec<Written>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, all)),
        // only windows and menus have shadows
        Shape::Rect(rect) if rect.blur_width > 0.0 => {
            let covered = rect.rect.expand(SHADOW_OFFSET);
            all.retain(|text| !text.seen().intersects(covered));
        }
        Shape::Text(text) => {
            let written = Written {
                text: text.galley.text().to_string(),
                ink: text.visual_bounding_rect(),
                clip,
                is_elided: text.galley.elided,
            };
            if written.ink.is_positive() && written.seen().is_positive() {
                all.push(written);
            }
        }
        _ => {}
    }
}

/// What is wrong with the texts of a frame.
fn faults(window: &Window, scrolled: Rect) -> Vec<String> {
    let screen = window.ctx.content_rect();
    let mut all = Vec::new();
    for clipped in &window.output().shapes {
        collect(
            &clipped.shape,
            clipped.clip_rect.intersect(screen),
            &mut all,
        );
    }
    let cut = all.iter().filter(|text| text.is_cut(scrolled));
    let mut found: Vec<String> = cut
        .map(|text| {
            format!(
                "cut: {:?} at {:?}, seen in {:?}",
                text.text, text.ink, text.clip
            )
        })
        .collect();
    for (k, a) in all.iter().enumerate() {
        let seen = a.seen().shrink(0.5 * TOLERANCE);
        for b in &all[k + 1..] {
            if seen.intersects(b.seen().shrink(0.5 * TOLERANCE)) {
                let at = a.seen();
                found.push(format!(
                    "on each other: {:?} and {:?} at {at:?}",
                    a.text, b.text
                ));
            }
        }
    }
    found
}

/// Checks a window in all sizes. `prepare` returns where it scrolls.
fn check(name: &str, fixture: impl Fn() -> Fixture, prepare: impl Fn(&mut Window) -> Rect) {
    for (size, scale) in WINDOWS {
        let mut window = window(Theme::Light, scale, size, fixture());
        window.run_steps(20);
        let scrolled = prepare(&mut window);
        window.run_steps(20);
        let found = faults(&window, scrolled);
        let place = format!("{name}, {size:?} pixels at a scale of {scale}");
        assert!(found.is_empty(), "{place}: {found:#?}");
    }
}

/// The column of the details, where things scroll.
fn right_column(window: &mut Window) -> Rect {
    Rect::everything_right_of(window.get_by_label("Undo").rect().left())
}

#[test]
fn texts_of_panes_curves_and_bars_are_whole_and_apart() {
    check("curves", accuracy_and_curves, |_| Rect::NOTHING);
    check("details", with_details, right_column);
    let judged = || {
        let mut start = accuracy_and_curves();
        start.state.details = true;
        start
    };
    check("details and curves", judged, right_column);
}

#[test]
fn texts_of_colours_are_whole_and_apart() {
    for details in [false, true] {
        for layer in [
            Layer::Displacement,
            Layer::DifferenceTo(Method::Quasistatic),
        ] {
            let coloured = || {
                let mut start = fixture();
                start.snapshot.panes[0].points.clear();
                start.state.layer = layer.clone();
                start.state.details = details;
                start
            };
            check("colours", coloured, |window| match details {
                true => right_column(window),
                false => Rect::NOTHING,
            });
        }
    }
}

#[test]
fn texts_of_side_panels_and_windows_are_whole_and_apart() {
    check("report", reported, |window| {
        Rect::everything_left_of(window.get_by_label("Close").rect().right())
    });
    let both = || {
        let mut start = reported();
        start.state.details = true;
        start
    };
    check("report and details", both, |_| Rect::EVERYTHING);
    check("advice", advised, |_| Rect::EVERYTHING);
    check("palette", fixture, |window| {
        press_with(window, egui::Modifiers::COMMAND, egui::Key::K);
        Rect::EVERYTHING
    });
}

#[test]
fn texts_of_menus_are_whole_and_apart() {
    for name in ["welcome", "Save"] {
        check(name, fixture, |window| {
            click(window, name);
            Rect::EVERYTHING
        });
    }
    check("more", fixture, |window| {
        // a wide bar has no such menu
        if window.query_by_label("More").is_some() {
            click(window, "More");
        }
        Rect::EVERYTHING
    });
    check("metrics", curves::with_metrics, |window| {
        let has_menu = window.query_by_label("Metrics").is_some();
        click(window, if has_menu { "Metrics" } else { "Force" });
        Rect::EVERYTHING
    });
    check("layers", fixture, |window| {
        let mut menus = window.query_all_by_role(Role::ComboBox);
        if let Some(menu) = menus.next() {
            menu.click();
        }
        Rect::EVERYTHING
    });
}

#[test]
fn all_controls_of_a_small_window_are_within_it() {
    let window = window(Theme::Light, 2.0, [1280.0, 720.0], with_details());
    for name in ["Start", "Reset", "Timeline", "Save CSV", "Details", "Undo"] {
        let rect = window.get_by_label(name).rect();
        let screen = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(640.0, 360.0));
        assert!(screen.contains_rect(rect), "{name}: {rect:?}");
    }
}

#[test]
fn a_cut_text_and_texts_on_each_other_are_found() {
    let draw = |ui: &mut egui::Ui, _: &mut Fixture| {
        let (font, black) = (FontId::proportional(14.0), Color32::BLACK);
        let place = egui::pos2(20.0, 60.0);
        let clip = Rect::from_min_size(place, egui::vec2(30.0, 20.0));
        let narrow = ui.painter().with_clip_rect(clip);
        narrow.text(
            place,
            Align2::LEFT_TOP,
            "cut at its side",
            font.clone(),
            black,
        );
        for x in [20.0, 25.0] {
            let place = egui::pos2(x, 20.0);
            ui.painter()
                .text(place, Align2::LEFT_TOP, "twice", font.clone(), black);
        }
    };
    let mut window: Window = Harness::builder().build_ui_state(draw, Fixture::default());
    window.run_steps(2);
    let found = faults(&window, Rect::NOTHING);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].contains("cut at its side") && found[1].contains("twice"),
        "{found:?}"
    );
}
