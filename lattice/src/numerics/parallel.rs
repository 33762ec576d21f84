//! Filling arrays by one thread or several, with the same bits.

use rayon::prelude::*;

/// Entries a thread takes at once; a multiple of the lanes of the rotation solver.
const CHUNK: usize = 1024;
/// Bodies with more particles than this use several threads.
pub(crate) const PARALLEL_THRESHOLD: usize = 4000;

/// Calls `f(start, part)` on consecutive parts of `out`; no part depends on another.
pub(crate) fn fill<T: Send>(parallel: bool, out: &mut [T], f: impl Fn(usize, &mut [T]) + Sync) {
    if parallel {
        out.par_chunks_mut(CHUNK)
            .enumerate()
            .for_each(|(c, part)| f(c * CHUNK, part));
    } else {
        f(0, out);
    }
}

/// [`fill`] for two arrays of the same length.
pub(crate) fn fill_two<A: Send, B: Send>(
    parallel: bool,
    a: &mut [A],
    b: &mut [B],
    f: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    if parallel {
        a.par_chunks_mut(CHUNK)
            .zip(b.par_chunks_mut(CHUNK))
            .enumerate()
            .for_each(|(c, (a, b))| f(c * CHUNK, a, b));
    } else {
        f(0, a, b);
    }
}
