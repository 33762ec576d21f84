//! The animation of a segment: weights of its morph targets, and its visibility.

use super::document::{Bounds, Document, FLOAT};
use super::segments::Segment;
use serde_json::{Value, json};

/// Samplers and channels, and the bytes of their arrays.
#[derive(Default)]
pub(super) struct Animation {
    pub samplers: Vec<Value>,
    pub channels: Vec<Value>,
    pub bytes: Vec<f32>,
}

impl Animation {
    fn sampler(
        &mut self,
        document: &mut Document,
        times: &[f32],
        (kind, values): (&str, &[f32]),
        interpolation: &str,
    ) -> usize {
        let scalars: Vec<[f32; 1]> = times.iter().map(|t| [*t]).collect();
        let input = document.array("SCALAR", FLOAT, times.len(), Some(Bounds::of(&scalars)));
        let count = match kind {
            "VEC3" => values.len() / 3,
            _ => values.len(),
        };
        let output = document.array(kind, FLOAT, count, None);
        self.bytes.extend_from_slice(times);
        self.bytes.extend_from_slice(values);
        self.samplers
            .push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        self.samplers.len() - 1
    }

    /// Adds a sampler that gives each target the weight 1 at its time, and interpolates in between. `times` are those of all surfaces, s.
    pub fn weights(&mut self, document: &mut Document, segment: &Segment, times: &[f32]) -> usize {
        let targets = segment.targets();
        let times = &times[segment.first..segment.first + segment.count];
        let mut weights = vec![0.0; times.len() * targets];
        for k in 0..targets {
            let row = k + times.len() - targets;
            weights[row * targets + k] = 1.0;
        }
        self.sampler(document, times, ("SCALAR", &weights), "LINEAR")
    }

    /// Adds a sampler of the scale: 1 from the first surface of the segment to the first of the next one, and 0 before and after.
    pub fn scale(&mut self, document: &mut Document, segment: &Segment, times: &[f32]) -> usize {
        let end = segment.first + segment.count;
        let mut keys = vec![(times[segment.first], 1.0)];
        if segment.first > 0 {
            keys.insert(0, (times[0], 0.0));
        }
        if let Some(end) = times.get(end) {
            keys.push((*end, 0.0));
        }
        let times: Vec<f32> = keys.iter().map(|(time, _)| *time).collect();
        let scales: Vec<f32> = keys.iter().flat_map(|(_, scale)| [*scale; 3]).collect();
        self.sampler(document, &times, ("VEC3", &scales), "STEP")
    }

    pub fn channel(&mut self, sampler: usize, node: usize, path: &str) {
        self.channels
            .push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }
}
