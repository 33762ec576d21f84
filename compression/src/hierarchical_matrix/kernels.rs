//! Products of vectors with stored integers, in the widest vector instructions of the machine.
//!
//! Each loop is short enough that the compiler inlines it for each instruction set. Products and sums are not fused, and sums run in eight lanes
//! on every machine, so that all machines give the same bits.

use pliant_core::simd::arch;

/// `out += factor column`.
pub(crate) fn add_column<T: Copy + Into<f64>>(column: &[T], factor: f64, out: &mut [f64]) {
    arch().dispatch(|| {
        for (sum, &q) in out.iter_mut().zip(column) {
            *sum += factor * q.into();
        }
    });
}

fn add_two<T: Copy + Into<f64>>([a, b]: [&[T]; 2], [f, g]: [f64; 2], out: &mut [f64]) {
    arch().dispatch(|| {
        for ((sum, &a), &b) in out.iter_mut().zip(a).zip(b) {
            *sum += f * a.into() + g * b.into();
        }
    });
}

fn add_four<T: Copy + Into<f64>>([a, b, c, d]: [&[T]; 4], f: [f64; 4], out: &mut [f64]) {
    let [f, g, h, k] = f;
    arch().dispatch(|| {
        for ((((sum, &a), &b), &c), &d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *sum += (f * a.into() + g * b.into()) + (h * c.into() + k * d.into());
        }
    });
}

/// `out += Σ_t factors[t] column_t`, where column `t` begins at `t length + skip`. Four columns are read side by side.
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
        add_four([0, 1, 2, 3].map(|s| column(4 * k + s)), *f, out);
    }
    let done = 4 * fours.len();
    let (twos, rest) = rest.as_chunks::<2>();
    for f in twos {
        add_two([column(done), column(done + 1)], *f, out);
    }
    let done = done + 2 * twos.len();
    for &f in rest {
        add_column(column(done), f, out);
    }
}

/// `x · y`, in eight partial sums.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let ((x, x_end), (y, y_end)) = (x.as_chunks::<8>(), y.as_chunks::<8>());
    let lanes = arch().dispatch(|| {
        let mut lanes = [0.0; 8];
        for (x, y) in x.iter().zip(y) {
            for k in 0..8 {
                lanes[k] += x[k] * y[k];
            }
        }
        lanes
    });
    let rest: f64 = x_end.iter().zip(y_end).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f64>() + rest
}

/// The product of a vector, which begins at place `first`, with the forces at the loaded places.
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

/// As [`dot_at`], but only for scalars behind the `after`-th, where the column begins.
pub(crate) fn dot_tail<T: Copy + Into<f64>>(
    column: &[T],
    loaded: &[u32],
    first: usize,
    after: usize,
    forces: &[f64],
) -> f64 {
    let mut sum = 0.0;
    for &place in loaded {
        let at = 3 * place as usize;
        for (k, force) in forces[at..at + 3].iter().enumerate() {
            let r = at + k - 3 * first;
            if r > after {
                sum += column[r - after].into() * force;
            }
        }
    }
    sum
}
