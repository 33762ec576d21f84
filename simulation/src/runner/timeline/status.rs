//! What a window sees of the timeline.

/// The timeline as a window shows it. Frames are counted from time zero of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimelineStatus {
    /// The oldest frame that can be gone back to.
    pub first: u64,
    /// The frame that is shown.
    pub now: u64,
    /// The newest frame that has been computed with the present parameters.
    pub last: u64,
    /// Up to this frame the hand's input is repeated: as `last`, or beyond it where a parameter was changed in the past.
    pub end: u64,
    /// From this frame on each one can be gone back to. Of those before, which had other parameters, the kept ones can.
    pub exact_from: u64,
    /// The frame that is being approached step by step, if any.
    pub seek_target: Option<u64>,
    /// Whether the history is repeated from its beginning when it is over.
    pub loops: bool,
    /// Memory of all that is kept, bytes.
    pub bytes: usize,
}

impl TimelineStatus {
    /// Whether there is anything before or after the frame that is shown.
    pub fn is_empty(&self) -> bool {
        self.first == self.end
    }

    /// Whether the frame that is shown lies in the past.
    pub fn is_in_the_past(&self) -> bool {
        self.now < self.end
    }
}
