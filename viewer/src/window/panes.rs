//! The panes in a frame of the window: picture, header, overlay, and the pointer over each.

use std::time::Duration;

use egui::{Sense, Ui};
use pliant_render::color::method_color;
use pliant_render::lighting::occlusion::UNDER_COLORS;
use pliant_simulation::snapshot::PaneState;

use super::layout;
use super::pointer::{over_pane, reach_of_pointer_tool};
use crate::gl::pane::{Overlay, PaneContent};
use crate::gl::renderer::SharedRenderer;
use crate::input::mode::HandMode;
use crate::panels::{Context, header, notices, overlay};
use crate::scene::{SceneView, tool_poses};
use crate::state::{ForceSource, Layer, drawn};
use crate::style;

/// Samples for each pixel.
const SAMPLES: i32 = 4;
/// Where the processor draws, moving panes have one sample for each pixel. After this time without a change they are drawn again with all
/// samples, s.
const REFINE_DELAY: f64 = 0.25;
/// How long ambient occlusion takes to appear or vanish, s.
const OCCLUSION_FADE: f32 = 0.3;

/// State of the panes from frame to frame.
#[derive(Debug, Default)]
pub struct Panes {
    /// time of the window at which something in the pictures changed last, s
    changed_at: f64,
    /// how often the skins have changed
    skins_version: u64,
    /// simulated frame up to which the hand has moved
    hand_frame: u64,
    content: Option<PaneContent>,
}

impl Panes {
    /// The skins have changed at `time` of the window, s.
    pub fn skins_changed(&mut self, time: f64) {
        self.changed_at = time;
        self.skins_version += 1;
    }

    /// Shows all panes in the remaining space. `view` is the scene, if there is one.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        cx: &mut Context<'_>,
        renderer: &SharedRenderer,
        view: Option<&SceneView>,
        source: &ForceSource,
    ) {
        let all = ui.available_rect_before_wrap();
        let shown = drawn(cx.snapshot, cx.state.maximised, &cx.state.hidden);
        let count = shown.len();
        let visuals = ui.visuals();
        let behind = match count {
            0 => visuals.extreme_bg_color,
            // the lines between the panes
            _ => visuals.widgets.noninteractive.bg_stroke.color,
        };
        ui.painter().rect_filled(all, 0.0, behind);
        let size = layout::pane(all, 0, count).1.size();
        let aspect = f64::from(size.x / size.y.max(1.0)).clamp(0.05, 20.0);
        if let Some(setup) = &cx.snapshot.setup {
            cx.state.update_aim(setup, aspect);
        }
        for (place, k) in shown.into_iter().enumerate() {
            let (head, picture) = layout::pane(all, place, count);
            let id = ui.scope_id().with(("pane", k));
            let response = ui.interact(picture, id, Sense::click_and_drag());
            if let Some(view) = view {
                over_pane(ui, k, picture, &response, cx, view.edge);
                let mut content = self.content(ui, cx, renderer, view);
                content.overlay = overlay_of(k, cx, self.skins_version);
                ui.painter().add(renderer.callback(k, content, picture));
            } else {
                ui.painter()
                    .rect_filled(picture, 0.0, ui.visuals().extreme_bg_color);
            }
            // before the texts of the header, so that these get the pointer
            toggle_alone(ui, head, k, cx);
            header::show(ui, head, k, cx, source);
            overlay::show(ui, picture, k, cx);
            let hand = &cx.state.hand;
            if hand.mode() == Some(HandMode::Cut) && hand.pane() == Some(k) {
                overlay::cut_trail(ui, picture, &cx.state.cut_trail);
            }
            if picture.contains(ui.input(|i| i.pointer.hover_pos()).unwrap_or_default())
                && !cx.snapshot.playing
                && cx.state.hand.pane().is_some()
            {
                overlay::paused_hint(ui, picture);
            }
        }
        // the pane that the pointer was over last may no longer exist
        cx.state.picked.is_requested = false;
        notices::without_scene(ui, all, cx);
        self.advance_hand(cx);
    }

    /// Moves the hand towards the pointer in simulated time.
    fn advance_hand(&mut self, cx: &mut Context<'_>) {
        let snapshot = cx.snapshot;
        let setup = snapshot.setup.as_ref();
        let frames = snapshot.frames.saturating_sub(self.hand_frame);
        self.hand_frame = snapshot.frames;
        let dt = frames as f64 * setup.map_or(0.0, |s| s.frame_duration());
        let diagonal = setup.map_or(1.0, |s| s.diagonal);
        let hand = &cx.state.hand;
        let reach = match hand.mode() {
            Some(HandMode::Poke) => reach_of_pointer_tool(snapshot, hand),
            _ => None,
        };
        cx.state.hand.advance(dt, reach, diagonal, cx.commands);
    }

    fn content(
        &mut self,
        ui: &Ui,
        cx: &Context<'_>,
        renderer: &SharedRenderer,
        view: &SceneView,
    ) -> PaneContent {
        let mut content = PaneContent {
            camera: cx.state.camera,
            backdrop: style::backdrop(ui.visuals().dark_mode),
            wireframe: cx.state.wireframe,
            region: view.region,
            cell: view.cell,
            tools: tool_poses(&cx.snapshot.tools),
            samples: 1,
            overlay: None,
            occlusion: occlusion(ui, cx, view),
        };
        let now = ui.input(|i| i.time);
        if self.content.as_ref() != Some(&content) {
            self.content = Some(content.clone());
            self.changed_at = now;
        }
        let still_for = now - self.changed_at;
        if !renderer.lock().is_software() || still_for >= REFINE_DELAY {
            content.samples = SAMPLES;
        } else {
            let wait = (REFINE_DELAY - still_for).max(0.0) + 0.01;
            ui.ctx()
                .request_repaint_after(Duration::from_secs_f64(wait));
        }
        content
    }
}

/// How much of the ambient occlusion is shown now. It fades in.
fn occlusion(ui: &Ui, cx: &Context<'_>, view: &SceneView) -> f32 {
    let is_shown = !cx.state.no_occlusion && view.occlusion.is_some();
    let id = egui::Id::unique("ambient occlusion");
    let shown = ui
        .ctx()
        .animate_bool_with_time(id, is_shown, OCCLUSION_FADE);
    match cx.state.layer {
        Layer::Plain => shown,
        _ => shown * UNDER_COLORS,
    }
}

/// A double click on the header of pane `k` shows it alone, or all panes again.
fn toggle_alone(ui: &Ui, head: egui::Rect, k: usize, cx: &mut Context<'_>) {
    let strip = ui.interact(head, ui.scope_id().with(("strip", k)), Sense::click());
    if strip.double_clicked() {
        let method = cx.snapshot.panes.get(k).map(|p| p.method);
        cx.state.maximised = if cx.state.maximised.is_some() {
            None
        } else {
            method
        };
    }
}

/// The other skin that is drawn over that of pane `k`.
fn overlay_of(k: usize, cx: &Context<'_>, version: u64) -> Option<Overlay> {
    let method = cx.state.overlay?;
    let panes = &cx.snapshot.panes;
    let pane = panes.iter().position(|p| p.method == method)?;
    (pane != k && panes[pane].state == PaneState::Ready).then(|| Overlay {
        pane,
        version,
        color: method_color(method.name()).map(|c| 0.35 + 0.65 * c),
    })
}
