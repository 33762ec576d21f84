//! The bake's side: gives away the body, then its columns as they finish.

use std::sync::{Arc, Mutex};

use pliant_quasistatic::asset::FinishedColumns;
use pliant_quasistatic::bake::ColumnRequests;
use pliant_quasistatic::{GreensAsset, QuasistaticModel};

use super::model::{LiveQuasistatic, SharedInbox};
use crate::threads::lock::lock;

/// Most finished tasks that wait for a paused model. It gets later columns with the complete asset.
pub(super) const MAX_QUEUED_TASKS: usize = 256;

/// Passes results of a bake to the model that runs beside it. Never waits for the model.
#[derive(Default)]
pub(crate) struct LiveFeed {
    inbox: Mutex<Option<SharedInbox>>,
    requests: ColumnRequests,
}

impl LiveFeed {
    /// The columns that the model waits for.
    pub fn requests(&self) -> &ColumnRequests {
        &self.requests
    }

    /// Opens the body without columns. The returned model gets the columns that follow; a model that was opened before gets nothing more.
    pub fn open(&self, model: QuasistaticModel) -> LiveQuasistatic {
        let inbox = SharedInbox::default();
        *lock(&self.inbox) = Some(Arc::clone(&inbox));
        LiveQuasistatic::new(model, inbox, self.requests.clone())
    }

    /// Queues finished columns.
    pub fn send_columns(&self, columns: FinishedColumns) {
        if let Some(inbox) = lock(&self.inbox).as_ref() {
            let mut inbox = lock(inbox);
            if inbox.columns.len() < MAX_QUEUED_TASKS {
                inbox.columns.push_back(columns);
            }
        }
    }

    /// Passes on the complete asset.
    pub fn finish(&self, asset: &Arc<GreensAsset>) {
        if let Some(inbox) = lock(&self.inbox).take() {
            lock(&inbox).complete_asset = Some(Arc::clone(asset));
        }
    }
}
