//! Memory of the caller: all pointers of C are read and written here.
//!
//! Each type is one pointer (or number) of C. A program in C passes it as an argument; a program in Rust makes it by `new`, which is unsafe and states what the caller has to guarantee. During
//! a call, nobody else writes to memory that the call reads, or uses memory that the call writes. Null pointers, misaligned pointers and impossible sizes need no guarantee: they are errors.

use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;

use crate::checks;
use crate::failure::{Failure, Outcome};
use crate::status::PliantStatus;

/// `const char *`: text in UTF-8, ended by NUL.
#[repr(transparent)]
#[derive(Debug)]
pub struct Text(*const c_char);

impl Text {
    /// Of a pointer.
    ///
    /// # Safety
    /// It is null, or points to bytes that end with NUL and stay as they are during the call.
    pub const unsafe fn new(pointer: *const c_char) -> Self {
        Self(pointer)
    }

    /// The text.
    pub(crate) fn read(&self, name: &str) -> Outcome<&str> {
        if self.0.is_null() {
            return Err(Failure::null(name));
        }
        // SAFETY: it is not null, and ends with NUL as `new` asks; what is given out lives no longer than the argument
        let bytes = unsafe { CStr::from_ptr(self.0) }.to_bytes();
        std::str::from_utf8(bytes).map_err(|error| {
            let words = format!(
                "`{name}` is not UTF-8 from byte {}\n  remedy: convert it",
                error.valid_up_to()
            );
            Failure::new(PliantStatus::NotUtf8, "NotUtf8", words)
        })
    }
}

/// `const T *`: N numbers.
#[repr(transparent)]
#[derive(Debug)]
pub struct Fixed<T, const N: usize>(*const [T; N]);

impl<T: Copy, const N: usize> Fixed<T, N> {
    /// Of a pointer.
    ///
    /// # Safety
    /// It is null, or points to N numbers that stay as they are during the call.
    pub const unsafe fn new(pointer: *const [T; N]) -> Self {
        Self(pointer)
    }
}

impl<const N: usize> Fixed<f64, N> {
    /// The numbers, all finite.
    pub(crate) fn read(&self, name: &str) -> Outcome<[f64; N]> {
        check_pointer(self.0, name)?;
        // SAFETY: it is neither null nor misaligned, and points to N numbers as `new` asks
        let numbers = unsafe { *self.0 };
        checks::finite(&[numbers], name)?;
        Ok(numbers)
    }
}

/// `const T *`: rows of N numbers each. The next argument is the number of rows.
#[repr(transparent)]
#[derive(Debug)]
pub struct Rows<T, const N: usize>(*const [T; N]);

impl<T: Copy, const N: usize> Rows<T, N> {
    /// Of a pointer.
    ///
    /// # Safety
    /// It is null, or points to as many rows as the argument beside it says, which stay as they are during the call.
    pub const unsafe fn new(pointer: *const [T; N]) -> Self {
        Self(pointer)
    }

    /// Whether the pointer is null.
    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// The rows.
    ///
    /// # Safety
    /// `count` is the argument that stands beside the pointer.
    pub(crate) unsafe fn read(&self, count: usize, name: &str) -> Outcome<&[[T; N]]> {
        if count == 0 {
            return Ok(&[]);
        }
        check_pointer(self.0, name)?;
        check_count::<[T; N]>(count, name)?;
        // SAFETY: it is neither null nor misaligned, points to `count` rows as `new` asks, and they are no more bytes than an object may have
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }
}

/// `T *`: where one value is written.
#[repr(transparent)]
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// Of a pointer.
    ///
    /// # Safety
    /// It is null, or points to memory for one `T` that nobody else uses during the call.
    pub const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Writes the value.
    pub(crate) fn put(&self, value: T, name: &str) -> Outcome<()> {
        check_pointer(self.0, name)?;
        // SAFETY: it is neither null nor misaligned, and points to memory for a `T` as `new` asks
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// Writes the value unless the pointer is null.
    pub(crate) fn put_if_given(&self, value: T, name: &str) -> Outcome<()> {
        match self.0.is_null() {
            true => Ok(()),
            false => self.put(value, name),
        }
    }
}

/// `T *`: where rows of N numbers are written. The next argument is the number of rows that it has place for.
#[repr(transparent)]
#[derive(Debug)]
pub struct OutRows<T, const N: usize>(*mut [T; N]);

impl<T: Copy, const N: usize> OutRows<T, N> {
    /// Of a pointer.
    ///
    /// # Safety
    /// It is null, or points to memory for as many rows as the argument beside it says, which nobody else uses during the call.
    pub const unsafe fn new(pointer: *mut [T; N]) -> Self {
        Self(pointer)
    }

    /// Writes the rows and their number. Writes the number alone if the pointer is null.
    ///
    /// # Safety
    /// `capacity` is the argument that stands beside the pointer.
    pub(crate) unsafe fn put(
        &self,
        rows: &[[T; N]],
        capacity: usize,
        count: &Out<usize>,
        name: &str,
    ) -> Outcome<()> {
        if self.0.is_null() {
            return count.put(rows.len(), "count");
        }
        count.put_if_given(rows.len(), "count")?;
        check_pointer(self.0, name)?;
        if capacity < rows.len() {
            let words = format!(
                "`{name}` has place for {capacity}, but there are {}\n  remedy: ask for the number first, with a null pointer",
                rows.len()
            );
            let status = PliantStatus::BufferTooSmall;
            return Err(Failure::new(status, "BufferTooSmall", words));
        }
        // SAFETY: it is neither null nor misaligned and has place for `capacity` rows as `new` asks, which are enough; memory of the caller does not overlap ours
        unsafe { std::ptr::copy_nonoverlapping(rows.as_ptr(), self.0, rows.len()) };
        Ok(())
    }
}

/// A number that stands for a variant of `T`.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct Choice<T> {
    number: i32,
    kind: PhantomData<T>,
}

impl<T> Choice<T> {
    /// Any number: the call checks it.
    pub const fn new(number: i32) -> Self {
        Self {
            number,
            kind: PhantomData,
        }
    }

    /// The number.
    pub(crate) const fn number(self) -> i32 {
        self.number
    }
}

/// `void *`: passed on to the program's callback. It is never dereferenced.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct UserData(pub *mut c_void);

impl Default for UserData {
    fn default() -> Self {
        Self(std::ptr::null_mut())
    }
}

/// Refuses pointers that are null or misaligned.
fn check_pointer<T>(pointer: *const T, name: &str) -> Outcome<()> {
    if pointer.is_null() {
        return Err(Failure::null(name));
    }
    match pointer.is_aligned() {
        true => Ok(()),
        false => Err(Failure::argument(format!(
            "`{name}` is not aligned to {} bytes\n  remedy: give memory of the right type",
            align_of::<T>()
        ))),
    }
}

/// Refuses counts beyond the range of vertex numbers, or beyond the largest size of an object of Rust.
fn check_count<T>(count: usize, name: &str) -> Outcome<()> {
    let max_count = (isize::MAX as usize / size_of::<T>()).min(u32::MAX as usize);
    match count <= max_count {
        true => Ok(()),
        false => Err(Failure::argument(format!(
            "`{name}` is said to have {count} rows, more than {max_count}\n  remedy: check the number"
        ))),
    }
}
