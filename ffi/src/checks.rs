//! Checks of the caller's arguments. An error names the argument.

use pliant::nalgebra::{Quaternion, UnitQuaternion};

use crate::failure::{Failure, Outcome};
use crate::status::PliantStatus;

/// Refuses rows with a number that is not finite.
pub fn finite<T: Copy + Into<f64>, const N: usize>(rows: &[[T; N]], name: &str) -> Outcome<()> {
    let is_finite = |row: &[T; N]| row.iter().all(|&x| x.into().is_finite());
    match rows.iter().position(|row| !is_finite(row)) {
        None => Ok(()),
        Some(0) if rows.len() == 1 => Err(Failure::not_finite(name)),
        Some(k) => Err(Failure::not_finite(&format!("{name}[{k}]"))),
    }
}

/// Refuses vertex numbers beyond the `count` vertices.
pub fn vertices<const N: usize>(rows: &[[u32; N]], count: usize, name: &str) -> Outcome<()> {
    for (k, row) in rows.iter().enumerate() {
        if let Some(vertex) = row.iter().find(|v| **v as usize >= count) {
            let last = count.saturating_sub(1);
            let words = format!("`{name}[{k}]` names vertex {vertex}\n  remedy: use 0 to {last}");
            let status = PliantStatus::InvalidArgument;
            return Err(Failure::new(status, "NoSuchVertex", words));
        }
    }
    Ok(())
}

/// The number, if it is finite.
pub fn number(x: f64, name: &str) -> Outcome<f64> {
    match x.is_finite() {
        true => Ok(x),
        false => Err(Failure::not_finite(name)),
    }
}

/// The unit quaternion of an orientation (w, x, y, z).
pub fn orientation([w, x, y, z]: [f64; 4], name: &str) -> Outcome<UnitQuaternion<f64>> {
    UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-12).ok_or_else(|| {
        Failure::argument(format!(
            "`{name}` is zero, and no orientation\n  remedy: give a quaternion (w, x, y, z)"
        ))
    })
}
