//! A touch: what a hand did to the body, and what each method felt of it.

use crate::reference::{Accuracy, Reference, Span};

/// What a hand did to the body, and what each method felt of it.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::runner) struct Touch {
    /// The frames, from one in which the body is about at rest.
    pub span: Span,
    /// `forces[pane][curve][frame of the span]`, N, with the curves of a reference of the span; NaN before the hand was felt. Empty for a pane that cannot be judged.
    pub forces: Vec<Vec<Vec<f64>>>,
}

impl Touch {
    /// Pane `k` compared with the reference of the span; `None` where it did not run in all frames that count.
    pub fn judge(&self, k: usize, reference: &Reference) -> Option<Accuracy> {
        let forces: Vec<&[f64]> = self.forces.get(k)?.iter().map(Vec::as_slice).collect();
        let accuracy = reference.judge(&forces, &[], Accuracy::default());
        accuracy.force_error.filter(|e| e.is_finite())?;
        Some(accuracy)
    }
}
