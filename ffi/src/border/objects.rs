//! Making, changing and using what handles stand for.

use std::sync::{Arc, Mutex, PoisonError};

use pliant::World;

use super::memory::{Out, UserData};
use super::types::PliantProgress;
use crate::failure::{Failure, Outcome};
use crate::guard::{entry, same_process};
use crate::handles::{Handle, PliantWorld};
use crate::status::PliantStatus;

/// Makes an object and writes its handle; a null handle where it fails.
pub fn make<H: Handle>(
    out: &Out<H>,
    name: &str,
    work: impl FnOnce() -> Outcome<H::Object>,
) -> PliantStatus {
    entry(|| {
        out.put(H::null(), name)?;
        out.put(H::of(work()?)?, name)
    })
}

/// Changes what is described, in one piece.
pub fn change<H, T>(handle: H, change: impl FnOnce(T) -> Outcome<T>) -> PliantStatus
where
    H: Handle<Object = Mutex<T>>,
    T: Clone,
{
    entry(|| {
        let object = handle.get()?;
        // a change that panicked has not happened
        let mut present = object.lock().unwrap_or_else(PoisonError::into_inner);
        *present = change(present.clone())?;
        Ok(())
    })
}

/// What is described, as it is now.
pub fn copy<H, T>(handle: H) -> Outcome<T>
where
    H: Handle<Object = Mutex<T>>,
    T: Clone,
{
    let object: Arc<Mutex<T>> = handle.get()?;
    let present = object.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(present.clone())
}

/// Uses a world, once no other thread does.
pub fn with(world: PliantWorld, work: impl FnOnce(&mut World) -> Outcome<()>) -> PliantStatus {
    entry(|| used(world, work))
}

/// The same as a part of a call.
pub fn used<T>(world: PliantWorld, work: impl FnOnce(&mut World) -> Outcome<T>) -> Outcome<T> {
    same_process()?;
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

/// The callback with its data, told in words of Rust.
pub fn teller(
    callback: PliantProgress,
    user_data: UserData,
) -> Option<impl FnMut(&str, f64) -> bool> {
    let callback = callback?;
    Some(move |stage: &str, fraction: f64| {
        let stage = std::ffi::CString::new(stage).unwrap_or_default();
        callback(user_data.0, stage.as_ptr(), fraction) == 0
    })
}
