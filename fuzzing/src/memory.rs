//! An allocator that counts the memory of each thread, to measure what a reader allocates, and one that calls an observer.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Largest single allocation, bytes. A larger one is refused, which ends the process: it would exhaust the machine before the count is checked.
const MAX_ALLOCATION: usize = 2 << 30;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator with counts.
pub struct Counting;

fn count(change: isize) {
    // a thread that ends has no counts any more
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(live.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches only two cells of the thread, which need no
// memory and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MAX_ALLOCATION {
            return std::ptr::null_mut();
        }
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of this function, which is that of the system's
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MAX_ALLOCATION {
            return std::ptr::null_mut();
        }
        count(layout.size() as isize);
        // SAFETY: as above
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > MAX_ALLOCATION {
            return std::ptr::null_mut();
        }
        // large blocks are moved by the system without a second copy
        count(size as isize - layout.size() as isize);
        // SAFETY: as above
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above
        unsafe { System.dealloc(old, layout) }
    }
}

/// The system's allocator, which calls a function at each allocation. The function must not allocate.
pub struct Watched(pub fn());

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        (self.0)();
        // SAFETY: as above
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        (self.0)();
        // SAFETY: as above
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above
        unsafe { System.dealloc(old, layout) }
    }
}

/// The result of `work`, and the most bytes that this thread held during it beyond those before.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.get();
    PEAK.set(before);
    let result = work();
    (result, (PEAK.get() - before).max(0) as usize)
}
