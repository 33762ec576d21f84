//! The Pareto front of cost and error.

/// What a candidate costs and how far it is off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CostAndError {
    /// Median wall time of a frame, ms.
    pub cost_ms: f64,
    /// Size of the relative error.
    pub error: f64,
    /// Distance of the skins over the diagonal, which is no axis of the front: it has a limit of its own.
    pub skin: f64,
}

/// Numbers of the points that no other dominates, from the cheapest to the most exact. Of equal points the first stands for all; points with NaN are left out.
///
/// Cost: sorting.
pub(in crate::compare::advice) fn pareto_front(points: &[CostAndError]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len())
        .filter(|&k| !points[k].cost_ms.is_nan() && !points[k].error.is_nan())
        .collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&points[a], &points[b]);
        let by_cost = a.cost_ms.total_cmp(&b.cost_ms);
        by_cost.then(a.error.total_cmp(&b.error))
    });
    let mut least = f64::INFINITY;
    order.retain(|&k| {
        let is_better = points[k].error < least;
        least = least.min(points[k].error);
        is_better
    });
    order
}
