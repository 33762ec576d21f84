//! Draws panels without a graphics card, so that pictures of them can be compared on any machine.

use std::collections::HashMap;

use egui::epaint::{ImageData, ImageDelta, Mesh, Primitive, Vertex};
use egui::{ColorImage, FullOutput, Rect, TextureId, TexturesDelta};
use egui_kittest::TestRenderer;
use image::{Rgba, RgbaImage};

/// Rasterises the triangles of `egui` with the processor, as its shaders do: colours are premultiplied and blended as they are stored. Callbacks are left out.
#[derive(Default)]
pub struct Rasteriser {
    textures: HashMap<TextureId, ColorImage>,
}

impl TestRenderer for Rasteriser {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        for (id, images) in delta.set.drain() {
            for image in &images {
                self.update(id, image);
            }
        }
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    fn render(&mut self, ctx: &egui::Context, output: &FullOutput) -> Result<RgbaImage, String> {
        let scale = ctx.pixels_per_point();
        let size = ctx.content_rect().size() * scale;
        let mut picture = RgbaImage::new(size.x.round() as u32, size.y.round() as u32);
        for clipped in ctx.tessellate(output.shapes.clone(), scale) {
            let Primitive::Mesh(mesh) = &clipped.primitive else {
                continue;
            };
            let texture = self.textures.get(&mesh.texture_id);
            let texture = texture.ok_or_else(|| format!("no texture {:?}", mesh.texture_id))?;
            draw_mesh(
                &mut picture,
                mesh,
                texture,
                clipped.clip_rect * scale,
                scale,
            );
        }
        Ok(picture)
    }
}

impl Rasteriser {
    fn update(&mut self, id: TextureId, delta: &ImageDelta) {
        let ImageData::Color(part) = &delta.image;
        let Some([left, top]) = delta.pos else {
            self.textures.insert(id, (**part).clone());
            return;
        };
        let Some(texture) = self.textures.get_mut(&id) else {
            return;
        };
        for (row, pixels) in part.pixels.chunks_exact(part.size[0]).enumerate() {
            let start = (top + row) * texture.size[0] + left;
            texture.pixels[start..start + pixels.len()].copy_from_slice(pixels);
        }
    }
}

fn draw_mesh(picture: &mut RgbaImage, mesh: &Mesh, texture: &ColorImage, clip: Rect, scale: f32) {
    for corners in mesh.indices.as_chunks::<3>().0 {
        let corners = corners.map(|k| mesh.vertices[k as usize]);
        draw_triangle(picture, corners, texture, clip, scale);
    }
}

/// Draws the pixels whose centres lie in a triangle; those on an edge that two triangles share are drawn once.
fn draw_triangle(
    picture: &mut RgbaImage,
    mut corners: [Vertex; 3],
    texture: &ColorImage,
    clip: Rect,
    scale: f32,
) {
    for corner in &mut corners {
        corner.pos = (corner.pos.to_vec2() * scale).to_pos2();
    }
    let doubled_area = edge(&corners, 0, corners[2].pos);
    if doubled_area == 0.0 {
        return;
    }
    if doubled_area < 0.0 {
        corners.swap(1, 2);
    }
    let bounds = Rect::from_points(&corners.map(|corner| corner.pos)).intersect(clip);
    let end = |x: f32, size: u32| (x.max(0.0).ceil() as u32).min(size);
    let columns =
        end(bounds.left() - 0.5, picture.width())..end(bounds.right() - 0.5, picture.width());
    let rows =
        end(bounds.top() - 0.5, picture.height())..end(bounds.bottom() - 0.5, picture.height());
    for (y, x) in rows.flat_map(|y| columns.clone().map(move |x| (y, x))) {
        let centre = egui::pos2(x as f32 + 0.5, y as f32 + 0.5);
        let weights = [1, 2, 0].map(|k| edge(&corners, k, centre));
        let is_inside =
            |k: usize| weights[k] > 0.0 || (weights[k] == 0.0 && owns_edge(&corners, (k + 1) % 3));
        if (0..3).all(is_inside) {
            let color = shade(&corners, weights.map(|w| w / doubled_area.abs()), texture);
            blend(picture.get_pixel_mut(x, y), color);
        }
    }
}

/// Twice the area of the triangle of edge `k` and a point.
fn edge(corners: &[Vertex; 3], k: usize, point: egui::Pos2) -> f32 {
    let (a, b) = (corners[k].pos, corners[(k + 1) % 3].pos);
    (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
}

/// Whether points on edge `k` belong to the triangle: on top edges and left edges.
fn owns_edge(corners: &[Vertex; 3], k: usize) -> bool {
    let way = corners[(k + 1) % 3].pos - corners[k].pos;
    way.y < 0.0 || (way.y == 0.0 && way.x > 0.0)
}

/// The colour (premultiplied, 0 to 255) at a point with these weights of the corners: that of the corners times that of the texture.
fn shade(corners: &[Vertex; 3], weights: [f32; 3], texture: &ColorImage) -> [f32; 4] {
    let mean = |value: &dyn Fn(&Vertex) -> f32| -> f32 {
        corners.iter().zip(weights).map(|(c, w)| w * value(c)).sum()
    };
    let [u, v] = [mean(&|c| c.uv.x), mean(&|c| c.uv.y)];
    let texel = sample(texture, u, v);
    std::array::from_fn(|channel| {
        let own = mean(&|c| f32::from(c.color.to_array()[channel]));
        own * texel[channel] / 255.0
    })
}

/// Bilinear interpolation between the centres of texels.
fn sample(texture: &ColorImage, u: f32, v: f32) -> [f32; 4] {
    let [width, height] = texture.size;
    let place = |t: f32, size: usize| {
        let x = (t * size as f32 - 0.5).clamp(0.0, (size - 1) as f32);
        let low = x.floor() as usize;
        (low, (low + 1).min(size - 1), x - x.floor())
    };
    let (left, right, across) = place(u, width);
    let (top, bottom, down) = place(v, height);
    let texel = |x: usize, y: usize| texture.pixels[y * width + x].to_array().map(f32::from);
    let corners = [
        texel(left, top),
        texel(right, top),
        texel(left, bottom),
        texel(right, bottom),
    ];
    std::array::from_fn(|k| {
        let [a, b, c, d] = corners.map(|texel| texel[k]);
        (a + across * (b - a)) * (1.0 - down) + (c + across * (d - c)) * down
    })
}

fn blend(pixel: &mut Rgba<u8>, color: [f32; 4]) {
    let behind = 1.0 - color[3] / 255.0;
    for (old, new) in pixel.0.iter_mut().zip(color) {
        *old = (new + behind * f32::from(*old)).round().clamp(0.0, 255.0) as u8;
    }
}
