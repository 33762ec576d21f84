//! One frame of the window: it takes the newest snapshot, draws, and sends the commands of the panels.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use eframe::glow;
use egui::{Ui, Vec2};
use pliant_core::scene::Method;
use pliant_simulation::command::Command;
use pliant_simulation::runner::Runner;
use pliant_simulation::setup::Setup;
use web_time::Instant;

use super::measurements::Measurements;
use super::outcome::Outcome;
use super::panes::Panes;
use super::pictures::{PictureTaker, Shot};
use crate::gl::renderer::SharedRenderer;
use crate::input::mode::HandMode;
use crate::options::ViewOptions;
use crate::panels::{Context, frame, keys, notices};
use crate::scene::{DecimationJob, OcclusionJob, SceneView, tool_meshes};
use crate::skin::SkinChoice;
use crate::staging::PaneSkins;
use crate::state::{ForceSource, Layer, RecentFiles, SceneSimilarity, UiState, new_file, settings};
use crate::style;

/// Default size of the window, points.
pub const DEFAULT_SIZE: Vec2 = Vec2::new(1440.0, 900.0);

/// Time between two polls of the ambient occlusion, while nothing else repaints the window.
const OCCLUSION_POLL: Duration = Duration::from_millis(50);

/// The window.
pub struct App {
    runner: Runner,
    renderer: SharedRenderer,
    state: UiState,
    view: Option<SceneView>,
    /// ambient occlusion of its skin, while it is computed
    occlusion: Option<OcclusionJob>,
    /// decimation of its skin, while it is computed
    decimation: Option<DecimationJob>,
    /// origin of the body, and its diagonal, m
    body: Option<(PathBuf, f64)>,
    /// numbers of the scene and of the snapshot that are shown
    scene: u64,
    version: u64,
    /// the choices with which the skins were staged
    colored: (Layer, SkinChoice),
    skins: PaneSkins,
    panes: Panes,
    pictures: PictureTaker,
    options: ViewOptions,
    outcome: Arc<Outcome>,
    measurements: Measurements,
    closing: bool,
}

impl App {
    /// A window on `runner`, which opens the scene of `options`.
    ///
    /// # Errors
    /// There is no OpenGL 3.3 or WebGL 2.
    pub fn new(
        context: &eframe::CreationContext<'_>,
        runner: Runner,
        options: ViewOptions,
        outcome: Arc<Outcome>,
        started: Instant,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let gl = context.gl.as_ref().ok_or("no OpenGL or WebGL 2")?;
        let renderer = SharedRenderer::new(gl, Method::ALL.len())?;
        style::install(&context.egui_ctx);
        let recent = RecentFiles::of_user();
        if let Some(theme) = recent.folder().and_then(settings::theme) {
            context.egui_ctx.set_theme(theme);
        }
        runner.send(Command::Open {
            source: options.source.clone(),
            import: options.import.clone(),
        });
        if options.play {
            runner.send(Command::Play);
        }
        let state = UiState {
            skin: options.skin.unwrap_or_else(|| default_skin(&renderer)),
            no_occlusion: recent.folder().is_some_and(|f| !settings::occlusion(f)),
            recent,
            ..UiState::default()
        };
        Ok(Self {
            runner,
            renderer,
            state,
            view: None,
            occlusion: None,
            decimation: None,
            body: None,
            scene: 0,
            version: 0,
            colored: (Layer::Plain, SkinChoice::Processor),
            skins: PaneSkins::default(),
            panes: Panes::default(),
            pictures: PictureTaker::default(),
            options,
            outcome,
            measurements: Measurements::new(started),
            closing: false,
        })
    }

    /// Takes the newest snapshot at `time` of the window, s.
    fn update_snapshot(&mut self, time: f64) {
        self.runner.update();
        let snapshot = self.runner.snapshot();
        if snapshot.scene_number != self.scene
            && let Some(setup) = snapshot.setup.clone()
        {
            self.scene = snapshot.scene_number;
            self.start_scene(&setup);
        }
        if let Some(reason) = self.renderer.lock().refused() {
            self.state.skin_refused = Some(reason.to_string());
            self.state.skin = SkinChoice::Processor;
        }
        if let Some(found) = self.decimation.as_ref().and_then(DecimationJob::poll) {
            self.renderer.lock().set_decimated_triangles(found);
            self.decimation = None;
        }
        let snapshot = self.runner.snapshot();
        let coloring = (self.state.layer.clone(), self.state.skin);
        if snapshot.version != self.version || self.colored != coloring {
            let is_new = self.version == 0 || self.colored != coloring;
            self.version = snapshot.version;
            self.colored = coloring;
            if self.skins.have_changed(snapshot, &self.state.layer) || is_new {
                self.panes.skins_changed(time);
                if let Some(view) = &self.view {
                    let mut renderer = self.renderer.lock();
                    self.skins
                        .stage(snapshot, view, &mut self.state, &mut renderer);
                }
            }
        }
        let saved = self.state.written.save(snapshot, &new_file::folder());
        self.state.saved = saved.or(self.state.saved.take());
        let source = ForceSource::of(snapshot, self.state.hand.mode() == Some(HandMode::Grab));
        self.state.history.record(snapshot, &source);
        let picture = self.view.is_some() && self.renderer.lock().pictures() > 0;
        self.measurements.record(snapshot, picture);
    }

    /// Starts another scene.
    fn start_scene(&mut self, setup: &Setup) {
        let mut view = SceneView::new(setup);
        let before = self.view.take();
        let before = before.filter(|before| before.skin.source == view.skin.source);
        let body = Some((setup.origin.clone(), setup.diagonal));
        let similarity = match (self.body == body, before) {
            (false, _) => SceneSimilarity::Different,
            (true, None) => SceneSimilarity::SameBody,
            (true, Some(before)) => {
                view.occlusion = before.occlusion;
                SceneSimilarity::SameSkin
            }
        };
        self.body = body;
        let mut renderer = self.renderer.lock();
        renderer.set_scene(view.skin.triangles.clone(), tool_meshes(&setup.tools));
        self.decimation = match renderer.is_software() {
            true => DecimationJob::start(setup.skin(), &view.skin),
            false => None,
        };
        drop(renderer);
        self.view = Some(view);
        self.occlusion = None;
        self.skins.clear();
        self.version = 0;
        self.state.is_prepared_again = self.runner.snapshot().is_prepared_again;
        self.state.begin_scene(setup, similarity);
        // the choice of colours is kept for the next scene
        if self.state.layer != Layer::Plain {
            let snapshot = self.runner.snapshot();
            let commands = self.state.layer.commands(snapshot);
            for command in commands {
                self.runner.send(command);
            }
        }
    }

    /// Continues the computation of the ambient occlusion, if it is shown and not complete.
    fn update_occlusion(&mut self, ctx: &egui::Context) {
        let (Some(view), Some(setup)) = (&mut self.view, &self.runner.snapshot().setup) else {
            return;
        };
        if view.occlusion.is_some() || self.state.no_occlusion {
            self.occlusion = None;
            return;
        }
        let start = || OcclusionJob::start(setup.skin(), &view.skin);
        match self.occlusion.get_or_insert_with(start).poll() {
            // the skins are staged once more
            Some(found) => {
                view.occlusion = Some(found);
                self.version = 0;
                ctx.request_repaint();
            }
            None => ctx.request_repaint_after(OCCLUSION_POLL),
        }
    }

    /// Closes the window when its time is over, with a screenshot if one was requested.
    fn close_in_time(&mut self, ctx: &egui::Context) {
        let (Some(shown), Some(limit)) = (self.measurements.shown_for(), self.options.exit_after)
        else {
            return;
        };
        if self.closing || shown < limit {
            let left = (limit - shown).max(0.0);
            ctx.request_repaint_after(Duration::from_secs_f64(left + 0.001));
            return;
        }
        self.closing = true;
        match self.options.screenshot.take() {
            None => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            Some(file) => {
                let (outcome, ctx_again) = (Arc::clone(&self.outcome), ctx.clone());
                ctx.request_screenshot(move |image| {
                    let write =
                        |bytes: Vec<u8>| std::fs::write(&file, bytes).map_err(|e| e.to_string());
                    if let Err(reason) = Shot::whole(&image).png().and_then(write) {
                        outcome.unwritable.get_or_init(|| (file, reason));
                    }
                    ctx_again.send_viewport_cmd(egui::ViewportCommand::Close);
                });
                ctx.request_repaint();
            }
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.outcome.shown.store(true, Ordering::Relaxed);
        self.measurements.begin_frame();
        let time = ui.input(|i| i.time);
        self.update_snapshot(time);
        self.update_occlusion(ui.ctx());
        let mut commands = Vec::new();
        let mut cx = Context {
            snapshot: self.runner.snapshot(),
            state: &mut self.state,
            commands: &mut commands,
        };
        self.pictures.serve(ui.ctx(), &mut cx);
        let source = ForceSource::of(cx.snapshot, cx.state.hand.mode() == Some(HandMode::Grab));
        frame::show(ui, &mut cx, &source);
        keys::read(ui, &mut cx);
        notices::dropped(ui, &mut cx);
        let (panes, renderer, view) = (&mut self.panes, &self.renderer, self.view.as_ref());
        let shown = egui::CentralPanel::no_frame()
            .show(ui, |ui| panes.show(ui, &mut cx, renderer, view, &source));
        self.pictures.panes_in(shown.response.rect);
        let playing = self.runner.snapshot().playing;
        for command in commands {
            let moves = command.is_motion_of_hand();
            let number = self.runner.send(command);
            if playing && moves {
                self.measurements.hand_moved(number);
            }
        }
        if self.options.stats.is_some() {
            ui.ctx().request_repaint();
        }
        let ctx = ui.ctx().clone();
        self.close_in_time(&ctx);
    }

    // the objects on the device end with its context
    fn on_exit(&mut self, _gl: Option<&glow::Context>) {
        self.pictures.finish();
        if let Some(file) = self.options.stats.take() {
            let renderer = self.renderer.lock().name().to_string();
            if let Err(reason) = self.measurements.statistics(renderer).write(&file) {
                self.outcome.unwritable.get_or_init(|| (file, reason));
            }
        }
    }
}

/// The default of how skins are computed. Where the processor draws, a shader would only compute the skin several times.
fn default_skin(renderer: &SharedRenderer) -> SkinChoice {
    if renderer.lock().is_software() {
        SkinChoice::Processor
    } else {
        SkinChoice::Texture
    }
}
