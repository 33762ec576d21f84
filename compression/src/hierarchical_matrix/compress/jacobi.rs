//! Eigenvalues and eigenvectors of small symmetric matrices by the cyclic method of Jacobi (1846).

/// Most sweeps; six are usual.
const SWEEPS: usize = 30;

/// Eigenvalues of the symmetric matrix `a` of `size` rows, in no order, and the eigenvectors one after the other.
///
/// Cost: about `20 size³` multiplications.
pub(crate) fn eigenvectors(mut a: Vec<f64>, size: usize) -> (Vec<f64>, Vec<f64>) {
    let mut vectors = vec![0.0; size * size];
    for k in 0..size {
        vectors[k * size + k] = 1.0;
    }
    let scale: f64 = (0..size).map(|k| a[k * size + k].abs()).sum();
    for _ in 0..SWEEPS {
        let mut largest = 0.0_f64;
        for p in 0..size {
            for q in p + 1..size {
                let off = a[p * size + q];
                let (app, aqq) = (a[p * size + p], a[q * size + q]);
                largest = largest.max(off.abs());
                if off.abs() <= 1e-17 * scale {
                    continue;
                }
                let tau = (aqq - app) / (2.0 * off);
                let t = tau.signum() / (tau.abs() + tau.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                turn_rows(&mut a, size, [p, q], [c, s]);
                // by symmetry the columns are the rows, but for the crossing
                for k in 0..size {
                    a[k * size + p] = a[p * size + k];
                    a[k * size + q] = a[q * size + k];
                }
                a[p * size + p] = app - t * off;
                a[q * size + q] = aqq + t * off;
                a[p * size + q] = 0.0;
                a[q * size + p] = 0.0;
                turn_rows(&mut vectors, size, [p, q], [c, s]);
            }
        }
        if largest <= 1e-16 * scale {
            break;
        }
    }
    let values = (0..size).map(|k| a[k * size + k]).collect();
    (values, vectors)
}

fn turn_rows(a: &mut [f64], size: usize, [p, q]: [usize; 2], [c, s]: [f64; 2]) {
    let (upper, lower) = a.split_at_mut(q * size);
    let (first, second) = (&mut upper[p * size..][..size], &mut lower[..size]);
    for (x, y) in first.iter_mut().zip(second) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_multiplied_by_their_values() {
        let size = 17;
        let entry =
            |r: usize, c: usize| 1.0 / (1.0 + r as f64 + c as f64) + f64::from(u8::from(r == c));
        let a: Vec<f64> = (0..size * size)
            .map(|k| entry(k / size, k % size))
            .collect();
        let (values, vectors) = eigenvectors(a, size);
        for (value, v) in values.iter().zip(vectors.chunks_exact(size)) {
            let norm: f64 = v.iter().map(|x| x * x).sum();
            assert!((norm - 1.0).abs() < 1e-13);
            for r in 0..size {
                let product: f64 = (0..size).map(|c| entry(r, c) * v[c]).sum();
                assert!((product - value * v[r]).abs() < 1e-13);
            }
        }
    }
}
