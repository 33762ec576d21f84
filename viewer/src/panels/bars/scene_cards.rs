//! The bundled scenes as cards: a picture, the name and the title of each.

use std::io::Cursor;

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, ColorImage, Id, Image, Rect, Response, Role, Sense, TextStyle, TextureHandle, Ui,
    WidgetInfo, vec2,
};

use crate::panels::palette::scene_titles::bundled;
use crate::style;

/// A picture of each bundled scene, in rows and in the order of the list. `cargo xtask pictures` makes it.
const SHEET: &[u8] = include_bytes!("../../../pictures/scenes.png");
/// Pictures in a row of the sheet.
const SHEET_COLUMNS: usize = 7;
/// Least width of a card, points.
const WIDTH: f32 = 140.0;
/// Space between the edge of a card and what is on it, points.
const MARGIN: f32 = 6.0;
/// Height over width of a picture.
const ASPECT: f32 = 0.75;
/// Space between a picture and the text below it, points.
const SPACE: f32 = 3.0;
/// Rounding of the corners of cards and pictures, points.
const ROUNDING: f32 = 5.0;

/// Shows the cards in as many columns as there is room for, each row as high as its longest title. Returns the name of the scene that was clicked.
pub fn show(ui: &mut Ui, chosen: Option<&str>) -> Option<&'static str> {
    let count = bundled().count();
    let gap = ui.spacing().item_spacing.x;
    let columns = (((ui.available_width() + gap) / (WIDTH + gap)) as usize).max(1);
    let width = (ui.available_width() + gap) / columns as f32 - gap;
    let rows = count.div_ceil(SHEET_COLUMNS);
    let size = vec2(1.0 / SHEET_COLUMNS as f32, 1.0 / rows as f32);
    let sheet = sheet(ui);
    let mut clicked = None;
    for row in 0..count.div_ceil(columns) {
        let in_row = || bundled().enumerate().skip(row * columns).take(columns);
        let mut text_height: f32 = 0.0;
        for (_, (name, title)) in in_row() {
            let text = lines(ui, name, title, width - 2.0 * MARGIN, Color32::PLACEHOLDER);
            text_height = text_height.max(ui.painter().layout_job(text).size().y);
        }
        ui.horizontal(|ui| {
            for (k, (name, title)) in in_row() {
                let corner = vec2((k % SHEET_COLUMNS) as f32, (k / SHEET_COLUMNS) as f32) * size;
                let part = Rect::from_min_size(corner.to_pos2(), size);
                let picture = sheet.as_ref().map(|texture| {
                    let image = Image::from_texture((texture.id(), texture.size_vec2()));
                    image.uv(part).corner_radius(ROUNDING)
                });
                let size = [width, text_height];
                if card(ui, size, picture, [name, title], chosen == Some(name)).clicked() {
                    clicked = Some(name);
                }
            }
        });
    }
    clicked
}

/// One card, which is a button, with a text of this height, points.
fn card(
    ui: &mut Ui,
    [width, text_height]: [f32; 2],
    picture: Option<Image<'_>>,
    [name, title]: [&str; 2],
    is_chosen: bool,
) -> Response {
    let inner = width - 2.0 * MARGIN;
    let picture_size = vec2(inner, inner * ASPECT);
    let height = picture_size.y + SPACE + text_height + 2.0 * MARGIN;
    let size = vec2(width, height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, name));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let visuals = ui.style().interact_selectable(&response, is_chosen);
    if is_chosen || response.hovered() || response.has_focus() {
        ui.painter()
            .rect_filled(rect, ROUNDING, visuals.weak_bg_fill);
    }
    let corner = rect.min + vec2(MARGIN, MARGIN);
    if let Some(picture) = picture {
        picture.paint_at(ui, Rect::from_min_size(corner, picture_size));
    }
    let text = lines(ui, name, title, inner, visuals.text_color());
    let galley = ui.painter().layout_job(text);
    let below = corner + vec2(0.0, picture_size.y + SPACE);
    ui.painter().galley(below, galley, visuals.text_color());
    response.on_hover_text(title)
}

/// The name, and the title below it.
fn lines(ui: &Ui, name: &str, title: &str, width: f32, color: Color32) -> LayoutJob {
    let faint = style::faint(ui.visuals().dark_mode);
    let font = |style: TextStyle| style.resolve(ui.style());
    let mut text = LayoutJob::default();
    let name_format = TextFormat::simple(font(TextStyle::Body), color);
    text.append(name, 0.0, name_format);
    let title_format = TextFormat::simple(font(TextStyle::Small), faint);
    text.append(&format!("\n{title}"), 0.0, title_format);
    text.wrap.max_width = width;
    text
}

/// The pictures on the graphics card, once a window. `None` where they cannot be read.
fn sheet(ui: &Ui) -> Option<TextureHandle> {
    let id = Id::unique("pictures of the bundled scenes");
    if let Some(texture) = ui.data(|data| data.get_temp(id)) {
        return Some(texture);
    }
    let image = read(SHEET)?;
    let texture = ui
        .ctx()
        .load_texture("bundled scenes", image, egui::TextureOptions::LINEAR);
    ui.data_mut(|data| data.insert_temp(id, texture.clone()));
    Some(texture)
}

/// A PNG picture of 8 bits a channel without opacity, with or without a palette.
fn read(bytes: &[u8]) -> Option<ColorImage> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    let size = [info.width as usize, info.height as usize];
    (info.color_type == png::ColorType::Rgb).then(|| ColorImage::from_rgb(size, &pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_scene_has_a_picture() {
        let [width, height] = read(SHEET).expect("a picture").size;
        let each = ((width / SHEET_COLUMNS) as f32 * ASPECT) as usize;
        assert_eq!(height, each * bundled().count().div_ceil(SHEET_COLUMNS));
    }
}
