//! The bake's side: gives away the body, then its columns as they finish.

use std::sync::{Arc, Mutex};

use pliant_quasistatic::asset::FinishedColumns;
use pliant_quasistatic::bake::WantedColumns;
use pliant_quasistatic::{GreensAsset, QuasistaticModel};

use super::model::{LiveQuasistatic, SharedInbox, lock};

/// Finished tasks that may wait for a model that is paused; what comes after them it has at the end only.
pub(super) const MOST_WAITING: usize = 256;

/// What a bake tells the model that runs beside it. Never waits for the model.
#[derive(Default)]
pub(crate) struct LiveFeed {
    inbox: Mutex<Option<SharedInbox>>,
    wanted: WantedColumns,
}

impl LiveFeed {
    /// The columns that the model waits for.
    pub fn wanted(&self) -> &WantedColumns {
        &self.wanted
    }

    /// The body without columns is there. Returns a model that gets the columns that follow; a model that was opened before gets nothing more.
    pub fn open(&self, model: QuasistaticModel) -> LiveQuasistatic {
        let inbox = SharedInbox::default();
        *lock(&self.inbox) = Some(Arc::clone(&inbox));
        LiveQuasistatic::new(model, inbox, self.wanted.clone())
    }

    /// Columns are there.
    pub fn columns(&self, columns: FinishedColumns) {
        if let Some(inbox) = lock(&self.inbox).as_ref() {
            let mut inbox = lock(inbox);
            if inbox.columns.len() < MOST_WAITING {
                inbox.columns.push_back(columns);
            }
        }
    }

    /// The bake is done.
    pub fn whole(&self, asset: &Arc<GreensAsset>) {
        if let Some(inbox) = lock(&self.inbox).take() {
            lock(&inbox).whole = Some(Arc::clone(asset));
        }
    }
}
