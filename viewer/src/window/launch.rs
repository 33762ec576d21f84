//! Opening the window. Every failure is returned as one line.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use pliant_simulation::runner::Runner;
use web_time::Instant;

use super::app::{App, DEFAULT_SIZE};
use super::display::{Environment, IS_NAMED, reason};
use super::outcome::Outcome;
use super::panics::catch_panic;
use crate::error::ViewError;
use crate::options::ViewOptions;
use crate::skin_check::{CheckOptions, SkinReport};

/// Opens the window and waits until it is closed.
pub fn run(options: ViewOptions) -> Result<(), ViewError> {
    let started = Instant::now();
    let environment = Environment::present();
    if let Some(reason) = environment.obstacle(IS_NAMED) {
        return Err(ViewError::NoDisplay { reason });
    }
    let outcome = Arc::new(Outcome::default());
    let result = catch_panic(|| open(options, Arc::clone(&outcome), started));
    let failure = match result {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(panic) => Some(panic),
    };
    match failure {
        Some(error) if outcome.shown.load(Ordering::Relaxed) => {
            Err(ViewError::Failed { reason: error })
        }
        Some(error) => Err(ViewError::NoDisplay {
            reason: reason(&error, &environment),
        }),
        None => outcome.take_unwritable().map_or(Ok(()), |(file, reason)| {
            Err(ViewError::Unwritable { file, reason })
        }),
    }
}

/// Opens an invisible window for its OpenGL context, and checks skins in it.
pub fn check(options: CheckOptions) -> Result<SkinReport, ViewError> {
    let environment = Environment::present();
    if let Some(reason) = environment.obstacle(IS_NAMED) {
        return Err(ViewError::NoDisplay { reason });
    }
    let found: Arc<Mutex<Option<Result<SkinReport, String>>>> = Arc::default();
    let slot = Arc::clone(&found);
    let native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Pliant: check of skins")
            .with_inner_size([64.0, 64.0])
            .with_visible(false),
        depth_buffer: 0,
        ..Default::default()
    };
    let result = catch_panic(|| {
        eframe::run_native(
            "Pliant",
            native,
            Box::new(move |context| {
                let gl = context.gl.as_ref().ok_or("no OpenGL")?;
                let report = crate::skin_check::run(gl, &options);
                *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
                // an error closes the window before it is shown
                Err("checked".into())
            }),
        )
    });
    let found = found.lock().unwrap_or_else(PoisonError::into_inner).take();
    let reason = match (found, result) {
        (Some(report), _) => return report.map_err(|reason| ViewError::Failed { reason }),
        (None, Ok(Err(error))) => reason(&error.to_string(), &environment),
        (None, Err(panic)) => reason(&panic, &environment),
        (None, Ok(Ok(()))) => "the window was closed".to_string(),
    };
    Err(ViewError::NoDisplay { reason })
}

fn open(options: ViewOptions, outcome: Arc<Outcome>, started: Instant) -> eframe::Result {
    let size = options.size.map_or(DEFAULT_SIZE, |(w, h)| egui::vec2(w, h));
    let mut native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Pliant")
            .with_app_id("pliant")
            .with_inner_size(size)
            .with_min_inner_size([480.0, 320.0])
            .with_drag_and_drop(true),
        // every pane has its own depth; the window needs none
        depth_buffer: 0,
        // bars and plates have one colour, and dithering would cost time where the processor draws
        dithering: false,
        ..Default::default()
    };
    // a measurement must not wait for the screen
    native.glow_options.vsync = options.stats.is_none();
    eframe::run_native(
        "Pliant",
        native,
        Box::new(move |context| {
            let ctx = context.egui_ctx.clone();
            let runner = Runner::spawn(options.cache.clone(), options.clock, move || {
                ctx.request_repaint();
            });
            let app = App::new(context, runner, options, outcome, started)?;
            Ok(Box::new(app))
        }),
    )
}
