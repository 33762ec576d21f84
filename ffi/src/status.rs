//! How a call ends.

/// How a call ends. Everything but PLIANT_STATUS_OK leaves words for pliant_last_error and a code for pliant_last_error_code. Later versions may add values.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PliantStatus {
    /// It did what it says.
    Ok = 0,
    /// A pointer that has to point to something is null.
    NullPointer = 1,
    /// The handle is null, was freed, or is of another kind.
    InvalidHandle = 2,
    /// Text is not UTF-8.
    NotUtf8 = 3,
    /// An argument cannot be used: a number that is not finite or out of range, a vertex that is not there, a key or value that cannot be read.
    InvalidArgument = 4,
    /// The buffer is too small. The size that is needed was written to the count.
    BufferTooSmall = 5,
    /// No tool, support, probe, parameter or quantity has this name; a ray hits nothing; no name has this number.
    NotFound = 6,
    /// The method has nothing of the kind: the quasistatic method has no energies.
    NotAvailable = 7,
    /// The scene, its mesh or its material is wrong, or the method cannot run it.
    BuildFailed = 8,
    /// A frame could not be computed. The world keeps its last good frame.
    StepFailed = 9,
    /// The progress callback cancelled the work.
    Cancelled = 10,
    /// A fault of Pliant, or a process that was forked after Pliant began to compute.
    Internal = 11,
}
