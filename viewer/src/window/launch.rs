//! Opening the window. Every failure is returned as one line.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;

use pliant_simulation::runner::Runner;
use web_time::Instant;

use super::app::{App, DEFAULT_SIZE};
use super::display::{Environment, IS_NAMED, reason};
use super::outcome::Outcome;
use super::panics::catch_panic;
use crate::error::ViewError;
use crate::options::ViewOptions;
use crate::skin_check::{CheckOptions, SkinReport};

/// Opens the window and waits until it is closed. Must be called on the main thread, at most once in a process (a limit of
/// the window systems).
///
/// # Errors
/// [`ViewError`]; nothing is printed and no panic gets through.
pub fn run(options: ViewOptions) -> Result<(), ViewError> {
    let started = Instant::now();
    let environment = environment()?;
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
        None => match outcome.unwritable.get().cloned() {
            Some((file, reason)) => Err(ViewError::Unwritable { file, reason }),
            None => Ok(()),
        },
    }
}

/// Checks that the graphics driver computes the skin of a scene as the processor does. Opens a window that is never shown; the same
/// limits hold as for [`run`].
///
/// # Errors
/// [`ViewError::NoDisplay`] where there is no OpenGL, [`ViewError::Failed`] when the scene cannot be opened or has no such skin.
pub fn check_skin(options: CheckOptions) -> Result<SkinReport, ViewError> {
    let environment = environment()?;
    let (send, found) = channel();
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
                // the receiver waits below
                let _ = send.send(crate::skin_check::run(gl, &options));
                // an error closes the window before it is shown
                Err("checked".into())
            }),
        )
    });
    let reason = match (found.try_recv(), result) {
        (Ok(report), _) => return report.map_err(|reason| ViewError::Failed { reason }),
        (_, Ok(Err(error))) => reason(&error.to_string(), &environment),
        (_, Err(panic)) => reason(&panic, &environment),
        (_, Ok(Ok(()))) => "the window was closed".to_string(),
    };
    Err(ViewError::NoDisplay { reason })
}

/// The display that the environment names.
fn environment() -> Result<Environment, ViewError> {
    let environment = Environment::present();
    match environment.obstacle(IS_NAMED) {
        Some(reason) => Err(ViewError::NoDisplay { reason }),
        None => Ok(environment),
    }
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
