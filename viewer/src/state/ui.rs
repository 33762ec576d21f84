//! The user's choices. Nothing here belongs to the simulation.

use std::path::PathBuf;

use pliant_core::material::Material;
use pliant_core::scene::{Method, ViewDescription};
use pliant_render::OrbitCamera;
use pliant_simulation::setup::Setup;
use pliant_simulation::setup::hand::RestingBlade;

use super::colours::{Layer, Range};
use super::curves::{History, Plotted};
use super::{
    AdvicePanel, Defaults, Edits, IncomingFiles, MeshReport, Palette, Picked, Pictures,
    RecentFiles, WrittenScene,
};
use crate::input::flight::Flight;
use crate::input::hand::Hand;
use crate::input::mode::HandMode;
use crate::scene::{Aim, aim};
use crate::skin::SkinChoice;

/// How similar a new scene is to the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneSimilarity {
    /// It has another body.
    Different,
    /// Its body comes from the same source and has the same size.
    SameBody,
    /// As [`SameBody`](Self::SameBody), and its skin has the same vertices.
    SameSkin,
}

/// Whether the bodies of a scene that came without a blade are prepared for cutting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CutPreparation {
    /// Nobody asked for it, or it was told.
    #[default]
    None,
    /// The simulation was asked for it.
    Requested,
    /// The scene has started anew for it.
    Started,
}

/// Choices, and the state that they need from frame to frame.
#[derive(Debug, Clone, Default)]
pub struct UiState {
    /// The camera of all panes.
    pub camera: OrbitCamera,
    /// Width over height of a pane's picture; zero before the first picture.
    pub aspect: f64,
    /// Whether the camera is fitted to the body.
    pub camera_aim: Aim,
    /// Its flight to a place.
    pub flight: Option<Flight>,
    /// What the left button does on the skin.
    pub hand_mode: HandMode,
    /// The hand of the user.
    pub hand: Hand,
    /// The button that the hand used last.
    pub hand_button: Option<egui::PointerButton>,
    /// The skin vertex that was picked.
    pub picked: Picked,
    /// Path of the blade over its pane, from the upper left corner of the picture.
    pub cut_trail: Vec<egui::Vec2>,
    /// A drag that turns or moves the camera: its pane and button.
    pub camera_drag: Option<(usize, egui::PointerButton)>,
    /// What colours the skins.
    pub layer: Layer,
    /// How skins with control points are computed.
    pub skin: SkinChoice,
    /// A line for each pane on how its skin is computed.
    pub skin_lines: Vec<Option<String>>,
    /// Why the graphics card does not compute skins, if it refused.
    pub skin_refused: Option<String>,
    /// Ends of the colour bar.
    pub range: Range,
    /// Whether the edges of the triangles are drawn.
    pub wireframe: bool,
    /// Whether ambient occlusion is switched off.
    pub no_occlusion: bool,
    /// The method whose pane fills the window.
    pub maximised: Option<Method>,
    /// The methods whose panes are hidden while none fills the window. They go on running, and their curves stay.
    pub hidden: Vec<Method>,
    /// The method whose skin is drawn as a wireframe over those of the others.
    pub overlay: Option<Method>,
    /// What the curves show.
    pub plotted: Plotted,
    /// How much of the curves is shown, as a place in the list of spans.
    pub span: usize,
    /// Whether the simulation was asked to measure large skins.
    pub measures_skins: bool,
    /// The panel of advice.
    pub advice: AdvicePanel,
    /// The report on the meshes of the scene, and the place that it marks.
    pub mesh_report: MeshReport,
    /// Pictures and animations, and the marked part of the timeline.
    pub pictures: Pictures,
    /// Where curves, pictures or a scene were saved last, or why they were not.
    pub saved: Option<Result<PathBuf, String>>,
    /// The text of the scene that was saved last.
    pub written: WrittenScene,
    /// Initial values of parameters.
    pub defaults: Defaults,
    /// Changes of parameters that can be undone.
    pub edits: Edits,
    /// The material that is being edited for all methods.
    pub material: Option<Material>,
    /// Whether the details stand at the right.
    pub details: bool,
    /// Curves.
    pub history: History,
    /// The files that were opened last.
    pub recent: RecentFiles,
    /// Files that were dropped on the window.
    pub incoming_files: IncomingFiles,
    /// A line about a file that is missing or cannot be read.
    pub missing_file: Option<String>,
    /// The command palette.
    pub palette: Palette,
    /// Path in the open menu.
    pub path: String,
    /// The error that was dismissed, so that it stays away.
    pub dismissed: Option<String>,
    /// The notes on a scene that were dismissed, so that they stay away until it is opened again.
    pub dismissed_warning: Option<String>,
    /// Whether the scene is the one before prepared again, not a newly opened one.
    pub is_prepared_again: bool,
    /// Whether the scene starts anew, or has, so that it can be cut.
    pub cut_preparation: CutPreparation,
}

impl UiState {
    /// Starts another scene. State of the previous scene is reset; other choices stay. A scene that is opened is shown as its text specifies. The same scene
    /// with another material, prepared for cutting, or from changed files, is shown as before.
    pub fn begin_scene(&mut self, setup: &Setup, similarity: SceneSimilarity) {
        self.recent.opened(&setup.origin);
        // a path that could not be opened stays, to be corrected
        if setup.origin.as_os_str() == self.path.trim() {
            self.path.clear();
        }
        // for the same body the camera stays
        if similarity == SceneSimilarity::Different {
            self.camera_aim = Aim::Pending;
        }
        // the numbers of the vertices have changed
        if similarity != SceneSimilarity::SameSkin {
            self.picked.vertex = None;
        }
        self.flight = None;
        self.mesh_report.clear();
        self.edits.clear();
        self.defaults = Defaults::default();
        self.material = None;
        self.history = History::default();
        self.pictures.marks = [None; 2];
        self.range = Range::around(self.layer.neutral());
        self.hand = Hand::default();
        if !self.hand_mode.is_possible(setup) {
            self.hand_mode = HandMode::Grab;
        }
        let before = std::mem::take(&mut self.cut_preparation);
        if before == CutPreparation::Requested && RestingBlade::of(&setup.description).is_some() {
            self.hand_mode = HandMode::Cut;
            self.cut_preparation = CutPreparation::Started;
        }
        let view = setup.description.view.as_ref();
        if let Some(view) = view.filter(|_| !self.is_prepared_again) {
            self.show(view);
        }
    }

    /// Aims the camera at the body for panes of the current size.
    pub fn aim(&mut self, setup: &Setup) {
        aim(&mut self.camera, setup, self.aspect);
        self.camera_aim = Aim::Fitted(self.camera, self.aspect);
    }

    /// Starts a flight of the camera to `place`, where it stays.
    pub fn fly_to(&mut self, place: OrbitCamera) {
        self.flight = Some(Flight::new(self.camera, place));
        self.camera_aim = Aim::Fixed;
    }

    /// How the window shows the scene, for its text.
    pub fn view(&self) -> ViewDescription {
        let (quantity, difference_to) = self.layer.to_view();
        let Range { low, high, .. } = self.range;
        let is_seen = self.layer != Layer::Plain && low < high;
        ViewDescription {
            camera: Some(self.camera.description()),
            quantity,
            difference_to,
            range: is_seen.then_some([low, high]),
            alone: self.maximised,
            overlay: self.overlay,
            edges: self.wireframe,
        }
    }

    /// Shows a scene as its text specifies.
    pub fn show(&mut self, view: &ViewDescription) {
        if let Some(description) = &view.camera {
            self.camera = OrbitCamera::from_description(description);
            self.camera_aim = Aim::Fixed;
        }
        self.layer = Layer::from_view(view);
        let empty = Range::around(self.layer.neutral());
        self.range = match view.range {
            Some([low, high]) => Range { low, high, ..empty },
            None => empty,
        };
        self.maximised = view.alone;
        self.overlay = view.overlay;
        self.wireframe = view.edges;
    }

    /// Sets the `aspect` of the panes. Aims again, unless the camera was moved.
    pub fn update_aim(&mut self, setup: &Setup, aspect: f64) {
        self.aspect = aspect;
        let is_due = match self.camera_aim {
            Aim::Pending => true,
            Aim::Fitted(camera, before) => camera == self.camera && before != aspect,
            Aim::Fixed => false,
        };
        if is_due {
            self.aim(setup);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aim_is_updated_until_the_user_moves_the_camera() {
        let setup = &crate::testing::setup();
        let mut state = UiState::default();
        state.update_aim(setup, 1.0);
        let first = state.camera;
        state.update_aim(setup, 0.1);
        let is_farther = state.camera.distance > first.distance;
        assert!(is_farther, "a narrow pane needs more distance");
        state.camera.orbit(0.3, 0.0);
        let moved = state.camera;
        state.update_aim(setup, 1.0);
        assert_eq!(state.camera, moved);
    }

    #[test]
    fn a_path_leaves_its_field_once_it_is_open() {
        let setup = &crate::testing::setup();
        for (typed, left) in [(" welcome ", ""), ("welcome.stl", "welcome.stl")] {
            let mut state = UiState {
                path: typed.into(),
                ..UiState::default()
            };
            state.begin_scene(setup, SceneSimilarity::Different);
            assert_eq!(state.path, left);
        }
    }

    #[test]
    fn a_view_is_shown_again_and_panes_of_another_size_do_not_change_it() {
        let setup = &crate::testing::setup();
        let mut state = UiState {
            layer: Layer::Quantity("stress".into()),
            range: Range {
                low: -1.0,
                high: 3.5,
                neutral: 0.0,
            },
            wireframe: true,
            maximised: Some(Method::Lattice),
            overlay: Some(Method::Adaptive),
            ..UiState::default()
        };
        state.update_aim(setup, 1.0);
        state.camera.orbit(0.3, 0.1);
        let view = state.view();
        let mut other = UiState::default();
        other.show(&view);
        other.update_aim(setup, 0.3);
        assert_eq!(other.view(), view);
        assert_eq!(other.layer, state.layer);
        assert_eq!(other.range, state.range);
        // a view that says nothing shows plain skins
        state.show(&ViewDescription::default());
        assert!(state.layer == Layer::Plain && !state.wireframe);
    }

    #[test]
    fn a_reopened_file_is_shown_as_it_specifies_and_one_prepared_again_as_before() {
        let mut setup = crate::testing::setup();
        setup.description.view = Some(ViewDescription {
            edges: true,
            ..ViewDescription::default()
        });
        let mut state = UiState::default();
        state.begin_scene(&setup, SceneSimilarity::Different);
        assert!(state.wireframe);
        state.wireframe = false;
        state.is_prepared_again = true;
        state.begin_scene(&setup, SceneSimilarity::SameSkin);
        assert!(!state.wireframe, "switched off by the user");
        state.is_prepared_again = false;
        state.begin_scene(&setup, SceneSimilarity::SameSkin);
        assert!(state.wireframe);
    }

    #[test]
    fn a_scene_that_was_prepared_for_cutting_is_cut_until_it_is_opened_again() {
        let mut setup = crate::testing::setup();
        let mut state = UiState::default();
        let mut begun = |setup: &Setup, cut_preparation| {
            state.cut_preparation = cut_preparation;
            state.begin_scene(setup, SceneSimilarity::SameSkin);
            (state.hand_mode, state.cut_preparation)
        };
        let whole = (HandMode::Grab, CutPreparation::None);
        assert_eq!(begun(&setup, CutPreparation::Requested), whole);
        let blade = RestingBlade::beside(&setup).tool();
        setup.description.tools.push(blade);
        let started = (HandMode::Cut, CutPreparation::Started);
        assert_eq!(begun(&setup, CutPreparation::None), whole, "nobody asked");
        assert_eq!(begun(&setup, CutPreparation::Requested), started);
        setup.description.tools.pop();
        assert_eq!(begun(&setup, CutPreparation::Started), whole);
    }

    #[test]
    fn the_state_of_a_scene_is_reset_when_another_starts() {
        let mut snapshot = crate::testing::snapshot();
        let setup = snapshot.setup.clone().expect("a scene");
        let mut state = UiState {
            hand_mode: HandMode::Cut,
            material: Some(setup.description.body.material),
            ..UiState::default()
        };
        state.history.record_frame(&mut snapshot, 1);
        state.defaults.record(&snapshot);
        let first = |state: &UiState| {
            let first = state.defaults.of(Method::Adaptive, "damping_ratio");
            first.cloned()
        };
        assert!(!state.history.curves.is_empty() && first(&state).is_some());
        state.picked.vertex = Some(3);
        state.fly_to(OrbitCamera::default());
        state.begin_scene(&setup, SceneSimilarity::SameSkin);
        assert!(state.history.curves.is_empty() && first(&state).is_none());
        assert!(state.flight.is_none() && state.material.is_none());
        assert_eq!(state.hand_mode, HandMode::Grab, "it has no blade");
        let kept = (state.picked.vertex, state.camera_aim);
        assert_eq!(kept, (Some(3), Aim::Fixed));
        state.begin_scene(&setup, SceneSimilarity::SameBody);
        assert_eq!((state.picked.vertex, state.camera_aim), (None, Aim::Fixed));
        state.begin_scene(&setup, SceneSimilarity::Different);
        assert_eq!(state.camera_aim, Aim::Pending);
    }

    #[test]
    fn a_panel_that_opens_does_not_end_the_flight_to_a_place() {
        let setup = &crate::testing::setup();
        let mut state = UiState::default();
        state.update_aim(setup, 1.0);
        let before = state.camera;
        let mut place = before;
        place.zoom(0.5);
        state.fly_to(place);
        state.update_aim(setup, 0.1);
        assert_eq!((state.camera, state.aspect), (before, 0.1));
        assert!(state.flight.is_some());
    }
}
