//! From the newest snapshot to the skins of all panes, each vertex in its colour.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::mem::discriminant;
use std::sync::Arc;

use pliant_render::color::{INSIDE, method_color};
use pliant_simulation::snapshot::{PaneSnapshot, PaneState, WorldSnapshot};

use super::pane_skin::{PaneSkin, WholeSkin};
use crate::gl::renderer::Renderer;
use crate::scene::{SceneView, SkinOcclusion};
use crate::skin::SkinChoice;
use crate::state::{Layer, UiState, shown};

/// The skins of all panes.
#[derive(Debug, Default)]
pub struct PaneSkins {
    skins: Vec<PaneSkin>,
    /// hash of what was seen last while time stood
    seen: Option<u64>,
}

impl PaneSkins {
    /// Whether the skins or their colours may differ from those of the last call. While time stands, the progress of a reference or of a bake publishes snapshots
    /// of the same skins: their picture can rest, and gets all its pixels where the processor draws.
    pub fn have_changed(&mut self, snapshot: &WorldSnapshot, layer: &Layer) -> bool {
        let seen = (!snapshot.playing).then(|| fingerprint(snapshot, layer));
        let before = std::mem::replace(&mut self.seen, seen);
        seen.is_none() || seen != before
    }

    /// Stages the skins of all panes with their colours. Also extends the range of the colour bar, and writes a line for
    /// each pane on how its skin is computed.
    pub fn stage(
        &mut self,
        snapshot: &WorldSnapshot,
        view: &SceneView,
        state: &mut UiState,
        renderer: &mut Renderer,
    ) {
        let Some(setup) = &snapshot.setup else {
            return;
        };
        let values: Vec<Option<Vec<f32>>> = (0..snapshot.panes.len())
            .map(|k| state.layer.values(snapshot, k))
            .collect();
        for list in values.iter().flatten() {
            state.range.extend(list);
            state.range.extend(&[state.layer.least_end(snapshot)]);
        }
        if let Some(words) = state.layer.categories() {
            // every value has its colour, even if it does not occur
            state.range.extend(&[words.len().saturating_sub(1) as f32]);
        }
        let range = state.range;
        self.skins
            .resize_with(snapshot.panes.len(), PaneSkin::default);
        let (scene, visible) = (setup.skin(), shown(snapshot));
        let unoccluded = SkinOcclusion::default();
        let whole = WholeSkin {
            surface: scene,
            creased: &view.skin,
            occlusion: view.occlusion.as_ref().unwrap_or(&unoccluded),
        };
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
                    (None, None) => INSIDE,
                    (None, _) if held => plain.map(|c| 0.55 * c + 0.16),
                    (None, _) => plain,
                }
            };
            if let Some(out) = renderer.stage(k) {
                skin.stage(pane, whole, state.skin, &color, out);
            }
        }
        let broken = |k: usize| snapshot.panes.get(k).is_some_and(|p| p.frame.cut.is_some());
        let line = |(k, skin): (usize, &PaneSkin)| match skin.summary() {
            None if state.skin != SkinChoice::Processor && broken(k) => {
                Some("cut skin, computed by the processor".to_string())
            }
            known => known,
        };
        state.skin_lines = self.skins.iter().enumerate().map(line).collect();
    }

    /// Drops all skins, for another scene.
    pub fn clear(&mut self) {
        self.skins.clear();
        self.seen = None;
    }
}

/// A hash of the skins of all panes and of their colours.
fn fingerprint(snapshot: &WorldSnapshot, layer: &Layer) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (k, pane) in snapshot.panes.iter().enumerate() {
        discriminant(&pane.state).hash(&mut hasher);
        pane.binding.as_ref().map(Arc::as_ptr).hash(&mut hasher);
        // a cut that opens need not move the skin; what was staged keeps its surface, so that no other one gets the address
        let cut = pane.frame.cut.as_deref();
        cut.map(|cut| Arc::as_ptr(&cut.surface)).hash(&mut hasher);
        let of_cut = cut.into_iter().flat_map(|cut| &cut.frame.positions);
        for place in pane.frame.positions.iter().chain(of_cut) {
            place.map(f32::to_bits).hash(&mut hasher);
        }
        for value in layer.values(snapshot, k).into_iter().flatten() {
            value.to_bits().hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Grey where a method cannot run, so that a skin at rest is not mistaken for a result.
fn skin_color(pane: &PaneSnapshot) -> [f32; 3] {
    let color = method_color(pane.method.name());
    match pane.state {
        PaneState::Ready => color,
        PaneState::NotApplicable(_) => [0.45, 0.47, 0.5],
        _ => color.map(|c| 0.5 * c + 0.24),
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::mesh::surface_frame::CutSurface;

    use super::*;

    #[test]
    fn a_cut_that_does_not_move_the_skin_changes_it() {
        let mut snapshot = crate::testing::snapshot();
        let mut skins = PaneSkins::default();
        skins.have_changed(&snapshot, &Layer::Plain);
        let cut = CutSurface::default();
        snapshot.panes[0].frame.cut = Some(Box::new(cut.clone()));
        assert!(skins.have_changed(&snapshot, &Layer::Plain));
        assert!(!skins.have_changed(&snapshot, &Layer::Plain));
        let surface = Arc::default();
        snapshot.panes[0].frame.cut = Some(Box::new(CutSurface { surface, ..cut }));
        assert!(skins.have_changed(&snapshot, &Layer::Plain));
    }

    #[test]
    fn skins_that_stand_still_do_not_change_and_those_that_move_do() {
        let mut snapshot = crate::testing::snapshot();
        let mut skins = PaneSkins::default();
        let plain = Layer::Plain;
        assert!(skins.have_changed(&snapshot, &plain));
        snapshot.version += 1;
        assert!(!skins.have_changed(&snapshot, &plain));
        snapshot.panes[0].frame.positions[3][1] += 1e-3;
        assert!(skins.have_changed(&snapshot, &plain));
        assert!(skins.have_changed(&snapshot, &Layer::Displacement));
        snapshot.panes[1].state = PaneState::Ready;
        assert!(skins.have_changed(&snapshot, &Layer::Displacement));
        assert!(!skins.have_changed(&snapshot, &Layer::Displacement));
        snapshot.playing = true;
        for _ in 0..2 {
            assert!(skins.have_changed(&snapshot, &Layer::Displacement));
        }
    }
}
