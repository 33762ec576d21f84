//! Workspaces of small bodies: one for each thread instead of one for each body, so that they stay in
//! the nearest cache however many bodies there are.

use std::cell::RefCell;

use crate::kernels::dense::goal_slabs::Workspace;
use crate::kernels::dense::smooth_slabs::SmoothWorkspace;
use crate::kernels::memory::layout::Layout;

/// Workspaces for bodies of one layout.
pub(crate) struct Scratch {
    layout: Layout,
    pub goals: Workspace,
    pub smooth: SmoothWorkspace,
}

/// Layouts whose workspaces a thread keeps, for bodies of several kinds.
const MAX_LAYOUTS: usize = 8;

thread_local! {
    static SCRATCH: RefCell<Vec<Scratch>> = const { RefCell::new(Vec::new()) };
}

/// Calls `work` with this thread's workspaces for `layout`. Their contents are undefined, except that margins are zero.
pub(crate) fn with(layout: &Layout, work: impl FnOnce(&mut Scratch)) {
    SCRATCH.with_borrow_mut(|cached| {
        let position = cached.iter().position(|scratch| scratch.layout == *layout);
        let at = position.unwrap_or_else(|| {
            if cached.len() == MAX_LAYOUTS {
                cached.remove(0);
            }
            cached.push(Scratch {
                goals: Workspace::new(layout),
                smooth: SmoothWorkspace::new(layout),
                layout: layout.clone(),
            });
            cached.len() - 1
        });
        work(&mut cached[at]);
    });
}
