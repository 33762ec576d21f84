//! Progress of the trials of candidates.

use pliant_simulation::advice::{AdviceObserver, TriedCandidate};
use pliant_simulation::reference::Reference;

use crate::output::Watch;
use crate::report::outcome_text;
use crate::session::Session;

/// Prints a line for each candidate, and the progress of the current one.
pub(super) struct ProgressReporter<'a> {
    session: &'a Session,
    watch: Option<Watch>,
}

impl<'a> ProgressReporter<'a> {
    /// Starts to show progress.
    pub(super) fn new(session: &'a Session) -> Self {
        Self {
            session,
            watch: Some(session.output.watch(&session.progress)),
        }
    }

    /// Prints a line, with the progress bar removed meanwhile.
    pub(super) fn line(&mut self, text: &str) {
        self.watch = None;
        self.session.output.remark(text);
        self.watch = Some(self.session.output.watch(&self.session.progress));
    }
}

impl AdviceObserver for ProgressReporter<'_> {
    fn reference(&mut self, reference: &Reference, candidates: usize, seconds: f64) {
        let source = match reference.from_cache {
            true => "from the cache".to_string(),
            false => format!("{:.0} s", reference.seconds),
        };
        self.line(&format!(
            "reference: {} nodes ({source}); {candidates} candidates follow, about {} with an empty cache",
            reference.fine.nodes,
            rounded_duration(seconds)
        ));
    }

    fn tried(&mut self, number: usize, of: usize, tried: &TriedCandidate) {
        let candidate = &tried.candidate;
        self.line(&format!(
            "{number} of {of}: {}, {}: {}",
            candidate.method.name(),
            candidate.label(),
            outcome_text(tried)
        ));
    }
}

/// A duration to one or two digits.
fn rounded_duration(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{:.0} s", (seconds / 10.0).ceil() * 10.0)
    } else {
        format!("{:.0} min", (seconds / 60.0).ceil())
    }
}
