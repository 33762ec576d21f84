//! Text in pictures: a small built-in font, drawn as smooth strokes at any size.
//!
//! `font.txt` shows the printable ASCII characters as dots, 5 wide and 9 high (seven rows above the base line, two below),
//! sixteen side by side. Neighbouring dots are joined by round strokes, so letters stay smooth when they are enlarged.

use std::sync::OnceLock;

use super::canvas::Canvas;
use crate::color::decode_srgb;

const FONT: &str = include_str!("font.txt");
const COLUMNS: usize = 5;
const ROWS: usize = 9;
const GLYPHS_PER_LINE: usize = 16;
/// Dots from one character to the next.
const ADVANCE: f32 = 6.0;
/// Rows above the base line.
const ASCENT: f32 = 7.0;
/// Half the width of a stroke, dots.
const HALF_STROKE: f32 = 0.5;

/// Strokes of one character: segments between dots (column, row), row 0 on top.
type Strokes = Vec<[(f32, f32); 2]>;

/// Draws a line of text: `x`, `y` is the top left of the first capital (pixels), `size` the height of a capital (pixels),
/// `color` sRGB 0 to 1. Characters outside printable ASCII appear as `?`; text is clipped at the border of the canvas.
pub fn draw_text(canvas: &mut Canvas, x: f32, y: f32, size: f32, color: [f32; 3], text: &str) {
    if !(size > 0.0 && size <= 4096.0 && x.is_finite() && y.is_finite()) {
        return;
    }
    let linear = decode_srgb(color);
    let dot = size / ASCENT;
    let radius = (HALF_STROKE * dot).max(0.5);
    for (k, character) in text.chars().enumerate() {
        let left = x + k as f32 * ADVANCE * dot;
        if left > canvas.width as f32 {
            break;
        }
        let strokes = strokes(character);
        let (columns, rows) = (
            (left - dot).floor() as i64..(left + (COLUMNS as f32 + 1.0) * dot).ceil() as i64,
            (y - dot).floor() as i64..(y + (ROWS as f32 + 1.0) * dot).ceil() as i64,
        );
        for row in rows.start.max(0)..rows.end.min(canvas.height as i64) {
            for column in columns.start.max(0)..columns.end.min(canvas.width as i64) {
                let position = (
                    (column as f32 + 0.5 - left) / dot - 0.5,
                    (row as f32 + 0.5 - y) / dot - 0.5,
                );
                let nearest = strokes
                    .iter()
                    .map(|s| distance(position, s))
                    .fold(f32::INFINITY, f32::min);
                let coverage = (radius - nearest * dot + 0.5).clamp(0.0, 1.0);
                if coverage > 0.0 {
                    canvas.blend(column, row, linear, coverage);
                }
            }
        }
    }
}

fn distance(p: (f32, f32), [a, b]: &[(f32, f32); 2]) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 {
        ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length
    } else {
        0.0
    };
    let t = along.clamp(0.0, 1.0);
    (p.0 - a.0 - t * dx).hypot(p.1 - a.1 - t * dy)
}

fn strokes(character: char) -> &'static Strokes {
    static TABLE: OnceLock<Vec<Strokes>> = OnceLock::new();
    let table = TABLE.get_or_init(|| (0..95).map(|k| joined(&dots(k))).collect());
    let index = |c: char| (c as usize).wrapping_sub(' ' as usize);
    table.get(index(character)).unwrap_or(&table[index('?')])
}

/// Which dots of character `index` (from space on) are set.
fn dots(index: usize) -> [[bool; COLUMNS]; ROWS] {
    let mut set = [[false; COLUMNS]; ROWS];
    let first_line = index / GLYPHS_PER_LINE * (ROWS + 1);
    for (row, line) in FONT.lines().skip(first_line).take(ROWS).enumerate() {
        let from = index % GLYPHS_PER_LINE * (COLUMNS + 1);
        for (column, byte) in line.bytes().skip(from).take(COLUMNS).enumerate() {
            set[row][column] = byte == b'#';
        }
    }
    set
}

/// Joins dots side by side, and diagonally where no common neighbour joins them already. Single dots stay dots.
fn joined(set: &[[bool; COLUMNS]; ROWS]) -> Strokes {
    let at = |x: i32, y: i32| {
        (0..COLUMNS as i32).contains(&x)
            && (0..ROWS as i32).contains(&y)
            && set[y as usize][x as usize]
    };
    let mut strokes = Strokes::new();
    for y in 0..ROWS as i32 {
        for x in 0..COLUMNS as i32 {
            if !at(x, y) {
                continue;
            }
            let dot = (x as f32, y as f32);
            let before = strokes.len();
            for (dx, dy) in [(1, 0), (0, 1)] {
                if at(x + dx, y + dy) {
                    strokes.push([dot, ((x + dx) as f32, (y + dy) as f32)]);
                }
            }
            for dx in [-1, 1] {
                if at(x + dx, y + 1) && !at(x + dx, y) && !at(x, y + 1) {
                    strokes.push([dot, ((x + dx) as f32, (y + 1) as f32)]);
                }
            }
            if strokes.len() == before {
                strokes.push([dot, dot]);
            }
        }
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_there_and_differs_from_every_other() {
        let all: Vec<_> = (0..95).map(dots).collect();
        for (k, glyph) in all.iter().enumerate() {
            assert_eq!(glyph.iter().flatten().any(|d| *d), k > 0, "character {k}");
            for other in &all[k + 1..] {
                assert_ne!(glyph, other, "character {k}");
            }
        }
    }

    #[test]
    fn text_stays_in_its_box_and_off_the_canvas_is_harmless() {
        let mut canvas = Canvas::new(120, 40, [1.0; 3]);
        draw_text(&mut canvas, 10.0, 10.0, 14.0, [0.0; 3], "Agµ");
        let dark: Vec<usize> = (0..canvas.color.len())
            .filter(|&k| canvas.color[k][0] < 0.9)
            .collect();
        assert!(dark.len() > 60);
        let right = 10.0 + (3.0 * ADVANCE - 1.0) * 14.0 / ASCENT;
        assert!(dark.iter().all(
            |k| (9..=right as usize + 1).contains(&(k % 120)) && (9..=29).contains(&(k / 120))
        ));
        for x in [-1e9, 1e9, f32::NAN] {
            draw_text(&mut canvas, x, x, 14.0, [0.0; 3], "off");
        }
    }
}
