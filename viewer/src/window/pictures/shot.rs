//! The window or a part of it as plain pixels.

use egui::{Color32, ColorImage, Rect};

/// The window or a part of it at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// Width and height, pixels.
    pub size: [usize; 2],
    /// Three bytes a pixel, row by row from the top.
    pub rgb: Vec<u8>,
    /// Time in the animation, s.
    pub time: f64,
}

impl Shot {
    /// All of `image`.
    pub fn whole(image: &ColorImage) -> Self {
        Self {
            size: image.size,
            rgb: image.pixels.iter().flat_map(channels).collect(),
            time: 0.0,
        }
    }

    /// The part of `image` in `area`, which is in points; `scale` is pixels a point. Empty where they do not meet.
    pub fn crop(image: &ColorImage, area: Rect, scale: f32, time: f64) -> Self {
        let [width, height] = image.size;
        let end = |points: f32, most: usize| ((points * scale).round().max(0.0) as usize).min(most);
        let columns = end(area.left(), width)..end(area.right(), width);
        let rows = end(area.top(), height)..end(area.bottom(), height);
        let size = [columns.len(), rows.len()];
        let mut rgb = Vec::with_capacity(3 * size[0] * size[1]);
        for row in rows {
            let from = row * width;
            let row = &image.pixels[from + columns.start..from + columns.start.max(columns.end)];
            rgb.extend(row.iter().flat_map(channels));
        }
        Self { size, rgb, time }
    }

    /// Downscaled by an integer `factor`: each pixel is the mean of a square.
    pub fn downscaled(self, factor: usize) -> Self {
        if factor <= 1 {
            return self;
        }
        let size = self.size.map(|side| side / factor);
        let mut rgb = Vec::with_capacity(3 * size[0] * size[1]);
        let count = (factor * factor) as u32;
        for y in 0..size[1] {
            for x in 0..size[0] {
                let mut sum = [0_u32; 3];
                for dy in 0..factor {
                    let from = 3 * ((y * factor + dy) * self.size[0] + x * factor);
                    for pixel in self.rgb[from..from + 3 * factor].chunks_exact(3) {
                        (0..3).for_each(|c| sum[c] += u32::from(pixel[c]));
                    }
                }
                rgb.extend(sum.map(|s| ((s + count / 2) / count) as u8));
            }
        }
        Self { size, rgb, ..self }
    }

    /// The picture as a PNG.
    ///
    /// # Errors
    /// A line on the size, where a side is zero or too long.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        let side = |n: usize| u32::try_from(n).map_err(|e| e.to_string());
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, side(self.size[0])?, side(self.size[1])?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
        let written = writer.write_image_data(&self.rgb);
        written.map_err(|e| e.to_string())?;
        writer.finish().map_err(|e| e.to_string())?;
        Ok(bytes)
    }
}

#[cfg(test)]
impl Shot {
    /// A shot of one colour.
    pub fn plain(red: u8, time: f64, size: [usize; 2]) -> Self {
        let pixels = size[0] * size[1];
        let rgb = (0..pixels).flat_map(|_| [red, 10, 10]).collect();
        Self { size, rgb, time }
    }
}

fn channels(pixel: &Color32) -> [u8; 3] {
    [pixel.r(), pixel.g(), pixel.b()]
}

#[cfg(test)]
mod tests {
    use egui::{Color32, pos2};

    use super::*;

    fn image() -> ColorImage {
        let pixels = (0..24).map(|k| Color32::from_rgb(k, 0, 0)).collect();
        ColorImage::new([6, 4], pixels)
    }

    #[test]
    fn a_shot_is_the_part_of_the_window_in_pixels() {
        let area = Rect::from_min_max(pos2(1.0, 0.5), pos2(2.0, 1.5));
        let shot = Shot::crop(&image(), area, 2.0, 0.0);
        assert_eq!(shot.size, [2, 2]);
        let reds: Vec<u8> = shot.rgb.iter().step_by(3).copied().collect();
        assert_eq!(reds, [8, 9, 14, 15]);
        // beyond the window there is nothing
        for area in [
            Rect::from_min_max(pos2(-5.0, -5.0), pos2(50.0, 50.0)),
            Rect::from_min_max(pos2(40.0, 40.0), pos2(50.0, 50.0)),
            Rect::NOTHING,
        ] {
            let shot = Shot::crop(&image(), area, 1.0, 0.0);
            assert_eq!(shot.rgb.len(), 3 * shot.size[0] * shot.size[1]);
        }
    }

    #[test]
    fn a_smaller_shot_has_the_mean_of_each_square() {
        let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(6.0, 4.0));
        let shot = Shot::crop(&image(), all, 1.0, 0.0).downscaled(2);
        assert_eq!(shot.size, [3, 2]);
        // 0, 1, 6 and 7 give 3.5
        assert_eq!((shot.rgb[0], shot.rgb[3]), (4, 6));
        let odd = Shot::crop(&image(), all, 1.0, 0.0).downscaled(4);
        assert_eq!((odd.size, odd.rgb.len()), ([1, 1], 3));
    }
}
