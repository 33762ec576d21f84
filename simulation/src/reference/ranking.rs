//! Which method is nearest to the reference and which costs least.

use pliant_core::scene::Method;

use super::accuracy::Accuracy;

/// Which method is nearest to the reference and which costs least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranking {
    /// The one whose force is least off, or whose skin is where no force is felt.
    pub nearest: Method,
    /// The one with the smallest median time a frame.
    pub cheapest: Method,
}

/// Ranks methods by accuracy and by their median time a frame (ms); `None` where there are none.
pub fn ranking<'a>(
    methods: impl Iterator<Item = (Method, &'a Accuracy, f64)> + Clone,
) -> Option<Ranking> {
    let nearest = methods
        .clone()
        .min_by(|a, b| a.1.rank().total_cmp(&b.1.rank()))?;
    let cheapest = methods.min_by(|a, b| a.2.total_cmp(&b.2))?;
    Some(Ranking {
        nearest: nearest.0,
        cheapest: cheapest.0,
    })
}
