//! Thread pools of any size, for tests that results do not depend on their number.

/// The result of `work` in a pool of `threads` threads.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool").install(work)
}
