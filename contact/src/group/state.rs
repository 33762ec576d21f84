//! The state of a group besides its bodies: sleep, skins, and the budget.

use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::SteppedModel;
use pliant_core::model::degradation_levels::DegradationLevels;

use crate::merged_cut::MergedCut;

/// Whether a body is awake, and for how many frames it has been at rest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SleepState {
    pub asleep: bool,
    pub rest_frames: u16,
    /// whether constraints or loads act on it in this frame
    pub driven: bool,
    /// whether it is held after its state became invalid: it does not wake
    pub frozen: bool,
}

impl SleepState {
    /// Awake from now on, unless it is frozen. A body that was asleep has not moved yet, so that it wakes no other one.
    pub fn wake(&mut self) {
        if !self.frozen {
            *self = Self {
                rest_frames: u16::from(self.asleep),
                ..Self::default()
            };
        }
    }

    /// Whether it wakes bodies that touch it.
    pub fn wakes_neighbours(&self) -> bool {
        !self.asleep && (self.driven || self.rest_frames == 0)
    }
}

/// A body that stands still for good, because its state became invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenBody {
    /// Which one.
    pub body: u32,
    /// The symptom, and when it was found.
    pub cause: String,
}

/// The skin of a sleeping body, with its cuts.
#[derive(Debug, Clone, Default)]
pub(crate) struct SleepingSkin {
    pub frame: SurfaceFrame,
    pub is_valid: bool,
}

impl SleepingSkin {
    /// Writes the skin once when the body has fallen asleep.
    pub fn update(&mut self, model: &impl SteppedModel, sleep: &SleepState) {
        if sleep.asleep && !self.is_valid {
            model.write_surface(&mut self.frame);
        }
        self.is_valid = sleep.asleep;
    }
}

/// Buffers for drawing bodies that are cut. Their content follows from the bodies alone; frames without new cuts allocate nothing.
#[derive(Debug, Default)]
pub(crate) struct CutDrawing {
    pub merged: MergedCut,
    /// one for each body, filled for those that are cut and awake
    pub frames: Vec<SurfaceFrame>,
}

/// The state of the common budget of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Governing {
    pub degradation: DegradationLevels,
    /// work units of the present frame
    pub budget: u64,
    /// steps of the last frame if nothing had been given up
    pub steps: u32,
    /// times that steps were chosen again because something is given up
    pub step_choices: u64,
    /// whether bodies have viscous forces
    pub is_damped: bool,
}
