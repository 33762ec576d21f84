//! From the newest snapshot to the skins of all panes, each vertex in its colour.

use pliant_simulation::snapshot::{PaneSnapshot, PaneState};

use crate::app::App;
use crate::gl::renderer::SharedRenderer;
use crate::pane_skin::PaneSkin;
use crate::skin::SkinChoice;
use crate::style;

impl App {
    /// Stages the skins of all panes with their colours, from the newest snapshot.
    pub(crate) fn fill_vertices(&mut self) {
        let snapshot = self.runner.snapshot();
        let (Some(scene_view), Some(setup)) = (&self.view, &snapshot.setup) else {
            return;
        };
        let values: Vec<Option<Vec<f32>>> = (0..snapshot.panes.len())
            .map(|k| self.state.layer.values(snapshot, k))
            .collect();
        for list in values.iter().flatten() {
            self.state.range.grow(list);
        }
        let range = self.state.range;
        let mut renderer = self.renderer.lock();
        self.skins
            .resize_with(snapshot.panes.len(), PaneSkin::default);
        let (scene, visible) = (setup.skin(), crate::layout::shown(snapshot));
        let all = snapshot.panes.iter().zip(&mut self.skins).zip(&values);
        for (k, ((pane, skin), values)) in all.enumerate() {
            if !visible.contains(&k) || pane.frame.positions.len() != scene.vertex_count() {
                continue;
            }
            let plain = skin_color(pane);
            let color = |v: Option<usize>| {
                let shown = v.and_then(|v| values.as_ref()?.get(v));
                let held = v.is_some_and(|v| setup.held.get(v) == Some(&true));
                match (shown, v) {
                    (Some(&value), _) => range.color(value),
                    (None, None) => style::INSIDE,
                    (None, _) if held => plain.map(|c| 0.55 * c + 0.16),
                    (None, _) => plain,
                }
            };
            if let Some(out) = renderer.stage(k) {
                let drawn = (scene.as_ref(), &scene_view.skin);
                skin.stage(pane, drawn, self.state.skin, &color, out);
            }
        }
        let broken = |k: usize| snapshot.panes.get(k).is_some_and(|p| p.frame.cut.is_some());
        let line = |(k, skin): (usize, &PaneSkin)| match skin.summary() {
            None if self.state.skin != SkinChoice::Processor && broken(k) => {
                Some("cut skin, bent by the processor".to_string())
            }
            known => known,
        };
        self.state.skin_lines = self.skins.iter().enumerate().map(line).collect();
    }
}

/// Where the processor draws too, bending the skin in a shader only makes it do so several times.
pub(crate) fn default_skin(renderer: &SharedRenderer) -> SkinChoice {
    if renderer.lock().is_software() {
        SkinChoice::Processor
    } else {
        SkinChoice::Texture
    }
}

/// Grey where a method cannot run, so that nobody takes a resting skin for a result.
fn skin_color(pane: &PaneSnapshot) -> [f32; 3] {
    let color = style::skin_color(pane.method);
    match pane.state {
        PaneState::Ready => color,
        PaneState::NotApplicable(_) => [0.45, 0.47, 0.5],
        _ => color.map(|c| 0.5 * c + 0.24),
    }
}
