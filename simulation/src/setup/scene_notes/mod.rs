//! Notes on a scene before it runs: skins too coarse for their tools, and bodies that lie inside each other.

pub(super) mod coarse_skin;
pub(super) mod overlap;
