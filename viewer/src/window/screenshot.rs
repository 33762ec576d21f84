//! Pixels as a PNG.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use egui::ColorImage;

/// Writes three bytes a pixel, row by row from the top; `size` is width and height.
///
/// # Errors
/// The system's error.
pub fn write(size: [usize; 2], rgb: &[u8], target: impl Write) -> Result<(), String> {
    let side = |n: usize| u32::try_from(n).map_err(|e| e.to_string());
    let mut encoder = png::Encoder::new(target, side(size[0])?, side(size[1])?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
    writer.write_image_data(rgb).map_err(|e| e.to_string())?;
    writer.finish().map_err(|e| e.to_string())
}

/// Writes an image to `path`, replacing an existing file.
///
/// # Errors
/// The system's error.
pub fn write_image(image: &ColorImage, path: &Path) -> Result<(), String> {
    let rgb: Vec<u8> = image
        .pixels
        .iter()
        .flat_map(|p| [p.r(), p.g(), p.b()])
        .collect();
    let file = File::create(path).map_err(|e| e.to_string())?;
    write(image.size, &rgb, BufWriter::new(file))
}
