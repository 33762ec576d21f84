//! What a group remembers of each of its bodies, and of its budget.

use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::SteppedModel;
use pliant_core::model::degradation_levels::DegradationLevels;

use crate::merged_cut::MergedCut;

/// Whether a body is awake, and for how many frames it has been calm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rest {
    pub asleep: bool,
    pub calm: u16,
    /// something outside holds or moves it in this frame
    pub driven: bool,
    /// its state went wrong: it never wakes
    pub frozen: bool,
}

impl Rest {
    /// Awake from now on, unless it is frozen.
    pub fn wake(&mut self) {
        if !self.frozen {
            *self = Self::default();
        }
    }
}

/// A body that stands still for good, because its state went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenBody {
    /// Which one.
    pub body: u32,
    /// What was seen, and when.
    pub cause: String,
}

/// The skin of a body since it fell asleep, with its cuts.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptSkin {
    pub frame: SurfaceFrame,
    pub is_valid: bool,
}

impl KeptSkin {
    /// Writes the skin once when the body has fallen asleep.
    pub fn follow(&mut self, model: &impl SteppedModel, rest: &Rest) {
        if rest.asleep && !self.is_valid {
            model.write_surface(&mut self.frame);
        }
        self.is_valid = rest.asleep;
    }
}

/// How bodies that are cut are drawn. It follows from the bodies alone, and is kept so that frames without new cuts need no memory.
#[derive(Debug, Default)]
pub(crate) struct CutDrawing {
    pub merged: MergedCut,
    /// one for each body: as it is now, where it is cut and not kept
    pub frames: Vec<SurfaceFrame>,
}

/// What a group remembers of its budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Governing {
    pub degradation: DegradationLevels,
    /// work units of the present frame
    pub budget: u64,
    /// steps of the last frame if nothing had been given up
    pub steps: u32,
    /// times that steps were settled because something is given up
    pub settled: u64,
    /// whether bodies have viscous forces
    pub is_damped: bool,
}

impl Governing {
    /// Numbers of a snapshot.
    pub const SAVED: usize = DegradationLevels::SAVED + 1;

    pub fn save(&self, to: &mut Vec<f64>) {
        self.degradation.save(to);
        to.push(f64::from(self.steps));
    }

    /// Takes back what was saved; counts go on.
    pub fn restore(&mut self, from: &[f64; Self::SAVED]) {
        let [degradation @ .., steps] = *from;
        self.degradation.restore(degradation);
        self.steps = steps as u32;
    }
}
