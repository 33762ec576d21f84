//! A constraint of a level that is displaced by a given vector, and pictures of what follows.

use std::sync::Arc;

use pliant_compression::transform::WaveletTransform;
use pliant_compression::wavelet::{CoefficientField, WaveletMatrix};
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceFrame, SurfaceMesh};
use pliant_render::{BodyView, Canvas, ColorMap, OrbitCamera, PictureOptions, draw_scene};

use crate::body::{Body, Failure};

/// Tractions on the hat of `row` of a level: the forces on fine nodes for a unit traction.
pub struct Hat {
    pub row: usize,
    /// Fine node and force, N for 1 N/m².
    forces: Vec<(u32, f64)>,
}

impl Hat {
    pub fn new(body: &Body, transform: &Arc<WaveletTransform>, level: usize, row: usize) -> Self {
        let weights = transform.hats(level).swap_remove(row).into_iter();
        let forces = weights.map(|(node, weight)| (node, weight * body.areas[node as usize]));
        Self {
            row,
            forces: forces.collect(),
        }
    }

    /// Nodal forces of a traction.
    pub fn loads(&self, traction: Vec3) -> Vec<(u32, Vec3)> {
        let load = |&(node, force): &(u32, f64)| (node, traction * force);
        self.forces.iter().map(load).collect()
    }

    /// Displacements of all nodes, where the traction is such that the node in the middle goes where `target` says.
    pub fn displaced(
        &self,
        target: Vec3,
        sum: impl Fn(&[(u32, Vec3)]) -> Vec<Vec3>,
    ) -> Result<Vec<Vec3>, Failure> {
        let fields = [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| sum(&self.loads(axis)));
        let columns = [0, 1, 2].map(|k| fields[k][self.row]);
        let traction = Mat3::from_columns(&columns).try_inverse();
        let traction = traction.ok_or("a constraint moves nothing")? * target;
        let node = |k: usize| (0..3).map(|axis| fields[axis][k] * traction[axis]).sum();
        Ok((0..fields[0].len()).map(node).collect())
    }
}

/// Displacements under forces, from dense columns.
pub fn dense(body: &Body, forces: &[(u32, Vec3)]) -> Vec<Vec3> {
    let mut field = vec![0.0; 3 * body.matrix.nodes()];
    body.matrix.add_columns(forces, &mut field);
    field
        .as_chunks::<3>()
        .0
        .iter()
        .map(|u| Vec3::from(*u))
        .collect()
}

/// The same from compressed ones.
pub fn compressed(matrix: &WaveletMatrix, forces: &[(u32, Vec3)]) -> Vec<Vec3> {
    let mut field = CoefficientField::default();
    matrix.sum_columns(forces, &mut field);
    (0..matrix.rows()).map(|row| field.value(row)).collect()
}

/// How a body is looked at.
pub struct View {
    /// rad
    pub yaw: f64,
    /// Over the one that shows all of the body with room around it.
    pub distance: f64,
    /// Pixels.
    pub size: (usize, usize),
}

impl View {
    /// The body with displaced free vertices, and a value from 0 to 1 of each as its colour.
    pub fn picture(&self, body: &Body, displacements: &[Vec3], values: &[f64]) -> Canvas {
        let skin = body.skin();
        let boundary = body.boundary();
        let mut of_vertex = vec![(Vec3::zeros(), 0.0); skin.vertex_count()];
        let free = of_vertex.iter_mut().zip(boundary.free);
        let free = free.filter(|(_, free)| **free).map(|(place, _)| place);
        for ((place, displacement), value) in free.zip(displacements).zip(values) {
            *place = (*displacement, *value);
        }
        let values = of_vertex.iter().map(|v| v.1);
        let colors: Vec<_> = values.map(|t| ColorMap::Sequential.color(t)).collect();
        self.draw(skin, |v| of_vertex[v].0, &colors)
    }

    /// A skin with a colour for each vertex.
    pub fn draw(
        &self,
        skin: &SurfaceMesh,
        displacement: impl Fn(usize) -> Vec3,
        colors: &[[f32; 3]],
    ) -> Canvas {
        let mut frame = SurfaceFrame::at_rest(skin);
        frame.set(skin, |v| skin.positions[v] + displacement(v));
        let mut camera = OrbitCamera {
            yaw: self.yaw,
            ..OrbitCamera::default()
        };
        camera.fit(&skin.bounds(), 1.0);
        camera.distance *= self.distance;
        let options = PictureOptions {
            width: self.size.0,
            height: self.size.1,
            ground: Some(skin.bounds().min.y),
            ..PictureOptions::default()
        };
        let body = BodyView {
            surface: skin,
            frame: &frame,
            colors: Some(colors),
            base_color: [0.7; 3],
        };
        draw_scene(&camera, &[body], &[], &options)
    }
}

/// Colour of the marks beside titles.
pub const MARK: [f32; 3] = [0.15, 0.45, 0.75];

/// The free node of a level that lies farthest along a direction.
pub fn farthest_node(
    body: &Body,
    transform: &Arc<WaveletTransform>,
    level: usize,
    direction: Vec3,
) -> usize {
    let along = |row: &usize| body.positions[*row].dot(&direction);
    let rows = 0..transform.domain().rows_to(level);
    rows.max_by(|a, b| along(a).total_cmp(&along(b)))
        .unwrap_or(0)
}

/// Outward normal of the skin at a free node.
pub fn normal(body: &Body, transform: &Arc<WaveletTransform>, row: usize) -> Vec3 {
    let vertex = transform.domain().vertices()[row] as usize;
    body.skin().vertex_normals()[vertex]
}
