//! The window as a PNG.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use egui::ColorImage;

/// Writes an image as RGB with eight bits a channel.
///
/// # Errors
/// The reason in the system's words.
pub fn write(image: &ColorImage, file: &Path) -> Result<(), String> {
    let [width, height] = image.size;
    let side = |n: usize| u32::try_from(n).map_err(|e| e.to_string());
    let target = BufWriter::new(File::create(file).map_err(|e| e.to_string())?);
    let mut encoder = png::Encoder::new(target, side(width)?, side(height)?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
    let bytes: Vec<u8> = image
        .pixels
        .iter()
        .flat_map(|p| [p.r(), p.g(), p.b()])
        .collect();
    writer.write_image_data(&bytes).map_err(|e| e.to_string())?;
    writer.finish().map_err(|e| e.to_string())
}
