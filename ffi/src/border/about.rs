//! About this library, and errors

use std::ffi::c_char;

use super::types::PLIANT_ABI_VERSION;
use crate::failure::{last_code, last_message};
use crate::guard::entry;
use crate::status::PliantStatus;

/// Version of the library, for example "0.1.0". Never null.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Version of this interface in the library that runs: PLIANT_ABI_VERSION of the header that it was built with.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_abi_version() -> u32 {
    PLIANT_ABI_VERSION
}

/// What went wrong in the last call of this thread that failed: the thing, the place and, after a line break, the remedy, in UTF-8. Empty where none has failed yet, never null.
/// Valid until the next call of this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_last_error() -> *const c_char {
    last_message()
}

/// The same as a code for programs, that of the command line's JSON: "FileNotFound", "UnknownKey", "ToolTooSharp". Empty where no call has failed yet, never null. Valid as long.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_last_error_code() -> *const c_char {
    last_code()
}

/// From now on no vector instructions but what every machine has: the same bits on all of them, slower. Call it before worlds are built.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_use_portable_kernels() -> PliantStatus {
    entry(|| {
        pliant::use_portable_kernels();
        Ok(())
    })
}
