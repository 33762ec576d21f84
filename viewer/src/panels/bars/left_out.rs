//! Levels of leaving things out of the bar at the top.

/// What the bar leaves out, from nothing to most of it. Each level leaves out what those before it do; what can be clicked moves into a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// All of the bar is shown.
    Nothing,
    /// The word beside the colours.
    Label,
    /// The overlay, and which panes are shown.
    Panes,
    /// The edges, and fitting the view.
    View,
    /// Advice.
    Advice,
    /// The colours.
    Colour,
}

impl LeftOut {
    /// All of them, in their order.
    pub const LEVELS: [Self; 6] = [
        Self::Nothing,
        Self::Label,
        Self::Panes,
        Self::View,
        Self::Advice,
        Self::Colour,
    ];
}
