//! Numbers as JSON.

use pliant_core::math::Vec3;
use serde_json::{Value, json};

/// A number for JSON; `null` where it is not finite.
pub fn number(value: f64) -> Value {
    if value.is_finite() {
        json!(value)
    } else {
        Value::Null
    }
}

/// Three numbers for JSON.
pub fn vector(value: &Vec3) -> Value {
    Value::Array(value.iter().map(|x| number(*x)).collect())
}
