//! Threads that must not take the processor from the window.

/// Gives the calling thread the lowest priority. Where the system refuses, its work competes with the panes: slower, but not wrong.
#[cfg(not(target_family = "wasm"))]
pub fn lower_priority() {
    use thread_priority::{ThreadPriority, set_current_thread_priority};
    let _ = set_current_thread_priority(ThreadPriority::Min);
}

/// A browser has one thread and no priorities.
#[cfg(target_family = "wasm")]
pub fn lower_priority() {}
