//! Which method is nearest to the reference and which costs least.

use pliant_core::scene::Method;

use super::accuracy::Accuracy;
use super::reference_force::ReferenceForce;
use super::wording::is_within_uncertainty;

/// Distance of a skin from that of the reference, over the diagonal, up to which both are the same.
const STILL: f64 = 1e-6;

/// Which method is nearest to the reference and which costs least.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The one whose force is least off, or whose skin is where no force is felt.
    pub nearest: Method,
    /// Those that the reference cannot tell from the nearest: they are all within its uncertainty.
    pub as_near: Vec<Method>,
    /// The one with the smallest median time a frame.
    pub cheapest: Method,
}

impl Ranking {
    /// The nearest, and those that are as near, in that order.
    pub fn near(&self) -> Vec<Method> {
        let mut all = vec![self.nearest];
        all.extend(&self.as_near);
        all
    }
}

/// Ranks methods by accuracy against a reference with this force, and by their median time a frame (ms). `diagonal` is that of the body, m. `None` where there is no method, and where nothing
/// tells methods apart: no force is felt, and all skins are those of the reference, as in a run in which nothing moves.
pub fn ranking<'a>(
    reference_force: Option<&ReferenceForce>,
    diagonal: f64,
    methods: impl Iterator<Item = (Method, &'a Accuracy, f64)> + Clone,
) -> Option<Ranking> {
    let differs = |accuracy: &Accuracy| {
        accuracy.force_error.is_some() || accuracy.surface_rms > STILL * diagonal
    };
    if !methods.clone().any(|m| differs(m.1)) {
        return None;
    }
    let nearest = methods
        .clone()
        .min_by(|a, b| a.1.rank().total_cmp(&b.1.rank()))?;
    let cheapest = methods.clone().min_by(|a, b| a.2.total_cmp(&b.2))?.0;
    let is_unsure = |accuracy: &Accuracy| {
        let both = accuracy.force_error.zip(reference_force);
        both.is_some_and(|(error, reference_force)| is_within_uncertainty(error, reference_force))
    };
    let others = methods.filter(|m| m.0 != nearest.0 && is_unsure(m.1) && is_unsure(nearest.1));
    Some(Ranking {
        nearest: nearest.0,
        as_near: others.map(|m| m.0).collect(),
        cheapest,
    })
}
