//! The bars above and below the panes, and what stands in their place without a scene.

pub mod button;
mod fitting;
pub mod menu;
pub mod notices;
pub mod open;
pub mod pictures;
mod scene_cards;
mod scene_warning;
pub mod stages;
pub mod timeline;
pub mod top_bar;
mod views;
pub mod width;
