//! Buffer views and accessors of a glTF file.

use serde_json::{Value, json};

use crate::export::surfaces::extent;

pub(super) const FLOAT: u32 = 5126;
pub(super) const UNSIGNED_INT: u32 = 5125;

/// Buffer views and accessors, and the length of the buffer so far.
#[derive(Default)]
pub(super) struct Document {
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    pub bytes: u64,
}

impl Document {
    /// Adds an array of numbers of four bytes, and returns the index of its accessor.
    pub fn array(
        &mut self,
        kind: &str,
        component: u32,
        count: usize,
        bounds: Option<Bounds>,
    ) -> usize {
        let components = if kind == "VEC3" { 3 } else { 1 };
        let length = 4 * components * count as u64;
        self.views
            .push(json!({ "buffer": 0, "byteOffset": self.bytes, "byteLength": length }));
        let mut accessor = json!({ "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind });
        if let Some(Bounds { min, max }) = bounds {
            accessor["min"] = json!(min);
            accessor["max"] = json!(max);
        }
        self.accessors.push(accessor);
        self.bytes += length;
        self.accessors.len() - 1
    }
}

/// Minimum and maximum of each component.
pub(super) struct Bounds {
    min: Vec<f32>,
    max: Vec<f32>,
}

impl Bounds {
    pub fn of<const N: usize>(items: &[[f32; N]]) -> Self {
        let [min, max] = extent(items).map(Vec::from);
        Self { min, max }
    }
}
