//! The bars above and below the panes.

pub mod notices;
pub mod open;
pub mod pictures;
pub mod timeline;
pub mod top_bar;
