//! Failures of calls, and the last failure of each thread.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

use pliant::Error;
use pliant::simulation::error::BuildError;

use crate::status::PliantStatus;

/// A result inside the crate.
pub type Outcome<T> = Result<T, Failure>;

/// Why a call failed.
#[derive(Debug)]
pub struct Failure {
    status: PliantStatus,
    code: String,
    message: String,
}

impl Failure {
    /// A failure with a code for programs and a message for people.
    pub fn new(status: PliantStatus, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            code: code.to_string(),
            message: message.into(),
        }
    }

    /// An argument that cannot be used.
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(PliantStatus::InvalidArgument, "BadArgument", message)
    }

    /// A number that is NaN or infinite.
    pub fn not_finite(what: &str) -> Self {
        let words = format!("`{what}` is not finite\n  remedy: look where it comes from");
        Self::new(PliantStatus::InvalidArgument, "NotFinite", words)
    }

    /// A pointer that is null.
    pub fn null(what: &str) -> Self {
        let words =
            format!("`{what}` is a null pointer\n  remedy: give the address of what it is for");
        Self::new(PliantStatus::NullPointer, "NullPointer", words)
    }

    /// Stores code and message as the last error of the thread. Returns the status.
    pub fn record(self) -> PliantStatus {
        let last_error = LastError {
            code: without_nul(self.code),
            message: without_nul(self.message),
        };
        // in a thread that is ending nobody can read it any more
        let _ = LAST.try_with(|last| *last.borrow_mut() = last_error);
        self.status
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Build(BuildError::Cancelled) => PliantStatus::Cancelled,
            Error::Build(_) | Error::Mesh { .. } | Error::NothingHolds { .. } => {
                PliantStatus::BuildFailed
            }
            Error::Step(_) => PliantStatus::StepFailed,
            Error::NoSuchName { .. } => PliantStatus::NotFound,
            _ => PliantStatus::InvalidArgument,
        };
        // the name in C of a function of the Rust library
        let words = error
            .to_string()
            .replace("Body::hold", "pliant_body_hold_lowest");
        Self::new(status, &error.code(), words)
    }
}

/// The last error of a thread.
#[derive(Default)]
struct LastError {
    code: CString,
    message: CString,
}

thread_local! {
    static LAST: RefCell<LastError> = RefCell::default();
}

/// Message of the thread's last error: valid until its next error, or until the thread ends.
pub fn last_message() -> *const c_char {
    read_last(|error| error.message.as_ptr())
}

/// Code of the thread's last error: valid until its next error, or until the thread ends.
pub fn last_code() -> *const c_char {
    read_last(|error| error.code.as_ptr())
}

fn read_last(field: impl FnOnce(&LastError) -> *const c_char) -> *const c_char {
    const NONE: &CStr = c"";
    LAST.try_with(|last| field(&last.borrow()))
        .unwrap_or(NONE.as_ptr())
}

/// A string of C without inner NULs, at which it would end.
fn without_nul(text: String) -> CString {
    let mut bytes = text.into_bytes();
    bytes.retain(|&b| b != 0);
    CString::new(bytes).unwrap_or_default()
}
