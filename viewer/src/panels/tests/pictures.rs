//! Every panel as a picture, in both themes, compared with the one in `tests/snapshots`.
//!
//! After a wanted change, `UPDATE_SNAPSHOTS=1 cargo test --release -p pliant-viewer pictures` writes them anew. Look at each before you commit it.

use std::sync::Arc;

use egui::{Key, Modifiers, Theme};
use egui_kittest::{SnapshotOptions, SnapshotResult, SnapshotResults};
use pliant_simulation::snapshot::AdviceStatus;

use super::rasteriser::Rasteriser;
use super::*;
use crate::style;

/// Pixels that may differ: glyphs are placed with single precision, which rounds differently on other processors.
const MAX_DIFFERENT_PIXELS: usize = 40;

type Window = Harness<'static, Fixture>;

/// Compares a window with its pictures in both themes.
fn compare(name: &str, fixture: impl Fn() -> Fixture, prepare: impl Fn(&mut Window)) {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut window = window(theme, 1.0, fixture());
        prepare(&mut window);
        results.add(compared_with(&format!("{name}-{suffix}"), window));
    }
}

/// A window of 1280 x 720 pixels.
fn window(theme: Theme, scale: f32, fixture: Fixture) -> Window {
    let builder = Harness::builder()
        .with_size([1280.0 / scale, 720.0 / scale])
        .with_pixels_per_point(scale)
        .with_theme(theme)
        .renderer(Rasteriser::default());
    let window = harness_from(builder, fixture);
    style::install(&window.ctx);
    window
}

fn compared_with(name: &str, mut window: Window) -> SnapshotResult {
    // until what moves has come to rest
    window.run_steps(20);
    let options = SnapshotOptions::new().max_failed_pixels(MAX_DIFFERENT_PIXELS);
    window.try_snapshot_options(name, &options)
}

#[test]
fn curves_and_judgements() {
    compare("window", accuracy_and_curves, |_| {});
}

/// Two seconds of curves, and what the panes say of a reference.
fn accuracy_and_curves() -> Fixture {
    let mut start = curves::after_two_seconds();
    let compared = accuracy::compared(false).snapshot;
    start.snapshot.reference = compared.reference;
    start.snapshot.panes[0].accuracy = compared.panes[0].accuracy.clone();
    start
}

#[test]
fn details_of_all_methods() {
    compare("details", with_details, |_| {});
    let scaled = window(Theme::Dark, 2.0, with_details());
    compared_with("details-200-percent", scaled).expect("the same picture");
}

#[test]
fn advice_with_its_chart() {
    let given = || {
        let mut start = advice::open();
        start.snapshot.advice = AdviceStatus::Ready(Arc::new(advice::advice()));
        start
    };
    compare("advice", given, |_| {});
}

#[test]
fn report_on_a_mesh() {
    let opened = || {
        let mut start = mesh_report::perforated();
        start.state.mesh_report.open = true;
        start
    };
    compare("mesh-report", opened, |_| {});
}

#[test]
fn palette_of_commands() {
    compare("palette", fixture, |window| {
        press_with(window, Modifiers::COMMAND, Key::K);
    });
}
