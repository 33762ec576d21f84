//! A scene as a picture: bodies, tools, floor.

use nalgebra::Vector3;
use pliant_core::contact::ToolShape;

use super::backdrop::{Backdrop, draw_backdrop};
use super::views::{BodyView, PictureOptions, ToolView};
use crate::camera::OrbitCamera;
use crate::color::decode_srgb;
use crate::lighting::occlusion::UNDER_COLORS;
use crate::lighting::{Ground, LightMap, Occluders, light_from_world, shade};
use crate::raster::{Blend, Canvas, Fragment, Projection, Vertex, draw_triangles};
use crate::surface::{CreasedSurface, GlyphMesh, SHARP_ANGLE};

/// Largest number of triangles of bodies near the camera's target with which a picture has ambient occlusion.
const MAX_OCCLUDERS: usize = 50_000;

/// Colour (sRGB) and opacity of tools.
const STEEL: [f32; 3] = [0.44, 0.47, 0.52];
const TOOL_OPACITY: f32 = 0.82;

/// Draws bodies and tools on a bright floor. Vertex numbers out of range and positions that are not finite are left out, sizes are clamped
/// to 1 to 8192 pixels. Hollows of the bodies are darker (ambient occlusion), half as much with vertex
/// colours, and not at all where more than 50 000 triangles of bodies are near the camera's target. The same arguments give
/// the same bits for any number of threads.
/// Cost: about half a second for 720 x 540 pixels with nine samples each on one core, little of it from triangles below 100 000;
/// ambient occlusion adds 24 to 64 rays a vertex, at most 300 000 of them up to 12 500 vertices.
pub fn draw_scene(
    camera: &OrbitCamera,
    bodies: &[BodyView<'_>],
    tools: &[ToolView],
    options: &PictureOptions,
) -> Canvas {
    let samples = options.supersample.clamp(1, 4);
    let width = options.width.clamp(1, 8192) * samples;
    let height = options.height.clamp(1, 8192) * samples;
    let mut canvas = Canvas::new(width, height, Backdrop::LIGHT.bottom);
    let projection = Projection::new(camera, width, height);
    let extent = camera.distance * 0.6;
    let glyphs = tools
        .iter()
        .map(|t| GlyphMesh::of_tool(&t.shape, &t.pose, extent));
    let glyphs: Vec<GlyphMesh> = glyphs.collect();
    // pieces far outside the picture must not make its floor and its shadows coarse
    let (target, reach) = (camera.target.cast::<f32>(), (1.2 * camera.distance) as f32);
    let is_near = |corner: &Vector3<f32>| (corner - target).norm() < reach;
    let mut casters = body_triangles(bodies);
    let near = casters.iter().filter(|t| t.iter().all(is_near));
    let near: Vec<[Vector3<f32>; 3]> = near.copied().collect();
    let occluders = (near.len() <= MAX_OCCLUDERS).then(|| Occluders::new(&near));
    casters.extend(tool_triangles(tools, &glyphs));
    casters.retain(|[corner, ..]| is_near(corner));
    let light_map = LightMap::new(camera.yaw, &casters);
    let ground = options
        .ground
        .filter(|height| height.is_finite())
        .map(|height| Ground::new(height, camera.yaw, &casters));
    draw_backdrop(&mut canvas, camera, &Backdrop::LIGHT, ground.as_ref());

    let lights = light_from_world(camera.yaw);
    let eye = camera.eye().cast::<f32>();
    let lit = |f: &Fragment, albedo: Vector3<f32>| {
        let to_eye = (eye - f.position)
            .try_normalize(1e-12)
            .unwrap_or_else(Vector3::z);
        let key = light_map.visibility(&f.position, &f.normal);
        shade(lights * f.normal, lights * to_eye, albedo, key, f.ambient)
    };
    let edges = options.wireframe.then_some(samples as f32 * 0.5);
    for body in bodies {
        let occluders = occluders.as_ref();
        draw_body(&mut canvas, &projection, body, occluders, edges, lit);
    }
    for (tool, mesh) in far_to_near(camera, tools, &glyphs) {
        draw_tool(&mut canvas, &projection, tool, mesh, lit);
    }
    canvas.downsampled(samples)
}

/// Draws a body, with its edges as lines of half width `edges` (pixels of the canvas) if given; `lit` returns the reflected light of a fragment with this albedo.
fn draw_body(
    canvas: &mut Canvas,
    projection: &Projection,
    body: &BodyView<'_>,
    occluders: Option<&Occluders>,
    edges: Option<f32>,
    lit: impl Fn(&Fragment, Vector3<f32>) -> Vector3<f32> + Sync,
) {
    let skin = drawable(body);
    let positions = skin.positions(&body.frame.positions);
    let normals = skin.normals(&positions);
    let colors = body
        .colors
        .filter(|c| c.len() >= body.frame.positions.len());
    let base = Vector3::from(decode_srgb(body.base_color));
    let open = occluders.map(|o| o.open_shares(&skin, &positions));
    let strength = if colors.is_some() { UNDER_COLORS } else { 1.0 };
    let ambient = |k: usize| {
        let share = open.as_ref().map_or(1.0, |open| open[k]);
        1.0 - strength * (1.0 - share)
    };
    let corner = |k: u32| Vertex {
        position: positions[k as usize].into(),
        normal: normals[k as usize].into(),
        color: colors.map_or(base, |c| {
            decode_srgb(c[skin.source[k as usize] as usize]).into()
        }),
        ambient: ambient(k as usize),
    };
    draw_triangles(
        canvas,
        projection,
        skin.triangles.len(),
        |k| skin.triangles[k].map(corner),
        Blend::OPAQUE,
        |f| {
            // the inside of a skin is visible only in case of an error: show it dull and dark
            let albedo = if f.front {
                f.color
            } else {
                f.color.lerp(&Vector3::repeat(0.12), 0.6)
            };
            let color = lit(f, albedo);
            edges.map_or(color, |half_width| {
                let line = (half_width + 0.5 - f.edge_distance).clamp(0.0, 1.0);
                color.lerp(&(albedo * 0.12), line * 0.55)
            })
        },
    );
}

/// Draws a tool over the current content.
fn draw_tool(
    canvas: &mut Canvas,
    projection: &Projection,
    tool: &ToolView,
    mesh: &GlyphMesh,
    lit: impl Fn(&Fragment, Vector3<f32>) -> Vector3<f32> + Sync,
) {
    let color = Vector3::from(decode_srgb(STEEL));
    let corner = |v: u32| Vertex {
        position: mesh.positions[v as usize].into(),
        normal: mesh.normals[v as usize].into(),
        color,
        ambient: 1.0,
    };
    let blend = Blend {
        opacity: TOOL_OPACITY,
        cull_back: !matches!(tool.shape, ToolShape::HalfSpace { .. }),
    };
    draw_triangles(
        canvas,
        projection,
        mesh.triangles.len(),
        |k| mesh.triangles[k].map(corner),
        blend,
        |f| lit(f, f.color),
    );
}

/// The skin with sharp edges, limited to vertices that exist in the frame.
fn drawable(body: &BodyView<'_>) -> CreasedSurface {
    let mut skin = CreasedSurface::new(body.surface, SHARP_ANGLE);
    let count = body.frame.positions.len();
    let CreasedSurface { source, triangles } = &mut skin;
    triangles.retain(|t| t.iter().all(|&k| (source[k as usize] as usize) < count));
    skin
}

/// The triangles of all bodies whose vertices exist in the frame.
fn body_triangles(bodies: &[BodyView<'_>]) -> Vec<[Vector3<f32>; 3]> {
    let mut triangles = Vec::new();
    for body in bodies {
        let inside = |t: &&[u32; 3]| t.iter().all(|&v| (v as usize) < body.frame.positions.len());
        let at = |v: u32| Vector3::from(body.frame.positions[v as usize]);
        triangles.extend(
            body.surface
                .triangles
                .iter()
                .filter(inside)
                .map(|t| t.map(at)),
        );
    }
    triangles
}

/// The triangles of all tools that cast shadows.
fn tool_triangles(tools: &[ToolView], glyphs: &[GlyphMesh]) -> Vec<[Vector3<f32>; 3]> {
    let mut triangles = Vec::new();
    for (tool, mesh) in tools.iter().zip(glyphs) {
        if !matches!(tool.shape, ToolShape::HalfSpace { .. }) {
            let at = |v: u32| Vector3::from(mesh.positions[v as usize]);
            triangles.extend(mesh.triangles.iter().map(|t| t.map(at)));
        }
    }
    triangles
}

/// Tools in drawing order for transparency: the farthest first, equal ones as given.
fn far_to_near<'a>(
    camera: &OrbitCamera,
    tools: &'a [ToolView],
    glyphs: &'a [GlyphMesh],
) -> Vec<(&'a ToolView, &'a GlyphMesh)> {
    let back = camera.axes()[2].cast::<f32>();
    let nearness = |mesh: &GlyphMesh| {
        let total: f32 = mesh
            .positions
            .iter()
            .map(|p| back.dot(&Vector3::from(*p)))
            .sum();
        total / mesh.positions.len().max(1) as f32
    };
    let mut order: Vec<_> = tools.iter().zip(glyphs).collect();
    order.sort_by(|a, b| nearness(a.1).total_cmp(&nearness(b.1)));
    order
}
