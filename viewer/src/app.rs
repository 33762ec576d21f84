//! The window: takes the newest snapshot, draws, and sends what the panels asked for.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use eframe::glow;
use egui::{Rect, Sense, Ui, Vec2};
use pliant_simulation::command::Command;
use pliant_simulation::runner::Runner;
use pliant_simulation::snapshot::{PaneState, WorldSnapshot};

use crate::ViewOptions;
use crate::gl::pane::PaneContent;
use crate::gl::renderer::SharedRenderer;
use crate::history::ForceSource;
use crate::interact::HandMode;
use crate::layers::Layer;
use crate::pane_skin::PaneSkin;
use crate::panels::{Context, notices, overlay, pane, top_bar};
use crate::screenshot;
use crate::skin::SkinChoice;
use crate::skin_colors::default_skin;
use crate::state::UiState;
use crate::statistics::{Durations, Statistics};
use crate::style;
use crate::view::{self, SceneView};

/// Samples for a pixel of a moving pane, and of one that stands still.
const SAMPLES: i32 = 4;
/// A pane that has not changed for so long is drawn once more, smoothly, where the processor draws; s.
const STILL_AFTER: f64 = 0.25;

/// How a run of the window went; shared with the code that started it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Whether a frame was shown: from then on a failure is one of ours.
    pub shown: AtomicBool,
    /// What could not be written.
    pub unwritable: std::sync::Mutex<Option<(PathBuf, String)>>,
}

/// The window.
pub struct App {
    pub(crate) runner: Runner,
    pub(crate) renderer: SharedRenderer,
    pub(crate) state: UiState,
    pub(crate) view: Option<SceneView>,
    scene: u64,
    version: u64,
    colored: (Layer, SkinChoice),
    pub(crate) skins: Vec<PaneSkin>,
    changed_at: f64,
    /// simulated frame up to which the hand has moved
    hand_frame: u64,
    seen: Option<PaneContent>,
    options: ViewOptions,
    outcome: Arc<Outcome>,
    started: Instant,
    first_frame: Option<Instant>,
    last_frame: Option<Instant>,
    frames: u64,
    durations: Durations,
    simulated: (u64, Durations),
    first_picture: Option<f64>,
    all_ready: Option<f64>,
    closing: bool,
}

impl App {
    /// A window on `runner`, whose scene is being opened.
    pub fn new(
        runner: Runner,
        renderer: SharedRenderer,
        options: ViewOptions,
        outcome: Arc<Outcome>,
        started: Instant,
    ) -> Self {
        let state = UiState {
            skin: options.skin.unwrap_or_else(|| default_skin(&renderer)),
            ..UiState::default()
        };
        Self {
            runner,
            renderer,
            state,
            view: None,
            scene: 0,
            version: 0,
            colored: (Layer::Plain, SkinChoice::Processor),
            skins: Vec::new(),
            changed_at: 0.0,
            hand_frame: 0,
            seen: None,
            options,
            outcome,
            started,
            first_frame: None,
            last_frame: None,
            frames: 0,
            durations: Durations::default(),
            simulated: (0, Durations::default()),
            first_picture: None,
            all_ready: None,
            closing: false,
        }
    }

    fn take_snapshot(&mut self, now: f64) {
        self.runner.update();
        let snapshot = self.runner.snapshot();
        if snapshot.scene_number != self.scene
            && let Some(setup) = &snapshot.setup
        {
            let scene_view = SceneView::new(setup);
            let mut renderer = self.renderer.lock();
            renderer.set_scene(
                scene_view.skin.triangles.clone(),
                view::tool_meshes(&setup.tools),
            );
            self.view = Some(scene_view);
            self.skins.clear();
            self.scene = snapshot.scene_number;
            self.version = 0;
            self.state.aimed = None;
            self.state.range = Default::default();
            self.state.hand = Default::default();
            if !setup.tools.iter().any(|t| t.follows_pointer) {
                self.state.hand_mode = HandMode::Grab;
            }
            // the choice of colours outlives a scene
            let commands = self.state.layer.commands(snapshot);
            if self.state.layer != Layer::Plain {
                commands.into_iter().for_each(|c| self.runner.send(c));
            }
        }
        if let Some(reason) = self.renderer.lock().refused() {
            self.state.skin_refused = Some(reason.to_string());
            self.state.skin = SkinChoice::Processor;
        }
        let snapshot = self.runner.snapshot();
        let coloring = (self.state.layer.clone(), self.state.skin);
        if snapshot.version != self.version || self.colored != coloring {
            self.version = snapshot.version;
            self.colored = coloring;
            self.changed_at = now;
            self.fill_vertices();
        }
        let snapshot = self.runner.snapshot();
        let source = ForceSource::of(snapshot, self.state.hand.is_grabbing());
        self.state.history.record(snapshot, &source);
        self.measure();
    }

    fn measure(&mut self) {
        let snapshot = self.runner.snapshot();
        if snapshot.frames != self.simulated.0 {
            self.simulated.0 = snapshot.frames;
            if snapshot.frames > 0 {
                self.simulated.1.push(snapshot.frame_ms);
            }
        }
        let since = self.started.elapsed().as_secs_f64();
        if self.first_picture.is_none()
            && self.renderer.lock().pictures() > 0
            && self.view.is_some()
        {
            self.first_picture = Some(since);
        }
        if self.all_ready.is_none() && all_ready(snapshot) {
            self.all_ready = Some(since);
        }
    }

    fn panes(&mut self, ui: &mut Ui, commands: &mut Vec<Command>, source: &ForceSource) {
        let all = ui.available_rect_before_wrap();
        let line = ui.visuals().widgets.noninteractive.bg_stroke.color;
        ui.painter().rect_filled(all, 0.0, line);
        let shown = crate::layout::shown(self.runner.snapshot());
        let count = shown.len();
        let size = crate::layout::pane(all, 0, count).1.size();
        let aspect = f64::from(size.x / size.y.max(1.0)).clamp(0.05, 20.0);
        if let Some(setup) = &self.runner.snapshot().setup {
            self.state.keep_aim(setup, aspect);
        }
        for (place, k) in shown.into_iter().enumerate() {
            let (head, picture) = crate::layout::pane(all, place, count);
            let response = ui.interact(
                picture,
                ui.scope_id().with(("pane", k)),
                Sense::click_and_drag(),
            );
            self.pointer(ui, k, picture, &response, commands);
            let content = self.content(picture, ui);
            if let Some(content) = content {
                ui.painter()
                    .add(self.renderer.callback(k, content, picture));
            } else {
                ui.painter()
                    .rect_filled(picture, 0.0, ui.visuals().extreme_bg_color);
            }
            let cx = Context {
                snapshot: self.runner.snapshot(),
                state: &mut self.state,
                commands,
            };
            pane::header(ui, head, k, &cx, source);
            overlay::show(ui, picture, k, &cx);
            if picture.contains(ui.input(|i| i.pointer.hover_pos()).unwrap_or_default())
                && !cx.snapshot.playing
                && cx.state.hand.is_busy()
            {
                overlay::paused_hint(ui, picture);
            }
        }
        let diagonal = self
            .runner
            .snapshot()
            .setup
            .as_ref()
            .map_or(1.0, |s| s.diagonal);
        let tool = self.pointer_tool();
        let snapshot = self.runner.snapshot();
        let frames = snapshot.frames.saturating_sub(self.hand_frame);
        self.hand_frame = snapshot.frames;
        let dt = frames as f64 * snapshot.setup.as_ref().map_or(0.0, |s| s.frame_duration());
        self.state.hand.advance(dt, tool, diagonal, commands);
    }

    fn content(&mut self, _picture: Rect, ui: &Ui) -> Option<PaneContent> {
        let scene_view = self.view.as_ref()?;
        let renderer = self.renderer.lock();
        let mut content = PaneContent {
            camera: self.state.camera,
            backdrop: style::backdrop(ui.visuals().dark_mode),
            wireframe: self.state.wireframe,
            region: scene_view.region,
            cell: scene_view.cell,
            tools: view::tool_poses(&self.runner.snapshot().tools),
            samples: 1,
        };
        let now = ui.input(|i| i.time);
        if self.seen.as_ref() != Some(&content) {
            self.seen = Some(content.clone());
            self.changed_at = now;
        }
        let still = now - self.changed_at >= STILL_AFTER;
        if !renderer.is_software() || still {
            content.samples = SAMPLES;
        } else {
            let wait = STILL_AFTER - (now - self.changed_at);
            ui.ctx()
                .request_repaint_after(std::time::Duration::from_secs_f64(wait.max(0.0) + 0.01));
        }
        Some(content)
    }

    fn end(&mut self, ctx: &egui::Context) {
        let Some(first) = self.first_frame else {
            return;
        };
        let Some(limit) = self.options.exit_after else {
            return;
        };
        if self.closing || first.elapsed().as_secs_f64() < limit {
            let left = (limit - first.elapsed().as_secs_f64()).max(0.0);
            ctx.request_repaint_after(std::time::Duration::from_secs_f64(left + 0.001));
            return;
        }
        self.closing = true;
        match self.options.screenshot.take() {
            None => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
            Some(file) => {
                let (outcome, ctx_again) = (Arc::clone(&self.outcome), ctx.clone());
                ctx.request_screenshot(move |image| {
                    if let Err(reason) = screenshot::write(&image, &file) {
                        report_unwritable(&outcome, file, reason);
                    }
                    ctx_again.send_viewport_cmd(egui::ViewportCommand::Close);
                });
                ctx.request_repaint();
            }
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            frames: self.frames,
            frame_ms: self.durations.quantiles(),
            sim_frame_ms: self.simulated.1.quantiles(),
            first_picture_s: self.first_picture,
            all_methods_ready_s: self.all_ready,
            renderer: self.renderer.lock().name().to_string(),
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let now = Instant::now();
        self.outcome.shown.store(true, Ordering::Relaxed);
        self.first_frame.get_or_insert(now);
        if let Some(last) = self.last_frame.replace(now) {
            self.durations
                .push(now.duration_since(last).as_secs_f64() * 1e3);
        }
        self.frames += 1;
        let time = ui.input(|i| i.time);
        self.take_snapshot(time);
        let source = ForceSource::of(self.runner.snapshot(), self.state.hand.is_grabbing());
        let mut commands = Vec::new();
        let mut cx = Context {
            snapshot: self.runner.snapshot(),
            state: &mut self.state,
            commands: &mut commands,
        };
        crate::layout::frame(ui, &mut cx, &source);
        top_bar::keys(ui, &mut cx);
        notices::dropped(ui, &mut cx);
        egui::CentralPanel::no_frame().show(ui, |ui| self.panes(ui, &mut commands, &source));
        commands.into_iter().for_each(|c| self.runner.send(c));
        if self.options.stats.is_some() {
            ui.ctx().request_repaint();
        }
        let ctx = ui.ctx().clone();
        self.end(&ctx);
    }

    fn on_exit(&mut self, gl: Option<&glow::Context>) {
        if let Some(file) = self.options.stats.take()
            && let Err(reason) = self.statistics().write(&file)
        {
            report_unwritable(&self.outcome, file, reason);
        }
        if let Some(gl) = gl {
            self.renderer.lock().delete(gl);
        }
    }
}

fn report_unwritable(outcome: &Outcome, file: PathBuf, reason: String) {
    let mut slot = outcome
        .unwritable
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    slot.get_or_insert((file, reason));
}

fn all_ready(snapshot: &WorldSnapshot) -> bool {
    let open = |s: &PaneState| matches!(s, PaneState::Waiting | PaneState::Baking { .. });
    snapshot.setup.is_some()
        && snapshot.panes.iter().any(|p| p.state == PaneState::Ready)
        && !snapshot.panes.iter().any(|p| open(&p.state))
}

/// Size of the window when nobody asks for another, points.
pub const DEFAULT_SIZE: Vec2 = Vec2::new(1440.0, 900.0);
