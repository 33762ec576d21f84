//! Control of a bake: progress, journal, shares of processes, requested columns and published parts.

use std::sync::{Arc, Mutex, PoisonError};

use pliant_core::asset::Progress;

use crate::asset::{FinishedColumns, GreensAsset};
use crate::bake::journal::ColumnJournal;
use crate::team::Team;

/// What a bake reports, keeps and shares while it runs. [`BakeControl::new`] only reports; set further fields as needed.
#[derive(Clone, Copy)]
pub struct BakeControl<'a> {
    /// Stage, fraction and cancellation.
    pub progress: &'a Progress,
    /// Keeps finished columns, so that the same bake continues where it was stopped. The owner of the asset removes it; the bake does not.
    pub journal: Option<&'a dyn ColumnJournal>,
    /// The share of the columns that is solved, into the journal; all of them if `None`.
    pub share: Option<BakeShare>,
    /// The processes that bake with this one: the first of them gets the asset, the others [`BakeError::ShareDone`](crate::BakeError::ShareDone).
    pub team: Option<&'a Team<'a>>,
    /// Columns that are solved first.
    pub requests: Option<&'a ColumnRequests>,
    /// Called with each finished part, on the thread that finished it.
    pub publish: Option<&'a (dyn Fn(Published) + Sync)>,
}

impl<'a> BakeControl<'a> {
    /// Progress only.
    pub fn new(progress: &'a Progress) -> Self {
        Self {
            progress,
            journal: None,
            share: None,
            team: None,
            requests: None,
            publish: None,
        }
    }

    /// The share of this process: that in its team, if it has one.
    pub(super) fn own_share(&self) -> Option<BakeShare> {
        self.team.map_or(self.share, |team| {
            Some(BakeShare {
                part: team.rank(),
                of: team.size(),
            })
        })
    }
}

/// One of several processes that bake the same body: process `part` of `of` solves every `of`-th task, and [`BakeError::ShareDone`](crate::BakeError::ShareDone) ends it. A
/// last bake, with the journals of all, finds all columns solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BakeShare {
    /// Number of the process, from zero.
    pub part: usize,
    /// Number of processes.
    pub of: usize,
}

impl BakeShare {
    pub(super) fn includes(self, task: usize) -> bool {
        task % self.of.max(1) == self.part
    }
}

/// Parts of an asset that a bake publishes before it ends.
#[derive(Debug, Clone)]
pub enum Published {
    /// The body without any column: it responds to gravity and to loads on points inside, and refuses constraints.
    Asset(Box<GreensAsset>),
    /// Columns for it, see [`GreensAsset::insert`].
    Columns(FinishedColumns),
}

/// Free boundary nodes whose columns are solved first. Clones share the list.
#[derive(Debug, Clone, Default)]
pub struct ColumnRequests(Arc<Mutex<Vec<u32>>>);

impl ColumnRequests {
    /// Requests the columns of `nodes` before all others. The last request comes first.
    pub fn request(&self, nodes: &[u32]) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.extend_from_slice(nodes);
    }

    /// Removes and returns the node that was requested last.
    pub fn take(&self) -> Option<u32> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
