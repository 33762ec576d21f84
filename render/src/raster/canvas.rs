//! A picture in memory (linear colour and depth), and its output as PNG.

use std::io::Write;
use std::path::{Path, PathBuf};

use pliant_core::asset::bytes::write_whole;
use rayon::prelude::*;

use crate::color::{decode_srgb, encode_srgb};

/// Why a picture could not be made or stored.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The operating system refused to write the file.
    #[error("cannot write {}: {source}\n  remedy: choose another folder, or free space on this disk", path.display())]
    Write {
        /// The file that was being written.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The PNG encoder refused the picture, for example because a side is zero.
    #[error(
        "cannot encode a picture of {width} x {height} pixels: {reason}\n  remedy: use sides of 1 to 16384 pixels"
    )]
    Encode {
        /// Width, pixels.
        width: usize,
        /// Height, pixels.
        height: usize,
        /// The message of the encoder.
        reason: String,
    },
}

/// Colour and depth of each pixel, row by row from the top left.
#[derive(Debug, Clone, PartialEq)]
pub struct Canvas {
    /// Pixels a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Linear colour, `width * height` entries; 1 is white.
    pub color: Vec<[f32; 3]>,
    /// Depth along the view axis, m; infinity where there is nothing.
    pub depth: Vec<f32>,
}

impl Canvas {
    /// A canvas of one colour (sRGB, 0 to 1) with nothing in it.
    pub fn new(width: usize, height: usize, background: [f32; 3]) -> Self {
        Self {
            width,
            height,
            color: vec![decode_srgb(background); width * height],
            depth: vec![f32::INFINITY; width * height],
        }
    }

    /// The average of each `factor` x `factor` block of pixels, in linear light; depth is the nearest of the block.
    /// Where a side is not a multiple of `factor`, the remaining pixels are dropped. Cost: one pass.
    pub(crate) fn downsampled(&self, factor: usize) -> Self {
        let factor = factor.max(1);
        let (width, height) = (self.width / factor, self.height / factor);
        let weight = 1.0 / (factor * factor) as f32;
        let pixels: Vec<([f32; 3], f32)> = (0..width * height)
            .into_par_iter()
            .map(|at| {
                let (x, y) = (at % width * factor, at / width * factor);
                let mut sum = [0.0_f32; 3];
                let mut nearest = f32::INFINITY;
                for row in y..y + factor {
                    let from = row * self.width + x;
                    for (color, depth) in self.color[from..from + factor]
                        .iter()
                        .zip(&self.depth[from..from + factor])
                    {
                        // an overexposed sample must not outvote its neighbours at an edge
                        for (s, c) in sum.iter_mut().zip(color) {
                            *s += c.min(1.0);
                        }
                        nearest = nearest.min(*depth);
                    }
                }
                (sum.map(|s| s * weight), nearest)
            })
            .collect();
        let (color, depth) = pixels.into_iter().unzip();
        Self {
            width,
            height,
            color,
            depth,
        }
    }

    /// sRGB bytes, three a pixel, row by row from the top.
    pub fn to_rgb8(&self) -> Vec<u8> {
        let mut bytes = vec![0_u8; self.color.len() * 3];
        bytes
            .par_chunks_exact_mut(3)
            .zip(self.color.par_iter())
            .for_each(|(out, color)| {
                for (byte, value) in out.iter_mut().zip(encode_srgb(*color)) {
                    *byte = (value * 255.0 + 0.5) as u8;
                }
            });
        bytes
    }

    /// Mixes `color` (linear) into the pixel at (`x`, `y`) with `coverage` 0 to 1; pixels outside are ignored.
    pub fn blend(&mut self, x: i64, y: i64, color: [f32; 3], coverage: f32) {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return;
        }
        if let Some(pixel) = self.color.get_mut(y as usize * self.width + x as usize) {
            for (p, c) in pixel.iter_mut().zip(color) {
                *p += (c - *p) * coverage.clamp(0.0, 1.0);
            }
        }
    }

    /// Fills a rectangle with a colour (sRGB, 0 to 1), clipped at the border.
    pub(crate) fn fill_rect(
        &mut self,
        x: usize,
        y: usize,
        width: usize,
        height: usize,
        color: [f32; 3],
    ) {
        let linear = decode_srgb(color);
        for row in y.min(self.height)..y.saturating_add(height).min(self.height) {
            let from = row * self.width + x.min(self.width);
            let to = row * self.width + x.saturating_add(width).min(self.width);
            self.color[from..to].fill(linear);
        }
    }

    /// Copies `other` with its top left corner at (`x`, `y`), clipped at the border.
    pub(crate) fn paste(&mut self, other: &Self, x: usize, y: usize) {
        if x >= self.width {
            return;
        }
        let columns = other.width.min(self.width - x);
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let (to, from) = ((y + row) * self.width + x, row * other.width);
            self.color[to..to + columns].copy_from_slice(&other.color[from..from + columns]);
            self.depth[to..to + columns].copy_from_slice(&other.depth[from..from + columns]);
        }
    }

    /// The picture as a PNG file in memory (8 bits, RGB, marked sRGB).
    ///
    /// # Errors
    /// [`PictureError::Encode`] when a side is zero or too long for the format.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        let failed = |reason: String| PictureError::Encode {
            width: self.width,
            height: self.height,
            reason,
        };
        let side = |n: usize| u32::try_from(n).map_err(|e| failed(e.to_string()));
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, side(self.width)?, side(self.height)?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().map_err(|e| failed(e.to_string()))?;
        writer
            .write_image_data(&self.to_rgb8())
            .map_err(|e| failed(e.to_string()))?;
        writer.finish().map_err(|e| failed(e.to_string()))?;
        Ok(bytes)
    }

    /// Writes the picture as PNG; the file appears under its name only when it is complete.
    ///
    /// # Errors
    /// [`PictureError::Write`] with the path, [`PictureError::Encode`] for impossible sizes.
    pub fn write_png(&self, path: &Path) -> Result<(), PictureError> {
        let bytes = self.png()?;
        write_whole(path, |out| out.write_all(&bytes)).map_err(|source| PictureError::Write {
            path: path.to_path_buf(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_decodes_to_the_same_pixels() {
        let mut canvas = Canvas::new(37, 19, [0.2, 0.4, 0.6]);
        for (k, pixel) in canvas.color.iter_mut().enumerate() {
            *pixel = [
                k as f32 / 703.0,
                (k % 37) as f32 / 37.0,
                (k % 5) as f32 / 4.0,
            ];
        }
        let file = canvas.png().expect("encodes");
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .expect("reads");
        let mut pixels = vec![0; reader.output_buffer_size().expect("size")];
        let info = reader.next_frame(&mut pixels).expect("decodes");
        assert_eq!((info.width, info.height), (37, 19));
        assert_eq!(pixels, canvas.to_rgb8());
    }

    #[test]
    fn impossible_pictures_and_places_are_errors() {
        assert!(matches!(
            Canvas::new(0, 4, [0.0; 3]).png(),
            Err(PictureError::Encode { .. })
        ));
        let nowhere = Path::new("no-such-folder-anywhere/picture.png");
        let error = Canvas::new(2, 2, [0.0; 3])
            .write_png(nowhere)
            .expect_err("fails");
        assert!(error.to_string().contains("no-such-folder-anywhere"));
        let mut canvas = Canvas::new(4, 4, [0.0; 3]);
        canvas.paste(&Canvas::new(9, 9, [1.0; 3]), 2, 3);
        canvas.paste(&Canvas::new(9, 9, [1.0; 3]), 7, 7);
        canvas.fill_rect(3, 3, usize::MAX, usize::MAX, [1.0; 3]);
        canvas.blend(-1, 99, [1.0; 3], 1.0);
        assert_eq!(canvas.color.iter().filter(|c| c[0] > 0.5).count(), 2);
    }
}
