//! What is told while candidates are tried.

use pliant_simulation::advice::{AdviceObserver, Tried};
use pliant_simulation::reference::Reference;

use super::words::outcome_words;
use crate::output::Watch;
use crate::session::Session;

/// Tells a line for each candidate, and the progress of the present one.
pub(super) struct Teller<'a> {
    session: &'a Session,
    watch: Option<Watch>,
}

impl<'a> Teller<'a> {
    /// Begins to watch.
    pub(super) fn new(session: &'a Session) -> Self {
        Self {
            session,
            watch: Some(session.output.watch(&session.progress)),
        }
    }

    /// The scene is sound, and the reference comes first.
    pub(super) fn begin(&mut self) {
        self.line(
            "the reference comes first: some seconds to some minutes, once for this body and poke",
        );
    }

    /// A line of its own, not in the middle of a bar.
    fn line(&mut self, text: &str) {
        self.watch = None;
        self.session.output.remark(text);
        self.watch = Some(self.session.output.watch(&self.session.progress));
    }
}

impl AdviceObserver for Teller<'_> {
    fn reference(&mut self, reference: &Reference, candidates: usize, seconds: f64) {
        let whence = match reference.from_cache {
            true => "from the cache".to_string(),
            false => format!("{:.0} s", reference.seconds),
        };
        self.line(&format!(
            "reference: {} nodes ({whence}); {candidates} candidates follow, about {} with an empty cache",
            reference.fine.nodes,
            roughly(seconds)
        ));
    }

    fn tried(&mut self, number: usize, of: usize, tried: &Tried) {
        let candidate = &tried.candidate;
        self.line(&format!(
            "{number} of {of}: {}, {}: {}",
            candidate.method.name(),
            candidate.label(),
            outcome_words(tried)
        ));
    }
}

/// A duration to one or two digits.
fn roughly(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{:.0} s", (seconds / 10.0).ceil() * 10.0)
    } else {
        format!("{:.0} min", (seconds / 60.0).ceil())
    }
}
