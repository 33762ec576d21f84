//! A common palette for many pictures: median cut (Heckbert 1982).

/// Bits per channel that distinguish colours.
const BITS: u32 = 6;

/// A palette, with a lookup of the nearest colour.
pub struct Palette {
    /// The colours of the palette.
    pub colours: Vec<[u8; 3]>,
    /// cached index of the nearest colour for each cell of the colour cube
    nearest: Vec<Option<u8>>,
}

impl Palette {
    /// A palette of at most `max_colours` colours, up to 255, for these pixels.
    pub fn from_pixels(pixels: Vec<[u8; 3]>, max_colours: usize) -> Self {
        let mut boxes = vec![pixels];
        while boxes.len() < max_colours.min(255) {
            // split the box with the largest spread, weighted by the number of its pixels, at the median
            let spread = |pixels: &Vec<[u8; 3]>| {
                let (axis, width) = widest(pixels);
                (width as u64 * (pixels.len() as f64).sqrt() as u64, axis)
            };
            let candidates = boxes.iter().enumerate().map(|(k, b)| (spread(b), k));
            let Some(((weight, axis), at)) = candidates.max() else {
                break;
            };
            if weight == 0 {
                break;
            }
            let pixels = &mut boxes[at];
            pixels.sort_unstable_by_key(|p| (p[axis], *p));
            let upper = pixels.split_off(pixels.len() / 2);
            boxes.push(upper);
        }
        let full = boxes.iter().filter(|b| !b.is_empty());
        let mut colours: Vec<[u8; 3]> = full.map(|b| mean(b)).collect();
        // a split may separate pixels of one colour
        colours.sort_unstable();
        colours.dedup();
        Self {
            colours,
            nearest: vec![None; 1 << (3 * BITS)],
        }
    }

    /// Index of the colour nearest to a pixel.
    pub fn index(&mut self, pixel: [u8; 3]) -> u8 {
        let cell = pixel.map(|c| usize::from(c >> (8 - BITS)));
        let cell = (cell[0] << (2 * BITS)) | (cell[1] << BITS) | cell[2];
        if let Some(index) = self.nearest[cell] {
            return index;
        }
        let squared_distance = |c: &[u8; 3]| -> u32 {
            let differences = c.iter().zip(pixel).map(|(a, b)| u32::from(a.abs_diff(b)));
            differences.map(|d| d * d).sum()
        };
        let distances = self.colours.iter().map(squared_distance).enumerate();
        let index = distances
            .min_by_key(|(_, d)| *d)
            .map_or(0, |(k, _)| k as u8);
        self.nearest[cell] = Some(index);
        index
    }
}

/// The channel with the largest range of values, and that range.
fn widest(pixels: &[[u8; 3]]) -> (usize, u8) {
    let width = |axis: usize| {
        let values = pixels.iter().map(|p| p[axis]);
        let (low, high) = values.fold((255, 0), |(l, h), v| (v.min(l), v.max(h)));
        u8::saturating_sub(high, low)
    };
    let channels = [0, 1, 2].map(|axis| (axis, width(axis)));
    channels.into_iter().max_by_key(|c| c.1).unwrap_or((0, 0))
}

fn mean(pixels: &[[u8; 3]]) -> [u8; 3] {
    [0, 1, 2].map(|axis| {
        let sum: usize = pixels.iter().map(|p| usize::from(p[axis])).sum();
        (sum / pixels.len().max(1)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_are_near_one_of_the_palette() {
        let few = [[0, 0, 0], [250, 10, 10], [10, 10, 250]];
        let mut palette = Palette::from_pixels(few.repeat(50), 16);
        for colour in few {
            let index = palette.index(colour);
            assert_eq!(palette.colours[usize::from(index)], colour);
        }
        let ramp: Vec<[u8; 3]> = (0..=255).map(|v| [v, v / 2, 255 - v]).collect();
        let mut palette = Palette::from_pixels(ramp.clone(), 64);
        assert!(palette.colours.len() <= 64);
        for colour in ramp {
            let index = palette.index(colour);
            let found = palette.colours[usize::from(index)];
            let apart = colour.iter().zip(found).map(|(a, b)| a.abs_diff(b)).max();
            assert!(apart.is_some_and(|d| d <= 6), "{colour:?} {found:?}");
        }
    }
}
