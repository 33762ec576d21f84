//! Threads that must not take the processor from the window. A browser has one thread and no priorities.

/// Gives the calling thread a priority below that of the panes, for work that has to go on beside them: a quarter of a core where the panes need all of it (niceness 5). The
/// lowest one would wait for ever on a busy machine.
pub fn modest_priority() {
    #[cfg(not(target_family = "wasm"))]
    {
        use thread_priority::{ThreadPriority, set_current_thread_priority};
        let modest = 35_u8.try_into().map(ThreadPriority::Crossplatform);
        let _ = modest.map(set_current_thread_priority);
    }
}

/// Gives the calling thread the lowest priority. Where the system refuses, its work competes with the panes: slower, but not wrong.
pub(crate) fn lower_priority() {
    #[cfg(not(target_family = "wasm"))]
    {
        use thread_priority::{ThreadPriority, set_current_thread_priority};
        let _ = set_current_thread_priority(ThreadPriority::Min);
    }
}

/// Does `work` in a pool of its own with so many `threads`, or one a core where that is 0; `set_priority` is called on each of them. In the pool that all share, a frame of a pane that waits for its own
/// parts would take up parts of the work, and last as long as these.
pub(crate) fn in_own_pool<R: Send>(
    name: &'static str,
    threads: usize,
    set_priority: fn(),
    work: impl FnOnce() -> R + Send,
) -> R {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(move |k| format!("{name} {k}"))
        .start_handler(move |_| set_priority())
        .build();
    match pool {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// Gives the threads of the calling thread's own pool a priority below that of the panes: everything that somebody waits for is there. A system lets no thread raise its priority again.
pub(crate) fn go_below_panes() {
    // outside a pool of its own, the threads are those of the panes
    if rayon::current_thread_index().is_some() {
        // this thread now, and each thread as soon as it has no work of its own left
        modest_priority();
        rayon::spawn_broadcast(|_| modest_priority());
    }
}
