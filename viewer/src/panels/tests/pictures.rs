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

/// Size of a window, pixels.
const SIZE: [f32; 2] = [1280.0, 720.0];
/// Size of a window with a menu, pixels: most menus fill it.
const SMALL_SIZE: [f32; 2] = [640.0, 360.0];

pub(super) type Window = Harness<'static, Fixture>;

/// Compares a window with its pictures in both themes.
fn compare(name: &str, fixture: impl Fn() -> Fixture, prepare: impl Fn(&mut Window)) {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let mut window = window(theme, 1.0, SIZE, fixture());
        prepare(&mut window);
        results.add(compared_with(&format!("{name}-{suffix}"), window));
    }
}

/// A window of this size, pixels.
pub(super) fn window(theme: Theme, scale: f32, size: [f32; 2], fixture: Fixture) -> Window {
    let builder = Harness::builder()
        .with_size(size.map(|length| length / scale))
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
    let scaled = window(Theme::Light, 2.0, SIZE, accuracy_and_curves());
    compared_with("window-200-percent", scaled).expect("the same picture");
}

/// Two seconds of curves, and what the panes say of a reference.
pub(super) fn accuracy_and_curves() -> Fixture {
    let mut start = curves::after_two_seconds();
    let compared = accuracy::compared(false).snapshot;
    start.snapshot.reference = compared.reference;
    start.snapshot.panes[0].accuracy = compared.panes[0].accuracy.clone();
    start
}

#[test]
fn details_of_all_methods() {
    compare("details", with_details, |_| {});
    let scaled = window(Theme::Dark, 2.0, SIZE, with_details());
    compared_with("details-200-percent", scaled).expect("the same picture");
}

#[test]
fn advice_with_its_chart() {
    compare("advice", advised, |_| {});
}

/// The panel of advice with a result.
pub(super) fn advised() -> Fixture {
    let mut start = advice::open();
    start.snapshot.advice = AdviceStatus::Ready(Arc::new(advice::advice()));
    start
}

#[test]
fn report_on_a_mesh() {
    compare("mesh-report", reported, |_| {});
}

/// The report on a mesh file with problems.
pub(super) fn reported() -> Fixture {
    let mut start = mesh_report::perforated();
    start.state.mesh_report.open = true;
    start
}

#[test]
fn menus_of_a_small_window() {
    let mut results = SnapshotResults::new();
    for (name, fixture, button) in [
        ("menu-save", fixture(), "Save"),
        ("menu-more", fixture(), "More"),
        // what can be plotted, which is chosen in a menu where the window is narrow
        ("menu-metrics", curves::with_metrics(), "Force"),
    ] {
        let mut window = window(Theme::Light, 1.0, SMALL_SIZE, fixture);
        click(&mut window, button);
        results.add(compared_with(name, window));
    }
}

#[test]
fn palette_of_commands() {
    compare("palette", fixture, |window| {
        press_with(window, Modifiers::COMMAND, Key::K);
    });
}
