//! Arrays of numbers in NumPy's `.npy` format, in which measurements and other programs write their columns.

/// Bytes that are not an array of numbers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "not an array that can be used: {what}\n  remedy: write it with numpy.save as float32 or float64"
)]
pub struct NpyError {
    /// What is wrong.
    pub what: String,
}

/// The limit of NumPy before version 2, with which the shape fits into a message.
const MAX_INDICES: usize = 32;

/// An array, the last index fastest.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Length along each index.
    pub shape: Vec<usize>,
    /// The numbers.
    pub values: Vec<f64>,
}

impl Array {
    /// Reads versions 1 to 3 with little-endian `float32` or `float64`, in C or Fortran order.
    ///
    /// # Errors
    /// [`NpyError`] for anything else; lengths are checked before memory is taken.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NpyError> {
        let wrong = |what: &str| NpyError { what: what.into() };
        let rest = bytes
            .strip_prefix(b"\x93NUMPY")
            .ok_or_else(|| wrong("it does not begin like one"))?;
        let (length, rest) = match rest {
            [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
            [2 | 3, _, a, b, c, d, rest @ ..] => {
                (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest)
            }
            _ => return Err(wrong("its version is not known")),
        };
        let (header, data) = rest
            .split_at_checked(length)
            .ok_or_else(|| wrong("it ends inside its header"))?;
        let header = String::from_utf8_lossy(header);
        let value = |key: &str| {
            let after = header.split_once(&format!("'{key}'"))?.1;
            Some(after.trim_start().strip_prefix(':')?.trim_start())
        };
        let kind = value("descr").ok_or_else(|| wrong("it does not say what it holds"))?;
        let fortran = value("fortran_order").is_some_and(|v| v.starts_with("True"));
        let shape = value("shape")
            .and_then(|v| v.strip_prefix('(')?.split_once(')'))
            .ok_or_else(|| wrong("it has no shape"))?
            .0
            .split(',')
            .map(str::trim)
            .filter(|n| !n.is_empty())
            .map(str::parse::<usize>)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|_| wrong("its shape is not a list of numbers"))?;
        if shape.len() > MAX_INDICES {
            return Err(wrong("it has more than 32 indices"));
        }
        let values: Vec<f64> = if kind.starts_with("'<f8'") {
            let (numbers, _) = data.as_chunks::<8>();
            numbers.iter().map(|b| f64::from_le_bytes(*b)).collect()
        } else if kind.starts_with("'<f4'") {
            let (numbers, _) = data.as_chunks::<4>();
            let numbers = numbers.iter();
            numbers.map(|b| f64::from(f32::from_le_bytes(*b))).collect()
        } else {
            return Err(wrong(
                "its numbers are not float32 or float64, little endian",
            ));
        };
        let count = shape.iter().try_fold(1_usize, |n, k| n.checked_mul(*k));
        if count != Some(values.len()) {
            return Err(wrong(&format!(
                "its shape {shape:?} does not fit its {} numbers",
                values.len()
            )));
        }
        let array = Self { shape, values };
        Ok(if fortran { array.into_c_order() } else { array })
    }

    /// The array in C order, from numbers whose first index is the fastest.
    fn into_c_order(self) -> Self {
        let mut values = vec![0.0; self.values.len()];
        let mut index = vec![0; self.shape.len()];
        for value in &self.values {
            let at = index.iter().zip(&self.shape);
            let at = at.fold(0, |at, (i, n)| at * n + i);
            if let Some(target) = values.get_mut(at) {
                *target = *value;
            }
            for (i, n) in index.iter_mut().zip(&self.shape) {
                *i += 1;
                if *i < *n {
                    break;
                }
                *i = 0;
            }
        }
        Self {
            shape: self.shape,
            values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut out = b"\x93NUMPY\x01\x00".to_vec();
        out.extend_from_slice(&(header.len() as u16).to_le_bytes());
        out.extend_from_slice(header.as_bytes());
        out.extend_from_slice(data);
        out
    }

    #[test]
    fn arrays_of_both_orders_and_precisions_are_read() {
        let numbers: Vec<f64> = (0..6).map(f64::from).collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let c = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
        let array = Array::from_bytes(&file(c, &bytes)).expect("read");
        assert_eq!((array.shape, array.values), (vec![2, 3], numbers.clone()));
        let f = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }";
        let array = Array::from_bytes(&file(f, &bytes)).expect("read");
        assert_eq!(array.values, [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]);
        let single: Vec<u8> = (0..4).flat_map(|k| (k as f32).to_le_bytes()).collect();
        let f4 = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }";
        let array = Array::from_bytes(&file(f4, &single)).expect("read");
        assert_eq!((array.shape, array.values[3]), (vec![4], 3.0));
        let whole = file(c, &bytes);
        for end in 0..whole.len() {
            assert!(Array::from_bytes(&whole[..end]).is_err(), "{end}");
        }
        for bad in [
            "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2, x), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }",
            &format!("{{'descr': '<f8', 'shape': ({})}}", "1, ".repeat(400)),
            "{}",
        ] {
            let error = Array::from_bytes(&file(bad, &bytes)).expect_err(bad);
            assert!(error.to_string().len() < 400, "{error}");
        }
    }
}
