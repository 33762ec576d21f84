//! Limits of a reader for any bytes: no panic, little time, little memory, and a value or one clear error message.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::clock::thread_time;
use crate::memory::peak_of;

/// Longest message, bytes. A long file name may occur twice in it.
const MAX_MESSAGE_BYTES: usize = 1_000;

/// Limits of the cost of reading. Memory is counted by [`crate::Counting`] as the allocator of the program.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of memory for each byte of the file.
    pub bytes_per_byte: usize,
    /// Further bytes of memory.
    pub extra_bytes: usize,
    /// Processor time for reading a file and using the result.
    pub max_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes_per_byte: 20,
            extra_bytes: 1 << 20,
            max_time: Duration::from_secs(4),
        }
    }
}

impl Limits {
    /// Reads `bytes`, then uses the result. A sentence if a rule was broken; `using` may give one, too.
    pub fn complaint<T>(
        &self,
        bytes: &[u8],
        reading: impl FnOnce(&[u8]) -> Result<T, String>,
        using: impl FnOnce(T) -> Option<String>,
    ) -> Option<String> {
        let started = thread_time();
        let read = || catch_unwind(AssertUnwindSafe(|| reading(bytes)));
        let (result, peak) = peak_of(read);
        if peak > self.bytes_per_byte * bytes.len() + self.extra_bytes {
            let length = bytes.len();
            return Some(format!("took {peak} bytes of memory for {length} bytes"));
        }
        let complaint = match result {
            Err(_) => Some("panicked".to_string()),
            Ok(Err(message)) => unclear_message(&message),
            Ok(Ok(value)) => catch_unwind(AssertUnwindSafe(|| using(value)))
                .unwrap_or_else(|_| Some("gave something that panicked in use".to_string())),
        };
        let time = thread_time() - started;
        let slow = || (time > self.max_time).then(|| format!("took {:.1} s", time.as_secs_f64()));
        complaint.or_else(slow)
    }
}

/// The complaint about an error message that is not one line, with at most a second one that has the remedy.
fn unclear_message(text: &str) -> Option<String> {
    let (message, remedy) = text.split_once("\n  remedy: ").unwrap_or((text, "none"));
    let is_clear = ![message, remedy]
        .iter()
        .any(|line| line.is_empty() || line.contains(['\n', '\r', '\u{0}', '\u{1b}']));
    (!is_clear || text.len() > MAX_MESSAGE_BYTES)
        .then(|| format!("gave an error that is not one clear line: {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_broken_rule_is_reported() {
        let limits = Limits::default();
        let complaint = |read: fn(&[u8]) -> Result<u8, String>, used: fn(u8) -> Option<String>| {
            limits.complaint(b"bytes", read, used).unwrap_or_default()
        };
        assert_eq!(complaint(|bytes| Ok(bytes[0]), |_| None), "");
        assert_eq!(
            complaint(|_| Err("it ends\n  remedy: copy it".into()), |_| None),
            ""
        );
        assert!(complaint(|bytes| Ok(bytes[9]), |_| None).starts_with("panicked"));
        assert!(complaint(|_| Ok(1), |_| panic!()).contains("panicked in use"));
        assert!(complaint(|_| Ok(1), |_| Some("is wrong".into())).contains("wrong"));
        for bad in ["", "two\nlines", "a\u{1b}[2J", "no\n  remedy: "] {
            assert!(unclear_message(bad).is_some(), "{bad:?}");
        }
        assert!(unclear_message(&"long ".repeat(300)).is_some());
        let strict = Limits {
            max_time: Duration::ZERO,
            ..limits
        };
        let slow = |_: &[u8]| {
            let begin = thread_time();
            while thread_time() - begin < Duration::from_millis(2) {}
            Ok(())
        };
        assert!(strict.complaint(b"", slow, |()| None).is_some());
    }
}
