//! The methods and resolutions that are tried on a body, and the scenes that they are.

mod between;
mod candidate;
mod estimate;
mod list;
mod scene_text;
mod setting;
mod view_table;

pub(super) use between::level_between;
pub use candidate::{Candidate, Family};
pub(super) use estimate::estimated_seconds;
pub(super) use list::candidates;
pub use scene_text::SceneText;
pub use setting::{Setting, SettingValue};
