//! The animation of a stretch: weights of its morph targets, and whether it is seen.

use super::document::{Bounds, Document, FLOAT};
use super::stretches::Stretch;
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
        let of_time: Vec<[f32; 1]> = times.iter().map(|t| [*t]).collect();
        let input = document.array("SCALAR", FLOAT, times.len(), Some(Bounds::of(&of_time)));
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

    /// Weight 1 for one target after the other, with two neighbours mixed in between. `times` are those of all surfaces, s.
    pub fn weights(&mut self, document: &mut Document, stretch: &Stretch, times: &[f32]) -> usize {
        let targets = stretch.targets();
        let times = &times[stretch.first..stretch.first + stretch.count];
        let mut weights = vec![0.0; times.len() * targets];
        for k in 0..targets {
            let row = k + times.len() - targets;
            weights[row * targets + k] = 1.0;
        }
        self.sampler(document, times, ("SCALAR", &weights), "LINEAR")
    }

    /// Scale 1 from the first surface of the stretch to the first of the next one, and 0 before and after.
    pub fn scale(&mut self, document: &mut Document, stretch: &Stretch, times: &[f32]) -> usize {
        let end = stretch.first + stretch.count;
        let mut keys = vec![(times[stretch.first], 1.0)];
        if stretch.first > 0 {
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
