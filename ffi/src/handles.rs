//! Handles: numbers that stand for objects. A handle is looked up and never dereferenced. One that was freed, invented or of another kind finds nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pliant::{Body, PreparedScene, Scene, Snapshot, Tool, World};

use crate::failure::{Failure, Outcome};
use crate::status::PliantStatus;

/// Bits of a handle: kind (8), generation of its slot (24), slot (32).
const KIND_SHIFT: u32 = 56;
const GENERATION_SHIFT: u32 = 32;
const LAST_GENERATION: u32 = 0x00ff_ffff;

/// Names of the kinds, from 1.
const KINDS: [&str; 6] = [
    "body",
    "tool",
    "scene",
    "prepared scene",
    "world",
    "snapshot",
];

/// Objects of one kind.
pub struct Registry<T> {
    slots: Mutex<Slots<T>>,
}

struct Slots<T> {
    entries: Vec<Slot<T>>,
    free: Vec<u32>,
}

struct Slot<T> {
    generation: u32,
    object: Option<Arc<T>>,
}

impl<T> Registry<T> {
    const fn new() -> Self {
        Self {
            slots: Mutex::new(Slots {
                entries: Vec::new(),
                free: Vec::new(),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Slots<T>> {
        // no code that runs under the lock panics
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores an object. Returns its generation and slot.
    fn insert(&self, object: T) -> Option<(u32, u32)> {
        let object = Some(Arc::new(object));
        let mut slots = self.lock();
        if let Some(slot_index) = slots.free.pop()
            && let Some(slot) = slots.entries.get_mut(slot_index as usize)
        {
            slot.object = object;
            return Some((slot.generation, slot_index));
        }
        let slot_index = u32::try_from(slots.entries.len()).ok()?;
        slots.entries.push(Slot {
            generation: 1,
            object,
        });
        Some((1, slot_index))
    }

    fn get(&self, (generation, slot_index): (u32, u32)) -> Option<Arc<T>> {
        let slots = self.lock();
        let slot = slots.entries.get(slot_index as usize)?;
        (slot.generation == generation).then(|| slot.object.clone())?
    }

    fn remove(&self, (generation, slot_index): (u32, u32)) -> Option<Arc<T>> {
        let mut slots = self.lock();
        let slot = slots.entries.get_mut(slot_index as usize)?;
        if slot.generation != generation {
            return None;
        }
        let object = slot.object.take()?;
        // a slot without further generations is not used again
        if slot.generation < LAST_GENERATION {
            slot.generation += 1;
            slots.free.push(slot_index);
        }
        Some(object)
    }
}

/// A handle of C: a number in a type of its own.
pub trait Handle: Copy + Sized + 'static {
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

    /// The null handle.
    fn null() -> Self {
        Self::with_id(0)
    }

    /// Stores an object and returns its handle.
    fn insert(object: Self::Object) -> Outcome<Self> {
        let (generation, slot_index) = Self::registry().insert(object).ok_or_else(|| {
            let words = "there is no handle left\n  remedy: free those that are not used";
            Failure::new(PliantStatus::Internal, "NoHandle", words)
        })?;
        let kind = u64::from(Self::KIND) << KIND_SHIFT;
        let generation = u64::from(generation) << GENERATION_SHIFT;
        Ok(Self::with_id(kind | generation | u64::from(slot_index)))
    }

    /// The object.
    fn get(self) -> Outcome<Arc<Self::Object>> {
        let found = self.slot().and_then(|slot| Self::registry().get(slot));
        found.ok_or_else(|| self.invalid())
    }

    /// Frees the object, once nobody uses it; a null handle frees nothing.
    fn free(self) -> Outcome<()> {
        if self.id() == 0 {
            return Ok(());
        }
        let found = self.slot().and_then(|slot| Self::registry().remove(slot));
        found.map(drop).ok_or_else(|| self.invalid())
    }

    /// Generation and slot, if the kind is right.
    fn slot(self) -> Option<(u32, u32)> {
        let id = self.id();
        let generation = ((id >> GENERATION_SHIFT) as u32) & LAST_GENERATION;
        (id >> KIND_SHIFT == u64::from(Self::KIND)).then_some((generation, id as u32))
    }

    /// Why the handle finds nothing.
    fn invalid(self) -> Failure {
        let name = |kind: u64| KINDS.get((kind as usize).wrapping_sub(1)).copied();
        let expected = name(u64::from(Self::KIND)).unwrap_or_default();
        let words = match (self.id(), name(self.id() >> KIND_SHIFT)) {
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
    ($(#[$doc:meta])* $name:ident, $kind:literal, $object:ty) => {
        impl $name {
            /// Stands for nothing.
            pub const NULL: Self = Self { id: 0 };
        }

        impl Handle for $name {
            type Object = $object;
            const KIND: u8 = $kind;
            fn registry() -> &'static Registry<$object> {
                static REGISTRY: Registry<$object> = Registry::new();
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
    fn a_slot_that_is_used_again_is_not_found_by_its_old_handle() {
        let registry = Registry::new();
        let first = registry.insert("first").expect("a slot");
        assert_eq!(registry.remove(first).as_deref(), Some(&"first"));
        let second = registry.insert("second").expect("a slot");
        assert_eq!(first.1, second.1, "the slot is used again");
        assert_eq!(registry.get(first), None);
        assert_eq!(registry.remove(first), None);
        assert_eq!(registry.get(second).as_deref(), Some(&"second"));
    }

    #[test]
    fn a_slot_without_further_generations_is_not_used_again() {
        let registry = Registry::new();
        let (_, slot_index) = registry.insert(1).expect("a slot");
        registry.lock().entries[slot_index as usize].generation = LAST_GENERATION;
        assert!(registry.remove((LAST_GENERATION, slot_index)).is_some());
        assert_ne!(registry.insert(2).expect("a slot").1, slot_index);
        assert_eq!(registry.get((LAST_GENERATION, slot_index)), None);
    }
}
