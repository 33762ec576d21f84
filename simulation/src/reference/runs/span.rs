//! The frames of a reference, and what a hand does in them.

use std::sync::Arc;

use crate::setup::Setup;
use crate::world::Interaction;

/// The frames of a reference: those of the scene from time zero, or those in which a hand touched the body.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The frame, counted from time zero, before which the body is at rest.
    pub first: u64,
    /// Number of frames.
    pub frames: usize,
    /// The first frames whose forces are not judged: what happened before the hand was felt.
    pub lead: usize,
    /// What a hand does in each frame beside the script of the scene. Nothing in the frames after the last.
    pub hand: Arc<[Interaction]>,
}

impl Span {
    /// Frames of the script of the scene.
    pub fn of_script(frames: usize) -> Self {
        Self {
            first: 0,
            frames,
            lead: 0,
            hand: Arc::default(),
        }
    }

    /// Frames of a hand from frame `first` on, judged after `lead` frames.
    pub fn of_hand(first: u64, lead: usize, hand: Arc<[Interaction]>) -> Self {
        Self {
            first,
            frames: hand.len(),
            lead,
            hand,
        }
    }

    /// Whether these are frames of a hand.
    pub fn is_touched(&self) -> bool {
        !self.hand.is_empty()
    }

    /// Curves of forces that a run has: one a tool, one a grab, and one of what a hand held.
    pub(super) fn curves(&self, setup: &Setup) -> usize {
        setup.tools.len() + setup.grabs.len() + usize::from(self.holds())
    }

    /// For each curve, whether its force is compared with the reference. In a span of a hand, these are the curves of what it moves or holds. In one of the script, these are the curves of what moves: tools at rest carry weight, and do not touch.
    pub(in crate::reference) fn compared_curves(&self, setup: &Setup) -> Vec<bool> {
        let leads = self.hand.iter().any(|hand| hand.tool_position.is_some());
        let tools = setup.tools.iter().map(|tool| match self.is_touched() {
            true => leads && tool.follows_pointer,
            false => tool.path.duration() > 0.0,
        });
        let grabs = setup.grabs.iter();
        let grabs = grabs.map(|grab| !self.is_touched() && grab.path.duration() > 0.0);
        let held = self.holds().then_some(true);
        tools.chain(grabs).chain(held).collect()
    }

    /// Whether the hand holds the skin in any frame.
    pub(super) fn holds(&self) -> bool {
        self.hand.iter().any(|hand| hand.grab.is_some())
    }
}
