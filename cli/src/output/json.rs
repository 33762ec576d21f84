//! Vectors as JSON.

use pliant_core::math::Vec3;
use serde_json::{Value, json};

/// Three numbers for JSON. As everywhere in `serde_json`, one that is not finite is `null`.
pub fn vector(value: &Vec3) -> Value {
    json!([value.x, value.y, value.z])
}
