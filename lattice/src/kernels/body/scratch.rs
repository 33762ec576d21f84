//! Memory that bodies of a few hundred particles need within a step only: one for each thread instead of one for each body, so that it stays in
//! the nearest cache however many bodies there are.

use std::cell::RefCell;

use crate::kernels::dense::goal_slabs::Workspace;
use crate::kernels::dense::smooth_slabs::SmoothWorkspace;
use crate::kernels::memory::layout::Layout;

/// Memory for bodies of one layout.
pub(crate) struct Scratch {
    layout: Layout,
    pub goals: Workspace,
    pub smooth: SmoothWorkspace,
}

/// Layouts whose memory a thread keeps: bodies of several kinds take turns.
const MOST: usize = 8;

thread_local! {
    static SCRATCH: RefCell<Vec<Scratch>> = const { RefCell::new(Vec::new()) };
}

/// Calls `work` with this thread's memory for `layout`. What it holds is of no meaning, except that margins are zero.
pub(crate) fn with(layout: &Layout, work: impl FnOnce(&mut Scratch)) {
    SCRATCH.with_borrow_mut(|kept| {
        let known = kept.iter().position(|scratch| scratch.layout == *layout);
        let at = known.unwrap_or_else(|| {
            if kept.len() == MOST {
                kept.remove(0);
            }
            kept.push(Scratch {
                goals: Workspace::new(layout),
                smooth: SmoothWorkspace::new(layout),
                layout: layout.clone(),
            });
            kept.len() - 1
        });
        work(&mut kept[at]);
    });
}
