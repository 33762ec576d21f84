//! A panic of the window library as a message instead of lines on the terminal.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic on this thread is not printed but comes back as its message.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let this_thread = std::thread::current().id();
    let before: Arc<dyn Fn(&std::panic::PanicHookInfo<'_>) + Send + Sync> =
        Arc::from(std::panic::take_hook());
    let others = Arc::clone(&before);
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == this_thread {
            let text = info
                .payload_as_str()
                .unwrap_or("an unknown fault")
                .to_string();
            LAST_PANIC.with(|slot| *slot.borrow_mut() = Some(text));
        } else {
            others(info);
        }
    }));
    let result = catch_unwind(AssertUnwindSafe(work));
    std::panic::set_hook(Box::new(move |info| before(info)));
    result.map_err(|_| {
        let text = LAST_PANIC.with(|slot| slot.borrow_mut().take());
        text.unwrap_or_else(|| "an unknown fault".to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_comes_back_as_its_message() {
        let result: Result<(), String> = catch_panic(|| panic!("library {} is missing", "x"));
        assert_eq!(result, Err("library x is missing".to_string()));
        assert_eq!(catch_panic(|| 7), Ok(7));
    }
}
