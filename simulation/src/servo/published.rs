//! Local contact models on their way from the slower thread.

use pliant_quasistatic::haptics::{LocalModel, LocalModels};

use crate::handover::HandoverReader;

/// Local models as they come from the slower thread.
pub(super) struct Published(pub HandoverReader<LocalModel>);

impl LocalModels for Published {
    fn update(&mut self) {
        self.0.try_update();
    }

    fn model(&self) -> &LocalModel {
        self.0.value()
    }
}
