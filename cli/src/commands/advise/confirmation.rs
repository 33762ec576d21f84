//! A second run of the advised scene, as `compare --reference` does it.

use std::path::Path;
use std::sync::Arc;

use pliant_core::scene::ReferenceChoice;
use pliant_simulation::advice::{Advice, ErrorMeasure};
use pliant_simulation::compare::{CompareOptions, compare};
use pliant_simulation::scenes::{ImportOptions, load};
use pliant_simulation::setup::Setup;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::session::Session;

/// Cost and error of the advised scene, as `compare --reference` measures them.
pub(super) struct Confirmation {
    median_ms: f64,
    force_error: Option<f64>,
    /// over the diagonal
    skin: f64,
    surface_hash: u64,
}

/// Opens the scene that was written, and runs it as `compare --reference` does.
pub(super) fn confirm(
    session: &Session,
    scene: &Path,
    advice: &Advice,
    tried_on: &Setup,
) -> Result<Confirmation, Failure> {
    let loaded = load(scene, &ImportOptions::default())?;
    let setup = Arc::new(session.prepare(&loaded)?);
    let method = advice.advised().method;
    let options = CompareOptions {
        methods: Some(vec![method]),
        duration: Some(advice.frames as f64 * tried_on.frame_duration()),
        reference: Some(ReferenceChoice::Dynamic),
        ..CompareOptions::new(&session.cache)
    };
    let comparison = compare(Arc::clone(&setup), &options, &session.progress)?;
    let run = comparison.run(method);
    let found = run.and_then(|run| Some((run, run.accuracy.as_ref()?)));
    let Some((run, accuracy)) = found else {
        return Err(Failure::bad_input(
            "NotConfirmed",
            format!("{} did not run the advised scene", method.name()),
            "please report it with the command and the input",
        )
        .at(scene.display().to_string()));
    };
    Ok(Confirmation {
        median_ms: run.cost_quantile(0.5),
        force_error: accuracy.force_error,
        skin: accuracy.surface_rms / setup.diagonal,
        surface_hash: run.surface_hash,
    })
}

impl Confirmation {
    /// Both figures side by side.
    pub(super) fn line(&self, advice: &Advice) -> String {
        let Some(advised) = advice.advised_figures() else {
            return String::new();
        };
        let percent = |force: Option<f64>, skin: f64| match (advice.error_measure, force) {
            (ErrorMeasure::Force, Some(force)) => force * 100.0,
            _ => skin * 100.0,
        };
        let skin = match advice.error_measure {
            ErrorMeasure::Force => format!(
                ", skin {:.2} % (advised with {:.2} %)",
                self.skin * 100.0,
                advised.skin * 100.0
            ),
            ErrorMeasure::Skin => String::new(),
        };
        format!(
            "Run once more: {:.2} ms (advised with {:.2} ms), error {:+.2} % (advised with {:+.2} %){skin}.",
            self.median_ms,
            advised.median_ms,
            percent(self.force_error, self.skin),
            percent(advised.force_error, advised.skin)
        )
    }

    /// As JSON.
    pub(super) fn json(&self) -> Value {
        json!({
            "median_ms": self.median_ms,
            "force_error": self.force_error,
            "skin_error": self.skin,
            "surface_hash": format!("{:016x}", self.surface_hash),
        })
    }
}
