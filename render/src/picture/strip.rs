//! Several pictures side by side under titles.

use crate::raster::Canvas;
use crate::raster::text::draw_text;

/// Space between pictures, pixels.
const GAP: usize = 8;
/// Height of the title bar, and of a capital in it, pixels.
const TITLE: usize = 44;
const TITLE_SIZE: f32 = 14.0;
const PAPER: [f32; 3] = [1.0, 1.0, 1.0];
const INK: [f32; 3] = [0.12, 0.15, 0.19];

/// Pictures side by side with their titles above, as high as the highest; `accent` gives the colour (sRGB, 0 to 1) of the bar under each title. No pictures give a canvas of one pixel.
pub fn titled(pictures: &[(String, Canvas)], accent: impl Fn(usize) -> [f32; 3]) -> Canvas {
    let widths = pictures.iter().map(|(_, picture)| picture.width + GAP);
    let width = widths.sum::<usize>().saturating_sub(GAP).max(1);
    let highest = pictures.iter().map(|(_, picture)| picture.height).max();
    let mut strip = Canvas::new(width, highest.map_or(1, |h| h + TITLE), PAPER);
    let y = (TITLE as f32 - TITLE_SIZE) * 0.5 - 2.0;
    let mut x = 0;
    for (k, (title, picture)) in pictures.iter().enumerate() {
        strip.fill_rect(x, TITLE - 4, picture.width, 4, accent(k));
        draw_text(&mut strip, x as f32 + 4.0, y, TITLE_SIZE, INK, title);
        strip.paste(picture, x, TITLE);
        x += picture.width + GAP;
    }
    strip
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
        let pictures = [a.clone(), b.clone()].map(|picture| ("lattice".to_string(), picture));
        let strip = titled(&pictures, |k| [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]][k]);
        assert_eq!((strip.width, strip.height), (148, 84));
        assert_eq!(strip.color[(TITLE + 20) * 148 + 30], a.color[0]);
        assert_eq!(strip.color[(TITLE + 20) * 148 + 100], b.color[0]);
        assert_eq!(strip.color[(TITLE - 2) * 148 + 100], [0.0, 0.0, 1.0]);
        assert_eq!(titled(&[], |_| PAPER).color.len(), 1);
    }
}
