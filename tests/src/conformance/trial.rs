//! The body of the suite, a model of it, and the boundary conditions that the laws use. Vectors are in the body's own frame unless stated otherwise.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, SupportRegion};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, Friction, NodalLoad};
use pliant_core::contact::{ContactTracker, Pose, Tool, TouchedBody};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::mesh::{SurfaceFrame, VoxelGrid};
use pliant_core::model::{DeformableModel, FrameReport, FrameRequest};
use pliant_core::scene::Selection;

use super::ModelFactory;

/// Sides of the block, m, and its cells.
pub(super) const SIDES: [f64; 3] = [6.0 * CELL, 3.0 * CELL, 4.0 * CELL];
const CELLS: [usize; 3] = [6, 3, 4];
/// Edge of a cell, m.
pub(super) const CELL: f64 = 0.03;
/// Length of a frame, s.
pub(super) const FRAME: f64 = 1.0 / 60.0;

/// A block of soft tissue around the origin, in cells of 30 mm, moved by `pose`: its lowest face held, or free. It has levels, a mesh for Green's functions and voxels.
///
/// Voxels follow rotations by 90 degrees only. For other poses they are those of the block at its original pose; a model that promises any orientation does not read them.
pub fn block(pose: &Pose, is_held: bool) -> BodyGeometry {
    let size = Vec3::from(SIDES);
    let mut skin = box_surface(size, CELLS, CellStyle::Kuhn);
    // a half-space turns with the body, and holds the same nodes of every mesh
    let foot = Selection::HalfSpace {
        point: pose
            .to_world(&Vec3::new(0.0, -0.499 * SIDES[1], 0.0))
            .into(),
        normal: (pose.orientation * -Vec3::y()).into(),
    };
    let mesh = |cells| {
        let mut tets = box_tets(size, cells, CellStyle::Kuhn);
        tets.nodes.iter_mut().for_each(|x| *x = pose.to_world(x));
        Arc::new(tets)
    };
    let fine = mesh(CELLS);
    let coarse = mesh(CELLS.map(|n| n.div_ceil(2)));
    skin.positions
        .iter_mut()
        .for_each(|x| *x = pose.to_world(x));
    let bounds = skin.bounds();
    let dims = [0, 1, 2].map(|k| (bounds.size()[k] / CELL).round() as usize);
    let voxels = VoxelGrid::new(bounds.min, CELL, dims, vec![true; dims.iter().product()]);
    let skin = Arc::new(skin);
    let supports = match is_held {
        true => vec![SupportRegion::new("foot", foot, &skin)],
        false => Vec::new(),
    };
    BodyGeometry {
        supports,
        levels: vec![coarse, Arc::clone(&fine)],
        greens_level: Some(fine),
        voxels: Some(Arc::new(voxels)),
        ..BodyGeometry::new(skin, Material::isotropic(2e4, 0.3).with_damping_ratio(0.5))
    }
}

/// A model of the block, and the pose of the block.
pub struct Trial {
    /// The model.
    pub model: Box<dyn DeformableModel>,
    /// Pose of the body's own frame in the world.
    pub pose: Pose,
    /// The skin in the body's own frame at rest, m.
    pub rest: Vec<Vec3>,
    frame: SurfaceFrame,
    held: Vec<bool>,
}

impl Trial {
    /// The block at the origin of the world.
    pub fn new(make: &ModelFactory<'_>, is_held: bool) -> Self {
        Self::at(make, &Pose::at(Vec3::zeros()), is_held)
    }

    /// The block at a pose.
    pub fn at(make: &ModelFactory<'_>, pose: &Pose, is_held: bool) -> Self {
        let geometry = block(pose, is_held);
        let mut held = vec![false; geometry.skin.vertex_count()];
        for &v in geometry.supports.iter().flat_map(|s| &s.skin_vertices) {
            held[v as usize] = true;
        }
        let model = make(&geometry);
        let mut frame = SurfaceFrame::default();
        model.write_surface(&mut frame);
        Self {
            rest: box_surface(Vec3::from(SIDES), CELLS, CellStyle::Kuhn).positions,
            pose: *pose,
            frame,
            held,
            model,
        }
    }

    /// One frame without a limit of work.
    pub fn advance(&mut self, boundary: &BoundaryConditions) -> Result<FrameReport, String> {
        let report = self.model.advance(FrameRequest::new(FRAME, boundary));
        self.model.write_surface(&mut self.frame);
        report.map_err(|e| format!("a frame failed: {e}"))
    }

    /// Reads the skin again, after the model was changed from outside.
    pub fn update_surface(&mut self) {
        self.model.write_surface(&mut self.frame);
    }

    /// Position of a skin vertex in the body's own frame, m.
    pub fn position(&self, v: usize) -> Vec3 {
        self.pose.to_local(&self.frame.position(v))
    }

    /// Position of a skin vertex in the world, m.
    pub fn world_position(&self, v: u32) -> Vec3 {
        self.frame.position(v as usize)
    }

    /// The skin as bits.
    pub fn bits(&self) -> Vec<[u32; 3]> {
        crate::bits(&self.frame)
    }

    /// The free vertex whose rest position is nearest to `place`.
    pub fn vertex_near(&self, place: Vec3) -> u32 {
        let free = (0..self.rest.len()).filter(|v| !self.held[*v]);
        let distance = |v: &usize| (self.rest[*v] - place).norm();
        let nearest = free.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(0, |v| v as u32)
    }

    /// Vertices of the upper face without its rim.
    pub fn top_vertices(&self) -> Vec<u32> {
        let [x, y, z] = SIDES.map(|s| 0.49 * s);
        let inside = |p: &Vec3| p.y > y && p.x.abs() < x && p.z.abs() < z;
        let vertices = self.rest.iter().enumerate();
        vertices
            .filter(|(_, p)| inside(p))
            .map(|(v, _)| v as u32)
            .collect()
    }

    /// A horizontal plate at `height` over the vertices of the upper face, which moves with `velocity` (m/s).
    pub fn plate(&self, height: f64, velocity: Vec3, friction: Friction) -> BoundaryConditions {
        let constraints = self.top_vertices().into_iter().map(|vertex| {
            let position = self.position(vertex as usize);
            DisplacementConstraint {
                friction,
                ..DisplacementConstraint::contact(
                    vertex,
                    self.pose
                        .to_world(&Vec3::new(position.x, height, position.z)),
                    self.pose.orientation * -Vec3::y(),
                )
                .moving(self.pose.orientation * velocity)
            }
        });
        conditions(constraints)
    }

    /// The contact conditions of a tool in the next frame, from `tracker`. The pose of the tool is in the world, not in the body's own frame.
    pub fn contact_with(&self, tracker: &mut ContactTracker, tool: &Tool) -> BoundaryConditions {
        let skin = self.model.surface();
        let diagonal = skin.bounds().diagonal();
        let has_inertia = self.model.capabilities().inertia;
        let body = TouchedBody {
            skin,
            frame: &self.frame,
            held: &self.held,
            diagonal,
            margin: TouchedBody::usual_margin(diagonal, has_inertia),
            has_inertia,
        };
        let (constraints, _) = tracker.update(&body, std::slice::from_ref(tool), &[], FRAME);
        conditions(constraints.iter().copied())
    }

    /// Held vertices: vertex, displacement from rest at the end of the frame and at its start, m.
    pub fn held_at(&self, vertices: &[(u32, Vec3, Vec3)]) -> BoundaryConditions {
        conditions(vertices.iter().map(|(vertex, end, start)| {
            let rest = self.rest[*vertex as usize];
            DisplacementConstraint::held(*vertex, self.pose.to_world(&(rest + end)))
                .moving(self.pose.orientation * (end - start) / FRAME)
        }))
    }

    /// Loads on vertices, N.
    pub fn loaded(&self, loads: &[(u32, Vec3)]) -> BoundaryConditions {
        let mut boundary = BoundaryConditions::default();
        boundary.set_loads(loads.iter().map(|(vertex, force)| NodalLoad {
            vertex: *vertex,
            force: self.pose.orientation * force,
        }));
        boundary
    }

    /// Reactions in the body's own frame, N.
    pub fn reactions(&self) -> Vec<Vec3> {
        let turn = self.pose.orientation.inverse();
        self.model.reactions().iter().map(|f| turn * f).collect()
    }
}

fn conditions(constraints: impl Iterator<Item = DisplacementConstraint>) -> BoundaryConditions {
    let mut boundary = BoundaryConditions::default();
    boundary
        .set_displacements(constraints)
        .expect("each vertex once, every number finite");
    boundary
}
