//! One method of the open scene prepared again, with other settings.

use std::ffi::OsString;
use std::sync::Arc;

use pliant_core::scene::Method;

use super::bake_event::BakeEvent;
use super::bake_job::BakeJob;
use super::reports::{Reports, Threads};
use crate::build::{BuiltMethod, build_method};
use crate::cache::AssetCache;
use crate::compare::advice::{SceneText, Setting};
use crate::error::BuildError;
use crate::scenes::{ImportOptions, load};
use crate::setup::Setup;
use crate::threads::priority::go_below_panes;

impl BakeJob {
    /// Prepares `method` of the scene in `setup` with `settings` of its table. The text of the scene comes from `source`; its material is that of `setup`.
    pub(in crate::runner) fn replace(
        (source, import): (OsString, ImportOptions),
        setup: Arc<Setup>,
        method: Method,
        settings: Vec<Setting>,
        cache: AssetCache,
        threads: Threads,
    ) -> Self {
        let work = move |reports: &Reports| {
            // the model that it replaces runs meanwhile
            go_below_panes();
            reports.prepare(Some(method));
            let work = || -> Result<(Arc<Setup>, BuiltMethod), BuildError> {
                let text = SceneText::of(&load(&source, &import)?)?;
                let changed = Arc::new(text.setup_with(&setup, method, &settings)?);
                let built = build_method(&changed, method, &cache, &reports.progress)?;
                Ok((changed, built))
            };
            let event = match work() {
                Ok((setup, built)) => BakeEvent::MethodReplaced { setup, built },
                Err(BuildError::Cancelled) => return false,
                Err(error) => BakeEvent::ReplacementFailed {
                    method,
                    reason: error.to_string(),
                },
            };
            reports.send(event);
            false
        };
        Self::start_work(Box::new(work), threads)
    }
}
