//! Selection of independent conditions. On a fine skin, conditions can outnumber the boundary nodes below them.

/// A row is dropped where its Schur complement, after the rows before it, is below this share of its own compliance.
const DEPENDENCE_LIMIT: f64 = 1e-8;
/// Below this share a row is kept, and the set counts as nearly dependent.
const NEAR_DEPENDENCE_LIMIT: f64 = 1e-6;

/// Sorts the rows of a compliance matrix into usable ones and repetitions; memory is kept between calls.
#[derive(Debug, Clone, Default)]
pub struct Independence {
    /// Rows that take part, ascending.
    pub kept: Vec<u32>,
    /// Rows that repeat others or cannot move, ascending.
    pub dropped: Vec<u32>,
    /// Whether some unilateral rows nearly repeat others.
    pub nearly_dependent: bool,
    factor: Vec<f64>,
    order: Vec<u32>,
    remaining: Vec<f64>,
}

impl Independence {
    /// Examines the symmetric matrix `compliance` (row by row) whose row `i` is unilateral where `unilateral(i)` holds.
    ///
    /// The test of row `i` is `η = remaining / C_ii`, where `remaining` is its Schur complement after the rows before it. Bilateral rows are taken in
    /// the order of greedy pivots and dropped below `η = 1e-8`. Unilateral rows are dropped only where the bilateral rows leave them no freedom. The
    /// contact solver decides which of several dependent contacts push; `nearly_dependent` tells it that there may be some.
    pub fn examine(&mut self, compliance: &[f64], size: usize, unilateral: impl Fn(usize) -> bool) {
        self.kept.clear();
        self.dropped.clear();
        self.nearly_dependent = false;
        if self.is_well_conditioned(compliance, size) {
            self.kept.extend(0..size as u32);
            return;
        }
        self.nearly_dependent = true;
        self.sort_by_pivots(compliance, size, &unilateral);
        self.kept.sort_unstable();
        self.dropped.sort_unstable();
    }

    /// Cholesky factorisation in the given order; true when every `η` is above [`NEAR_DEPENDENCE_LIMIT`].
    fn is_well_conditioned(&mut self, compliance: &[f64], size: usize) -> bool {
        self.factor.clear();
        self.factor.resize(size * size, 0.0);
        for i in 0..size {
            let (before, row) = self.factor.split_at_mut(i * size);
            for j in 0..i {
                let other = &before[j * size..j * size + j + 1];
                let remaining = compliance[i * size + j] - dot(&row[..j], &other[..j]);
                row[j] = remaining / other[j];
            }
            let own = compliance[i * size + i];
            let remaining = own - dot(&row[..i], &row[..i]);
            if own.is_nan()
                || own <= 0.0
                || remaining.is_nan()
                || remaining <= NEAR_DEPENDENCE_LIMIT * own
            {
                return false;
            }
            row[i] = remaining.sqrt();
        }
        true
    }

    /// Greedy pivots over the bilateral rows, then one test of each unilateral row against them.
    fn sort_by_pivots(
        &mut self,
        compliance: &[f64],
        size: usize,
        unilateral: &impl Fn(usize) -> bool,
    ) {
        let own = |i: usize| compliance[i * size + i];
        self.factor.clear();
        self.factor.resize(size * size, 0.0);
        self.remaining.clear();
        self.remaining.extend((0..size).map(own));
        self.order.clear();
        let remaining_share = |remaining: &[f64], i: usize| {
            if own(i) > 0.0 {
                remaining[i] / own(i)
            } else {
                0.0
            }
        };
        loop {
            let next = (0..size)
                .filter(|&i| !unilateral(i) && !self.order.contains(&(i as u32)))
                .max_by(|&a, &b| {
                    remaining_share(&self.remaining, a)
                        .total_cmp(&remaining_share(&self.remaining, b))
                        .then(b.cmp(&a))
                });
            let Some(pivot) =
                next.filter(|&i| remaining_share(&self.remaining, i) >= DEPENDENCE_LIMIT)
            else {
                break;
            };
            // column k of the factor for all rows
            let k = self.order.len();
            let scale = 1.0 / self.remaining[pivot].sqrt();
            let pivot_row: Vec<f64> = self.factor[pivot * size..pivot * size + k].to_vec();
            for i in 0..size {
                let row = &mut self.factor[i * size..i * size + k + 1];
                let value = (compliance[i * size + pivot] - dot(&row[..k], &pivot_row)) * scale;
                row[k] = value;
                self.remaining[i] -= value * value;
            }
            self.order.push(pivot as u32);
        }
        self.kept.extend(&self.order);
        for i in 0..size {
            if unilateral(i) {
                if remaining_share(&self.remaining, i) >= DEPENDENCE_LIMIT {
                    self.kept.push(i as u32);
                } else {
                    self.dropped.push(i as u32);
                }
            } else if !self.order.contains(&(i as u32)) {
                self.dropped.push(i as u32);
            }
        }
    }
}

/// Inner product with a fixed order of four interleaved sums.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (x, y) in a4.iter().zip(b4) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compliance of rows that are combinations of three independent ones.
    fn compliance(rows: &[[f64; 3]]) -> Vec<f64> {
        let metric = [[2.0, 0.4, 0.1], [0.4, 1.5, 0.2], [0.1, 0.2, 1.0]];
        let mut out = Vec::new();
        for a in rows {
            for b in rows {
                let mut sum = 0.0;
                for i in 0..3 {
                    for j in 0..3 {
                        sum += a[i] * metric[i][j] * b[j];
                    }
                }
                out.push(sum);
            }
        }
        out
    }

    #[test]
    fn repeated_conditions_are_found() {
        let mut independence = Independence::default();
        let regular = compliance(&[[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]]);
        independence.examine(&regular, 3, |_| false);
        assert_eq!(independence.kept, [0, 1, 2]);
        assert!(!independence.nearly_dependent);

        let rows = [
            [1.0, 0.0, 0.0],
            [0.5, 0.5, 0.0],
            [0.2, 0.3, 0.5],
            [0.25, 0.25, 0.5],
            [0.0, 0.0, 0.0],
        ];
        let repeated = compliance(&rows);
        independence.examine(&repeated, 5, |_| false);
        assert_eq!(
            (independence.kept.len(), independence.dropped.len()),
            (3, 2)
        );
        assert!(independence.dropped.contains(&4));
        // contacts are left to the contact solver, unless held rows leave them no freedom
        independence.examine(&repeated, 5, |i| i >= 2);
        assert_eq!(
            (&independence.kept[..], &independence.dropped[..]),
            (&[0, 1, 2, 3][..], &[4][..])
        );
        assert!(independence.nearly_dependent);
        independence.examine(&repeated, 5, |i| i >= 3);
        assert_eq!(independence.dropped, [3, 4]);
    }
}
