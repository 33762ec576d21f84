//! Whether work in the background has threads, and what it reports.

use std::sync::{Arc, Mutex};

use crossbeam_channel::Sender;
use pliant_core::asset::Progress;
use pliant_core::scene::Method;

use super::bake_event::BakeEvent;
use crate::threads::lock::lock;

/// Whether work in the background has threads of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Threads {
    /// Every job has one.
    #[default]
    Own,
    /// There is one thread for everything, as in a browser: a job does a stage between two frames, which wait for it. Nothing is computed for long unasked.
    Shared,
}

/// Reports of a job: its progress and its events.
#[derive(Clone)]
pub(in crate::runner) struct Reports {
    /// Of the stage that is being done; cancelled when nobody waits any more.
    pub progress: Progress,
    current: Arc<Mutex<Option<Method>>>,
    events: Sender<BakeEvent>,
}

impl Reports {
    /// Reports to the other end of `events`.
    pub fn new(events: Sender<BakeEvent>) -> Self {
        Self {
            progress: Progress::new(),
            current: Arc::default(),
            events,
        }
    }

    /// Reports of work beside this: with the same events, cancelled with it, and with a progress of its own that nobody sees.
    pub fn beside(&self) -> Self {
        Self {
            progress: self.progress.beside(),
            current: Arc::default(),
            events: self.events.clone(),
        }
    }

    /// Says which method is being prepared.
    pub fn prepare(&self, method: Option<Method>) {
        if method.is_some() {
            self.progress.stage("this method");
        }
        *lock(&self.current) = method;
    }

    /// The method that is being prepared.
    pub fn current(&self) -> Option<Method> {
        *lock(&self.current)
    }

    /// Reports an event; whether somebody waits for it. A receiver that is gone means that another scene was opened.
    pub fn send(&self, event: BakeEvent) -> bool {
        self.events.send(event).is_ok()
    }
}
