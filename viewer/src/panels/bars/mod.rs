//! The bars above and below the panes.

mod doubts;
pub mod notices;
pub mod open;
pub mod pictures;
mod scene_cards;
pub mod timeline;
pub mod top_bar;
