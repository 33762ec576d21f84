//! Handing the newest value from one thread to another: neither waits for the other's work.
//!
//! Three buffers are used in turn. Writer and reader own one each; the third changes hands under a lock that is held for a swap of two pointers.

use std::sync::{Arc, Mutex};

use super::lock::{lock, try_lock};

/// The writing end.
#[derive(Debug)]
pub struct HandoverWriter<T> {
    shared: Arc<Mutex<Slot<T>>>,
    buffer: Box<T>,
}

/// The reading end.
#[derive(Debug)]
pub struct HandoverReader<T> {
    shared: Arc<Mutex<Slot<T>>>,
    buffer: Box<T>,
}

#[derive(Debug)]
struct Slot<T> {
    buffer: Box<T>,
    fresh: bool,
}

impl<T> Slot<T> {
    fn put(&mut self, buffer: &mut Box<T>) {
        std::mem::swap(&mut self.buffer, buffer);
        self.fresh = true;
    }

    fn take(&mut self, buffer: &mut Box<T>) -> bool {
        let is_fresh = std::mem::take(&mut self.fresh);
        if is_fresh {
            std::mem::swap(&mut self.buffer, buffer);
        }
        is_fresh
    }
}

/// Connects a writer and a reader; all three buffers start as clones of `initial`.
pub fn handover<T: Clone>(initial: T) -> (HandoverWriter<T>, HandoverReader<T>) {
    let shared = Arc::new(Mutex::new(Slot {
        buffer: Box::new(initial.clone()),
        fresh: false,
    }));
    let writer = HandoverWriter {
        shared: Arc::clone(&shared),
        buffer: Box::new(initial.clone()),
    };
    let reader = HandoverReader {
        shared,
        buffer: Box::new(initial),
    };
    (writer, reader)
}

impl<T> HandoverWriter<T> {
    /// The buffer to fill; it holds some older value.
    pub fn buffer(&mut self) -> &mut T {
        &mut self.buffer
    }

    /// Makes the filled buffer the newest value.
    pub fn publish(&mut self) {
        lock(&self.shared).put(&mut self.buffer);
    }

    /// As [`Self::publish`], but never waits. False when the reader was just swapping; the value then stays in the buffer.
    pub fn try_publish(&mut self) -> bool {
        let done = try_lock(&self.shared).map(|mut slot| slot.put(&mut self.buffer));
        done.is_some()
    }
}

impl<T> HandoverReader<T> {
    /// Takes over the newest value if there is one; whether there was.
    pub fn update(&mut self) -> bool {
        lock(&self.shared).take(&mut self.buffer)
    }

    /// As [`Self::update`], but never waits: false also when the writer was just swapping.
    pub fn try_update(&mut self) -> bool {
        try_lock(&self.shared).is_some_and(|mut slot| slot.take(&mut self.buffer))
    }

    /// The value taken over last.
    pub fn value(&self) -> &T {
        &self.buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_sees_the_newest_value_once() {
        let (mut writer, mut reader) = handover(0);
        assert!(!reader.update());
        for k in 1..=3 {
            *writer.buffer() = k;
            writer.publish();
        }
        assert!(reader.update());
        assert_eq!(*reader.value(), 3);
        assert!(!reader.update());
    }

    #[test]
    fn values_only_rise_under_contention() {
        let (mut writer, mut reader) = handover(0_u64);
        let producer = std::thread::spawn(move || {
            for k in 1..=20_000 {
                *writer.buffer() = k;
                while k % 2 == 0 && !writer.try_publish() {}
                if k % 2 == 1 {
                    writer.publish();
                }
            }
        });
        let mut last = 0;
        while last < 20_000 {
            if reader.try_update() {
                assert!(*reader.value() > last);
                last = *reader.value();
            }
        }
        producer.join().expect("the producer ends");
    }
}
