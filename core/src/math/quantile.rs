//! Quantiles of measured values.

/// The smallest of some values that at least this `share` of them does not exceed (nearest rank); `None` where there are none. The values are in ascending order.
///
/// ```
/// use pliant_core::math::quantile;
/// let ascending = [1.0, 2.0, 3.0, 9.0];
/// assert_eq!(quantile(&ascending, 0.5), Some(2.0));
/// assert_eq!(quantile(&ascending, 1.0), Some(9.0));
/// assert_eq!(quantile(&[], 0.5), None);
/// ```
pub fn quantile(ascending: &[f64], share: f64) -> Option<f64> {
    let rank = (share * ascending.len() as f64).ceil() as usize;
    ascending.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_nearest_ranks() {
        let ascending: Vec<f64> = (1..=200).map(f64::from).collect();
        let found = [0.0, 0.5, 0.99, 1.0].map(|share| quantile(&ascending, share));
        assert_eq!(found, [1.0, 100.0, 198.0, 200.0].map(Some));
        assert_eq!(quantile(&[7.0], 0.5), Some(7.0));
    }
}
