//! The inputs of all frames.

use std::collections::VecDeque;

use pliant_core::scene::Method;

use crate::world::Interaction;

/// Work units that each method's frame had, in the order of the panes; `None` where no clock bounded them.
pub type FrameUnits = [Option<u64>; Method::ALL.len()];

/// The input of one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameInput {
    /// The hand.
    pub interaction: Interaction,
    /// Work units.
    pub units: FrameUnits,
}

impl FrameInput {
    /// Memory, bytes, about.
    fn bytes(&self) -> usize {
        let held = (self.interaction.grab.as_ref()).map_or(0, |grab| grab.vertices.len());
        let pulled = (self.interaction.pull.as_ref()).map_or(0, |pull| pull.vertices.len());
        size_of::<Self>() + 4 * (held + pulled)
    }
}

/// The input of each frame from `start` on.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    start: u64,
    frames: VecDeque<FrameInput>,
    bytes: usize,
}

impl Inputs {
    /// The frame after the last one that has an input.
    pub fn end(&self) -> u64 {
        self.start + self.frames.len() as u64
    }

    /// Memory, bytes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets everything; the next input is that of the frame from `start` to `start + 1`.
    pub fn clear(&mut self, start: u64) {
        self.frames.clear();
        (self.start, self.bytes) = (start, 0);
    }

    /// The input of the frame that begins at `frame`.
    pub fn at(&self, frame: u64) -> Option<&FrameInput> {
        let index = frame.checked_sub(self.start)?;
        self.frames.get(usize::try_from(index).ok()?)
    }

    /// All inputs, each with the frame that it begins.
    pub fn all(&self) -> impl Iterator<Item = (u64, &FrameInput)> {
        (self.start..).zip(&self.frames)
    }

    /// Sets the input of the frame that begins at `frame`; it has one already, or follows the last that has.
    pub fn set(&mut self, frame: u64, input: FrameInput) {
        let index = frame.checked_sub(self.start).map(usize::try_from);
        let Some(Ok(index)) = index else {
            return;
        };
        self.bytes += input.bytes();
        if let Some(slot) = self.frames.get_mut(index) {
            self.bytes -= slot.bytes();
            *slot = input;
        } else {
            self.frames.push_back(input);
        }
    }

    /// Forgets the inputs of frames that begin before `frame`.
    pub fn forget_before(&mut self, frame: u64) {
        while self.start < frame
            && let Some(removed) = self.frames.pop_front()
        {
            self.bytes -= removed.bytes();
            self.start += 1;
        }
    }

    /// Forgets the inputs of frames that begin at `frame` or later.
    pub fn forget_from(&mut self, frame: u64) {
        while self.end() > frame
            && let Some(removed) = self.frames.pop_back()
        {
            self.bytes -= removed.bytes();
        }
    }
}
