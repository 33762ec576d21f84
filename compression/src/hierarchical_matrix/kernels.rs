//! Products of vectors of small integers with numbers; the compiler makes vector instructions of them.

/// `out += factor column`, as long as the column.
#[inline(always)]
pub(crate) fn add_column<T: Copy + Into<f64>>(column: &[T], factor: f64, out: &mut [f64]) {
    for (sum, &q) in out.iter_mut().zip(column) {
        *sum += factor * q.into();
    }
}

/// `out += Σ_t factors[t] column_t`, where column `t` begins at `t length + skip`; four are read side by side.
#[inline(always)]
pub(crate) fn add_columns<T: Copy + Into<f64>>(
    numbers: &[T],
    length: usize,
    skip: usize,
    factors: &[f64],
    out: &mut [f64],
) {
    let rows = out.len();
    let column = |t: usize| &numbers[t * length + skip..][..rows];
    let (fours, rest) = factors.as_chunks::<4>();
    for (k, f) in fours.iter().enumerate() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|s| column(4 * k + s));
        let out = &mut out[..a.len()];
        for (i, sum) in out.iter_mut().enumerate() {
            let first = f[0] * a[i].into() + f[1] * b[i].into();
            let second = f[2] * c[i].into() + f[3] * d[i].into();
            *sum += first + second;
        }
    }
    let done = 4 * fours.len();
    for (t, &factor) in rest.iter().enumerate() {
        add_column(column(done + t), factor, out);
    }
}

/// The product of a vector, which begins at place `first`, with the forces at the loaded places.
#[inline(always)]
pub(crate) fn dot_at<T: Copy + Into<f64>>(
    vector: &[T],
    loaded: &[u32],
    first: usize,
    forces: &[f64],
) -> f64 {
    let mut sum = 0.0;
    for &place in loaded {
        let place = place as usize;
        let (q, f) = (
            &vector[3 * (place - first)..][..3],
            &forces[3 * place..][..3],
        );
        sum += q[0].into() * f[0] + q[1].into() * f[1] + q[2].into() * f[2];
    }
    sum
}

/// The same for scalars behind the `after`-th alone; the column begins there.
#[inline(always)]
pub(crate) fn dot_tail<T: Copy + Into<f64>>(
    column: &[T],
    loaded: &[u32],
    first: usize,
    after: usize,
    forces: &[f64],
) -> f64 {
    let mut sum = 0.0;
    for &place in loaded {
        for at in 3 * place as usize..3 * place as usize + 3 {
            let r = at - 3 * first;
            if r > after {
                sum += column[r - after].into() * forces[at];
            }
        }
    }
    sum
}
