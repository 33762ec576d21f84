//! Several pictures side by side under titles.

use crate::raster::Canvas;
use crate::raster::text::{draw_text, text_width};

/// Space between pictures, pixels.
const GAP: usize = 8;
/// Height of the title bar, pixels.
const TITLE: usize = 44;
const PAPER: [f32; 3] = [1.0, 1.0, 1.0];
const INK: [f32; 3] = [0.12, 0.15, 0.19];
const FAINT: [f32; 3] = [0.42, 0.46, 0.51];

/// One picture of a strip.
#[derive(Debug, Clone, Copy)]
pub struct Panel<'a> {
    /// The picture.
    pub canvas: &'a Canvas,
    /// Its title, for example the method's name.
    pub title: &'a str,
    /// A short remark at the right of the title, for example a cost; may be empty.
    pub remark: &'a str,
    /// Colour of the bar under the title (sRGB, 0 to 1).
    pub accent: [f32; 3],
}

/// A strip of pictures with titles above; as high as the highest picture. Empty input gives a canvas of one pixel.
pub fn side_by_side(panels: &[Panel<'_>]) -> Canvas {
    let width: usize =
        panels.iter().map(|p| p.canvas.width).sum::<usize>() + GAP * panels.len().saturating_sub(1);
    let height = panels
        .iter()
        .map(|p| p.canvas.height)
        .max()
        .map_or(1, |h| h + TITLE);
    let mut strip = Canvas::new(width.max(1), height, PAPER);
    let mut x = 0;
    for panel in panels {
        let size = 14.0;
        let y = (TITLE as f32 - size) * 0.5;
        strip.fill_rect(x, TITLE - 4, panel.canvas.width, 4, panel.accent);
        draw_text(&mut strip, x as f32 + 4.0, y - 2.0, size, INK, panel.title);
        let right = x as f32 + panel.canvas.width as f32 - 4.0;
        let start = right - text_width(panel.remark, 10.5);
        if start > x as f32 + 16.0 + text_width(panel.title, size) {
            draw_text(&mut strip, start, y + 1.5, 10.5, FAINT, panel.remark);
        }
        strip.paste(panel.canvas, x, TITLE);
        x += panel.canvas.width + GAP;
    }
    strip
}

/// Pictures with their titles side by side; `accent` gives the colour (sRGB, 0 to 1) of each one's mark.
pub fn titled(pictures: &[(String, Canvas)], accent: impl Fn(usize) -> [f32; 3]) -> Canvas {
    let panels: Vec<Panel<'_>> = pictures
        .iter()
        .enumerate()
        .map(|(k, (title, canvas))| Panel {
            canvas,
            title,
            remark: "",
            accent: accent(k),
        })
        .collect();
    side_by_side(&panels)
}

/// Pictures below each other; as wide as the widest.
pub fn stacked(pictures: &[Canvas]) -> Canvas {
    let width = pictures.iter().map(|p| p.width).max().unwrap_or(1);
    let height = pictures.iter().map(|p| p.height).sum::<usize>().max(1);
    let mut sheet = Canvas::new(width, height, PAPER);
    let mut y = 0;
    for picture in pictures {
        sheet.paste(picture, 0, y);
        y += picture.height;
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacked_pictures_stand_below_each_other_with_paper_beside_the_narrower() {
        let pictures = [Canvas::new(6, 4, [0.2; 3]), Canvas::new(8, 3, [0.7; 3])];
        let sheet = stacked(&pictures);
        assert_eq!((sheet.width, sheet.height), (8, 7));
        assert_eq!(sheet.color[3 * 8], pictures[0].color[0]);
        assert_eq!(sheet.color[4 * 8], pictures[1].color[0]);
        assert_eq!(sheet.color[7], Canvas::new(1, 1, PAPER).color[0]);
        assert_eq!(stacked(&[]).color.len(), 1);
    }

    #[test]
    fn a_strip_holds_every_picture_and_its_accent() {
        let (a, b) = (Canvas::new(60, 40, [0.2; 3]), Canvas::new(80, 30, [0.7; 3]));
        let panel = |canvas, accent| Panel {
            canvas,
            title: "lattice",
            remark: "0.3 ms a frame",
            accent,
        };
        let strip = side_by_side(&[panel(&a, [1.0, 0.0, 0.0]), panel(&b, [0.0, 0.0, 1.0])]);
        assert_eq!((strip.width, strip.height), (148, 84));
        assert_eq!(strip.color[(TITLE + 20) * 148 + 30], a.color[0]);
        assert_eq!(strip.color[(TITLE + 20) * 148 + 100], b.color[0]);
        assert_eq!(strip.color[(TITLE - 2) * 148 + 100], [0.0, 0.0, 1.0]);
        assert_eq!(side_by_side(&[]).color.len(), 1);
    }
}
