//! Pictures in memory: reading, arranging, scaling down, writing.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::palette::Palette;
use crate::step::files::write;

/// A picture with three bytes a pixel, row by row from the top left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue.
    pub rgb: Vec<u8>,
}

impl Image {
    /// Reads a PNG file with 8 bits a channel.
    pub fn read(path: &Path) -> Result<Self, String> {
        let with_path = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let file = File::open(path).map_err(|e| with_path(&e))?;
        let mut reader = png::Decoder::new(BufReader::new(file))
            .read_info()
            .map_err(|e| with_path(&e))?;
        let size = reader.output_buffer_size();
        let mut bytes = vec![0; size.ok_or_else(|| with_path(&"too large"))?];
        let info = reader.next_frame(&mut bytes);
        let info = info.map_err(|e| with_path(&e))?;
        let channels = match (info.color_type, info.bit_depth) {
            (png::ColorType::Rgb, png::BitDepth::Eight) => 3,
            (png::ColorType::Rgba, png::BitDepth::Eight) => 4,
            other => {
                let unexpected = format!("pixels of kind {other:?} are not expected");
                return Err(with_path(&unexpected));
            }
        };
        Ok(Self {
            width: info.width as usize,
            height: info.height as usize,
            rgb: bytes
                .chunks_exact(channels)
                .flat_map(|p| [p[0], p[1], p[2]])
                .collect(),
        })
    }

    /// The same picture with `width` columns; each pixel is the mean of the pixels that it covers.
    pub fn shrunk(&self, width: usize) -> Self {
        let width = width.clamp(1, self.width.max(1));
        let height = (self.height * width / self.width.max(1)).max(1);
        let mut rgb = Vec::with_capacity(3 * width * height);
        let span =
            |k: usize, from: usize, to: usize| (k * from / to, ((k + 1) * from).div_ceil(to));
        for row in 0..height {
            let (top, bottom) = span(row, self.height, height);
            for column in 0..width {
                let (left, right) = span(column, self.width, width);
                let mut sum = [0_usize; 3];
                for y in top..bottom {
                    for x in left..right {
                        for (s, channel) in
                            sum.iter_mut().zip(&self.rgb[3 * (y * self.width + x)..])
                        {
                            *s += usize::from(*channel);
                        }
                    }
                }
                let count = ((bottom - top) * (right - left)).max(1);
                rgb.extend(sum.map(|s| (s / count) as u8));
            }
        }
        Self { width, height, rgb }
    }

    /// An encoder for pictures of this size, with RGB pixels or with indices into a palette.
    fn encoder<'a>(
        &self,
        bytes: &'a mut Vec<u8>,
        palette: Option<&Palette>,
    ) -> png::Encoder<'static, &'a mut Vec<u8>> {
        let mut encoder = png::Encoder::new(bytes, self.width as u32, self.height as u32);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        match palette {
            None => encoder.set_color(png::ColorType::Rgb),
            Some(palette) => {
                encoder.set_color(png::ColorType::Indexed);
                encoder.set_palette(palette.colours.concat());
                // filters do not help: adjacent palette entries are unrelated colours
                encoder.set_filter(png::Filter::NoFilter);
            }
        }
        encoder
    }

    /// A PNG file in memory, of RGB pixels or of indices into a palette.
    fn encoded(&self, data: &[u8], palette: Option<&Palette>) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        self.encoder(&mut bytes, palette)
            .write_header()
            .and_then(|mut writer| writer.write_image_data(data))
            .map_err(|e| e.to_string())?;
        Ok(bytes)
    }

    /// Writes the largest version of the picture with at most `limit` bytes; returns its size in bytes.
    pub fn write_below(&self, path: &Path, limit: usize) -> Result<usize, String> {
        let encode = |width| {
            let smaller = self.shrunk(width);
            smaller.encoded(&smaller.rgb, None)
        };
        write_largest_below(self.width, encode, path, limit)
    }

    /// The middle of the picture, with at most `height` rows.
    pub fn cropped(mut self, height: usize) -> Self {
        let above = self.height.saturating_sub(height) / 2;
        self.height -= 2 * above;
        let row = 3 * self.width;
        self.rgb.drain(..above * row);
        self.rgb.truncate(self.height * row);
        self
    }

    /// Pictures of one size in rows of `columns`, `gap` pixels apart. The rest of the last row is white.
    pub fn in_rows(images: &[Self], columns: usize, gap: usize) -> Self {
        let size = images.first().map_or((0, 0), |i| (i.width, i.height));
        let across = |count: usize, size: usize| (count * (size + gap)).saturating_sub(gap);
        let width = across(columns, size.0);
        let height = across(images.len().div_ceil(columns), size.1);
        let mut rgb = vec![255; 3 * width * height];
        for (k, image) in images.iter().enumerate() {
            let (top, left) = (k / columns * (size.1 + gap), k % columns * (size.0 + gap));
            for (row, pixels) in image.rgb.chunks_exact(3 * size.0).enumerate() {
                let from = 3 * ((top + row) * width + left);
                rgb[from..from + pixels.len()].copy_from_slice(pixels);
            }
        }
        Self { width, height, rgb }
    }

    /// The picture as a PNG file in memory, in 255 colours.
    pub fn small_png(&self) -> Result<Vec<u8>, String> {
        let mut palette = Palette::from_pixels(self.pixels().collect(), 255);
        let indexed = self.indexed(&mut palette);
        self.encoded(&indexed, Some(&palette))
    }

    fn pixels(&self) -> impl Iterator<Item = [u8; 3]> {
        self.rgb.chunks_exact(3).map(|p| [p[0], p[1], p[2]])
    }

    /// The palette index of each pixel.
    fn indexed(&self, palette: &mut Palette) -> Vec<u8> {
        self.pixels().map(|p| palette.index(p)).collect()
    }
}

/// Pictures of one size as an animated PNG of 255 colours that repeats without end, each shown for `milliseconds`. After the first picture only changed pixels
/// are stored: the others are transparent.
pub fn animated_png(frames: &[Image], milliseconds: u16) -> Result<Vec<u8>, String> {
    let Some(first) = frames.first() else {
        return Err("a moving picture of no picture".to_string());
    };
    if frames.iter().any(|f| f.rgb.len() != first.rgb.len()) {
        return Err("the pictures of a moving picture have different sizes".to_string());
    }
    let pixels = frames.iter().flat_map(Image::pixels);
    let mut palette = Palette::from_pixels(pixels.collect(), 255);
    let transparent = palette.colours.len() as u8;
    let indexed: Vec<Vec<u8>> = frames.iter().map(|f| f.indexed(&mut palette)).collect();
    let mut opacity = vec![255; palette.colours.len()];
    opacity.push(0);
    palette.colours.push([0; 3]);
    let mut bytes = Vec::new();
    let mut encoder = first.encoder(&mut bytes, Some(&palette));
    encoder.set_trns(opacity);
    let write = |mut encoder: png::Encoder<'_, &mut Vec<u8>>| -> Result<(), png::EncodingError> {
        encoder.set_animated(frames.len() as u32, 0)?;
        encoder.set_frame_delay(milliseconds, 1000)?;
        encoder.set_blend_op(png::BlendOp::Over)?;
        encoder.set_dispose_op(png::DisposeOp::None)?;
        let mut writer = encoder.write_header()?;
        let mut previous: Option<&[u8]> = None;
        for frame in &indexed {
            let changes: Vec<u8> = match previous {
                None => frame.clone(),
                Some(previous) => {
                    let pairs = frame.iter().zip(previous);
                    let change =
                        |(now, old): (&u8, &u8)| if now == old { transparent } else { *now };
                    pairs.map(change).collect()
                }
            };
            writer.write_image_data(&changes)?;
            previous = Some(frame);
        }
        writer.finish()
    };
    write(encoder).map_err(|e| e.to_string())?;
    Ok(bytes)
}

/// Writes the largest version of an animation with at most `limit` bytes; returns its size in bytes.
pub fn write_animated_below(
    frames: &[Image],
    milliseconds: u16,
    path: &Path,
    limit: usize,
) -> Result<usize, String> {
    let encode = |width| {
        let smaller: Vec<Image> = frames.iter().map(|f| f.shrunk(width)).collect();
        animated_png(&smaller, milliseconds)
    };
    let width = frames.first().map_or(0, |f| f.width);
    write_largest_below(width, encode, path, limit)
}

/// Encodes with the largest width, up to `width`, that gives at most `limit` bytes, and writes the file; returns its size in bytes.
fn write_largest_below(
    mut width: usize,
    encode: impl Fn(usize) -> Result<Vec<u8>, String>,
    path: &Path,
    limit: usize,
) -> Result<usize, String> {
    let mut bytes = encode(width)?;
    while bytes.len() > limit && width > 320 {
        width = width * 7 / 8;
        bytes = encode(width)?;
    }
    write(path, &bytes)?;
    Ok(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uniform(width: usize, height: usize, value: u8) -> Image {
        Image {
            width,
            height,
            rgb: vec![value; 3 * width * height],
        }
    }

    #[test]
    fn pictures_fill_rows_and_are_read_back_from_a_file() {
        let three = [1, 2, 3].map(|value| uniform(2, 2, value));
        let grid = Image::in_rows(&three, 2, 1);
        assert_eq!((grid.width, grid.height), (5, 5));
        let at = |x: usize, y: usize| grid.rgb[3 * (5 * y + x)];
        assert_eq!([at(1, 1), at(3, 0), at(0, 3), at(4, 4)], [1, 2, 3, 255]);
        assert_eq!([at(2, 0), at(0, 2)], [255, 255]);
        let path = std::env::temp_dir().join(format!("pliant-xtask-{}.png", std::process::id()));
        grid.write_below(&path, 1_000_000).expect("written");
        let back = Image::read(&path);
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(back, Ok(grid));
    }

    #[test]
    fn shrinking_keeps_the_mean() {
        let mut stripes = uniform(8, 4, 0);
        for pixel in stripes.rgb.chunks_exact_mut(6) {
            pixel[..3].fill(200);
        }
        let half = stripes.shrunk(4);
        assert_eq!((half.width, half.height), (4, 2));
        assert!(half.rgb.iter().all(|v| *v == 100));
    }

    #[test]
    fn cropping_keeps_the_middle() {
        let rows = [1, 2, 2, 3].map(|value| uniform(3, 1, value));
        let stack = Image::in_rows(&rows, 1, 0);
        assert_eq!((stack.width, stack.height), (3, 4));
        assert_eq!(stack.cropped(2), uniform(3, 2, 2));
    }

    #[test]
    fn an_animation_keeps_its_frames_and_stores_changed_pixels() {
        let frames = [uniform(4, 3, 10), uniform(4, 3, 10), uniform(4, 3, 30)];
        let bytes = animated_png(&frames, 200).expect("encoded");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .expect("a PNG file");
        let control = reader.info().animation_control.expect("animated");
        assert_eq!((control.num_frames, control.num_plays), (3, 0));
        let palette = reader.info().palette.clone().expect("colours");
        assert_eq!(palette.len(), 9, "two colours, and clear");
        let mut pixels = vec![9; 12];
        for expected in [Some(10), None, Some(30)] {
            reader.next_frame(&mut pixels).expect("a frame");
            let index = usize::from(pixels[0]);
            assert!(pixels.iter().all(|p| usize::from(*p) == index));
            match expected {
                Some(grey) => assert_eq!(palette[3 * index], grey),
                None => assert_eq!(index, 2),
            }
        }
        assert!(animated_png(&[], 200).is_err());
        assert!(animated_png(&[uniform(4, 3, 1), uniform(2, 2, 1)], 200).is_err());
    }
}
