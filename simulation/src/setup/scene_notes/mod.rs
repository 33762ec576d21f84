//! Notes on a scene before it runs: skins too coarse for their tools and grabs, grabs that do not hold what they select, supports that hold everything, bodies that lie inside each other or in tools, strains too large for a method, and keys that only one method follows.

pub(super) mod all_held;
pub(super) mod coarse_skin;
pub(super) mod grabs;
pub(super) mod large_strain;
pub(super) mod lone_keys;
mod move_apart;
pub(super) mod note;
pub(super) mod overlap;
mod placed_body;
pub(super) mod standing;
pub(super) mod tool_overlap;
