//! The octahedron of *ArtDefo* (James and Pai 1999): Loop subdivision with one sharp face, pressed between two finger pads, compressible and not.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Selection;
use pliant_quasistatic::{QuasistaticModel, QuasistaticParams};
use pliant_render::picture::titled;
use pliant_render::{BodyView, ColorMap, OrbitCamera, PictureOptions, draw_scene};

use crate::bodies::{bake_body, octahedron};
use crate::held::held;

/// Radius of a pad and how deep it presses, of a body of radius about 0.7, m.
const PAD_RADIUS: f64 = 0.22;
const PAD_DEPTH: f64 = 0.12;

/// Largest distance along the normal that has a colour of its own, m.
const MAX_BULGE: f64 = 0.04;

/// Writes `octahedron.csv` and `octahedron.png`.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let skin = octahedron(3)?;
    let mut csv = String::from(
        "poisson,vertices,pad_vertices,force_left_n,force_right_n,volume_change_over_pushed\n",
    );
    let mut pictures = Vec::new();
    for poisson in [0.0, 0.3, 0.5] {
        let (asset, _) = bake_body(&held(&skin, Selection::Lowest(0.12), poisson))?;
        let rest = asset.skin.clone();
        let bounds = rest.bounds();
        let params = QuasistaticParams {
            max_contacts: 1000,
            ..QuasistaticParams::default()
        };
        let mut model = QuasistaticModel::new(asset, &params);
        // pads from left and right, bonded: all directions are held
        let mut constraints = Vec::new();
        for (side, x) in [(1.0, bounds.min.x), (-1.0, bounds.max.x)] {
            let center = Vec3::new(x, 0.0, 0.0);
            for (v, at) in rest.positions.iter().enumerate() {
                if (at - center).norm() < PAD_RADIUS {
                    constraints.push(DisplacementConstraint::held(
                        v as u32,
                        at + Vec3::x() * (side * PAD_DEPTH),
                    ));
                }
            }
        }
        // reactions come in the order of vertices
        constraints.sort_by_key(|c| c.vertex);
        let mut boundary = BoundaryConditions::default();
        boundary.set_displacements(constraints.iter().copied())?;
        model.advance(FrameRequest::new(1.0 / 60.0, &boundary))?;
        let position = |v: usize| rest.positions[v] + model.displacement(v);
        let deformed = SurfaceMesh::new(
            (0..rest.vertex_count()).map(position).collect(),
            rest.triangles.clone(),
        );
        // small strains: the change of volume is the flux through the skin, displacements being linear in each triangle; at a sharp edge a vertex has
        // the area vectors of its triangles, not its area along some mean normal
        let areas = rest.nodal_area_vectors();
        let flux = |v: usize| areas[v].dot(&model.displacement(v));
        let displaced_volume: f64 = constraints.iter().map(|c| -flux(c.vertex as usize)).sum();
        let volume_change: f64 = (0..rest.vertex_count()).map(flux).sum();
        let mut forces = [0.0; 2];
        for (c, force) in constraints.iter().zip(model.reactions()) {
            forces[usize::from(c.target.x > 0.0)] += force.x;
        }
        writeln!(
            csv,
            "{poisson},{},{},{:.2},{:.2},{:.5}",
            rest.vertex_count(),
            constraints.len(),
            forces[0],
            forces[1],
            volume_change / displaced_volume
        )?;
        let title = format!("Poisson's ratio {poisson}: red is out");
        pictures.push((title, picture(&rest, &deformed)));
    }
    print!("{csv}");
    std::fs::write(folder.join("octahedron.csv"), csv)?;
    titled(&pictures, |_| [0.15, 0.45, 0.75]).write_png(&folder.join("octahedron.png"))?;
    Ok(())
}

fn picture(rest: &SurfaceMesh, deformed: &SurfaceMesh) -> pliant_render::Canvas {
    let mut frame = SurfaceFrame::at_rest(rest);
    frame.set(rest, |v| deformed.positions[v]);
    // what moved outwards is what bulges: the whole of it is the volume that was kept
    let outward = rest.vertex_normals();
    let outward = outward.iter().enumerate().map(|(v, normal)| {
        let moved = deformed.positions[v] - rest.positions[v];
        0.5 + 0.5 * moved.dot(normal) / MAX_BULGE
    });
    let colors: Vec<_> = outward.map(|t| ColorMap::Diverging.color(t)).collect();
    let mut camera = OrbitCamera::default();
    camera.fit(&rest.bounds(), 1.0);
    camera.yaw = 0.95;
    camera.distance *= 0.8;
    let options = PictureOptions {
        width: 420,
        height: 420,
        wireframe: true,
        ground: Some(rest.bounds().min.y),
        ..PictureOptions::default()
    };
    let body = BodyView {
        surface: rest,
        frame: &frame,
        colors: Some(&colors),
        base_color: [0.86, 0.62, 0.42],
    };
    draw_scene(&camera, &[body], &[], &options)
}
