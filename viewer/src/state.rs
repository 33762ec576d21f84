//! What the user has chosen; nothing here belongs to the simulation.

use pliant_render::OrbitCamera;

use crate::history::History;
use crate::interact::{Hand, HandMode};
use crate::layers::{Layer, Range};

/// Choices and what they need from frame to frame.
#[derive(Debug, Clone)]
pub struct UiState {
    /// The camera of all panes.
    pub camera: OrbitCamera,
    /// Width over height of a pane's picture.
    pub aspect: f64,
    /// Whether the camera has to be aimed at a new body as soon as the panes have their size.
    pub aim_pending: bool,
    /// What the left button does on the skin.
    pub hand_mode: HandMode,
    /// What it does now.
    pub hand: Hand,
    /// Whether a drag that began beside the body turns or moves the camera, and in which pane.
    pub camera_drag: Option<(usize, egui::PointerButton)>,
    /// What colours the skins.
    pub layer: Layer,
    /// Ends of its colour bar.
    pub range: Range,
    /// Whether the edges of the triangles are drawn.
    pub wireframe: bool,
    /// Whether the curves show the probe instead of the force.
    pub plot_probe: bool,
    /// Whether the details stand at the right.
    pub details: bool,
    /// Curves.
    pub history: History,
    /// Path in the open menu.
    pub path: String,
    /// The error that was dismissed, so that it stays away.
    pub dismissed: Option<String>,
}

impl Default for UiState {
    fn default() -> Self {
        Self {
            camera: OrbitCamera::default(),
            aspect: 1.0,
            aim_pending: false,
            hand_mode: HandMode::default(),
            hand: Hand::default(),
            camera_drag: None,
            layer: Layer::default(),
            range: Range::default(),
            wireframe: false,
            plot_probe: false,
            details: false,
            history: History::default(),
            path: String::new(),
            dismissed: None,
        }
    }
}
