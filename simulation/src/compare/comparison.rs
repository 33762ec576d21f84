//! What a comparison found.

use std::sync::Arc;

use pliant_core::contact::tool::Tool;
use pliant_core::scene::{Method, ReferenceChoice};

use super::method_run::MethodRun;
use super::moments::Moment;
use crate::error::Fault;
use crate::reference::{Ranking, Reference, SurfaceDistance, ranking};
use crate::setup::Setup;

/// Everything that a comparison found.
pub struct Comparison {
    /// The scene.
    pub setup: Arc<Setup>,
    /// One entry a method asked for, in the order of [`Method::ALL`].
    pub methods: Vec<MethodResult>,
    /// One entry a pair of methods that both ran.
    pub pairs: Vec<PairResult>,
    /// What all of this is compared with, or why there is none; `None` where none was asked for.
    pub reference: Option<Result<Reference, Fault>>,
    /// Which reference was asked for.
    pub reference_choice: ReferenceChoice,
    /// Frame length, s.
    pub frame_duration: f64,
    /// Tools at each kept time.
    pub kept_tools: Vec<Vec<Tool>>,
    /// Times of the kept frames, s.
    pub kept_times: Vec<f64>,
    /// The telling moments, in the order of their kinds; none where no skins are kept.
    pub moments: Vec<Moment>,
}

/// One method's run.
pub struct MethodResult {
    /// Which.
    pub method: Method,
    /// What it found, or why it could not run.
    pub outcome: Result<MethodRun, Fault>,
}

/// Two methods in the frame in which they differ most, and how far apart they are in each.
#[derive(Debug, Clone, PartialEq)]
pub struct PairResult {
    /// First method.
    pub a: Method,
    /// Second method.
    pub b: Method,
    /// Distance in that frame.
    pub distance: SurfaceDistance,
    /// The frame.
    pub frame: usize,
    /// Distance in each frame, as long as both run.
    pub curve: Vec<SurfaceDistance>,
}

impl Comparison {
    /// The methods that ran.
    pub fn runs(&self) -> impl Iterator<Item = (Method, &MethodRun)> {
        let ran = self.methods.iter();
        ran.filter_map(|m| Some((m.method, m.outcome.as_ref().ok()?)))
    }

    /// The run of `method`, if it ran.
    pub fn run(&self, method: Method) -> Option<&MethodRun> {
        let mut runs = self.runs();
        runs.find(|(ran, _)| *ran == method).map(|(_, run)| run)
    }

    /// What the user should know of a method: the notes on the scene that concern it, those of its build and its run, and why it stopped early. Without a run, those on the scene.
    pub fn notes_of(&self, method: Method) -> Vec<String> {
        let mut notes: Vec<String> = self
            .setup
            .note_texts_of(method)
            .map(str::to_string)
            .collect();
        if let Some(run) = self.run(method) {
            notes.extend_from_slice(&run.notes);
            notes.extend(run.diverged.as_ref().map(ToString::to_string));
        }
        notes
    }

    /// The reference, where one was computed.
    pub fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()?.as_ref().ok()
    }

    /// Which method is nearest to the reference and which costs least. `None` without a reference, and where [`ranking`] has none.
    pub fn ranking(&self) -> Option<Ranking> {
        let runs = self.methods.iter().filter_map(|m| {
            let run = m.outcome.as_ref().ok().filter(|r| r.diverged.is_none())?;
            Some((m.method, run.accuracy.as_ref()?, run.cost_quantile(0.5)))
        });
        let reference_force = self.reference().and_then(|r| r.force.as_ref());
        ranking(reference_force, self.setup.diagonal, runs)
    }
}
