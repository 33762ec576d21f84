//! The 256 colours of an animation's frames.

use color_quant::NeuQuant;

/// Most pixels from which the palette is learned.
const SAMPLES: usize = 60_000;
/// Bits of each channel that the table of nearest colours keeps.
const BITS: u32 = 6;
/// A frame whose error exceeds that of the palette's own frame by this factor gets a new palette.
const MAX_ERROR_RATIO: f64 = 1.5;
/// Mean squared error, of 255², below which no palette is replaced.
const NEGLIGIBLE_ERROR: f64 = 6.0;

/// A palette, and the nearest of its colours to any colour.
pub struct Palette {
    colors: Vec<u8>,
    /// number of the nearest colour and its squared distance, computed on demand
    nearest: Vec<Option<(u8, u32)>>,
    /// mean squared error of the frame that it was made for
    error: f64,
}

impl Palette {
    /// Learns the colours of a frame by a self-organising map (Dekker 1994). `rgb` has three bytes a pixel.
    pub fn learn(rgb: &[u8]) -> Self {
        let pixels = rgb.len() / 3;
        let step = pixels.div_ceil(SAMPLES).max(1);
        let mut samples: Vec<u8> = rgb
            .chunks_exact(3)
            .step_by(step)
            .flat_map(|p| [p[0], p[1], p[2], 255])
            .collect();
        // the algorithm needs more pixels than colours
        while samples.len() < 4 * 1024 && !samples.is_empty() {
            samples.extend_from_within(..);
        }
        let colors = match samples.is_empty() {
            true => vec![0; 3],
            false => NeuQuant::new(1, 256, &samples).color_map_rgb(),
        };
        let mut palette = Self {
            colors,
            nearest: vec![None; 1 << (3 * BITS)],
            error: f64::INFINITY,
        };
        palette.error = palette.apply(rgb).1;
        palette
    }

    /// Three bytes a colour.
    pub fn colors(&self) -> &[u8] {
        &self.colors
    }

    /// The number of a colour for each pixel, and the mean squared error.
    pub fn apply(&mut self, rgb: &[u8]) -> (Vec<u8>, f64) {
        let mut sum = 0_u64;
        let indices: Vec<u8> = rgb
            .chunks_exact(3)
            .map(|pixel| {
                let (index, error) = self.nearest([pixel[0], pixel[1], pixel[2]]);
                sum += u64::from(error);
                index
            })
            .collect();
        let error = sum as f64 / indices.len().max(1) as f64;
        (indices, error)
    }

    /// Whether a frame with this error needs a new palette.
    pub fn is_poor(&self, error: f64) -> bool {
        error > MAX_ERROR_RATIO * self.error.max(NEGLIGIBLE_ERROR)
    }

    fn nearest(&mut self, pixel: [u8; 3]) -> (u8, u32) {
        let drop = 8 - BITS;
        let key = pixel.map(|c| usize::from(c >> drop));
        let key = (key[0] << (2 * BITS)) | (key[1] << BITS) | key[2];
        if let Some(known) = self.nearest[key] {
            return known;
        }
        // the middle of the colours with the same key
        let middle = pixel.map(|c| i32::from((c >> drop << drop) | (1 << (drop - 1))));
        let distance = |color: &[u8]| -> u32 {
            let parts = color.iter().zip(middle);
            parts.map(|(a, b)| (i32::from(*a) - b).pow(2) as u32).sum()
        };
        let all = self.colors.chunks_exact(3).enumerate();
        let found = all.map(|(k, color)| (k as u8, distance(color)));
        let found = found
            .min_by_key(|(_, distance)| *distance)
            .unwrap_or((0, 0));
        self.nearest[key] = Some(found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_others_need_another_palette() {
        let frame = |colors: &[[u8; 3]]| -> Vec<u8> {
            (0..4000).flat_map(|k| colors[k % colors.len()]).collect()
        };
        let blues = frame(&[[10, 20, 200], [20, 30, 180], [5, 5, 90]]);
        let mut palette = Palette::learn(&blues);
        assert!(palette.colors().len() <= 768);
        let (indices, error) = palette.apply(&blues);
        assert_eq!(indices.len(), 4000);
        assert!(error < 40.0, "{error}");
        assert!(!palette.is_poor(error));
        let (_, error) = palette.apply(&frame(&[[230, 90, 20]]));
        assert!(palette.is_poor(error), "{error}");
        assert_eq!(Palette::learn(&[]).apply(&[]).0, Vec::<u8>::new());
    }
}
