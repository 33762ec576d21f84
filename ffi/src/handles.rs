//! Handles: numbers that stand for objects. A handle is looked up and never dereferenced. One that was freed, invented or of another kind finds nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pliant::{Body, PreparedScene, Scene, Snapshot, Tool, World};

use crate::failure::{Failure, Outcome};
use crate::status::PliantStatus;

/// Bits of a handle below those of its kind. They count the objects of the kind, so that no number is given out twice.
const COUNT_BITS: u32 = 56;

/// Names of the kinds, from 1.
const KINDS: [&str; 6] = [
    "body",
    "tool",
    "scene",
    "prepared scene",
    "world",
    "snapshot",
];

/// Objects of one kind by their handles.
pub struct Registry<T>(Mutex<Objects<T>>);

struct Objects<T> {
    /// the handle that was given out last
    last: u64,
    all: BTreeMap<u64, Arc<T>>,
}

impl<T> Registry<T> {
    const fn new(kind: u8) -> Self {
        Self(Mutex::new(Objects {
            last: (kind as u64) << COUNT_BITS,
            all: BTreeMap::new(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Objects<T>> {
        // no code that runs under the lock panics
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores an object. Returns its handle.
    fn insert(&self, object: T) -> u64 {
        let object = Arc::new(object);
        let mut objects = self.lock();
        objects.last += 1;
        let id = objects.last;
        objects.all.insert(id, object);
        id
    }

    fn get(&self, id: u64) -> Option<Arc<T>> {
        self.lock().all.get(&id).cloned()
    }

    fn remove(&self, id: u64) -> Option<Arc<T>> {
        self.lock().all.remove(&id)
    }
}

/// A handle of C: a number in a type of its own. The default is the null handle.
pub trait Handle: Copy + Default + 'static {
    /// Type of the object.
    type Object: Send + Sync + 'static;
    /// Its kind, from 1.
    const KIND: u8;
    /// Registry of its objects.
    fn registry() -> &'static Registry<Self::Object>;
    /// Its number.
    fn id(self) -> u64;
    /// The handle with this number.
    fn with_id(id: u64) -> Self;

    /// Stores an object and returns its handle.
    fn insert(object: Self::Object) -> Self {
        Self::with_id(Self::registry().insert(object))
    }

    /// The object.
    fn get(self) -> Outcome<Arc<Self::Object>> {
        let found = Self::registry().get(self.id());
        found.ok_or_else(|| self.invalid())
    }

    /// Frees the object, once nobody uses it; a null handle frees nothing.
    fn free(self) -> Outcome<()> {
        if self.id() == 0 {
            return Ok(());
        }
        let found = Self::registry().remove(self.id());
        found.map(drop).ok_or_else(|| self.invalid())
    }

    /// Why the handle finds nothing.
    fn invalid(self) -> Failure {
        let name = |kind: u64| KINDS.get((kind as usize).wrapping_sub(1)).copied();
        let expected = name(u64::from(Self::KIND)).unwrap_or_default();
        let words = match (self.id(), name(self.id() >> COUNT_BITS)) {
            (0, _) => format!(
                "the handle of the {expected} is null\n  remedy: check the status of the call that should have made it"
            ),
            (_, Some(kind)) if kind == expected => {
                format!("the {expected} was freed\n  remedy: free it after its last use, once")
            }
            (_, Some(kind)) => format!("the handle is that of a {kind}, not of a {expected}"),
            (_, None) => format!(
                "the handle of the {expected} was never given out\n  remedy: initialise it with zeros"
            ),
        };
        Failure::new(PliantStatus::InvalidHandle, "InvalidHandle", words)
    }
}

macro_rules! handle {
    ($name:ident, $kind:literal, $object:ty) => {
        impl $name {
            /// Stands for nothing.
            pub const NULL: Self = Self { id: 0 };
        }

        impl Handle for $name {
            type Object = $object;
            const KIND: u8 = $kind;
            fn registry() -> &'static Registry<$object> {
                static REGISTRY: Registry<$object> = Registry::new($kind);
                &REGISTRY
            }
            fn id(self) -> u64 {
                self.id
            }
            fn with_id(id: u64) -> Self {
                Self { id }
            }
        }
    };
}

/// A body: its mesh, what it is made of and what holds it. Zeros are the null handle.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PliantBody {
    /// Which one; 0 for none.
    pub id: u64,
}

/// A rigid tool: its shape and where it begins. Zeros are the null handle.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PliantTool {
    /// Which one; 0 for none.
    pub id: u64,
}

/// A scene: bodies, tools, gravity. Zeros are the null handle.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PliantScene {
    /// Which one; 0 for none.
    pub id: u64,
}

/// A scene whose skin is there. Zeros are the null handle.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PliantPrepared {
    /// Which one; 0 for none.
    pub id: u64,
}

/// One method on one scene. Zeros are the null handle.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PliantWorld {
    /// Which one; 0 for none.
    pub id: u64,
}

/// A world at one instant. Zeros are the null handle.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct PliantSnapshot {
    /// Which one; 0 for none.
    pub id: u64,
}

handle!(PliantBody, 1, Mutex<Body>);
handle!(PliantTool, 2, Mutex<Tool>);
handle!(PliantScene, 3, Mutex<Scene>);
handle!(PliantPrepared, 4, PreparedScene);
handle!(PliantWorld, 5, Mutex<World>);
handle!(PliantSnapshot, 6, Snapshot);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_that_was_freed_is_not_given_out_again() {
        let registry = Registry::new(1);
        let first = registry.insert("first");
        assert_eq!(registry.remove(first).as_deref(), Some(&"first"));
        let second = registry.insert("second");
        assert_eq!((registry.get(first), registry.remove(first)), (None, None));
        assert_eq!(registry.get(second).as_deref(), Some(&"second"));
        assert_eq!([first, second].map(|id| id >> COUNT_BITS), [1, 1]);
    }
}
