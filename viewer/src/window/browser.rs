//! The window on a web page.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use eframe::web_sys::HtmlCanvasElement;
use pliant_simulation::cache::AssetCache;
use pliant_simulation::runner::Runner;
use pliant_simulation::scenes::ImportOptions;
use web_time::Instant;

use super::app::App;
use super::outcome::Outcome;
use crate::error::ViewError;
use crate::options::ViewOptions;
use crate::skin::SkinChoice;

/// Time since the first call. The only thread always runs while it computes, so that wall time is processor time.
fn page_time() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// Draws on `canvas` from now on, and opens `source`: a bundled scene, or a file that was kept in memory
/// ([`keep_file`](pliant_simulation::scenes::keep_file)). One thread computes and draws, and nothing is kept for the next visit.
///
/// # Errors
/// [`ViewError::Failed`] where the browser has no WebGL 2.
pub async fn start(canvas: HtmlCanvasElement, source: &str) -> Result<(), ViewError> {
    let started = Instant::now();
    let options = ViewOptions {
        source: source.into(),
        import: ImportOptions::default(),
        cache: AssetCache::disabled(),
        clock: Some(page_time),
        play: true,
        skin: Some(SkinChoice::Processor),
        size: None,
        exit_after: None,
        screenshot: None,
        stats: None,
    };
    let page = eframe::WebOptions {
        // every pane has its own depth; the page needs none
        depth_buffer: 0,
        ..Default::default()
    };
    let app: eframe::AppCreator<'_> = Box::new(move |context| {
        let ctx = context.egui_ctx.clone();
        let runner = Runner::without_threads(options.cache.clone(), options.clock, move || {
            ctx.request_repaint();
        });
        let outcome = Arc::new(Outcome::default());
        let app = App::new(context, runner, options, outcome, started)?;
        Ok(Box::new(app))
    });
    let failed = |error: eframe::wasm_bindgen::JsValue| ViewError::Failed {
        reason: error.as_string().unwrap_or_else(|| format!("{error:?}")),
    };
    eframe::WebRunner::new()
        .start(canvas, page, app)
        .await
        .map_err(failed)
}
