//! Observers of a comparison.

use pliant_core::scene::Method;

use crate::error::{BuildError, Fault};
use crate::setup::Setup;
use crate::world::World;

/// Watches a comparison frame by frame.
pub(crate) trait FrameObserver {
    /// Error that ends the comparison.
    type Error: From<BuildError>;

    /// All methods are built and at rest; so many frames will follow.
    fn begin(&mut self, _: &Setup, _: usize, _: &[ObservedMethod<'_>]) -> Result<(), Self::Error> {
        Ok(())
    }

    /// A frame (the first is 0) is over, for all methods.
    fn frame(&mut self, _: usize, _: &[ObservedMethod<'_>]) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// A method as an observer sees it.
#[derive(Clone, Copy)]
pub(crate) struct ObservedMethod<'a> {
    /// Which.
    pub method: Method,
    /// Its world, or why it cannot run.
    pub world: Result<&'a World, &'a Fault>,
    /// Whether the frame could be computed; a world that has stopped is at its last good frame.
    pub computed: bool,
}

/// Observes nothing.
impl FrameObserver for () {
    type Error = BuildError;
}
