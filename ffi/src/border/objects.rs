//! Making, changing and using the objects of handles.

use std::sync::{Arc, Mutex, PoisonError};

use pliant::World;

use super::memory::{Out, UserData};
use super::types::PliantProgress;
use crate::failure::{Failure, Outcome};
use crate::guard::{check_process, entry};
use crate::handles::{Handle, PliantWorld};
use crate::status::PliantStatus;

/// Makes an object, or what its handle keeps behind a lock, and writes the handle. Writes a null handle if that fails.
pub fn make<H: Handle, T: Into<H::Object>>(
    out: &Out<H>,
    name: &str,
    work: impl FnOnce() -> Outcome<T>,
) -> PliantStatus {
    entry(|| {
        out.put(H::default(), name)?;
        out.put(H::insert(work()?.into()), name)
    })
}

/// Changes a description. If the change fails, the description stays as it was.
pub fn change<H, T>(handle: H, change: impl FnOnce(T) -> Outcome<T>) -> PliantStatus
where
    H: Handle<Object = Mutex<T>>,
    T: Clone,
{
    entry(|| {
        let object = handle.get()?;
        // a change that panicked has not changed anything
        let mut current = object.lock().unwrap_or_else(PoisonError::into_inner);
        *current = change(current.clone())?;
        Ok(())
    })
}

/// A copy of a description.
pub fn copy<H, T>(handle: H) -> Outcome<T>
where
    H: Handle<Object = Mutex<T>>,
    T: Clone,
{
    let object: Arc<Mutex<T>> = handle.get()?;
    let current = object.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(current.clone())
}

/// Uses a world as a whole call. Waits for other threads that use it.
pub fn with_world(
    world: PliantWorld,
    work: impl FnOnce(&mut World) -> Outcome<()>,
) -> PliantStatus {
    entry(|| access_world(world, work))
}

/// Uses a world as a part of a call.
pub fn access_world<T>(
    world: PliantWorld,
    work: impl FnOnce(&mut World) -> Outcome<T>,
) -> Outcome<T> {
    check_process()?;
    let world = world.get()?;
    let mut world = world.lock().map_err(|_| {
        Failure::new(
            PliantStatus::Internal,
            "InternalFault",
            "this world stopped in the middle of a frame\n  remedy: free it and build it again",
        )
    })?;
    work(&mut world)
}

/// The callback of C with its data, as a closure of Rust.
pub fn progress_callback(
    callback: PliantProgress,
    user_data: UserData,
) -> Option<impl FnMut(&str, f64) -> bool> {
    let callback = callback?;
    Some(move |stage: &str, fraction: f64| {
        let stage = std::ffi::CString::new(stage).unwrap_or_default();
        callback(user_data.0, stage.as_ptr(), fraction) == 0
    })
}
